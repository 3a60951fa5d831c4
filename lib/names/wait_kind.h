/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WAIT_KIND_H
#define PK_WAIT_KIND_H

/* What a thread waits for, from the names of the functions of the kernel in its stack. */

#include <stdbool.h>
#include <stdint.h>

struct pk_dictionary;

enum pk_wait_kind {
	PK_WAIT_NONE,	 /* it runs */
	PK_WAIT_CPU,	 /* it can run, and waits for a processor */
	PK_WAIT_UNKNOWN, /* it is blocked */
	PK_WAIT_FAULT,	 /* page fault */
	PK_WAIT_FUTEX,
	PK_WAIT_CHILD,
	PK_WAIT_TIMER,
	PK_WAIT_PIPE,
	PK_WAIT_NETWORK, /* a socket of any family */
	PK_WAIT_POLL,	 /* several files */
	PK_WAIT_URING,	 /* io_uring */
	PK_WAIT_DISK,	 /* a disk or a file system */
	PK_WAIT_SIGNAL,
	PK_WAIT_WORK,  /* a thread of the kernel that does work for others waits for work */
	PK_WAIT_ENDED, /* the task has ended */
	PK_WAIT_KINDS
};

/* Returns the name of a kind, such as "futex". */
const char *pk_wait_name(enum pk_wait_kind kind);
/* Returns what the thread with this stack waits for, or PK_WAIT_UNKNOWN. */
enum pk_wait_kind pk_wait_of_sleeper(const struct pk_dictionary *dictionary, uint32_t stack);
/* Returns true if the stack is that of an interrupt. A wakeup in this stack has nothing to do with
 * the task that was interrupted. Sets *kind to what the interrupt came from: a timer, a disk, the
 * network, or PK_WAIT_UNKNOWN. The kind is also set if a thread of the kernel does the work of an
 * interrupt. */
bool pk_wait_of_interrupt(const struct pk_dictionary *dictionary, uint32_t stack,
			  enum pk_wait_kind *kind);

#endif
