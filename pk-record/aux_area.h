/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_AUX_AREA_H
#define PK_RECORD_AUX_AREA_H

/* The AUX area of a ring: a second buffer in shared memory, to which the trace unit of a processor
 * writes its bytes. The ring has AUX records, which say where the bytes of a piece are. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf_syscall.h"
#include "pkstream.h"

struct aux_area {
	struct perf_ring_page *page; /* the control page of the ring */
	const uint8_t *data;	     /* NULL if it is not mapped */
	size_t size;		     /* a power of two */
	uint64_t tail;		     /* the position up to which bytes were written to the stream */
	int fd; /* the event that writes to the area; -1 if the ring has no area */
	uint32_t index, tid, cpu; /* the fields of AUXTRACE records: the number of the ring, and its
				   * thread or CPU, or -1 */
	/* Only if the area is overwritten: a copy of the bytes before `tail`. If they have changed,
	 * the area has wrapped since. */
	uint8_t *known;
	size_t known_size;
};

/* Maps an area of this size for area->fd. If `overwrite` is set, the oldest bytes are overwritten.
 * Sets errno and returns false if it fails. */
bool aux_area_map(struct aux_area *area, struct perf_ring_page *page, size_t ring_size, size_t size,
		  bool overwrite);
void aux_area_unmap(struct aux_area *area);
/* Returns the number of bytes that were not written to the stream yet. */
size_t aux_area_fill(const struct aux_area *area);
/* Writes the unread bytes in an AUXTRACE record, and releases their space. Returns the number of
 * bytes. */
size_t aux_area_drain(struct aux_area *area, struct pk_writer *writer);
/* Writes the last `most` bytes of an overwritten area, but none that an earlier call has written.
 * The events that write to the area must be disabled. Returns the number of bytes. */
size_t aux_area_snapshot(struct aux_area *area, size_t most, struct pk_writer *writer);

#endif
