# SPDX-License-Identifier: BSD-2-Clause
# Spans that the end of their task ends; those that are open at the end of the recording.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"

# exits TIME TID; TIME in microseconds
exits()
{
	echo "record EXIT pid=5 ppid=1 tid=$2 ptid=1 time=${1}000 trailer.id=100 trailer.time=${1}000 trailer.pid=5 trailer.tid=$2"
}

try syscalls <<END
event raw_syscalls:sys_enter s64 id, args args
event raw_syscalls:sys_exit s64 id, s64 ret
100 6 0 sys_enter 202 0x7000,0,2
120 5 1 sys_enter 1 1,0x8000,3
125 5 1 sys_exit 1 3
130 5 1 sys_enter 231 7
150 7 1 sys_enter 0 3
$(exits 160 6)
$(exits 190 5)
$(exits 195 8)
200 9 0 sys_enter 39 0
210 9 0 sys_exit 39 9
END
pk-span -q syscalls syscalls.pk | pk-script -q --view syscalls
echo "== the same spans with --unfinished, and dropped"
pk-span -q syscalls --unfinished syscalls.pk | pk-script -q -F event,trace | grep -c pk:syscall
pk-span -v syscalls --task-end drop syscalls.pk 2>&1 >out.pk | sed -n 's/^pk-span:  *//p'
pk-span syscalls --task-end no syscalls.pk
try futex <<END
event syscalls:sys_enter_futex int __syscall_nr, void * uaddr, u64 op, u64 val
event syscalls:sys_exit_futex int __syscall_nr, s64 ret
100 6 0 sys_enter_futex 202 0x7f0000001000 128 2
$(exits 160 6)
END
try functions <<END
event probe_app:f u64 n
event probe_app:f__return u64 ret
event probe_app:g u64 n
event probe_app:g__return u64 ret
100 5 0 f 1
110 5 0 f 2
120 5 0 g 3
130 5 0 g__return 1
140 5 0 f__return 2
150 5 0 g 4
$(exits 170 5)
END
echo "== a task that ends while it is blocked has lost a switch: no span"
try offcpu -v <<END
event sched:sched_switch text prev_comm, int prev_pid, int prev_prio, s64 prev_state, text next_comm, int next_pid, int next_prio
100 5 0 sched_switch t5 5 120 1 t6 6 120
$(exits 160 5)
200 6 0 sched_switch t6 6 120 16 t7 7 120
END
