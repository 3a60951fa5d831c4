/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_SLEEPERS_H
#define PK_RECORD_OFFCPU_SLEEPERS_H

/* Threads that are blocked when the recording starts, for --off-cpu. The BPF programs only see
 * blocks that begin later. A thread that has not run until the end of the recording was blocked for
 * the whole time. Its stack is the same at the end as at the start, so it is read at the end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/offcpu_block.h"
#include "event.h"
#include "unwind_half.h"

struct offcpu_sleeper {
	pid_t pid, tid;
	uint64_t switches; /* number of context switches of the thread so far */
};

/* All zero at first. */
struct offcpu_sleepers {
	struct offcpu_sleeper *items;
	size_t count, capacity;
	uint64_t start;	 /* CLOCK_MONOTONIC when the threads were listed, in ns */
	uint64_t unread; /* number of threads whose stack could not be read */
};

/* Lists the threads of the targets that are blocked now. Call it before the events are enabled. */
void offcpu_sleepers_start(struct offcpu_sleepers *sleepers, const struct targets *targets);
/* Calls `each` with a block for every listed thread that has not run since. `stack_size` is the
 * limit for one stack, in bytes. The user stack is unwound by `joins`, or by frame pointers if
 * `joins` is NULL. The time of the blocks is that from the start to this call. */
void offcpu_sleepers_each(struct offcpu_sleepers *sleepers, uint32_t stack_size,
			  struct unwind_joins *joins,
			  void (*each)(void *arg, struct offcpu_block *block), void *arg);
void offcpu_sleepers_free(struct offcpu_sleepers *sleepers);

#endif
