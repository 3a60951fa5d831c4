/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_RING_H
#define PK_RECORD_BPF_RING_H

/* Reads a BPF ring buffer (BPF_MAP_TYPE_RINGBUF), to which programs on all CPUs write. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_ring {
	uint64_t *consumed;	  /* position up to which records were read; the kernel reads it */
	const uint64_t *produced; /* position up to which the kernel has reserved records */
	const uint8_t *data;	  /* `size` bytes, mapped twice in succession */
	size_t size;		  /* a power of two */
};

/* Maps the ring of a map. False with errno. */
bool bpf_ring_map(struct bpf_ring *ring, int fd, size_t size);
void bpf_ring_unmap(struct bpf_ring *ring);
/* Calls each for the unread records until they have at least `most` bytes, then releases their
 * space. Stops at a record that a program has not completed yet. Returns their number. */
size_t bpf_ring_read(struct bpf_ring *ring, size_t most,
		     void (*each)(void *arg, const uint8_t *data, size_t size), void *arg);

#endif
