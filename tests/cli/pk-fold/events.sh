# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Of several events the first is folded, beside tracepoints, which count one each.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold --addresses "$@" 2>&1
	echo "status $?"
}
{
	header
	event 1 7
	event 0 8
	event 2 9 314
	name 7 cpu-clock
	name 8 cycles
	name 9 'sched:sched\e_switch'
	comm 5 5 prog
	sample 7 5 0x1000 100
	sample 7 5 0x1000 10
	sample 8 5 0x1000 7000
	sample 9 5 0x1000 50
	sample 9 5 0x2000 60
	sample 7 5 0x2000 0
} >events.txt
assemble <events.txt >events.pk
try events.pk
try -q events.pk
# From a pipe, functions are not looked up.
# shellcheck disable=SC2002 # a pipe on purpose
cat events.pk | try
try --weight=samples events.pk
try --event=cycles events.pk
try --event cycles --weight samples events.pk
try --event=$'sched:sched\033_switch' events.pk
try --event=instructions events.pk
# a sample of no event is left out and told
{
	cat events.txt
	sample 77 5 0x1000 1
	sample 7 5 0x3000 1
} | assemble >unknown.pk
try --weight=samples unknown.pk
try -q --weight=samples unknown.pk
# The event that was given first is folded, also where another one has the first sample.
{
	header
	event 1 7
	event 1 8 3
	name 7 cpu-clock
	name 8 cs
	comm 5 5 prog
	sample 8 5 0x2000 1
	sample 7 5 0x1000 100
} | assemble >order.pk
try -q order.pk
# Without --event only spans are folded, where there are some.
{
	header
	event 1 7
	event 2 8 3
	name 7 cpu-clock
	name 8 pk:wait
	comm 5 5 prog
	sample 8 5 0x2000 30
	sample 7 5 0x1000 100
} | assemble >spans.pk
try spans.pk
