/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

/* The parts of a trace, and the functions of the two formats of traces: trace events in JSON, and
 * packets of Perfetto. All times are in ns of the recording's clock. */

#include "export_output.h"
#include "occurrences.h"
#include "texts.h"

/* A line of a trace. The caller chooses its numbers. */
struct trace_track {
	uint64_t id;	  /* unique, and not 0 */
	int64_t pid, tid; /* for JSON; the pair is unique */
};

struct trace_event {
	const struct trace_track *track;
	const char *name, *category; /* both end with a NUL */
	uint64_t time;
	uint64_t duration; /* only for a slice */
	uint64_t flow;	   /* number of a wakeup that the event causes, or that has caused it; 0 if
			    * there is none */
	const struct occurrence *of; /* describes the fields of the sample, or NULL */
	struct pk_view *view;
	int64_t running; /* tid of the running task, or -1 */
};

/* A wakeup and the run that followed it. Each of them is in a slice. */
struct trace_flow {
	uint64_t id;
	const struct trace_track *from, *to;
	uint64_t from_time, to_time;
};

struct trace_writer {
	struct export_output *out; /* set by the caller */
	bool failed;		   /* memory was exhausted */
	/* Only the format uses these members: */
	struct buffer packet, event, part, piece, interned;
	struct pk_texts names, categories, fields; /* texts that have numbers */
};

struct trace_format {
	void (*start)(struct trace_writer *writer);
	void (*end)(struct trace_writer *writer); /* NULL if nothing must be done */
	/* Names the track of a process or a thread. If it is called again, the new name replaces
	 * the old one. */
	void (*process)(struct trace_writer *writer, const struct trace_track *track,
			const char *name);
	void (*thread)(struct trace_writer *writer, const struct trace_track *track,
		       const char *name);
	/* Names a track that only contains other tracks. */
	void (*group)(struct trace_writer *writer, const struct trace_track *track,
		      const char *name);
	/* Names a track below another track. It is for a processor, for spans, or for a counter. */
	void (*child)(struct trace_writer *writer, const struct trace_track *track,
		      const struct trace_track *parent, const char *name);
	void (*counter)(struct trace_writer *writer, const struct trace_track *track,
			const char *name);
	void (*slice)(struct trace_writer *writer, const struct trace_event *event);
	/* Writes a slice for which no lane has space. event->track is the track of its thread. id
	 * is the id of a new track. */
	void (*single)(struct trace_writer *writer, const struct trace_event *event, uint64_t id);
	void (*instant)(struct trace_writer *writer, const struct trace_event *event);
	void (*count)(struct trace_writer *writer, const struct trace_event *event, uint64_t value);
	void (*flow)(struct trace_writer *writer, const struct trace_flow *flow);
};

extern const struct trace_format trace_json, trace_perfetto;

#endif
