/* SPDX-License-Identifier: BSD-2-Clause */
/* The samples of all inputs, with their stacks, labels and weights. The numbers of stacks, labels
 * and events stay valid in all sessions. */
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

/* Sums of samples. A cell has the sum of all samples that have equal labels, equal stacks and the
 * same event. A struct of zero bytes has no cells. */

struct cells {
	struct cell {
		uint32_t row; /* number of the row with the labels, as in pk_rows_value() */
		uint32_t stack;
		uint32_t series;
		uint64_t samples, weight;
	} * items;
	size_t count, capacity;
	struct pk_table numbers; /* finds the index + 1 of a cell by row, stack and series */
};

/* Adds a sample to its cell. Sums that do not fit into 63 bits become INT64_MAX, which is the
 * largest number of most formats. */
PK_MUST_CHECK enum pk_status cells_add(struct cells *cells, const struct cell *sample);
/* Sorts the cells by row, stack and series. */
void cells_sort(struct cells *cells);
/* Removes all cells, but keeps their memory for other cells. */
void cells_clear(struct cells *cells);
void cells_free(struct cells *cells);

/* ---- Options ---- */

/* The options of all formats that are made of samples. */

struct sample_options {
	struct pk_tail_options tail; /* --by selects the labels of samples */
	bool addresses; /* use one frame for each address, and not one frame for each function */
	bool no_names;	/* For --frames=address: symbols are not looked up. If a function can be
			 * looked up later, its address is exported instead of its name. */
};

/* The default: all events are exported, and each event has its own weights. */
#define SAMPLE_OPTIONS_DEFAULTS                                                                    \
	{                                                                                          \
		.tail.weigh.each_event = true                                                      \
	}

/* The options, for struct sample_options. sample_frames_row has --frames=function|address, which
 * some formats have. */
extern const struct pk_option sample_rows[], sample_frames_row[];

/* ---- Samples ---- */

/* A series is all samples of one event. It has the unit of their weights. */
struct series {
	const char *event, *unit; /* name of the event, and unit of the weights (a result of
				   * pk_weights_unit()) */
	bool nanoseconds;	  /* the unit is nanoseconds */
	bool is_clock;		  /* the event counts the time of a processor or thread */
	uint64_t period;	  /* fixed period of the event; 0 if the period varies */
	uint64_t samples, weight; /* number of all samples, and sum of their weights */
};

/* A sample that is exported. */
struct export_sample {
	uint32_t row;	 /* number of the row with its labels, as in pk_rows_value() */
	uint32_t stack;	 /* Id of its stack in export_samples.names. It can be 0 only if `stackless`
			  * or `no_stacks` is set. */
	uint32_t series; /* index of its series in export_samples.series */
	uint64_t weight;
	uint64_t time; /* in ns of the recording's clock; 0 if unknown */
	struct pk_view *view;
};

/* How the samples of all inputs are read, and what was read. */
struct export_samples {
	/* The format sets these members: */
	/* The fields, conditions and limits that the user has selected. */
	struct sample_options *options;
	/* This function is called for each sample. It returns PK_END if no more samples are needed,
	 * because the output has failed. The format reports the reason at its end. */
	enum pk_status (*sample)(void *arg, const struct export_sample *sample);
	void *arg;
	unsigned int needs; /* PK_NEED_* bits of what the format reads, in addition to stacks and
			     * fields */
	bool no_stacks; /* do not look up stacks; all samples are exported, with 0 as their stack */
	bool stackless; /* samples without a stack are also exported */
	/* This function is called for each record that is not a sample. It sets tail.has_others if
	 * it has exported something. It may be NULL. */
	enum pk_status (*record)(void *arg, struct pk_run *run, const struct pk_record *record);

	/* These members are the result: */
	struct pk_dictionary *names; /* the dictionary with stacks, frames, objects and strings */
	struct pk_rows rows;	     /* the labels; there is a column for each field of --by */
	struct series *series;
	size_t series_count;
	uint64_t count;	      /* number of samples */
	uint64_t first, last; /* earliest and latest time of samples in the first session, in ns; 0
			       * if unknown */
	uint64_t wall_offset; /* first + wall_offset is the time of day of `first`, in ns since
			       * 1970; 0 if it is unknown */
	struct pk_wall_clock clock; /* the time of day in the current session */
	uint64_t sessions; /* number of sessions so far, which is also the number of the current
			    * session */

	/* Only samples.c uses these members: */
	struct pk_tail tail;
	struct pk_stack_copy copy;
	struct pk_allowance allowance; /* limits the cost of stacks in the output */
	size_t series_capacity;
	struct pk_texts series_names;
	uint32_t *of_events; /* for each event, the index of its series plus 1 */
	size_t of_events_count;
	uint64_t epoch;
};

/* Adds a sample to its cell. */
PK_MUST_CHECK enum pk_status cells_add_sample(struct cells *cells,
					      const struct export_sample *sample);
/* Reads all inputs. Returns the exit status. */
int samples_read(struct export_samples *samples, struct pk_run *run);
/* Returns the time of day of a sample of the current session, in ns since 1970. If the time of day
 * is unknown, returns the time of the recording's clock. */
static inline uint64_t samples_time_of_day(const struct export_samples *samples, uint64_t time)
{
	return time && samples->clock.known ? time + samples->clock.offset : time;
}
/* Returns the name of a field of --by. It is also the name of the label. */
const char *samples_name_of(const struct pk_reference *by);
/* Returns the name of a label. It is the name of the label's field. */
const char *samples_label(const struct export_samples *samples, unsigned int column);
/* Adds the labels of a row as text, for example "prog pid=5". The name of a field precedes its
 * value, except for comm. */
void samples_labels_text(const struct export_samples *samples, uint32_t row, struct buffer *out);
/* Adds a name for unresolved code of an object, for example "[libc.so.6]". path is the string with
 * the path of the object. */
void names_object_text(const struct pk_dictionary *names, uint32_t path, struct buffer *out);
/* Reports the number of samples whose stack was cut. A stack is cut at PK_PATH_DEPTH_MAX frames, or
 * because all stacks together have cost more than the allowance. */
void samples_report_cut(const struct export_samples *samples, uint64_t cut);
/* Frees all memory. Returns result. If result is 0 but lookups of symbols have failed, returns
 * PK_EXIT_FAILED. */
int samples_finish(struct export_samples *samples, int result);

/* ---- Tracks ---- */

/* A track has all samples with equal labels and the same event, in their order. Usually this is a
 * thread. Each sample needs memory. If all members are 0, there are no tracks. */

struct tracks {
	struct track {
		uint32_t row, series;
		struct track_sample {
			uint64_t time, weight;
			uint32_t stack;
		} * items;
		size_t count, capacity;
	} * items; /* sorted by the order of the tracks' first samples */
	size_t count, capacity;
	struct pk_table numbers; /* finds the index + 1 of a track by row and series */
	bool join; /* The caller sets it to join adjacent samples that have equal stacks. */
};

PK_MUST_CHECK enum pk_status tracks_add(struct tracks *tracks, const struct export_sample *sample);
void tracks_free(struct tracks *tracks);

/* ---- Frames of stacks ---- */

/* The frames of a stack. Frames that are not code are left out. These are the name of the thread,
 * and separators. */

struct stack_frames {
	uint32_t ids[PK_PATH_DEPTH_MAX]; /* the innermost frame first */
	size_t count;
	bool cut; /* the stack has more frames, which do not fit into `ids` */
};

/* Reads the frames of a stack. Undefined frames are left out. allowance limits the cost of the
 * frames. If it is NULL, there is no limit. */
void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t stack);

/* Maximum number of frames of one location. A stream can declare any number of functions that are
 * inlined at one address. Functions beyond this limit become another location. */
#define LOCATION_MAX 256

/* Gets the frames of the next location, the innermost frame first. A location is a function with
 * the functions that are inlined into it. Returns the number of frames, or 0 if there are no more
 * locations. */
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

/* For formats in which each stack has several values. The values of a stack are the number of its
 * samples, and the sum of the weights for each event. */

/* The most values of a stack. A stream with many events would otherwise need too much space. */
#define VALUES_MAX 256

/* The types of the values that each stack has. */
struct value_types {
	struct value_type {
		const char *name, *unit; /* the unit is "nanoseconds", "bytes" or "count" */
	} types[VALUES_MAX];
	unsigned int count;
	bool weights; /* each series also has a type for its weights; the type of the first series
		       * has index 1 */
	uint64_t dropped; /* number of samples that have no type, because there are more than
			   * VALUES_MAX types */
};

void value_types_init(struct value_types *types, const struct export_samples *samples);
/* Sets `values` to the sums of the first cell and the cells after it that differ only in their
 * series. Returns the next cell. The cells must be sorted. */
const struct cell *value_types_sum(struct value_types *types, const struct cell *cell,
				   const struct cell *end, uint64_t *values);
/* Returns the fixed period of a series. If the periods vary, returns their mean. */
uint64_t value_types_period(const struct series *series);
/* Reports the samples that were dropped. Returns result. If result is 0 but samples were dropped,
 * returns PK_EXIT_FAILED. */
int value_types_report(const struct value_types *types, int result);

#endif
