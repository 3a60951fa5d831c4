/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RANGE_H
#define PK_RANGE_H

/* A range of addresses: from `from` up to, but not including, `to`. */

#include <stdbool.h>
#include <stdint.h>

struct pk_range {
	uint64_t from, to;
};

#define PK_RANGE_ALL ((struct pk_range){0, UINT64_MAX})

static inline struct pk_range pk_range_of_one(uint64_t address)
{
	return (struct pk_range){address, address + 1};
}

static inline bool pk_range_has(const struct pk_range *range, uint64_t address)
{
	return address - range->from < range->to - range->from;
}

/* Clips the range to [from, to). The ranges must overlap. */
static inline void pk_range_clip(struct pk_range *range, uint64_t from, uint64_t to)
{
	if (range->from < from)
		range->from = from;
	if (range->to > to)
		range->to = to;
}

/* Translates the range to another address space, such as from memory to a file. `address`, which is
 * in the range, becomes `to`. A limit below 0 becomes 0, one above UINT64_MAX becomes
 * UINT64_MAX. */
static inline struct pk_range pk_range_move(const struct pk_range *range, uint64_t address,
					    uint64_t to)
{
	const uint64_t before = address - range->from, after = range->to - address;

	return (struct pk_range){before > to ? 0 : to - before,
				 after > UINT64_MAX - to ? UINT64_MAX : to + after};
}

#endif
