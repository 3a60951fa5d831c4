/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

/* The samples of all inputs, with their stacks, labels and weights. Stacks, labels and events have
 * numbers that stay valid from session to session. */

#include "allowance.h"
#include "cells.h"
#include "profile_run.h"
#include "rows.h"
#include "sample_options.h"
#include "stack_copy.h"
#include "wall_clock.h"

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
	/* False: out of memory or, if the format has set `stop`, do not read on. */
	bool (*sample)(void *arg, const struct export_sample *sample);
	void *arg;
	bool stop;	    /* the format cannot write any more, and has reported that */
	unsigned int needs; /* PK_NEED_*, in addition to those of stacks and fields */
	bool no_stacks;	    /* do not look up stacks: each sample counts, its stack is 0 */
	bool stackless;	    /* samples without a stack count, too */
	/* Called for each other record; NULL: no call. False: out of memory. */
	bool (*record)(void *arg, struct pk_run *run, const struct pk_record *record);
	bool has_others; /* the format has exported something that is no sample */

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
	struct pk_run *run;
	struct pk_profile profile;
	struct pk_symbols *symbols; /* NULL: not needed */
	struct pk_groups groups;
	struct pk_expression *where;
	struct pk_stack_copy copy;
	struct pk_allowance allowance; /* what the stacks may cost in the output */
	size_t series_capacity;
	struct pk_texts series_names;
	uint32_t *of_events; /* index of the series + 1, by event */
	size_t of_events_count;
	uint64_t epoch;
	bool checked; /* the names of fields were checked */
};

/* Adds a sample to its cell. False: out of memory. */
bool cells_add_sample(struct cells *cells, const struct export_sample *sample);
/* Reads the inputs. Returns the exit status. */
int samples_read(struct export_samples *samples, struct pk_run *run);
/* The name of a label: that of its field. */
const char *samples_label(const struct export_samples *samples, unsigned int column);
/* Adds the labels of a row as text: "prog pid=5"; fields other than comm have their name. */
void samples_labels_text(const struct export_samples *samples, uint32_t row, struct buffer *out);
/* Adds the name of unresolved code of an object with this path, a string: "[libc.so.6]". */
void names_object_text(const struct pk_dictionary *names, uint32_t path, struct buffer *out);
void samples_object_text(const struct export_samples *samples, uint32_t path, struct buffer *out);
/* Reports the number of samples whose stack was cut: at PK_PATH_DEPTH_MAX frames, or because the
 * allowance was spent. */
void samples_report_cut(const struct export_samples *samples, uint64_t cut);
/* Frees everything. Returns result, but PK_EXIT_FAILED instead of 0 if lookups of symbols failed.
 */
int samples_finish(struct export_samples *samples, int result);

#endif
