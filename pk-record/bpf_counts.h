/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_COUNTS_H
#define PK_RECORD_BPF_COUNTS_H

/* Counters in a BPF map, for example a histogram: reads how much they have grown. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf_library.h"
#include "raw_format.h"
#include "table.h"

#define BPF_COUNTS_KEYS_MAX 65536u /* keys of a map that are read */

struct bpf_counts {
	struct bpf_library_map map;
	struct pk_raw_field counter; /* of a value: one number, or an array of numbers (slots) */
	uint32_t cpus;		     /* values of a key, one for each CPU; 1: the map is shared */
	bool by_index;		     /* an array: keys are numbers below map.entries */
	uint8_t *value;		     /* memory for the values of a key */
	uint8_t *keys;		     /* those that were seen, with their last counts */
	uint64_t *last;
	size_t count, keys_capacity, last_capacity;
	struct pk_table places; /* index plus 1, by hash of the key */
	bool cut;		/* there were more keys */
};

/* Whether the map can have counters: an array or a hash table, also per CPU. */
bool bpf_counts_possible(uint32_t type);
/* cpus: the number of possible CPUs. The map must be loaded. False: out of memory. */
bool bpf_counts_init(struct bpf_counts *counts, const struct bpf_library_map *map,
		     const struct pk_raw_field *counter, uint32_t cpus);
void bpf_counts_free(struct bpf_counts *counts);
/* Calls each for every counter that has grown since the last call. slot: the index in an array of
 * counters. False: out of memory. */
bool bpf_counts_read(struct bpf_counts *counts,
		     void (*each)(void *arg, const uint8_t *key, uint32_t slot, uint64_t count),
		     void *arg);

#endif
