/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

/* The parts of a trace, and the functions of the two formats of traces: trace events in JSON, and
 * packets of Perfetto. All times are in ns of the recording's clock. */

#include "export_output.h"
#include "occurrences.h"
#include "texts.h"

/* A track is a line of a trace in the viewer. The caller chooses its numbers. */
struct trace_track {
	uint64_t id;	  /* number that identifies the track; not 0 */
	int64_t pid, tid; /* pid and tid of the track in JSON; no other track has the same pair */
};

/* An event of a trace: a slice, an instant or a count. */
struct trace_event {
	const struct trace_track *track;
	const char *name, *category; /* both end with a NUL */
	uint64_t time;
	uint64_t duration; /* used only for a slice */
	uint64_t flow;	   /* number of the wakeup that this event causes, or that has caused this
			    * event; 0 if there is none */
	/* Describes the fields of the sample `view`; NULL if they are not written. */
	const struct occurrence *of;
	struct pk_view *view;
	int64_t running; /* tid of the task that runs on the processor; -1 if it is unknown */
};

/* A wakeup and the run that followed it. Each of them is in a slice. */
struct trace_flow {
	uint64_t id;
	const struct trace_track *from, *to;
	uint64_t from_time, to_time;
};

/* An output of a trace. */
struct trace_writer {
	struct export_output *out; /* set by the caller */
	bool failed;		   /* memory was exhausted */
	/* Only the format uses these members: */
	struct buffer packet, event, part, piece, interned;
	struct pk_texts names, categories,
		fields; /* texts that were given a number in the output */
};

/* The functions that write the parts of a trace in one format. */
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
