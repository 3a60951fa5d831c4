/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_RING_H
#define PK_RECORD_RING_H

/* Rings: buffers in shared memory to which the kernel writes records. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "perf_syscall.h"
#include "pkstream.h"
#include "record_options.h"
#include "synthesize.h"
#include "table.h"
#include "unwind_half.h"

/* The usual size of a ring, bytes: what ordinary users can lock for each CPU by default. */
#define RING_SIZE_USUAL ((size_t)512 << 10)

struct ring {
	struct perf_ring_page *page; /* the page and the data after it; NULL: no ring */
	uint8_t *data;
	size_t size;   /* of the data, a power of two */
	uint64_t tail; /* position up to which records were read; in an overwritten ring, the start
			* of the last snapshot */
	int fd;	       /* descriptor of the event that owns the ring */
	/* --call-graph unwind: */
	struct unwind_halves *halves; /* NULL before the first half */
	uint64_t seen;		      /* position up to which ring_look() has passed records */
};

struct ring_list {
	struct ring *items; /* one for each CPU or, without inheritance, for each task */
	size_t count;
};

/* Counts of the records that were read from rings, and how to read them. */
struct ring_counts {
	uint64_t samples;
	uint64_t lost_records; /* sum of the numbers in LOST records */
	pid_t excluded;	       /* pid whose samples are skipped: that of pk-record; 0: none */
	size_t pid_offset;     /* offset of the pid in samples */
	size_t trailer;	       /* size of the trailer of other records */
	uint64_t excluded_samples;
	struct process_set *forks; /* new processes are added here; may be NULL */
	/* Events, and the index plus 1, by id, of those whose raw data gets a struct
	 * pk_common_fields in front, or NULL if there is none. */
	const struct event_list *events;
	const struct pk_table *bare;
	struct unwind_joins *joins; /* --call-graph unwind; else NULL */
};

/* Whether any event has an overwritten ring, where new records replace the oldest. With overwrite
 * false, whether any event has a normal ring. */
bool rings_wanted(const struct event_list *events, bool overwrite);
/* Maps a ring for each CPU (or task), and redirects to it all events of this CPU that have
 * overwritten rings or, if overwrite is false, normal ones. If the user cannot lock the requested
 * size, the rings are smaller. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status rings_map(struct ring_list *rings, const struct event_list *events,
				       const struct options *options, const struct targets *targets,
				       bool overwrite);
void rings_unmap(struct ring_list *rings);

/* Writes the records of an overwritten ring that are newer than the previous snapshot, as far as
 * they were not overwritten. The newest record comes first. */
void ring_snapshot(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);
/* The number of bytes of unread records in a ring. */
size_t ring_fill(const struct ring *ring);
/* Calls each for all unread records, then releases their space. A record that continues at the
 * start of the ring is copied, so each gets contiguous bytes. */
void ring_read(struct ring *ring,
	       void (*each)(void *arg, const uint8_t *record, const struct perf_header *header),
	       void *arg);
/* Calls each for the records that are not samples, and which it has not passed before. ring_drain()
 * does not go further if it joins halves. */
void ring_look(struct ring *ring, void (*each)(void *arg, const uint8_t *record), void *arg);
/* Writes all unread records, and releases their space. Returns false if there were none. */
bool ring_drain(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);

#endif
