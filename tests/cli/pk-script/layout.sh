# SPDX-License-Identifier: BSD-2-Clause
# --layout: the map of processors, and the runs of tasks. The lines are those of perf sched 6.1 for this stream.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	echo BEGIN
	both_events
	tracing
	comm 5 5 five
	switch 1000 0 5 0
	switch 1100 1 6 7
	wakeup 2000 1 7 5
	switch 2010 0 0 5
	switch 2500 0 5 6 0
	wakeup 2600 0 6 5
	switch 3000 1 7 0
	comm 5 5 other
	switch 4000 0 6 5
	switch 4100 3 0 7
	switch 4200 0 5 0
	switch 4300 9999 0 8
} | assemble >in.pk
for layout in map timehist timehist:Vwn timehist:MwV; do
	echo "$ $layout"
	pk-script --layout "$layout" in.pk 2>&1
	echo "status $?"
done
for wrong in '' maps map:V timehist:x; do pk-script --layout "$wrong" in.pk 2>&1 | head -n 1; done
pk-script --layout map --format x in.pk 2>&1 | head -n 1
pk-script --layout map --json in.pk 2>&1 | head -n 1
# Callchains, before and after pk-symbolize: without the frames of the scheduler.
cat >kallsyms <<'K'
ffffffff81000000 T __schedule
ffffffff81000100 T schedule
ffffffff81000200 T futex_wait
ffffffff81000300 T _etext
K
{
	header
	both_events CALLCHAIN
	session
	tracing
	comm 5 5 five
	comm 6 6 six
	maps 5 0x1000 0x1000 /x/one
	chain="ips[0]=(kernel) ips[1]=0xffffffff81000010 ips[2]=0xffffffff81000110"
	switch 1000 0 6 5 0 "$chain"
	switch 2000 0 5 6 1 "$chain ips[3]=0xffffffff81000210 ips[4]=(user) ips[5]=0x1010"
	finish
} | assemble >chains.pk
pk-script --layout timehist:g --kallsyms kallsyms --symfs /nonexistent chains.pk
pk-symbolize -q --kallsyms kallsyms --symfs /nonexistent chains.pk | pk-script --layout timehist:gn
pk-script --layout timehist:g --max-stack 3 --kallsyms kallsyms --symfs /nonexistent chains.pk | tail -n 1
# No context switches.
header | assemble | pk-script --layout map 2>&1
