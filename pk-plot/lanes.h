/* SPDX-License-Identifier: BSD-2-Clause */
/* The lanes of pictures over time: one for each thread, each processor, or each value of other
 * fields. */
#ifndef PK_LANES_H
#define PK_LANES_H

#include "field.h"
#include "tail.h"
#include "texts.h"

#define LANES_MAX 10000 /* samples of further lanes are not drawn */

/* A lane of a picture. */
struct lane {
	struct buffer label;
	uint64_t comm; /* the number of the newest name of the thread, as a key that tells whether
			* the name has changed */
	bool has_comm;
	uint64_t time; /* total duration of the pieces that are drawn in the lane, in ns */
	uint64_t count;
	uint16_t rows; /* number of rows that the lane has in the picture; the caller sets it */

	void *data; /* memory of the caller from malloc(); lanes_free() frees it */
};

/* All lanes of a picture. */
struct lanes {
	struct pk_groups *groups; /* the groups of the tail */
	bool threads; /* true if each lane is a thread; the label of a lane then also has the name
		       * of the thread */
	/* keys of the lanes; the number of a text is the number of its lane. */
	struct pk_texts keys;
	struct lane *items; /* lane n is items[n - 1] */
	size_t count, capacity;
	/* Numbers of samples that are not drawn. `dropped` counts samples of lanes beyond
	 * LANES_MAX. The caller counts samples without time in without_time. */
	uint64_t dropped, without_time;

	/* Private. */
	uint32_t *
		of_group; /* The number of the lane of each group: one item for samples without a
			   * suffix, and one for samples with a suffix. 0 if the lane is unknown. */
	size_t of_group_count;
	struct pk_column comm;
	struct buffer text;
};

/* Parses the argument of --by. `at` is a struct pk_tail_options. */
int lanes_set(const struct pk_option *option, void *at, const char *text);
/* Call it before pk_tail_start(). If --by is not given, lanes are threads. */
PK_MUST_CHECK enum pk_status lanes_init(struct lanes *lanes, struct pk_tail *tail);
/* Returns the number of the sample's lane. A suffix is added to the label. Samples with a suffix
 * and samples without a suffix (NULL) are in different lanes. Returns 0 if there are too many
 * lanes. If memory is exhausted, returns 0 and sets *failed. */
uint32_t lanes_of(struct lanes *lanes, struct pk_view *view, const char *suffix, bool *failed);
/* Call it in pk_tail.forget. */
void lanes_forget(struct lanes *lanes);
/* Selects the lanes to draw: the lanes with the most time, and at most `most` of them. Together
 * they have at most `rows` rows, unless there is only one lane. Sets *drawn to their number.
 * Returns the numbers of the lanes, sorted by label. The caller frees the result. Returns NULL if
 * memory is exhausted. */
uint32_t *lanes_order(struct lanes *lanes, size_t most, size_t rows, size_t *drawn);
void lanes_free(struct lanes *lanes);
/* Warns about samples that are not drawn. */
void lanes_report(const struct lanes *lanes);

static inline struct lane *lanes_get(struct lanes *lanes, uint32_t lane)
{
	return &lanes->items[lane - 1];
}

/* ---- Times and names of spans ---- */

/* The columns that are needed to find the time and the name of a span. */
struct span_times {
	struct pk_column duration, call, symbol, function;
};

PK_MUST_CHECK enum pk_status span_times_init(struct span_times *times);
void span_times_free(struct span_times *times);

/* The time of a sample or a span. */
struct span_extent {
	bool is_span;
	uint64_t start, end; /* in ns; if the sample is not a span, `start` equals `end` */
};

/* Returns false if the sample has no time. */
bool span_times_of(struct span_times *times, struct pk_view *view, struct span_extent *extent);
/* Returns the name of a span. This is the system call, the function (if the event is a probe), or
 * the event without its system. The result is valid until the next call or record. */
struct pk_bytes span_times_name(struct span_times *times, struct pk_view *view);
/* Returns the name of an event without its system: "sched_switch" for "sched:sched_switch". */
const char *event_short_name(const struct pk_event *event);

#endif
