# SPDX-License-Identifier: BSD-2-Clause
# A field of an event without samples is a field: the recording is short, the options are right.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	session
	tracing
	switch 100 0 1 2
	wakeup 160 0 2 5
	finish
} | assemble | pk-span "${offcpu[@]}" --pass -o unended.pk
echo "== pk-report"
pk-report --by tid,prev_pid --show 'count,avg,max(trace.duration)' unended.pk
pk-report --by tid --show count --where 'duration > 5' unended.pk
echo "== a field and its text are two fields"
pk-report --by prev_state,text.prev_state --show count unended.pk
echo "== pk-fold"
pk-fold --by duration --event sched_wakeup unended.pk
echo "== a field that no event has"
pk-report --by tid,prev_pidd --show 'count,max(trace.durations)' unended.pk >out 2>&1
echo "status $?: $(cat out)"
pk-fold --by durations --event sched_wakeup unended.pk >out 2>&1
echo "status $?: $(cat out)"
exit 0
