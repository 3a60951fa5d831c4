# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# --anonymize: what becomes of each kind of record, and of names; the same key gives the same names.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 0 7
	event 1 8
	event 2 9 77
	name 7 cpu-clock
	name 8 probe_secret:function
	name 9 sched:sched_switch
	comm 5 5 secret-name
	comm 6 6 swapper
	maps 5 0x401000 0x1000 /opt/secret/program
	maps 5 0x500000 0x1000 //anon
	maps 5 0x7ff000 0x1000 '[vdso]'
	# a cgroup, a namespace, a symbol, a type that nobody knows, an unknown update, a feature nobody knows, a host
	echo 'CGROUP id=1234 path="/secret.slice"'
	echo 'KSYMBOL addr=0xffffffffc0000000 len=64 ksym_type=1 name="bpf_prog_secret"'
	echo 'UNKNOWN type=40 unknown="secretsecret" unknown={4:0}'
	echo 'UNKNOWN type=99 unknown="secretsecret" unknown={4:0}'
	echo 'EVENT_UPDATE subtype=77 id=7 unknown="secretsecret" unknown={4:0}'
	echo 'HEADER_FEATURE feature=29 unknown="secretsecret" unknown={4:0}'
	echo 'HEADER_FEATURE feature=77 unknown="secretsecret" unknown={4:0}'
	echo 'HEADER_FEATURE feature=(HOSTNAME) hostname="secrethost"'
	echo 'EVENT_UPDATE subtype=0x706b7374726d0063 unknown="secretsecretsecretsecre" unknown=0a'
	sample 7 5 0x401234 100 1000
	sample 8 5 0x500010 200 2000
	sample 9 6 0x7ff123 300 3000
} | assemble >in.pk
head -c 32 /dev/zero | tr '\0' k >key
pk-filter --anonymize --key-file key in.pk >out.pk
echo "status $?"
pk-script --dump out.pk 2>err | grep -v '^  id=\|id\[\|time=\|trailer\.' | sed 's/^[0-9]* //'
grep -a -c secret out.pk
echo "== fields that nobody knows yet"
{
	header
	event 1 7
	while read -r record; do
		echo "$record unknown=\"secretsecret\" unknown={4:0}"
	done <<'RECORDS'
FINISHED_ROUND
STAT id=1 value=1 enabled=2 running=3
STAT_ROUND time=1
TIME_CONV shift=1 mult=2 zero=3 cycles=4 mask=5 cap_time_zero=1 cap_time_short=1
STAT_CONFIG term[0].value=5
ID_INDEX entry[0].id=7 entry[0].tid=5
CPU_MAP nr=2 cpu[0]=0 cpu[1]=1
EVENT_UPDATE subtype=1 id=7 scale=2.5e-323
EVENT_UPDATE subtype=3 id=7 nr=2 cpu[0]=0 cpu[1]=1
HEADER_FEATURE feature=(NRCPUS) available=2 online=2
HEADER_FEATURE feature=(SAMPLE_TIME) first=1 last=2
THREAD_MAP entry[0].pid=5 entry[0].comm="secret-name"
RECORDS
	echo 'NAMESPACES pid=5 tid=5 namespace[0].dev=3 namespace[0].ino=4 unknown="secretsecret" unknown={4:0}'
	echo 'BPF_EVENT bpf_type=1 prog_id=1 tag=0500000000000000 unknown="secretsecret" unknown={4:0}'
	echo 'CALLCHAIN_DEFERRED cookie=1 ips[0]=0x401000 unknown="secretsecret" unknown={4:0}'
	echo 'DSO id=1 kind=1 build_id_size=8 build_id="secretidsecretsecret" unknown="secr"'
	echo 'HEADER_BUILD_ID misc=0x8000 pid=5 filename="/bin/true"'
	echo '  build_id="secretidsecretsecret"'
	echo 'MMAP2 misc=0x4002 pid=5 tid=5 addr=0x1000 len=0x1000 build_id_size=8 build_id="secretidsecretsecret"'
	echo '  prot=5 flags=2 filename="/bin/true"'
} | assemble >new.pk
pk-filter -q --anonymize --key-file key new.pk >known.pk
pk-script --dump known.pk | sed -n 's/^[0-9]* \([A-Z0-9_]* type=\)/\1/p'
grep -a -o secret new.pk | wc -l
grep -a -c secret known.pk
echo "== files of two devices"
device()
{
	echo "MMAP2 misc=(user) pid=5 tid=5 addr=0x1000 len=0x1000 maj=0 min=$1 ino=4711 prot=5 flags=2 filename=\"/bin/true\""
}
{
	header
	event 1 7
	device 35
	device 36
	device 35
} | assemble >devices.pk
pk-filter -q --anonymize --key-file key devices.pk | pk-script --dump - | grep ' ino=' | uniq | wc -l
echo "== keys"
PK_ANONYMIZE_KEY=$(cat key) pk-filter -q --anonymize in.pk >again.pk
cmp out.pk again.pk && echo "the same key, the same stream"
pk-filter -q --anonymize in.pk >a.pk
pk-filter -q --anonymize in.pk >b.pk
cmp -s a.pk b.pk || echo "each time another one without"
pk-filter -q --anonymize --key-file key in.pk in.pk | pk-script --dump - | grep -c "$(pk-script --dump out.pk | grep -m 1 comm=)"
echo short >short
pk-filter --anonymize --key-file short in.pk
echo "status $?"
pk-filter --anonymize --key-file missing in.pk
echo "status $?"
PK_ANONYMIZE_KEY=short pk-filter --anonymize in.pk
echo "status $?"
pk-filter --key-file key in.pk
echo "status $?"
pk-filter --anonymize --keep unheard in.pk
echo "status $?"
echo "== with other things"
pk-filter -q --anonymize --key-file key --comm 'secret*' in.pk | pk-script -q -F comm,pid,event,ip -
mkdir out
pk-filter -q --anonymize --key-file key --split-by comm -o 'out/%v' in.pk
ls out
pk-filter -q --anonymize --key-file key --strip-extensions in.pk | pk-script --dump - 2>/dev/null | grep -c definition
f=$PK_TOP/format/vectors/good/sample-all-le.pk
for keep in '' '--keep raw,stack,regs,iregs'; do
	# shellcheck disable=SC2086
	pk-filter -q --anonymize --key-file key $keep "$f" | pk-script --dump - 2>/dev/null |
		grep -o '^  \(raw\|user_stack\|user_reg\|intr_reg\|phys\)[a-z_]*' | sort -u
done
echo "== the chain trailer stays, also after unknown bytes"
for trailers in 2 3; do
	{
		header
		event 1 7
		session $trailers
		comm 5 5 prog
		sample 7 5 0x401234
		echo "  unknown=6565656565656565 unknown=6368706b02000000 $([ $trailers = 2 ] || echo stack=0)"
		finish
	} | assemble >trailers.pk
	pk-filter --anonymize --key-file key trailers.pk | pk-script --dump | grep 'chain_flags\|^  stack=\|unknown='
done
