/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads BPF maps: ring buffers, and counters. */
#ifndef PK_BPF_MAPS_H
#define PK_BPF_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf_library.h"
#include "raw_format.h"
#include "table.h"

/* A ring buffer (BPF_MAP_TYPE_RINGBUF), to which programs on all CPUs write. */
struct bpf_ring {
	uint64_t *consumed;	  /* position up to which records were read; the kernel reads it */
	const uint64_t *produced; /* position up to which the kernel has reserved records */
	const uint8_t *data;	  /* `size` bytes, mapped twice in succession */
	size_t size;		  /* a power of two */
};

/* Maps the ring of a map. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status bpf_ring_map(struct bpf_ring *ring, int fd, size_t size);
void bpf_ring_unmap(struct bpf_ring *ring);
/* Calls each for the unread records until they have at least `most` bytes, then releases their
 * space. Stops at a record that a program has not completed yet. Returns their number. */
size_t bpf_ring_read(struct bpf_ring *ring, size_t most,
		     void (*each)(void *arg, const uint8_t *data, size_t size), void *arg);

#define BPF_COUNTS_KEYS_MAX 65536u /* keys of a map that are read */

/* Counters in a map, for example a histogram: reads how much they have grown. */
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
/* cpus is the number of possible CPUs. The map must be loaded. */
PK_MUST_CHECK enum pk_status bpf_counts_init(struct bpf_counts *counts,
					     const struct bpf_library_map *map,
					     const struct pk_raw_field *counter, uint32_t cpus);
void bpf_counts_free(struct bpf_counts *counts);
/* Calls each for every counter that has grown since the last call. slot is the index in an array of
 * counters. */
enum pk_status bpf_counts_read(struct bpf_counts *counts,
			       void (*each)(void *arg, const uint8_t *key, uint32_t slot,
					    uint64_t count),
			       void *arg);

#endif
