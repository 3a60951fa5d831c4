# SPDX-License-Identifier: BSD-2-Clause
# What a sample weighs: threads that run beside it, fields of tracepoints.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}
switch()
{ # in|out PID TID TIME: of a task, or where whole is set, of a processor
	{
		${whole:+nums 44 0 0}
		nums 4488 "$2" "$3" "$4" 7
	} | record ${whole:-14} $((8192 * $([ "$1" = out ] && echo 1 || echo 0)))
}
sample()
{ # IP PID TID TIME PERIOD
	nums 884488 7 "$1" "$2" "$3" "$4" "$5" | record 9 2
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
	{
		nums 44448 5 5 6 6 0
		trailer 7
	} | record 4 0 # 6 exits
	sample 0x6000 5 5 99 100
}
latency >latency.pk
try -q --weight=latency latency.pk
try -q latency.pk
whole=15
latency >whole.pk # then each process counts by itself
try -q --weight=latency whole.pk
{
	header
	event 1 7
	sample 0x1000 5 5 10 100
} >none.pk
try -q --weight=latency none.pk
{
	zstd -dqc "$PK_TOP/tests/data/x86_64.pk.zst"
} >tracepoints.pk
try -q --weight=bytes tracepoints.pk
# formats that come again
formats()
{
	nums 42244 66 0 16 "$(wc -c <"$PK_TOP/tests/data/tracing.x86_64")" 0
	cat "$PK_TOP/tests/data/tracing.x86_64"
}
switched()
{ # PRIO
	{
		nums 884488 9 0x1000 5 5 10 1
		nums 421148844888444 68 310 0 0 5 0 0 5 "$1" 0 0 0 6 120 0
	} | record 9 2
}
{
	header
	nums 448888888 2 64 310 1 $((0x10507)) 0 $((1 << 18)) 0 0 >attr
	{
		cat attr
		num 8 9
	} | record 64 0
	formats
	switched 120
	formats
	switched 3
} >formats.pk
try -q --weight=prev_prio formats.pk
# parts of a weight
{
	header
	{
		nums 44888888 1 64 0 1000 $((0x1010107)) 0 $((1 << 18)) 0
		nums 88 0 7
	} | record 64 0
	nums 884488422 7 0x1000 5 5 10 1000 100000 20 3 | record 9 2
	nums 884488422 7 0x1000 5 5 20 1000 5 0 0 | record 9 2
} >memory.pk
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
	nums 884488 7 0x1000 5 5 10 1000 | record 9 2
	nums 884488 9 0x1000 5 5 20 500 | record 9 2
	nums 884488 11 0x2000 5 5 30 70000 | record 9 2
} >units.pk
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
	nums 884488 11 0x2000 5 5 10 70000 | record 9 2
	nums 884488 7 0x1000 5 5 20 1000 | record 9 2
} >blocked.pk
try blocked.pk
{
	header
	event 1 11 10
	name 11 offcpu-time
	comm 5 5 prog
	nums 884488 11 0x2000 5 5 10 70000 | record 9 2
} >only.pk
try -q only.pk
try -q --weight=next_comm formats.pk
