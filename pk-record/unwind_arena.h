/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_ARENA_H
#define PK_RECORD_UNWIND_ARENA_H

/* The memory of the BPF programs of --call-graph unwind: BPF maps that pk-record writes through
 * memory that it shares with the kernel. See bpf/unwind_shapes.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_shapes.h"
#include "table.h"
#include "unwind_rule.h"

struct unwind_extent {
	uint32_t place, size;
};

struct unwind_extents {
	struct unwind_extent *items;
	size_t count, capacity;
};

struct unwind_arenas {
	int map; /* `arenas` */
	uint8_t *memory[UNWIND_ARENAS_MAX];
	int fds[UNWIND_ARENAS_MAX];
	uint32_t count;
	struct unwind_extents unused;
	uint64_t *chunks; /* places */
	uint32_t chunks_count;
	struct pk_unwind_rule *rules;
	uint32_t rules_count;
	struct pk_table numbers; /* of rules plus 1, by hash */
	uint64_t kept;		 /* bytes that are kept to make chunks */
	bool full;		 /* a limit was reached */
};

/* The memory of a BPF map that is shared with the kernel, or NULL with errno. */
void *unwind_memory_map(int fd, size_t size);

/* Maps the memory of the maps `rules` and `chunks`. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status unwind_arenas_init(struct unwind_arenas *arenas, int map, int rules,
						int chunks);
void unwind_arenas_free(struct unwind_arenas *arenas);

/* Finds room for size bytes, at most UNWIND_ARENA_SIZE. *memory is where to write them. Returns
 * their place, a multiple of 8, or 0 if there is no more room. */
uint32_t unwind_arenas_place(struct unwind_arenas *arenas, size_t size, void **memory);
/* The memory of a place. */
void *unwind_arenas_at(const struct unwind_arenas *arenas, uint32_t place);

/* The number of a rule, which is added if it is new. If there is no more room, it is that of
 * PK_UNWIND_BAD. */
uint16_t unwind_arenas_rule(struct unwind_arenas *arenas, const struct pk_unwind_rule *rule);

/* The rule of a byte after the start of a chunk, or rule 0 if that is UNWIND_NO_CHUNK. */
const struct pk_unwind_rule *unwind_arenas_find(const struct unwind_arenas *arenas, uint32_t first,
						uint64_t relative);

/* Reserves a series of chunks, and returns its first number. Their places are 0, which means no
 * information. Returns UNWIND_NO_CHUNK if there are no more. */
uint32_t unwind_arenas_chunks(struct unwind_arenas *arenas, uint32_t count);

#endif
