/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_TRACKS_H
#define TRACE_TRACKS_H

/* The tracks of a trace: threads, spans of threads, processors. Each is named before its first
 * event, and a thread again when its name changes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample_view.h"
#include "trace_writer.h"

/* ---- Lanes ---- */

/* Slices of a track of a trace must be nested: of two slices, one contains the other one, or they
 * have no common time. Spans need not be, so they are distributed to several tracks: lanes. Spans
 * come in the order of their ends. */

#define LANES_MAX      16
#define LANE_SPANS_MAX 32

struct trace_lanes {
	struct trace_lane {
		/* Spans that contain all others of the lane, in order, without common time. The
		 * first one can stand for several, and for the time between them. */
		struct lane_span {
			uint64_t start, end;
		} spans[LANE_SPANS_MAX];
		size_t count;
	} * items;
	size_t count, capacity;
};

/* The index of the lane for a span, or LANES_MAX if none of them has space for it. Sets *new if the
 * lane was added. */
PK_MUST_CHECK enum pk_status trace_lanes_place(struct trace_lanes *lanes, uint64_t start,
					       uint64_t end, size_t *index, bool *new);

/* ---- Tracks ---- */

struct trace_task {
	struct trace_track track;
	uint32_t number; /* 1, 2 ... */
	uint32_t name;	 /* number of the last name */
	uint32_t
		own_spans; /* series + 1 of the spans whose first lane is this track; 0: none yet */
};

struct trace_cpu {
	struct trace_cpu *next; /* in the order of their first event */
	struct trace_track track;
	bool known;		/* a switch has been seen: the next three are known */
	uint64_t start;		/* of the task that runs */
	int32_t tid;		/* of that task; 0: idle */
	uint32_t name;		/* of that task: number of the text */
	struct trace_flow flow; /* that has woken it; id 0: none */
};

struct trace_tracks {
	/* Set by the caller: */
	const struct trace_format *format;
	struct trace_writer *writer;
	/* Private to the tracks: */
	struct pk_table tasks;	   /* struct trace_task, by pid and tid */
	struct pk_table processes; /* struct trace_task, by pid */
	struct pk_table spans;	   /* struct span_tracks, by task and series */
	struct pk_table cpus;	   /* struct trace_cpu, by number of the processor + 1 */
	struct pk_texts names;
	struct trace_cpu *first_cpu, *last_cpu;
	struct trace_track cpus_group; /* id 0: not named yet */
	uint64_t last_id;
	int64_t last_tid; /* of those that no task of Linux has */
	struct buffer text;
};

/* The number of a name, or 0 if memory is exhausted. */
uint32_t trace_name(struct trace_tracks *tracks, const char *name, size_t size);
static inline const char *trace_name_text(const struct trace_tracks *tracks, uint32_t number)
{
	return pk_texts_get(&tracks->names, number, NULL);
}
/* An id for another track. */
uint64_t trace_new_id(struct trace_tracks *tracks);
/* A track with a pid and tid that no task has. */
struct trace_track trace_new_group(struct trace_tracks *tracks, const char *name);
/* The thread of a sample. NULL: out of memory. */
struct trace_task *trace_task_of(struct trace_tracks *tracks, struct pk_view *view);
/* The track for a span of a series of samples. *track is NULL if its thread has too many that
 * overlap. name is that of these spans. */
PK_MUST_CHECK enum pk_status trace_span_track(struct trace_tracks *tracks, struct trace_task *task,
					      uint32_t series, const char *name,
					      const struct trace_event *event,
					      const struct trace_track **track);
/* NULL: out of memory. */
struct trace_cpu *trace_cpu_of(struct trace_tracks *tracks, uint32_t cpu);
void trace_tracks_free(struct trace_tracks *tracks);

#endif
