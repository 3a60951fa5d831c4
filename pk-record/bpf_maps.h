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
	uint64_t *consumed;	  /* position up to which pk-record has read records, in bytes */
	const uint64_t *produced; /* position up to which BPF programs have reserved space for
				   * records, in bytes */
	const uint8_t *data; /* The content of the buffer. It has `size` bytes and is mapped twice
			      * in succession, so that each record is contiguous. */
	size_t size;	     /* size of the buffer in bytes, a power of two */
};

/* Maps the ring buffer of a BPF map into memory. `fd` is the file descriptor of the BPF map. If
 * this fails, sets errno and returns PK_IO. */
PK_MUST_CHECK enum pk_status bpf_ring_map(struct bpf_ring *ring, int fd, size_t size);
void bpf_ring_unmap(struct bpf_ring *ring);
/* Calls `each` for unread records, and then releases their space. Stops when at least `most` bytes
 * were read. Also stops before a record that a BPF program has not completed yet. Returns the
 * number of records that were read. */
size_t bpf_ring_read(struct bpf_ring *ring, size_t most,
		     void (*each)(void *arg, const uint8_t *data, size_t size), void *arg);

#define BPF_COUNTS_KEYS_MAX 65536u /* maximum number of keys that pk-record reads of one map */

/* The counters in a BPF map, for example a histogram, and the counts that pk-record has read last.
 * Each read finds out how much the counters have grown since the previous read. */
struct bpf_counts {
	struct bpf_library_map map;
	/* The place of the counter in each value of the map. The counter is one number, or an array
	 * of numbers, which are called slots. */
	struct pk_raw_field counter;
	uint32_t cpus;	/* number of values that each key has: one value for each CPU, or 1 if all
			 * CPUs share the value */
	bool by_index;	/* the map is an array, whose keys are numbers below map.entries */
	uint8_t *value; /* memory into which the values of one key are read */
	uint8_t *keys;	/* the keys that were read so far; `last` has the last counts of each key */
	uint64_t *last;
	size_t count, keys_capacity, last_capacity;
	/* Finds the index of a key in `keys`, plus 1, by the hash of the key. */
	struct pk_table places;
	bool cut; /* true if the map has more keys than pk-record reads */
};

/* Returns true if a map of this type can have counters. These are arrays and hash tables, with or
 * without a value for each CPU. */
bool bpf_counts_possible(uint32_t type);
/* Prepares reading the counters of a map, which must already be loaded. `cpus` is the number of
 * possible CPUs. */
PK_MUST_CHECK enum pk_status bpf_counts_init(struct bpf_counts *counts,
					     const struct bpf_library_map *map,
					     const struct pk_raw_field *counter, uint32_t cpus);
void bpf_counts_free(struct bpf_counts *counts);
/* Calls `each` for every counter that has grown since the last call. If the counter of a value is
 * an array, `slot` is the index in this array. Otherwise, `slot` is 0. Returns PK_NOMEM if memory
 * is exhausted. */
PK_MUST_CHECK enum pk_status bpf_counts_read(struct bpf_counts *counts,
					     void (*each)(void *arg, const uint8_t *key,
							  uint32_t slot, uint64_t count),
					     void *arg);

#endif
