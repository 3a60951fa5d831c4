/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_SUMS_H
#define PK_RECORD_OFFCPU_SUMS_H

/* Adds up the times of blocks of the same thread with the same stacks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "offcpu_bpf.h"
#include "table.h"

struct offcpu_sum {
	uint64_t end; /* end of the last block, in ns of the clock of samples */
	uint32_t cpu; /* the CPU where the thread continued after that block */
	/* Size of block in bytes. */
	uint32_t size;
	struct offcpu_block block; /* block.time is the sum, in ns */
};

struct offcpu_sums {
	struct buffer sums;	/* struct offcpu_sum, one after another */
	struct pk_table places; /* offsets in sums plus 1, by hash of thread and stacks */
};

/* Adds a block that ended at `end` on a CPU. data: a struct offcpu_block, which may be unaligned
 * and followed by padding; its content is checked. False: invalid, or out of memory. */
bool offcpu_sums_add(struct offcpu_sums *sums, const void *data, size_t size, uint64_t end,
		     uint32_t cpu);
/* Calls each for every sum, in the order in which they were added first. */
void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, const struct offcpu_sum *sum), void *arg);
void offcpu_sums_clear(struct offcpu_sums *sums);
void offcpu_sums_free(struct offcpu_sums *sums);

#endif
