# SPDX-License-Identifier: BSD-2-Clause
# Aggregates, buckets, CSV and JSON.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
try --csv --by=cpu --show='share,samples,sum(period),avg(period),min(period),max(period),stddev(period)' all.pk
try --json --by=cpu,symbol --show='count,count(cgroup),distinct(symbol),distinct(pid),first,last,p50(period)' all.pk
try --csv --by=symbol all.pk
try --json --by=event,comm --show='first(symbol),last(symbol),min(ip),max(time)' all.pk
try -q --by=time:0.002s --show=samples --order=time:0.002s:asc -e cpu-clock all.pk
try -q --by=time:2ms,period:log2 --show=samples --order=time:2ms:asc -e cpu-clock all.pk
try -q --by=period:300 --show='samples,period,first,last,stddev(period),p99.9(period),max(ip)' -e cpu-clock all.pk
# fields of tracepoints
switched()
{ # TIME PRIO COMM
	echo "SAMPLE misc=(user) ip=0x1000 pid=5 tid=5 time=$1 period=1"
	# sched_switch: common fields, prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio
	echo "  raw={2:310 1:0 1:0 4:5 8:$3 8:0 4:5 4:$2 8:0 8:0 8:0 4:6 4:120 4:0}"
}
{
	header
	echo 'HEADER_ATTR attr_type=2 config=310 sample_period=1 id=9'
	echo '  sample_type=(IP TID TIME PERIOD RAW IDENTIFIER) flags=(sample_id_all)'
	echo "TRACING_DATA payload_size=$(wc -c <"$PK_TOP/tests/data/tracing.x86_64") payload=@$PK_TOP/tests/data/tracing.x86_64"
	switched 10 120 0x6261
	switched 20 3 0x6261
	switched 30 120 0x63
	switched 40 -7 0x63
	switched 50 100 0x63
} | assemble >switches.pk
try -q --csv --by=prev_comm --show='samples,sum(prev_prio),avg(prev_prio),min(prev_prio),stddev(prev_prio),distinct(prev_prio)' switches.pk
try -q --csv --by=prev_prio:log2 --show='count,distinct(prev_comm),last(prev_comm),first(trace.next_pid)' -e sched_switch switches.pk
try -q --csv --by=prev_prio:100 --show=samples switches.pk
try -q --weight=prev_prio --by=sched_switch.prev_comm switches.pk
try -q --by=sched:sched_switch.prev_comm,sched_switch.prev_prio:50 --show=samples switches.pk
try -q --by=sched_wakeup.prev_comm switches.pk
# the largest sum so far, units
try -q --csv --by=prev_comm --show='sum(prev_prio),peak(prev_prio)' switches.pk
try -q --by=none --show='peak(prev_prio),period,count(prev_prio),first,avg(time)' --unit=us,K switches.pk
try -q --csv --by=none --show='first,sum(prev_prio)' --unit=s,G switches.pk
try -q --csv --by=none --show='max(prev_prio),maxtime(prev_prio),nonzero(prev_state),nonzero(prev_prio),nonzero(prev_comm)' switches.pk
try -q --by=time:20us --show=samples --unit=ms --order=time:20us:asc switches.pk
try -q --unit=K,h switches.pk
# texts have no buckets
try -q --by=comm:log2 switches.pk
try -q -s sym:10 switches.pk
try -q --by=event:2 switches.pk
try -q --by=prev_comm:log2 switches.pk
try --by=prev_comm:log2 --show=samples switches.pk all.pk
try -q --unit= switches.pk
zstd -dqc "$PK_TOP/tests/data/x86_64.pk.zst" >real.pk
# members of JSON are valid
pk-report -q --json --by=comm,event,cpu,time,ip real.pk | awk '!/^\{"children":|^\{"share":/ { bad++ } END { print NR, bad + 0 }'
# CSV and JSON have the same numbers, not rounded ones
{
	header
	event 1 7
	for at in 1 2 3; do sample 7 $at 0x1000 $((10 ** 15 + at)); done
} | assemble >thirds.pk
pk-report -q --csv --by=pid --show='share,avg(period),stddev(period)' thirds.pk | tee thirds.csv
pk-report -q --json --by=none --show='avg(period),stddev(period)' thirds.pk
awk -F, 'NR > 1 { print $2 }' thirds.csv | perl -ne 'my $at = 4 - $.; print $_ == 100 * (1e15 + $at) / (3e15 + 6) ? "equal\n" : "different\n"'
