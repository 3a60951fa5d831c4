/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_RING_H
#define PK_RECORD_RING_H

/* The buffers that the kernel writes records to, in shared memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "record_options.h"
#include "perf_syscall.h"
#include "pkstream.h"
#include "processes.h"

struct ring {
	struct perf_ring_page *page; /* the page and the data after it; NULL: no ring */
	uint8_t *data;
	size_t size;   /* of the data, a power of two */
	uint64_t tail; /* position of the reader */
	int fd;	       /* of the event that owns it */
};

struct ring_list {
	struct ring *items; /* one for each CPU or, without inheritance, for each task */
	size_t count;
};

/* Counts of the records. */
struct ring_counts {
	uint64_t samples;
	uint64_t lost_records; /* number in LOST records */
	pid_t excluded;	       /* the process whose samples are skipped: pk-record; 0: none */
	size_t pid_offset;     /* offset of the pid in samples */
	size_t trailer;	       /* size of the trailer of other records */
	uint64_t excluded_samples;
	struct process_set *forks; /* new processes are added here; may be NULL */
};

/* Whether there are events whose records are overwritten, or are not. */
bool rings_wanted(const struct event_list *events, bool overwrite);
/* Maps the rings, in the requested size or as large as the user can lock, and redirects all events
 * of a CPU (or task) to its ring: those whose records are overwritten, or the others. False after a
 * message. */
bool rings_map(struct ring_list *rings, const struct event_list *events,
	       const struct options *options, const struct targets *targets, bool overwrite);
void rings_unmap(struct ring_list *rings);

/* Writes the records of an overwritten ring, back to the previous snapshot. */
void ring_snapshot(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);
/* The number of bytes in a ring. */
size_t ring_fill(const struct ring *ring);
/* Calls each for all records in a ring, complete ones; then releases their space. */
void ring_read(struct ring *ring,
	       void (*each)(void *arg, const uint8_t *record, const struct perf_header *header),
	       void *arg);
/* Writes the records in a ring, and releases their space. False: there were none. */
bool ring_drain(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);

#endif
