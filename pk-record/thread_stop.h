/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_THREAD_STOP_H
#define PK_RECORD_THREAD_STOP_H

/* Stops a thread of another process for a moment, and reads its registers and its stack. This needs
 * the permission to trace the process (ptrace(2)), but no events of the kernel. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pkstream.h"

/* The largest number of registers of an architecture. */
#define THREAD_REGISTERS_MAX 64

enum thread_stop_result {
	THREAD_STOPPED, /* the thread was stopped, and continues */
	THREAD_GONE,	/* the thread has ended */
	THREAD_DENIED,	/* this user may not trace the thread, or another program traces it */
	THREAD_32BIT,	/* the registers are those of a 32-bit program */
	THREAD_BUSY, /* the thread did not stop in time and is released later, or too many threads
			already wait for their release */
};

/* The registers of a thread in user mode and a copy of its stack, from which the callchain is
 * unwound. */
struct thread_stack {
	uint64_t registers[THREAD_REGISTERS_MAX]; /* the registers of registers_all(), in ascending
						     order of their bits */
	uint64_t sp, pc;
	uint64_t thread_pointer; /* 0 if it is unknown */
	int64_t call;	  /* number of the system call; -1 if there is none or if it is unknown */
	uint64_t args[6]; /* arguments of the call */
	uint8_t *dump;	  /* memory of the caller for at least `limit` bytes */
	uint32_t limit;	  /* maximum number of bytes to copy, starting at the stack pointer */
	uint32_t size;	  /* number of bytes that were copied */
};

/* A thread that did not stop in time, or that ended while it was stopped. */
struct late_thread {
	pid_t pid, tid;
};

/* thread_stops_release() releases late threads after they have stopped or ended. At first,
 * `late_count` is zero. */
struct thread_stops {
	struct late_thread late[64];
	size_t late_count;
	/* If it is not NULL, it is called while a thread is stopped, with the thread's registers.
	 */
	void (*look)(void *arg, pid_t pid, const struct thread_stack *stack);
	void *arg;
};

/* Returns true if the stacks of threads can be read on this architecture. */
bool thread_stop_possible(void);
/* Stops the thread, fills in `stack`, and lets the thread continue. *pause is set to the longest
 * time in ns for which the thread can have been stopped: from the last check at which it had not
 * stopped yet, until it continues. `stack` is only valid if the result is THREAD_STOPPED. */
enum thread_stop_result thread_stop_read(struct thread_stops *stops, pid_t pid, pid_t tid,
					 struct thread_stack *stack, uint64_t *pause);
/* Releases the threads that have stopped too late. Call it before each snapshot. When this program
 * ends, the kernel releases the threads that have not stopped until then. */
void thread_stops_release(struct thread_stops *stops);
/* Sets the stack pointer and the program counter in the registers, and all other registers to 0.
 * Copies the stack. Does not stop the thread. */
void thread_stack_peek(pid_t pid, uint64_t sp, uint64_t pc, struct thread_stack *stack);
/* Return the frame pointer, and the link register, which is 0 if the architecture has none. */
uint64_t thread_stack_frame_pointer(const struct thread_stack *stack);
uint64_t thread_stack_link(const struct thread_stack *stack);
/* Copies the stack, starting at stack->sp. */
void thread_stack_copy(pid_t pid, struct thread_stack *stack);

#endif
