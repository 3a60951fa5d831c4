/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_LINES_H
#define PK_RECORD_BPF_UNWIND_LINES_H

/* A cache that maps addresses to their unwind rules. It is useful because most stacks contain the
 * same return addresses as previous stacks. */

#include <stdint.h>

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "unwind_rule.h"

#define UNWIND_LINES 512u /* number of lines of a cache; must be a power of two */

/* A line of the cache: an address and its unwind rule. */
struct unwind_line {
	uint64_t address;
	/* Tells whether the line is valid for a process. It is unwind_seen.generation of the maps
	 * in which the address was found, times 2, plus 1 if the address is in the file of an
	 * interpreter. It is 0 if the line is empty. */
	uint64_t tag;
	struct pk_unwind_rule rule;
};

struct unwind_lines {
	struct unwind_line lines[UNWIND_LINES];
};

/* The caches. Each struct scratch of each CPU has one, so pk-record sets the number of entries. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(struct unwind_lines));
	__uint(max_entries, 1);
} lines SEC(".maps");

/* Returns the only line of the cache that can have this address. */
static struct unwind_line *unwind_line(struct unwind_lines *cache, uint64_t address)
{
	const uint64_t hash = address * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->lines[hash >> 32 & (UNWIND_LINES - 1)];
}

#endif
