# SPDX-License-Identifier: BSD-2-Clause
# Which start belongs to which end; what becomes of starts and ends without a partner.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	session
	tracing
	comm 1 1 t1
	switch 100 0 1 2
	switch 150 1 3 1
	wakeup 160 0 2 5
	switch 200 0 2 1 # ends the block of 1, starts one of 2
	switch 230 1 1 6 0
	switch 260 0 1 2
	switch 300 0 2 3
	switch 310 1 6 2
	switch 330 1 2 5 0
	switch 340 1 5 2 0
	finish
} | assemble >switches.pk
echo "== default"
pk-span "${offcpu[@]}" switches.pk >out.pk
echo "status $?"
show out.pk
echo "== pass, carry, name, stack of the end"
pk-span "${offcpu[@]}" --pass --carry prev_comm,end.prev_comm,prev_state,time --name block --stack end switches.pk >out.pk 2>/dev/null
show out.pk
echo "== min, unfinished"
pk-span "${offcpu[@]}" --min 60us --unfinished switches.pk >out.pk
show out.pk | grep -v wakeup
{
	header
	both_events
	session
	tracing
	switch 100 0 1 0
	switch 200 0 0 2
	echo 'COMM pid=2 tid=2 comm="late" trailer.id=9 trailer.time=300000 trailer.pid=2 trailer.tid=2'
	finish
} | assemble >late.pk
echo "== unfinished, after the last record"
pk-span -q "${offcpu[@]}" --unfinished late.pk | show - | grep pk:span
echo "== one of each"
pk-span -v "${offcpu[@]}" --open 1 late.pk 2>&1 >out.pk | grep '^pk-span:  '
echo "== delay: two starts, keys of different names"
pk-span -v --start sched_wakeup --start sched_switch --start-where 'prev_state == 0 && prev_pid != 0' --end sched_switch \
	--key 'trace.pid|prev_pid=next_pid' switches.pk 2>&1 >out.pk | grep -v 'unknown record'
show out.pk | grep span
echo "== fields as JSON"
pk-span -q "${offcpu[@]}" switches.pk | pk-script --json - | grep '"SAMPLE".*"pk:span"' | head -n 1
exit 0
