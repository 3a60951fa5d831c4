// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "procfs.h"
#include "record_time.h"
#include "thread_stop.h"

/* How long to wait until a thread stops, in ns. A thread in an uninterruptible sleep does not stop
 * before the sleep ends. */
#define STOP_PATIENCE UINT64_C(20000000)

/* ---- Registers ---- */

#if defined(__x86_64__)

/* The result of a system call that the kernel restarts if no signal handler has run. */
#define RESTART_NO_HANDLER (-514)

bool thread_stop_possible(void)
{
	return true;
}

/* The order is that of perf: AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 ... R15. */
static bool take_registers(const struct user_regs_struct *from, size_t size,
			   struct thread_stack *stack)
{
	const uint64_t values[] = {from->rax, from->rbx, from->rcx, from->rdx, from->rsi,
				   from->rdi, from->rbp, from->rsp, from->rip, from->eflags,
				   from->cs,  from->ss,	 from->r8,  from->r9,  from->r10,
				   from->r11, from->r12, from->r13, from->r14, from->r15};
	const uint64_t args[] = {from->rdi, from->rsi, from->rdx, from->r10, from->r8, from->r9};

	if (size != sizeof(*from))
		return false;
	memcpy(stack->registers, values, sizeof(values));
	memcpy(stack->args, args, sizeof(args));
	stack->sp = from->rsp;
	stack->pc = from->rip;
	stack->thread_pointer = from->fs_base;
	stack->call = (int64_t)from->orig_rax;
	return true;
}

/* Returns true if the system call waits without a time limit, and if the kernel ends it with EINTR
 * when the thread is stopped. The kernel itself continues most other calls. */
static bool ends_by_stop(const struct user_regs_struct *registers)
{
	switch (registers->orig_rax) {
	case SYS_epoll_wait:
	case SYS_epoll_pwait: return (int)registers->r10 == -1;
	case SYS_epoll_pwait2: return !registers->r10;
	case SYS_rt_sigtimedwait: return !registers->rdx;
	case SYS_semop: return true;
	default: return false;
	}
}

/* If the stop has ended a system call with EINTR, makes the kernel restart the call. So the program
 * does not see this EINTR. */
static void keep_call(pid_t tid, struct user_regs_struct *registers)
{
	struct iovec all = {registers, sizeof(*registers)};

	if ((int64_t)registers->rax != -EINTR || !ends_by_stop(registers))
		return;
	registers->rax = (unsigned long long)RESTART_NO_HANDLER;
	ptrace(PTRACE_SETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS, &all);
}

uint64_t thread_stack_frame_pointer(const struct thread_stack *stack)
{
	return stack->registers[6];
}

uint64_t thread_stack_link(const struct thread_stack *stack)
{
	(void)stack;
	return 0;
}

static void set_two(struct thread_stack *stack)
{
	stack->registers[7] = stack->sp;
	stack->registers[8] = stack->pc;
}

#elif defined(__aarch64__)

bool thread_stop_possible(void)
{
	return true;
}

/* The number of the system call is in x8. The kernel has replaced the first argument, x0, if it has
 * restarted the call. */
static bool take_registers(const struct user_regs_struct *from, size_t size,
			   struct thread_stack *stack)
{
	if (size != sizeof(*from))
		return false;
	memcpy(stack->registers, from->regs, sizeof(from->regs));
	memcpy(stack->args, from->regs, sizeof(stack->args));
	stack->registers[31] = stack->sp = from->sp;
	stack->registers[32] = stack->pc = from->pc;
	stack->thread_pointer = 0;
	stack->call = -1;
	return true;
}

static void keep_call(pid_t tid, struct user_regs_struct *registers)
{
	(void)tid;
	(void)registers;
}

uint64_t thread_stack_frame_pointer(const struct thread_stack *stack)
{
	return stack->registers[29];
}

uint64_t thread_stack_link(const struct thread_stack *stack)
{
	return stack->registers[30];
}

static void set_two(struct thread_stack *stack)
{
	stack->registers[31] = stack->sp;
	stack->registers[32] = stack->pc;
}

#else

bool thread_stop_possible(void)
{
	return false;
}

struct no_registers {
	long all[128];
};
#define user_regs_struct no_registers

static bool take_registers(const struct no_registers *from, size_t size, struct thread_stack *stack)
{
	(void)from;
	(void)size;
	(void)stack;
	return false;
}

static void keep_call(pid_t tid, struct no_registers *registers)
{
	(void)tid;
	(void)registers;
}

uint64_t thread_stack_frame_pointer(const struct thread_stack *stack)
{
	(void)stack;
	return 0;
}

uint64_t thread_stack_link(const struct thread_stack *stack)
{
	(void)stack;
	return 0;
}

static void set_two(struct thread_stack *stack)
{
	(void)stack;
}

#endif

/* ---- Stacks ---- */

/* process_vm_readv(2) does not copy a part (a struct iovec) that is not completely mapped, and
 * stops there. So each page is a separate part. The copy then ends at the first page that is not
 * mapped. */
#define PAGE  4096u
#define PARTS 64

void thread_stack_copy(pid_t pid, struct thread_stack *stack)
{
	struct iovec parts[PARTS], to = {stack->dump, stack->limit};
	uint64_t at = stack->sp;
	uint32_t left = stack->limit;
	unsigned long count = 0;
	ssize_t n;

	while (left && count < PARTS) {
		const uint32_t room = PAGE - (uint32_t)(at % PAGE),
			       size = left < room ? left : room;

		parts[count++] = (struct iovec){(void *)(uintptr_t)at, size};
		at += size;
		left -= size;
	}
	n = process_vm_readv(pid, &to, 1, parts, count, 0);
	stack->size = n > 0 ? (uint32_t)n & ~7u : 0;
}

void thread_stack_peek(pid_t pid, uint64_t sp, uint64_t pc, struct thread_stack *stack)
{
	memset(stack->registers, 0, sizeof(stack->registers));
	stack->sp = sp;
	stack->pc = pc;
	set_two(stack);
	thread_stack_copy(pid, stack);
}

/* ---- Stopping ---- */

enum look { LOOK_RUNS, LOOK_STOPPED, LOOK_ENDED };

/* Checks whether the thread has stopped. *signal is set to the signal that the thread gets when it
 * continues, or to 0. The status of a thread that has ended is not read, because the status of a
 * child belongs to another part of the program. waitid(2) returns stops of traced threads even if
 * only WEXITED is given. */
static enum look look_at(pid_t tid, int *signal)
{
	const int options = WSTOPPED | WEXITED | WNOHANG | __WALL;
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)tid, &info, options | WNOWAIT) < 0)
		return LOOK_ENDED;
	if (info.si_pid != tid)
		return LOOK_RUNS;
	if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
		return LOOK_ENDED;
	if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | WNOHANG | __WALL) < 0)
		return LOOK_ENDED;
	/* If PTRACE_INTERRUPT has stopped the thread, there is no signal, and the upper bits are
	 * not 0. */
	*signal = info.si_status >> 8 ? 0 : info.si_status;
	return LOOK_STOPPED;
}

/* Waits until the thread has stopped. The kernel then sends SIGCHLD, which is blocked in this
 * program and stays pending. Waiting for the signal is faster than checking in a loop, because the
 * thread can need this processor, and because the kernel prefers a program that was woken. *since
 * is set to the time of the last check at which the thread had not stopped yet. */
static enum look wait_for_stop(pid_t tid, int *signal, uint64_t *since)
{
	const uint64_t end = record_now() + STOP_PATIENCE;
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGCHLD);
	for (;;) {
		const uint64_t now = record_now();
		const enum look look = look_at(tid, signal);
		const struct timespec rest = {.tv_nsec = (long)(now < end ? end - now : 0)};

		if (look != LOOK_RUNS || now >= end)
			return look;
		*since = now;
		sigtimedwait(&stops, NULL, &rest);
	}
}

/* Returns true if the process is a child of this program, or if that is unknown. */
static bool is_child(pid_t pid)
{
	char path[32], line[1024];
	const char *end = NULL; /* of the name, which can contain parentheses */
	int parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (pk_procfs_read_line(path, line, sizeof(line), NULL))
		end = strrchr(line, ')');
	return !end || sscanf(end, ") %*c %d", &parent) != 1 || parent == getpid();
}

/* Reads the status of a thread that has ended, so that the thread does not stay as a zombie. The
 * parent of a traced process gets its status only afterwards. Does nothing for the first thread of
 * a child of this program, because its status belongs to another part of the program. */
static void forget_ended(pid_t pid, pid_t tid)
{
	siginfo_t info = {0};

	if (tid != pid || !is_child(pid))
		waitid(P_PID, (id_t)tid, &info, WEXITED | WNOHANG | __WALL);
}

static void add_late(struct thread_stops *stops, pid_t pid, pid_t tid)
{
	stops->late[stops->late_count++] = (struct late_thread){pid, tid};
}

/* Continues a thread. If the process was killed meanwhile, this fails, and the thread ends soon.
 * The process is only complete after the status of the thread was read. */
static bool release(pid_t tid, int signal)
{
	return ptrace(PTRACE_DETACH, tid, NULL, (void *)(uintptr_t)signal) == 0;
}

void thread_stops_release(struct thread_stops *stops)
{
	size_t kept = 0;
	int signal = 0;

	for (size_t i = 0; i < stops->late_count; i++) {
		const struct late_thread late = stops->late[i];
		const enum look look = look_at(late.tid, &signal);

		if (look == LOOK_ENDED)
			forget_ended(late.pid, late.tid);
		else if (look == LOOK_RUNS || !release(late.tid, signal))
			stops->late[kept++] = late;
	}
	stops->late_count = kept;
}

static bool is_late(const struct thread_stops *stops, pid_t tid)
{
	for (size_t i = 0; i < stops->late_count; i++)
		if (stops->late[i].tid == tid)
			return true;
	return false;
}

static enum thread_stop_result read_stopped(const struct thread_stops *stops, pid_t pid, pid_t tid,
					    struct thread_stack *stack)
{
	struct user_regs_struct registers;
	struct iovec all = {&registers, sizeof(registers)};

	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS, &all) < 0)
		return THREAD_GONE;
	if (!take_registers(&registers, all.iov_len, stack))
		return THREAD_32BIT;
	keep_call(tid, &registers);
	thread_stack_copy(pid, stack);
	if (stops->look)
		stops->look(stops->arg, pid, stack);
	return THREAD_STOPPED;
}

enum thread_stop_result thread_stop_read(struct thread_stops *stops, pid_t pid, pid_t tid,
					 struct thread_stack *stack, uint64_t *pause)
{
	enum thread_stop_result result = THREAD_BUSY;
	uint64_t since;
	int signal = 0;

	if (is_late(stops, tid) ||
	    stops->late_count == sizeof(stops->late) / sizeof(stops->late[0]))
		return THREAD_BUSY;
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) < 0)
		return errno == ESRCH ? THREAD_GONE : THREAD_DENIED;
	since = record_now();
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) < 0) {
		forget_ended(pid, tid);
		return THREAD_GONE;
	}
	switch (wait_for_stop(tid, &signal, &since)) {
	case LOOK_STOPPED:
		result = read_stopped(stops, pid, tid, stack);
		if (!release(tid, signal))
			add_late(stops, pid, tid);
		break;
	case LOOK_ENDED:
		forget_ended(pid, tid);
		result = THREAD_GONE;
		break;
	case LOOK_RUNS: add_late(stops, pid, tid); break;
	}
	*pause = record_now() - since;
	return result;
}
