/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_RING_H
#define PK_RECORD_RING_H

/* Rings are buffers in shared memory. The kernel writes records to them. */

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

/* The usual size of a ring in bytes. By default, ordinary users can lock a ring of this size for
 * each CPU. */
#define RING_SIZE_USUAL ((size_t)512 << 10)

struct ring {
	struct perf_ring_page *page; /* the page and the data after it; NULL if there is no ring */
	uint8_t *data;
	size_t size;   /* size of the data in bytes, a power of two */
	uint64_t tail; /* Position up to which records were read. In an overwritten ring, the start
			* of the last snapshot. */
	int fd;	       /* descriptor of the event that owns the ring */
	/* Members for --call-graph unwind: */
	struct unwind_halves *halves; /* NULL before the first struct unwind_half was read */
	uint64_t seen;		      /* position up to which ring_look() has read records */
};

struct ring_list {
	struct ring *items; /* one ring for each CPU; without inheritance, one for each task */
	size_t count;
};

/* Counts of the records that were read from rings, and settings for reading them. */
struct ring_counts {
	uint64_t samples;
	uint64_t lost_records; /* sum of the numbers in LOST records */
	pid_t excluded; /* The pid whose samples are skipped. It is the pid of pk-record, or 0. */
	size_t pid_offset; /* offset of the pid in samples */
	size_t trailer;	   /* size of the trailer of records that are not samples */
	uint64_t excluded_samples;
	struct process_set *forks; /* new processes are added to this set; may be NULL */
	/* `bare` has the index plus 1 in `events`, by id, of certain events. A struct
	 * pk_common_fields must be added at the start of the raw data of their samples. It is NULL
	 * if there are no such events. */
	const struct event_list *events;
	const struct pk_table *bare;
	struct unwind_joins *joins; /* used for --call-graph unwind; otherwise NULL */
};

/* Returns true if any event has an overwritten ring, in which new records replace the oldest
 * records. If `overwrite` is false, returns true if any event has a normal ring. */
bool rings_wanted(const struct event_list *events, bool overwrite);
/* Maps a ring for each CPU (or for each task). If `overwrite` is set, redirects the events that
 * have overwritten rings to it; otherwise, redirects the events that have normal rings. If the user
 * cannot lock memory for the requested size, the rings are smaller. Returns PK_FAILED after it has
 * printed a message. */
PK_MUST_CHECK enum pk_status rings_map(struct ring_list *rings, const struct event_list *events,
				       const struct options *options, const struct targets *targets,
				       bool overwrite);
void rings_unmap(struct ring_list *rings);

/* Writes the records of an overwritten ring that are newer than the previous snapshot and were not
 * overwritten. The newest record comes first. */
void ring_snapshot(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);
/* Returns the number of bytes of the unread records in a ring. */
size_t ring_fill(const struct ring *ring);
/* Calls `each` for all unread records, and then releases their space. A record that continues at
 * the start of the ring is copied first, so that `each` gets contiguous bytes. */
void ring_read(struct ring *ring,
	       void (*each)(void *arg, const uint8_t *record, const struct perf_header *header),
	       void *arg);
/* Calls `each` for the records that are not samples and that an earlier call has not read. If
 * ring_drain() joins user callchains and samples, it stops at the position that this function has
 * reached. */
void ring_look(struct ring *ring, void (*each)(void *arg, const uint8_t *record), void *arg);
/* Writes all unread records, and releases their space. Returns false if there were no unread
 * records. */
bool ring_drain(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);

#endif
