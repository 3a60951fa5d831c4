/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_RING_H
#define PK_RECORD_RING_H

/* The buffers that the kernel writes records into, shared with it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "record_options.h"
#include "perf_syscall.h"
#include "pkstream.h"
#include "processes.h"

struct ring {
	struct perf_ring_page *page; /* and the data behind it; NULL: nothing records here */
	uint8_t *data;
	size_t size;   /* of data, a power of two */
	uint64_t tail; /* so far we have read */
	int fd;	       /* of the event that owns it */
};

struct ring_list {
	struct ring *items; /* one for each CPU, or without inheritance for each task */
	size_t count;
};

/* What went through. */
struct ring_counts {
	uint64_t samples;
	uint64_t lost_records; /* which the kernel says in LOST records */
	pid_t excluded;	       /* whose samples are left out: our own; 0: nobody's */
	size_t pid_offset;     /* of the pid in samples */
	size_t trailer;	       /* bytes of it in records that are no samples */
	uint64_t excluded_samples;
	struct process_set *forks; /* where new processes are noted; NULL: nowhere */
};

/* Are there events whose records the kernel overwrites, or such whose it does not? */
bool rings_wanted(const struct event_list *events, bool overwrite);
/*
 * Maps the rings, as large as was asked for or as the user may lock, and directs all events of a
 * CPU (or task) into its ring: those whose records the kernel overwrites, or those whose it does
 * not. False after a message.
 */
bool rings_map(struct ring_list *rings, const struct event_list *events,
	       const struct options *options, const struct targets *targets, bool overwrite);
void rings_unmap(struct ring_list *rings);

/* Writes out what a ring has that the kernel overwrites, back to the last time. */
void ring_snapshot(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);
/* So many bytes stand in a ring. */
size_t ring_fill(const struct ring *ring);
/* Calls each for all records that stand in a ring, whole ones; then gives the room back. */
void ring_read(struct ring *ring,
	       void (*each)(void *arg, const uint8_t *record, const struct perf_header *header),
	       void *arg);
/* Writes out what stands in a ring and gives the room back. False if there was nothing. */
bool ring_drain(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);

#endif
