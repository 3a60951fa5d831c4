# SPDX-License-Identifier: BSD-2-Clause
# The delay until a woken task runs begins with sched_waking, with sched_wakeup, or with the first of both.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"

switches='event sched:sched_switch text prev_comm, int prev_pid, int prev_prio, s64 prev_state, text next_comm, int next_pid, int next_prio'
for both in waking wakeup 'waking wakeup'; do
	echo "-- $both"
	{
		echo "$switches"
		for kind in $both; do echo "event sched:sched_$kind text comm, int pid, int prio, int target_cpu"; done
		echo "100 5 0 sched_switch t5 5 120 1 t6 6 120"
		[[ $both != *waking* ]] || echo "200 6 0 sched_waking t5 5 120 0"
		[[ $both != *wakeup* ]] || echo "203 6 0 sched_wakeup t5 5 120 0"
		echo "210 6 0 sched_switch t6 6 120 0 t5 5 120"
		echo "250 5 0 sched_switch t5 5 120 1 t6 6 120"
	} | try sched -v | grep -vE 'no event of the input|^[01] start'
done
