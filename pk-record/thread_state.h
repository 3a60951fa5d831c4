/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_THREAD_STATE_H
#define PK_RECORD_THREAD_STATE_H

/* What /proc/PID/task/TID tells about a thread: its state, its wait channel, its system call and
 * its stack in the kernel. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "table.h"

#define KERNEL_STACK_MAX 128

/* The maximum number of arguments of a system call. */
#define CALL_ARGUMENTS 6

/* The state of a thread. */
struct thread_state {
	char state;	       /* a letter such as R, S or D, as ps(1) prints it */
	char comm[16];	       /* name of the thread */
	char wait_channel[48]; /* function of the kernel in which the thread waits; "" if the thread
				  does not wait, or if this user may not read the function */
	uint32_t cpu;	       /* the processor on which the thread ran last */
	bool has_call;	       /* the members below were read */
	int64_t call;	       /* number of the system call; -1 if there is none */
	uint64_t args[CALL_ARGUMENTS], sp, pc;
};

/* Reads the state. Returns false if the thread has ended. */
bool thread_state_read(pid_t pid, pid_t tid, struct thread_state *state);
/* Reads the system call. Sets has_call if the thread is blocked, and if this user may read it. */
void thread_state_read_call(pid_t pid, pid_t tid, struct thread_state *state);

struct pk_kallsyms;

/* Finds the addresses of the functions in kernel stacks. At first, all members are zero. */
struct kernel_stacks {
	struct pk_kallsyms *symbols;
	struct pk_table known; /* addresses of functions plus 1, by hash of name and size */
	bool refused;	       /* the stacks or the symbols cannot be read */
};

/* Reads the symbols of the kernel if this user may read the stacks. This takes up to a second, so
 * call it before the first snapshot. */
void kernel_stacks_open(struct kernel_stacks *stacks);
/* Reads the kernel stack of a blocked thread, starting with the innermost function. Returns the
 * number of addresses, which is at most KERNEL_STACK_MAX. Functions whose address is unknown are
 * left out. Returns 0 if this user may not read the stack. */
size_t kernel_stacks_read(struct kernel_stacks *stacks, pid_t pid, pid_t tid,
			  uint64_t addresses[KERNEL_STACK_MAX]);
void kernel_stacks_free(struct kernel_stacks *stacks);

#endif
