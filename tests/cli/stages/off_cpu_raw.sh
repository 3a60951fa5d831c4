# SPDX-License-Identifier: BSD-2-Clause
# little-endian: the bytes of RAW
# Off-CPU samples of perf 6.16 and later: process, period, callchain and cgroup stand in RAW. All programs read them there.
. "$PK_TOP/tests/cli/stream.bash"

# switched PERIOD IPS...: written in the context of another task, with a period of 1
switched()
{
	local ip ips=

	for ip in "${@:2}"; do
		ips+=" 8:$ip"
	done
	sample_of kernel 9 7 0xffffffff81000010 "time=$((at += 1000))" period=1
	echo "  raw={4:5 4:6 8:$1 8:$(($# - 1))$ips 8:77 4:0}"
}

{
	header
	event_of 8 PERIOD
	event_of 9 'PERIOD RAW' config=10
	name 8 cpu-clock
	name 9 offcpu-time
	comm 5 5 sleeper
	comm 5 6 sleeper
	comm 7 7 other
	maps 5 0x400000 0x10000 /no/sleeper
	echo 'CGROUP id=77 path="/work"'
	at=0
	switched 5000000 0xfffffffffffffe00 0x401100 0x401200
	switched 10000000 0xfffffffffffffe00 0x401110 0x401200
	switched 15000000 0xfffffffffffffe00 # without addresses
	switched 20000000
} | assemble >in.pk
pk-script -q -F comm,pid,tid,time,event,period,ip,sym,cgroup in.pk
echo "status $?"
pk-script --json in.pk | grep -o '"pid":[0-9]*\|"period":[0-9]*' | paste -s -
echo "== sums"
pk-symbolize -q --addresses in.pk >symbolized.pk
pk-fold -q --addresses --event offcpu-time symbolized.pk
pk-report -q -e offcpu-time --by pid,tid,cgroup,stack symbolized.pk | grep -v '^$'
pk-filter -q --where 'tid == 6 && period < 6000000' symbolized.pk | pk-fold -q --addresses --event offcpu-time
pk-merge-callchains -q symbolized.pk | pk-fold -q --addresses --event offcpu-time | cmp - <(pk-fold -q --addresses --event offcpu-time symbolized.pk)
echo "== their address"
pk-report -q -e offcpu-time --by ip,mode,symoff symbolized.pk | grep -v '^$'
pk-report -q -e offcpu-time --by ip in.pk | grep -v '^$'
pk-filter --where 'ip == 0x401110' in.pk | pk-script -q -F ip,period
pk-script -q --json in.pk | sed 's/"callchain".*//' | grep -o '"ip":[^,]*'
pk-export rows -q --by ip in.pk
pk-export sqlite -q --by ip -o rows.db in.pk && sqlite3 rows.db 'SELECT "ip", weight FROM samples JOIN labels ON labels.id = labels ORDER BY time'
pk-span -q --start offcpu-time --end offcpu-time --key tid --again replace --carry start.ip,end.ip in.pk | pk-script -q -F event,ip,trace
echo "== stages in any order"
all='pk-symbolize -q --addresses|pk-merge-callchains -q|pk-unwind -q'
IFS='|' read -r a b c <<<"$all"
for order in "$a|$b|$c" "$a|$c|$b" "$b|$a|$c" "$b|$c|$a" "$c|$a|$b" "$c|$b|$a"; do
	eval "cat in.pk|$order" >staged.pk
	{
		pk-script -q -F pid,tid,time,period,ip,sym staged.pk
		pk-report -q -e offcpu-time --by ip,stack staged.pk
		pk-fold -q --addresses --event offcpu-time staged.pk
	} | cksum
done | uniq -c
echo "== fields that are removed"
for field in callchain raw cgroup; do
	echo "$field"
	pk-filter -q --drop $field in.pk | pk-script -q -F tid,period,ip,cgroup
done
echo "== anonymous and back"
head -c 32 /dev/zero | tr '\0' k >key
pk-filter --anonymize --key-file key in.pk >anonymous.pk
echo "status $?"
pk-script -q -F pid,tid,time,event,period,ip anonymous.pk
