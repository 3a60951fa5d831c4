# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# The formats of the input: none, damaged, too late, or twice.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
some()
{
	switch 100 0 1 2
	switch 150 1 3 1
}
# tracings FILE: the number of TRACING_DATA, and the formats in them
tracings()
{
	pk-script --dump "$1" 2>/dev/null | grep -c ' TRACING_DATA'
	strings -n 8 "$1" | grep '^name: ' | paste -sd,
}
echo "== no tracepoints: an own TRACING_DATA"
{
	header
	event 1 7
	event 1 8 2
	name 7 begin
	name 8 end
	comm 5 5 prog
	sample 7 5 0x1000 1 1000
	sample 7 6 0x1000 1 2000
	sample 8 5 0x1000 1 3000
} | assemble | pk-span --start begin --end end --key pid --carry end.ip >none.pk
show none.pk
tracings none.pk
echo "== an output without samples"
{
	header
	event 1 7
} | assemble | pk-span --start '*' --end '*' --key pid >empty.pk
echo "status $?"
tracings empty.pk
echo "== nothing at all"
header | assemble | pk-span --start '*' --end '*' --key pid | pk-script --dump - | head -n 3
echo "== twice"
{
	header
	both_events
	tracing
	tracing
	some
} | assemble | pk-span -q "${offcpu[@]}" >twice.pk
echo "status $?"
tracings twice.pk
echo "== after a sample"
{
	header
	both_events
	switch 50 0 1 2
	tracing
	some
} | assemble | pk-span -q "${offcpu[@]}" >late.pk
echo "status $?"
tracings late.pk
echo "== cut in the second system"
size=$(grep -abo 'name: sched_wakeup' "$formats" | cut -d: -f1)
head -c $((size + 100)) "$formats" >part
formats=part
{
	header
	both_events
	tracing
	some
} | assemble | pk-span -q "${offcpu[@]}" >cut.pk
echo "status $?"
tracings cut.pk
exit 0
