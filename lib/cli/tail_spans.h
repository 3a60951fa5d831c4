/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TAIL_SPANS_H
#define PK_TAIL_SPANS_H

/*
 * Spans that a tail makes itself. The "needs" line of a view names the presets of pk-span that make
 * the input of the view. If a session lacks the events of such a preset, but has events that start
 * its spans, the records pass through the preset in the process of the tail. The tail then gets the
 * same records as from pk-span. No stream is written or read in between.
 */

#include "run.h"

struct pk_tail_spans;

/* The receiver of the records. */
struct pk_tail_spans_output {
	struct pk_context *context; /* evaluates the records that next() gets */
	/* Gets each record in order: the records of the input that pk-span would write, and samples
	 * of spans. */
	enum pk_status (*next)(void *arg, const struct pk_record *record);
	/* Returns whether a field is used whose name starts with these `size` characters. If it is
	 * NULL, all fields are used. */
	bool (*uses)(void *arg, const char *name, size_t size);
	void *arg;
	/* Names and patterns of the events that the tail counts; if there are none, it counts all.
	 */
	const char **events;
	int events_count;
};

/* Sets *spans to the spans of the last view, or to NULL if the view needs none. Adds their needs to
 * the needs of the context. Call it before pk_context_init(). */
PK_MUST_CHECK enum pk_status pk_tail_spans_new(struct pk_tail_spans **spans, struct pk_run *run,
					       const struct pk_tail_spans_output *output);
/* Call it after pk_context_init(). */
PK_MUST_CHECK enum pk_status pk_tail_spans_init(struct pk_tail_spans *spans);
void pk_tail_spans_free(struct pk_tail_spans *spans);

/* Call it before pk_tail_spans_record(), for each record. Before the first record that has a time,
 * adds the events of the spans to the events of the session. */
PK_MUST_CHECK enum pk_status pk_tail_spans_prepare(struct pk_tail_spans *spans,
						   const struct pk_record *record);
/* Returns whether the events of the session are complete. */
bool pk_tail_spans_prepared(const struct pk_tail_spans *spans);
/* Passes a record on to next(), or makes spans from it. Also handles PK_RECORD_BEGIN. */
PK_MUST_CHECK enum pk_status pk_tail_spans_record(struct pk_tail_spans *spans,
						  const struct pk_record *record);
/* Ends the session. Passes the last spans to next(), and reports losses. */
PK_MUST_CHECK enum pk_status pk_tail_spans_end(struct pk_tail_spans *spans);

#endif
