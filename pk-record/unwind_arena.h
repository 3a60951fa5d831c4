/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_ARENA_H
#define PK_RECORD_UNWIND_ARENA_H

/* The unwind rules that pk-record gives to the BPF programs of --call-graph unwind. They are in BPF
 * maps whose memory is shared with the kernel. bpf/unwind_shapes.h describes their content. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_shapes.h"
#include "table.h"
#include "unwind_rule.h"

/* A range of an arena that is not used yet. `place` and `size` are in bytes. */
struct unwind_extent {
	uint32_t place, size;
};

struct unwind_extents {
	struct unwind_extent *items;
	size_t count, capacity;
};

/* The unwind rules and chunks of all files, in memory that is shared with the BPF programs. */
struct unwind_arenas {
	int map; /* descriptor of the BPF map `arenas` */
	uint8_t *memory[UNWIND_ARENAS_MAX];
	int fds[UNWIND_ARENAS_MAX];
	uint32_t count;
	struct unwind_extents unused;
	uint64_t *chunks; /* memory of the BPF map `chunks`: the place of each chunk */
	uint32_t chunks_count;
	struct pk_unwind_rule *rules;
	uint32_t rules_count;
	struct pk_table numbers; /* index of a rule in `rules` plus 1, by the hash of the rule */
	uint64_t kept; /* number of bytes of call frame information that are kept to make chunks
			* from them later */
	bool full;     /* a rule, chunk or table could not be stored, because a limit was reached */
};

/* Maps the memory of a BPF map into this process. Returns NULL and sets errno if this fails. */
void *unwind_memory_map(int fd, size_t size);

/* Maps the memory of the BPF maps `rules` and `chunks`. `map` is the BPF map `arenas`. Returns
 * PK_IO and sets errno if this fails. */
PK_MUST_CHECK enum pk_status unwind_arenas_init(struct unwind_arenas *arenas, int map, int rules,
						int chunks);
void unwind_arenas_free(struct unwind_arenas *arenas);

/* Reserves room for `size` bytes, which must be at most UNWIND_ARENA_SIZE. Sets *memory to the
 * address at which the caller can write them. Returns their place, which is a multiple of 8.
 * Returns 0 if there is no more room. */
uint32_t unwind_arenas_place(struct unwind_arenas *arenas, size_t size, void **memory);
/* Returns the address in this process of what is stored at a place. */
void *unwind_arenas_at(const struct unwind_arenas *arenas, uint32_t place);

/* Returns the index of a rule. If the rule is new, adds it. If there is no more room, returns
 * PK_UNWIND_BAD. */
uint16_t unwind_arenas_rule(struct unwind_arenas *arenas, const struct pk_unwind_rule *rule);

/* Returns the rule for a byte of code. `relative` is the number of bytes between this byte and the
 * start of the chunk with the number `first`. Returns rule 0 if `first` is UNWIND_NO_CHUNK, or if
 * the chunk is not made yet. */
const struct pk_unwind_rule *unwind_arenas_find(const struct unwind_arenas *arenas, uint32_t first,
						uint64_t relative);

/* Reserves chunks with successive numbers, and returns the first number. Their places are 0, which
 * means that they have no unwind rules. Returns UNWIND_NO_CHUNK if there are not enough chunks
 * left. */
uint32_t unwind_arenas_chunks(struct unwind_arenas *arenas, uint32_t count);

#endif
