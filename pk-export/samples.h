/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

/* The samples of all inputs, with their stacks, labels and weights. Stacks, labels and events have
 * numbers that stay valid from session to session. */

#include "allowance.h"
#include "cells.h"
#include "rows.h"
#include "stack_copy.h"
#include "tail.h"
#include "wall_clock.h"

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

enum {
	OPT_SAMPLES_NO_LINES = 1300,
	OPT_SAMPLES_ADDRESSES,
	OPT_FORMATS, /* the first number for the options of one format */
};

/* clang-format off */
#define SAMPLE_OPTIONS_LONG                                                                        \
	{"no-lines", no_argument, NULL, OPT_SAMPLES_NO_LINES},                                     \
	{"addresses", no_argument, NULL, OPT_SAMPLES_ADDRESSES},                                   \
	PK_TAIL_WEIGHT_LONG,                                                                       \
	PK_TAIL_BY_LONG,                                                                           \
	PK_TAIL_LONG
/* clang-format on */

/* The lines of --help. */
#define SAMPLE_OPTIONS_HELP                                                                        \
	"      --weight=WHAT     period (default; 1 for tracepoints), samples, latency, FIELD\n"   \
	"      --event=GLOB      export these events (default: all)\n"                             \
	"      --where=EXPR      only samples that fulfil the expression\n"                        \
	"      --symfs=DIR, --kallsyms=FILE, --vmlinux=FILE, --debug-dir=DIR, --no-inline ...\n"   \
	"                        as in pk-symbolize, for unsymbolized files\n"                     \
	"      --no-lines        look up functions only  --addresses  a frame for each address\n"

/* Handles a result of getopt_long, with optarg. -1: it was one of these options; 0: it was not;
 * else the exit status. */
int sample_option(struct sample_options *options, int c);
/* The option --frames=function|address of some formats, with optarg. -1, or an exit status. */
int sample_option_frames(struct sample_options *options);

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
	/* False: out of memory or, if the format has set `stop`, do not read on. */
	bool (*sample)(void *arg, const struct export_sample *sample);
	void *arg;
	bool stop;	    /* the format cannot write any more, and has reported that */
	unsigned int needs; /* PK_NEED_*, in addition to those of stacks and fields */
	bool no_stacks;	    /* do not look up stacks: each sample counts, its stack is 0 */
	bool stackless;	    /* samples without a stack count, too */
	/* Called for each other record, sets tail.has_others if it has exported something; NULL: no
	 * call. False: out of memory. */
	bool (*record)(void *arg, struct pk_run *run, const struct pk_record *record);

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
