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

/* A ring buffer (BPF_MAP_TYPE_RINGBUF). Programs on all CPUs write to it. */
struct bpf_ring {
	uint64_t *consumed;	  /* position up to which records were read */
	const uint64_t *produced; /* position up to which the kernel has reserved records */
	const uint8_t *data;	  /* `size` bytes, which are mapped twice in succession */
	size_t size;		  /* a power of two */
};

/* Maps the ring buffer of a map. If it fails, sets errno and returns PK_IO. */
PK_MUST_CHECK enum pk_status bpf_ring_map(struct bpf_ring *ring, int fd, size_t size);
void bpf_ring_unmap(struct bpf_ring *ring);
/* Calls `each` for unread records, and then releases their space. Stops when the records that were
 * read have at least `most` bytes. Also stops at a record that a program has not completed yet.
 * Returns the number of records. */
size_t bpf_ring_read(struct bpf_ring *ring, size_t most,
		     void (*each)(void *arg, const uint8_t *data, size_t size), void *arg);

#define BPF_COUNTS_KEYS_MAX 65536u /* maximum number of keys of a map that are read */

/* Counters in a map, for example a histogram. Reading finds out how much they have grown. */
struct bpf_counts {
	struct bpf_library_map map;
	struct pk_raw_field counter; /* The counter in a value. It is one number, or an array of
				      * numbers, which are called slots. */
	uint32_t cpus; /* number of values of a key, one for each CPU; 1 if all CPUs share the value
			*/
	bool by_index; /* the map is an array, whose keys are numbers below map.entries */
	uint8_t *value; /* memory for the values of a key */
	uint8_t *keys;	/* the keys that were read; `last` has their last counts */
	uint64_t *last;
	size_t count, keys_capacity, last_capacity;
	struct pk_table places; /* index of the key plus 1, by hash of the key */
	bool cut;		/* the map has more keys than were read */
};

/* Returns true if a map of this type can have counters. These are arrays and hash tables, with or
 * without a value for each CPU. */
bool bpf_counts_possible(uint32_t type);
/* cpus is the number of possible CPUs. The map must already be loaded. */
PK_MUST_CHECK enum pk_status bpf_counts_init(struct bpf_counts *counts,
					     const struct bpf_library_map *map,
					     const struct pk_raw_field *counter, uint32_t cpus);
void bpf_counts_free(struct bpf_counts *counts);
/* Calls `each` for every counter that has grown since the last call. slot is the index in an array
 * of counters. */
enum pk_status bpf_counts_read(struct bpf_counts *counts,
			       void (*each)(void *arg, const uint8_t *key, uint32_t slot,
					    uint64_t count),
			       void *arg);

#endif
