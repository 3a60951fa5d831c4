/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RANGE_H
#define PK_RANGE_H

/* A range of addresses. It starts at `from` and ends before `to`. */

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

/* Clips the range to the range [from, to). The two ranges must overlap. */
static inline void pk_range_clip(struct pk_range *range, uint64_t from, uint64_t to)
{
	if (range->from < from)
		range->from = from;
	if (range->to > to)
		range->to = to;
}

/* Moves the range to another address space, for example from addresses in memory to offsets in a
 * file. The address `address` in the range corresponds to the address `to` in the new address
 * space. If a limit of the new range would be less than 0, it is 0. If it would be greater than
 * UINT64_MAX, it is UINT64_MAX. */
static inline struct pk_range pk_range_move(const struct pk_range *range, uint64_t address,
					    uint64_t to)
{
	const uint64_t before = address - range->from, after = range->to - address;

	return (struct pk_range){before > to ? 0 : to - before,
				 after > UINT64_MAX - to ? UINT64_MAX : to + after};
}

#endif
