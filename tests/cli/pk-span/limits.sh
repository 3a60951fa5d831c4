# SPDX-License-Identifier: BSD-2-Clause
# The number of open spans is limited: the oldest are dropped. Nested spans of one key.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	session
	tracing
	for task in 1 2 3 4 5; do
		switch ${task}00 0 $task 0
	done
	for task in 5 4 3 2 1; do
		switch $((1500 - 100 * task)) 0 0 $task 0
	done
	finish
} | assemble >many.pk
echo "== three of five"
pk-span "${offcpu[@]}" --open 3 many.pk >out.pk
show out.pk | sed 's/^.*sched_switch/sched_switch/'
for limit in spans spans=39 spans=40; do
	pk-span -q "${offcpu[@]}" --open 3 --fail-on $limit many.pk >out.pk
	echo "status $? of pk-span, --fail-on $limit"
	pk-report -q --fail-on $limit out.pk >/dev/null
	echo "status $? of pk-report"
done
echo "== the same starts, last in, first out"
pk-span --nested --start sched_switch --start-where 'prev_state != 0' --end sched_switch --end-where 'next_pid != 0' --key cpu many.pk >out.pk
show out.pk
echo "== and not nested: each start replaces the one before it"
pk-span --start sched_switch --start-where 'prev_state != 0' --end sched_switch --end-where 'next_pid != 0' --key cpu many.pk >out.pk
show out.pk | grep -v sched_switch
exit 0
