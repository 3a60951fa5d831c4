/* SPDX-License-Identifier: BSD-2-Clause */
/* The samples of all inputs, with their stacks, labels and weights. Stacks, labels and events have
 * numbers that stay valid from session to session. */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

#include <stdbool.h>

#include "allowance.h"
#include "paths.h"
#include "pkstream.h"
#include "rows.h"
#include "stack_copy.h"
#include "stack_walk.h"
#include "table.h"
#include "tail.h"
#include "wall_clock.h"

/* ---- Cells ---- */

/* Sums of samples: one cell for each distinct stack of the samples with equal labels and of one
 * event. All zero: empty. */

struct cells {
	struct cell {
		uint32_t row; /* of the labels (samples.h) */
		uint32_t stack;
		uint32_t series;
		uint64_t samples, weight;
	} * items;
	size_t count, capacity;
	struct pk_table numbers; /* index of the cell + 1, by row, stack and series */
};

/* Adds a sample. Sums that do not fit into 63 bits stay at INT64_MAX, the largest number of most
 * formats. */
PK_MUST_CHECK enum pk_status cells_add(struct cells *cells, const struct cell *sample);
/* Sorts by row, stack and series. */
void cells_sort(struct cells *cells);
/* Removes all cells, and keeps the memory for others. */
void cells_clear(struct cells *cells);
void cells_free(struct cells *cells);

/* ---- Options ---- */

/* The options of formats that are made of samples. */

struct sample_options {
	struct pk_tail_options tail; /* --by: the labels of samples */
	bool addresses; /* a frame for each address, also where functions would be enough */
	bool no_names;	/* --frames=address: keep addresses instead of functions that can be looked
			 * up later, and look up nothing */
};

/* All events count, each with its own weights. */
#define SAMPLE_OPTIONS_DEFAULTS                                                                    \
	{                                                                                          \
		.tail.weigh.each_event = true                                                      \
	}

/* For struct sample_options. The second one is --frames=function|address of some formats. */
extern const struct pk_option sample_rows[], sample_frames_row[];

/* ---- Samples ---- */

/* The weights of the samples of one event, with their unit. */
struct series {
	const char *event, *unit; /* the words of pk_weights_unit() */
	bool nanoseconds;	  /* the unit */
	bool is_clock;		  /* the event is the time of a processor or thread */
	uint64_t period;	  /* the fixed period of the event; 0: it varies */
	uint64_t samples, weight; /* sums of all samples */
};

/* A sample that counts. */
struct export_sample {
	uint32_t row;	 /* its labels: pk_rows_value() */
	uint32_t stack;	 /* id in `names`; 0: none, only if `stackless` is set */
	uint32_t series; /* index */
	uint64_t weight;
	uint64_t time; /* in ns of the recording's clock; 0: unknown */
	struct pk_view *view;
};

struct export_samples {
	/* Set by the format: */
	struct sample_options *options; /* the samples take its fields and conditions */
	/* Returns false if memory is exhausted or, if the format has set `stop`, to read no
	 * further. */
	enum pk_status (*sample)(void *arg, const struct export_sample *sample);
	void *arg;
	bool stop;	    /* the format cannot write any more, and has reported that */
	unsigned int needs; /* PK_NEED_*, in addition to those of stacks and fields */
	bool no_stacks;	    /* do not look up stacks: each sample counts, its stack is 0 */
	bool stackless;	    /* samples without a stack count, too */
	/* Called for each other record. Sets tail.has_others if it has exported something. May be
	 * NULL. */
	enum pk_status (*record)(void *arg, struct pk_run *run, const struct pk_record *record);

	/* The result: */
	struct pk_dictionary *names; /* stacks, frames, objects and strings */
	struct pk_rows rows;	     /* a column for each field of --by */
	struct series *series;
	size_t series_count;
	uint64_t count;		    /* number of samples */
	uint64_t first, last;	    /* times of samples of the first session; 0: none have a time */
	uint64_t wall_offset;	    /* added to `first`, it is the time of day; 0: unknown */
	struct pk_wall_clock clock; /* of the current session */
	uint64_t sessions;	    /* number so far; that of the current one, from 1 on */

	/* Private: */
	struct pk_tail tail;
	struct pk_stack_copy copy;
	struct pk_allowance allowance; /* what the stacks may cost in the output */
	size_t series_capacity;
	struct pk_texts series_names;
	uint32_t *of_events; /* index of the series + 1, by event */
	size_t of_events_count;
	uint64_t epoch;
};

/* Adds a sample to its cell. */
PK_MUST_CHECK enum pk_status cells_add_sample(struct cells *cells,
					      const struct export_sample *sample);
/* Reads the inputs. Returns the exit status. */
int samples_read(struct export_samples *samples, struct pk_run *run);
/* The time of day of a sample of the current session, in nanoseconds since 1970. Without one, the
 * time of the recording's clock. */
static inline uint64_t samples_time_of_day(const struct export_samples *samples, uint64_t time)
{
	return time && samples->clock.known ? time + samples->clock.offset : time;
}
/* The name of a field of --by: that of the label. */
const char *samples_name_of(const struct pk_reference *by);
/* The name of a label: that of its field. */
const char *samples_label(const struct export_samples *samples, unsigned int column);
/* Adds the labels of a row as text: "prog pid=5". Fields other than comm have their name. */
void samples_labels_text(const struct export_samples *samples, uint32_t row, struct buffer *out);
/* Adds the name of unresolved code of an object with this path, a string: "[libc.so.6]". */
void names_object_text(const struct pk_dictionary *names, uint32_t path, struct buffer *out);
/* Reports the number of samples whose stack was cut: at PK_PATH_DEPTH_MAX frames, or because the
 * allowance was spent. */
void samples_report_cut(const struct export_samples *samples, uint64_t cut);
/* Frees everything. Returns result, but PK_EXIT_FAILED instead of 0 if lookups of symbols failed.
 */
int samples_finish(struct export_samples *samples, int result);

/* ---- Tracks ---- */

/* The samples of each thread in their order: a track for all samples with equal labels and of one
 * event. Needs memory for each sample. All zero: empty. */

struct tracks {
	struct track {
		uint32_t row, series;
		struct track_sample {
			uint64_t time, weight;
			uint32_t stack;
		} * items;
		size_t count, capacity;
	} * items; /* in the order of their first sample */
	size_t count, capacity;
	struct pk_table numbers; /* index + 1, by row and series */
	bool join;		 /* join adjacent samples with equal stacks; set by the caller */
};

PK_MUST_CHECK enum pk_status tracks_add(struct tracks *tracks, const struct export_sample *sample);
void tracks_free(struct tracks *tracks);

/* ---- Frames of stacks ---- */

/* The frames of a stack, without those that are no code: the thread's name, and separators. */

struct stack_frames {
	uint32_t ids[PK_PATH_DEPTH_MAX]; /* the leaf first */
	size_t count;
	bool cut; /* the stack has more callers */
};

/* Reads the frames of a stack. Those that are undefined are left out. allowance is what the frames
 * may cost. With NULL, the cost is not limited. */
void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t stack);

/* More functions that are inlined at one address become another location: a stream can claim any
 * number. */
#define LOCATION_MAX 256

/* The frames of the next location, innermost first: a function with those that are inlined there.
 * Returns 0 if there are no more. */
static inline size_t stack_frames_location(struct pk_stack_walk *walk, uint32_t ids[LOCATION_MAX])
{
	size_t count = 0;

	while (count < LOCATION_MAX && pk_stack_next(walk)) {
		if (walk->kind == PK_FRAME_IS_TEXT)
			continue;
		ids[count++] = walk->id;
		if (!(walk->frame->flags & PK_FRAME_INLINED))
			break;
	}
	return count;
}

/* ---- Types of values ---- */

/* The values of each stack in formats with several of them: the number of its samples, and the sum
 * of weights of each event. */

/* A stream with many events would need too much space. */
#define VALUES_MAX 256

struct value_types {
	struct value_type {
		const char *name, *unit; /* "nanoseconds", "bytes", "count" */
	} types[VALUES_MAX];
	unsigned int count;
	bool weights;	  /* a series has a type of its own, from type 1 on */
	uint64_t dropped; /* samples of series beyond VALUES_MAX */
};

void value_types_init(struct value_types *types, const struct export_samples *samples);
/* Sets the values to the sums of the first cell and those after it that differ only in their
 * series. Returns the cell after these. The cells are sorted. */
const struct cell *value_types_sum(struct value_types *types, const struct cell *cell,
				   const struct cell *end, uint64_t *values);
/* The fixed period of a series, or the mean of periods that vary. */
uint64_t value_types_period(const struct series *series);
/* Reports what was dropped. Returns result, or PK_EXIT_FAILED. */
int value_types_report(const struct value_types *types, int result);

#endif
