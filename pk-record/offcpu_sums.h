/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_SUMS_H
#define PK_RECORD_OFFCPU_SUMS_H

/* The sums of blocks of the same thread with the same stacks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "offcpu_bpf.h"
#include "table.h"

struct offcpu_sum {
	uint64_t end; /* end of the last one, on the clock of samples */
	uint32_t cpu; /* the CPU where it continued */
	uint32_t size;
	struct offcpu_block block; /* its time is the sum */
};

struct offcpu_sums {
	struct buffer sums;	/* struct offcpu_sum, one after another */
	struct pk_table places; /* their offsets plus 1, by hash */
};

/* data: a struct offcpu_block, not aligned, and perhaps padding; its content is untrusted. False:
 * invalid, or out of memory. */
bool offcpu_sums_add(struct offcpu_sums *sums, const void *data, size_t size, uint64_t end,
		     uint32_t cpu);
/* Calls each, in order of addition. */
void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, const struct offcpu_sum *sum), void *arg);
void offcpu_sums_clear(struct offcpu_sums *sums);
void offcpu_sums_free(struct offcpu_sums *sums);

#endif
