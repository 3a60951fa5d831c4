# SPDX-License-Identifier: BSD-2-Clause
# A recording of some tasks has sched_switch of those that stop running, and SWITCH records when they run again.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"
export FLAGS=context_switch
switches='event sched:sched_switch text prev_comm, int prev_pid, int prev_prio, s64 prev_state, text next_comm, int next_pid, int next_prio'

# switched in|out TIME TID CPU; TIME in microseconds
switched()
{
	local misc=0
	[ "$1" = in ] || misc=0x2000
	echo "record SWITCH misc=$misc trailer.id=100 trailer.time=${2}000 trailer.pid=5 trailer.tid=$3 trailer.cpu=$4"
}

scene="$switches
record COMM pid=5 tid=5 comm=\"five\" trailer.id=100 trailer.time=1 trailer.pid=5 trailer.tid=5
100 5 0 sched_switch t5 5 120 1 swapper 0 120
$(switched out 101 5 0)
$(switched in 400 5 1)
450 5 1 sched_switch t5 5 120 0 other 9 120
$(switched out 451 5 1)
$(switched in 470 5 1)
500 5 1 sched_switch t5 5 120 2 t6 6 120
$(switched out 501 5 1)
$(switched in 501 6 1)
600 6 1 sched_switch t6 6 120 1 t5 5 120
$(switched out 601 6 1)
$(switched in 601 5 1)
650 5 1 sched_switch t5 5 120 1 swapper 0 120
$(switched out 651 5 1)"
try offcpu <<<"$scene"
echo "== the records stay"
pk-script --dump out.pk 2>/dev/null | grep -c SWITCH
try sched <<<"$scene"
echo "== of all tasks: each switch counts once"
try offcpu <<<"$(sed '/^record SWITCH/s/SWITCH/SWITCH_CPU_WIDE next_prev_pid=0 next_prev_tid=0/' <<<"$scene")"
echo "== without SWITCH records"
FLAGS='' try offcpu <<<"$(grep -v 'record SWITCH' <<<"$scene")"
echo "== in the other session, the task runs no more"
FLAGS=context_switch try offcpu <<<"$scene" >/dev/null
cat offcpu.pk offcpu.pk | pk-span -q offcpu - | pk-script -q -F event,trace | grep -c pk:offcpu
