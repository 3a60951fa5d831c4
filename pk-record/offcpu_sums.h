/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_SUMS_H
#define PK_RECORD_OFFCPU_SUMS_H

/* Blocks of the same thread with the same stacks, added up. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "offcpu_bpf.h"
#include "table.h"

struct offcpu_sum {
	uint64_t end; /* of the last one, on the clock of samples */
	uint32_t cpu; /* where it went on then */
	uint32_t size;
	struct offcpu_block block; /* its time is the sum */
};

struct offcpu_sums {
	struct buffer sums;	/* struct offcpu_sum, one after the other */
	struct pk_table places; /* where they start, plus 1, by hash */
};

/* data: a struct offcpu_block, anywhere, and perhaps padding; nothing in it is believed. False if
 * it is none, or there is no memory for it. */
bool offcpu_sums_add(struct offcpu_sums *sums, const void *data, size_t size, uint64_t end,
		     uint32_t cpu);
/* Calls each, in the order in which they came. */
void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, const struct offcpu_sum *sum), void *arg);
void offcpu_sums_clear(struct offcpu_sums *sums);
void offcpu_sums_free(struct offcpu_sums *sums);

#endif
