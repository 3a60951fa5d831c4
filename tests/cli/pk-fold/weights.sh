# SPDX-License-Identifier: BSD-2-Clause
# What a sample weighs: threads that run beside it, fields of tracepoints.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold --addresses "$@" 2>&1
	echo "status $?"
}
switch()
{ # in|out PID TID TIME: of a task, or where whole is set, of a processor
	echo "${whole:-SWITCH} misc=$([ "$1" = out ] && echo 0x2000 || echo 0)"
	echo "  trailer.pid=$2 trailer.tid=$3 trailer.time=$4"
}
sample()
{ # IP PID TID TIME PERIOD
	echo "SAMPLE misc=(user) id=${id:-7} ip=$1 pid=$2 tid=$3 time=$4 period=$5"
}
latency()
{
	header
	event 1 7
	comm 5 5 prog
	comm 5 6 prog
	sample 0x1000 5 5 10 100 # alone
	switch in 5 6 20
	sample 0x2000 5 5 30 100 # with 6
	sample 0x2000 5 6 40 101 # the same; rounded
	sample 0x3000 9 9 50 100 # another process
	switch out 5 5 60
	sample 0x4000 5 6 70 100 # 6 alone
	switch in 0 0 80 # idle
	switch in 5 5 90
	switch in 5 5 91 # told twice
	sample 0x5000 5 7 95 90 # a third one, only known by its sample
	echo 'EXIT pid=5 ppid=5 tid=6 ptid=6'
	sample 0x6000 5 5 99 100
}
latency | assemble >latency.pk
try -q --weight=latency latency.pk
try -q latency.pk
whole=SWITCH_CPU_WIDE
latency | assemble >whole.pk # then each process counts by itself
try -q --weight=latency whole.pk
{
	header
	event 1 7
	sample 0x1000 5 5 10 100
} | assemble >none.pk
try -q --weight=latency none.pk
zstd -dqc "$PK_TOP/tests/data/x86_64.pk.zst" >tracepoints.pk
try -q --weight=bytes tracepoints.pk
# formats that come again
formats()
{
	echo "TRACING_DATA payload_size=$(wc -c <"$PK_TOP/tests/data/tracing.x86_64") payload=@$PK_TOP/tests/data/tracing.x86_64"
}
switched()
{ # PRIO
	echo "SAMPLE misc=(user) ip=0x1000 pid=5 tid=5 time=10 period=1"
	# sched_switch: common fields, prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio
	echo "  raw={2:310 1:0 1:0 4:5 8:0 8:0 4:5 4:$1 8:0 8:0 8:0 4:6 4:120 4:0}"
}
{
	header
	echo 'HEADER_ATTR attr_type=2 config=310 sample_period=1 id=9'
	echo '  sample_type=(IP TID TIME PERIOD RAW IDENTIFIER) flags=(sample_id_all)'
	formats
	switched 120
	formats
	switched 3
} | assemble >formats.pk
try -q --weight=prev_prio formats.pk
# parts of a weight
{
	header
	echo 'HEADER_ATTR attr_type=1 sample_period=1000 id=7'
	echo '  sample_type=(IP TID TIME PERIOD WEIGHT_STRUCT IDENTIFIER) flags=(sample_id_all)'
	echo 'SAMPLE misc=(user) ip=0x1000 pid=5 tid=5 time=10 period=1000'
	echo "  weight=$((100000 | 20 << 32 | 3 << 48))"
	echo 'SAMPLE misc=(user) ip=0x1000 pid=5 tid=5 time=20 period=1000 weight=5'
} | assemble >memory.pk
for part in weight ins_lat retire_lat; do
	try -q --weight=$part memory.pk
done
# units
{
	header
	event 1 7
	event 2 9 314
	event 1 11 10
	name 7 cpu-clock
	name 9 sched:sched_stat_runtime
	name 11 offcpu-time
	comm 5 5 prog
	id=7 sample 0x1000 5 5 10 1000
	id=9 sample 0x1000 5 5 20 500
	id=11 sample 0x2000 5 5 30 70000
} | assemble >units.pk
try -v units.pk
try -v --weight=period units.pk
try -v --weight=period --event='*-time' --event=cpu-clock units.pk
try -v --by=event,comm units.pk
{
	header
	event 1 7
	event 1 11 10
	name 7 cpu-clock
	name 11 offcpu-time
	comm 5 5 prog
	id=11 sample 0x2000 5 5 10 70000
	id=7 sample 0x1000 5 5 20 1000
} | assemble >blocked.pk
try blocked.pk
{
	header
	event 1 11 10
	name 11 offcpu-time
	comm 5 5 prog
	id=11 sample 0x2000 5 5 10 70000
} | assemble >only.pk
try -q only.pk
try -q --weight=next_comm formats.pk
