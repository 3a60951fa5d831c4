/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_RING_H
#define PK_RECORD_RING_H

/* Rings are buffers in shared memory. The kernel writes records to them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aux_area.h"
#include "event.h"
#include "perf_syscall.h"
#include "pkstream.h"
#include "record_options.h"
#include "synthesize.h"
#include "table.h"
#include "unwind_half.h"

/* The usual size of a ring in bytes. With the default limit of the kernel, ordinary users can lock
 * a ring of this size for each CPU. */
#define RING_SIZE_USUAL ((size_t)512 << 10)

/* A ring, and the position up to which it was read. */
struct ring {
	struct perf_ring_page *page; /* the control page, which is followed by the data; NULL if
				      * there is no ring */
	uint8_t *data;
	size_t size;   /* size of the data in bytes, a power of two */
	uint64_t tail; /* Position in bytes up to which records were read. In an overwritten ring,
			  it is the position of the newest record of the last snapshot. */
	int fd;	       /* file descriptor of the event whose ring this is */
	struct aux_area aux; /* the bytes of a hardware trace */
	/* ---- For --call-graph unwind ---- */
	struct unwind_halves *halves; /* user callchains that wait for their samples; NULL before
				       * the first struct unwind_half was read */
	uint64_t seen; /* position in bytes up to which ring_look() has read records */
};

/* The rings of a recording. */
struct ring_list {
	struct ring *items; /* one ring for each CPU; if the events are not inherited, one ring for
			     * each task */
	size_t count;
};

/* Counts of the records that were read from rings, and settings for reading them. */
struct ring_counts {
	uint64_t samples;
	uint64_t joined;       /* blocks of --off-cpu that have no sample of their own, because they
				* were added to the sample of another block */
	uint64_t lost_records; /* sum of the numbers of lost records in all LOST records */
	uint64_t trace_bytes;  /* bytes of hardware traces */
	/* Pieces of hardware traces: all AUX records, and those from which bytes are missing,
	 * because the AUX area was full or because the trace unit stopped. */
	uint64_t pieces, full_pieces, partial_pieces;
	uint64_t collisions; /* AUX records of Arm SPE whose operations were sampled too often */
	pid_t excluded; /* The pid whose samples are skipped. It is the pid of pk-record, or 0. */
	size_t pid_offset; /* offset of the pid in samples, in bytes */
	size_t trailer;	   /* size in bytes of the trailer of records that are not samples */
	uint64_t excluded_samples;
	/* The new processes of FORK records are added to this set; may be NULL. */
	struct process_set *forks;
	/* `bare` has the events of --bpf whose samples come from perf buffers. Their raw data lacks
	 * the struct pk_common_fields with which the data of tracepoints starts, so it must be
	 * added. The key of `bare` is the id of an event. The value is its index in `events`,
	 * plus 1. `bare` is NULL if there are no such events. */
	const struct event_list *events;
	const struct pk_table *bare;
	/* The periods of the events whose frequency was changed, see pace.h. NULL if there are
	 * none.
	 */
	const struct pk_table *periods;
	struct unwind_joins *joins; /* the user callchains of --call-graph unwind; NULL if this mode
				     * is not used */
};

/* Returns true if any event has the wanted kind of ring. If `overwrite` is true, this is an
 * overwritten ring, in which new records replace the oldest records. Otherwise, it is a normal
 * ring. */
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
/* Returns the number of bytes of the unread records in a ring, and in its AUX area. */
size_t ring_fill(const struct ring *ring);
/* Writes the last `most` bytes of the overwritten AUX areas, up to the position of the last call.
 */
void rings_snapshot_aux(struct ring_list *rings, size_t most, struct pk_writer *writer,
			struct ring_counts *counts);
/* Calls `each` for all unread records, and then releases their space. If a record wraps around the
 * end of the ring, the record is copied first, so that `each` gets contiguous bytes. */
void ring_read(struct ring *ring,
	       void (*each)(void *arg, const uint8_t *record, const struct perf_header *header),
	       void *arg);
/* Calls `each` for unread records that are not samples, once for each record. Does not release
 * their space. If ring_drain() joins user callchains with samples, it stops at the position that
 * this function has reached. */
void ring_look(struct ring *ring, void (*each)(void *arg, const uint8_t *record), void *arg);
/* Writes all unread records and the bytes of the AUX area, and releases their space. Returns false
 * if there was nothing to write. */
bool ring_drain(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts);

#endif
