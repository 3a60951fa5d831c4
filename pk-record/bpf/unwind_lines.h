/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_LINES_H
#define PK_RECORD_BPF_UNWIND_LINES_H

/* A cache of the rules of addresses: most stacks have the same callers as others before. */

#include <stdint.h>

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "unwind_rule.h"

#define UNWIND_LINES 512u /* a power of two */

struct unwind_line {
	uint64_t address;
	/* The generation of the maps that the address was found in (struct unwind_seen) times 2,
	 * plus 1 if it is in the file of an interpreter. 0: the line is not used. */
	uint64_t tag;
	struct pk_unwind_rule rule;
};

struct unwind_lines {
	struct unwind_line lines[UNWIND_LINES];
};

/* That of each struct scratch of each CPU: pk-record sets the number of entries. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(struct unwind_lines));
	__uint(max_entries, 1);
} lines SEC(".maps");

/* The line where an address is if it is in the cache. */
static struct unwind_line *unwind_line(struct unwind_lines *cache, uint64_t address)
{
	const uint64_t hash = address * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->lines[hash >> 32 & (UNWIND_LINES - 1)];
}

#endif
