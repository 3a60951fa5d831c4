/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

/* What a trace consists of, and the functions of its two formats: trace events in JSON, and packets
 * of Perfetto. All times are nanoseconds of the recording's clock. */

#include "export_output.h"
#include "occurrences.h"
#include "texts.h"

/* A line of a trace. Its numbers are made by the caller. */
struct trace_track {
	uint64_t id;	  /* unique, not 0 */
	int64_t pid, tid; /* for JSON: unique together */
};

struct trace_event {
	const struct trace_track *track;
	const char *name, *category; /* NUL-terminated */
	uint64_t time;
	uint64_t duration; /* of a slice */
	uint64_t flow;	   /* number of the wakeup that it causes or is caused by; 0: none */
	const struct occurrence *of; /* its fields: those of this sample; NULL: none */
	struct pk_view *view;
	int64_t running; /* tid of a task that runs; -1: none */
};

/* A wakeup that was followed by a run, each in a slice. */
struct trace_flow {
	uint64_t id;
	const struct trace_track *from, *to;
	uint64_t from_time, to_time;
};

struct trace_writer {
	struct export_output *out; /* set by the caller */
	bool failed;		   /* out of memory */
	/* Private to the format: */
	struct buffer packet, event, part, piece, interned;
	struct pk_texts names, categories, fields; /* of interned texts */
};

struct trace_format {
	void (*start)(struct trace_writer *writer);
	void (*end)(struct trace_writer *writer); /* NULL: nothing to do */
	/* Names a track. The second time, the name replaces the first one. */
	void (*process)(struct trace_writer *writer, const struct trace_track *track,
			const char *name);
	void (*thread)(struct trace_writer *writer, const struct trace_track *track,
		       const char *name);
	/* A track for others. */
	void (*group)(struct trace_writer *writer, const struct trace_track *track,
		      const char *name);
	/* A track below another one: of a processor, of spans, or of a counter. */
	void (*child)(struct trace_writer *writer, const struct trace_track *track,
		      const struct trace_track *parent, const char *name);
	void (*counter)(struct trace_writer *writer, const struct trace_track *track,
			const char *name);
	void (*slice)(struct trace_writer *writer, const struct trace_event *event);
	/* A slice that has no lane. `track` is that of its thread. id is that of a new track. */
	void (*single)(struct trace_writer *writer, const struct trace_event *event, uint64_t id);
	void (*instant)(struct trace_writer *writer, const struct trace_event *event);
	void (*count)(struct trace_writer *writer, const struct trace_event *event, uint64_t value);
	void (*flow)(struct trace_writer *writer, const struct trace_flow *flow);
};

extern const struct trace_format trace_json, trace_perfetto;

#endif
