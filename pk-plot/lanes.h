/* SPDX-License-Identifier: BSD-2-Clause */
/* The lanes of pictures over time: one for each thread, each processor, or each value of other
 * fields. */
#ifndef PK_LANES_H
#define PK_LANES_H

#include "field.h"
#include "tail.h"
#include "texts.h"

#define LANES_MAX 10000 /* samples of further lanes are not drawn */

struct lane {
	struct buffer label;
	uint64_t comm; /* key of the last name of the thread */
	bool has_comm;
	uint64_t time; /* of all its pieces, in ns */
	uint64_t count;
	uint16_t rows; /* the caller's: the number of rows */

	void *data; /* the caller's, from malloc() */
};

struct lanes {
	struct pk_groups *groups; /* those of the tail */
	bool threads;		  /* lanes are threads: labels have the name of the thread, too */
	struct pk_texts keys;	  /* the number of a lane is that of its text */
	struct lane *items;	  /* lane 1 is the first item */
	size_t count, capacity;
	/* Samples that are not drawn: of lanes beyond LANES_MAX, without time (counted by the
	 * caller). */
	uint64_t dropped, without_time;

	/* Private. */
	uint32_t *of_group; /* by group and space; 0: unknown */
	size_t of_group_count;
	struct pk_column comm;
	struct buffer text;
};

/* For a row --by, and struct pk_tail_options. */
int lanes_set(const struct pk_option *option, void *at, const char *text);
/* Call it before pk_tail_start(). Without --by, lanes are threads. */
PK_MUST_CHECK enum pk_status lanes_init(struct lanes *lanes, struct pk_tail *tail);
/* The number of the sample's lane. With a suffix of the label, it is another lane than without one
 * (NULL). Returns 0 if there are too many lanes. Also returns 0, and sets *failed, if memory is
 * exhausted. */
uint32_t lanes_of(struct lanes *lanes, struct pk_view *view, const char *suffix, bool *failed);
/* For pk_tail.forget. */
void lanes_forget(struct lanes *lanes);
/* Selects the lanes to draw: at most `most`, those with the most time. Returns their numbers,
 * sorted by label, which the caller frees, and sets *drawn to their count. Returns NULL if memory
 * is exhausted. */
uint32_t *lanes_order(struct lanes *lanes, size_t most, size_t *drawn);
void lanes_free(struct lanes *lanes);
/* Warns about samples that are not drawn. */
void lanes_report(const struct lanes *lanes);

static inline struct lane *lanes_get(struct lanes *lanes, uint32_t lane)
{
	return &lanes->items[lane - 1];
}

/* ---- Times of samples ---- */

struct span_times {
	struct pk_column duration, call, function;
};

PK_MUST_CHECK enum pk_status span_times_init(struct span_times *times);
void span_times_free(struct span_times *times);

struct span_extent {
	bool is_span;
	uint64_t start, end; /* ns; equal if it is no span */
};

/* Returns false if the sample has no time. */
bool span_times_of(struct span_times *times, struct pk_view *view, struct span_extent *extent);
/* What a span is called: the system call, the function (the event of the probe), or the event
 * without its system. Valid until the next call or record. */
struct pk_bytes span_times_name(struct span_times *times, struct pk_view *view);
/* The name of an event without its system. */
const char *event_short_name(const struct pk_event *event);

#endif
