/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_THREAD_STOP_H
#define PK_RECORD_THREAD_STOP_H

/* Stops a thread of another process for a moment, and reads its registers and its stack. It needs
 * the permission to trace the process (ptrace(2)), and no events. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pkstream.h"

/* The largest number of registers of an architecture. */
#define THREAD_REGISTERS_MAX 64

enum thread_stop_result {
	THREAD_STOPPED, /* the thread was stopped, and continues */
	THREAD_GONE,	/* it has ended */
	THREAD_DENIED,	/* this user may not trace it, or another program traces it */
	THREAD_32BIT,	/* its registers are those of a 32-bit program */
	THREAD_BUSY,	/* it did not stop in time; it is released when it stops */
};

/* A thread in user mode, as far as a stack is unwound from it. */
struct thread_stack {
	uint64_t registers[THREAD_REGISTERS_MAX]; /* those of registers_all(), in ascending order */
	uint64_t sp, pc;
	int64_t call;	  /* number of the system call, -1 if the thread is in user code */
	uint64_t args[6]; /* arguments of the call */
	uint8_t *dump;	  /* memory of the caller for at least `limit` bytes */
	uint32_t limit;	  /* the most bytes to copy, from the stack pointer on */
	uint32_t size;	  /* how many bytes were copied */
};

/* Threads that did not stop in time. They are released as soon as they stop. All zero at first. */
struct thread_stops {
	pid_t late[64];
	size_t late_count;
};

/* Returns true if the stacks of threads can be read on this architecture. */
bool thread_stop_possible(void);
/* Stops the thread, fills in `stack`, and lets the thread continue. *pause is set to the longest
 * time in ns for which the thread can have been stopped. It is the time from the last look at which
 * it had not stopped, to its continuation. `stack` is only valid if the result is THREAD_STOPPED.
 */
enum thread_stop_result thread_stop_read(struct thread_stops *stops, pid_t pid, pid_t tid,
					 struct thread_stack *stack, uint64_t *pause);
/* Releases the threads that have stopped late. Call it before each snapshot. The kernel releases
 * the other threads at the end of this program. */
void thread_stops_release(struct thread_stops *stops);
/* Sets the registers to the stack pointer and the program counter only. The other registers are 0.
 * Copies the stack without stopping the thread. */
void thread_stack_peek(pid_t pid, uint64_t sp, uint64_t pc, struct thread_stack *stack);
/* Return the frame pointer, and the link register, which is 0 if the architecture has none. */
uint64_t thread_stack_frame_pointer(const struct thread_stack *stack);
uint64_t thread_stack_link(const struct thread_stack *stack);
/* Copies the stack from the stack pointer on. */
void thread_stack_copy(pid_t pid, struct thread_stack *stack);

#endif
