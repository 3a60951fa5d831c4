/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_TRACKS_H
#define TRACE_TRACKS_H

/* The tracks of a trace. There are tracks for threads, for spans of threads, and for processors.
 * Each track is named before its first event. A thread is named again when its name changes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample_view.h"
#include "trace_writer.h"

/* ---- Lanes ---- */

/* The slices of a track must be nested: if two slices overlap, one must contain the other. Spans
 * can overlap in other ways, so they are distributed to several tracks, which are called lanes. The
 * spans must be added in the order of their ends. */

#define LANES_MAX      16
#define LANE_SPANS_MAX 32

/* The lanes of the spans of one thread and one event. */
struct trace_lanes {
	struct trace_lane {
		/* The outermost spans of the lane, in order. They do not overlap, and they contain
		 * all other spans of the lane. The first one can stand for several spans and the
		 * time between them. */
		struct lane_span {
			uint64_t start, end;
		} spans[LANE_SPANS_MAX];
		size_t count;
	} * items;
	size_t count, capacity;
};

/* Sets *index to the lane for a span. If no lane has space for the span, and there are LANES_MAX
 * lanes, *index becomes LANES_MAX. Sets *new to true if the lane was added. */
PK_MUST_CHECK enum pk_status trace_lanes_place(struct trace_lanes *lanes, uint64_t start,
					       uint64_t end, size_t *index, bool *new);

/* ---- Tracks ---- */

/* A thread or a process, and its track. */
struct trace_task {
	struct trace_track track;
	uint32_t number;    /* number of the task; the first task is number 1 */
	uint32_t name;	    /* number in `names` of the last name that the task had */
	uint32_t own_spans; /* index plus 1 of the series whose spans are in this track itself, and
			     * not in a lane of their own; 0 if there is none */
};

/* A processor, its track, and the task that runs on it. */
struct trace_cpu {
	struct trace_cpu *next; /* the next processor in the list, which has the order of the
				 * processors' first events */
	struct trace_track track;
	bool known;	/* a sched_switch was read, so that `start`, `tid` and `name` are valid */
	uint64_t start; /* time at which the running task has started to run, in ns */
	int32_t tid;	/* tid of the running task; 0 if the processor is idle */
	uint32_t name;	/* number in `names` of the running task's name */
	/* The wakeup that made the task run; its id is 0 if there is none. */
	struct trace_flow flow;
};

/* All tracks of a trace. */
struct trace_tracks {
	/* The caller sets these members: */
	const struct trace_format *format;
	struct trace_writer *writer;
	/* Only trace_tracks.c uses these members: */
	struct pk_table tasks;	   /* struct trace_task by pid and tid */
	struct pk_table processes; /* struct trace_task by pid */
	struct pk_table spans;	   /* struct span_tracks by task and series */
	struct pk_table cpus;	   /* struct trace_cpu by number of the processor + 1 */
	struct pk_texts names;
	struct trace_cpu *first_cpu, *last_cpu;
	struct trace_track cpus_group; /* the track that contains the tracks of processors; its id
					* is 0 before it is named */
	uint64_t last_id;
	int64_t last_tid; /* the last tid that was given to a track without a task; no task of Linux
			   * has such tids */
	struct buffer text;
};

/* Returns the number of a name, or 0 if memory is exhausted. */
uint32_t trace_name(struct trace_tracks *tracks, const char *name, size_t size);
static inline const char *trace_name_text(const struct trace_tracks *tracks, uint32_t number)
{
	return pk_texts_get(&tracks->names, number, NULL);
}
/* Returns an id for a new track. */
uint64_t trace_new_id(struct trace_tracks *tracks);
/* Returns a new track with a pid and tid that no task has. */
struct trace_track trace_new_group(struct trace_tracks *tracks, const char *name);
/* Returns the thread of a sample, or NULL if memory is exhausted. */
struct trace_task *trace_task_of(struct trace_tracks *tracks, struct pk_view *view);
/* Sets *track to the track for a span. series is the series of the span's samples, and name is the
 * name of such spans. *track becomes NULL if too many spans of the thread overlap. */
PK_MUST_CHECK enum pk_status trace_span_track(struct trace_tracks *tracks, struct trace_task *task,
					      uint32_t series, const char *name,
					      const struct trace_event *event,
					      const struct trace_track **track);
/* Returns NULL if memory is exhausted. */
struct trace_cpu *trace_cpu_of(struct trace_tracks *tracks, uint32_t cpu);
void trace_tracks_free(struct trace_tracks *tracks);

#endif
