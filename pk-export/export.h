/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EXPORT_H
#define PK_EXPORT_H

/* The formats of pk-export: one source file each, and one entry in the table of main.c. */

#include "options.h"
#include "row_writer.h"
#include "samples.h"

#define EXPORT_CONSTANTS_MAX 8

struct export_options {
	const char *output; /* NULL: stdout */
	struct sample_options samples;
	uint64_t session;	 /* perf.data: number of the session, from 1 on; 0: the only one */
	const char *drop_frames; /* pprof: regular expressions of functions, or NULL */
	const char *keep_frames;
	bool evented, lines;  /* speedscope */
	enum row_format rows; /* rows */
	bool each;	      /* rows: a row for each sample */
	const char *tables;   /* rows: folder for the tables; NULL: one table */
	bool flat;	      /* rows: no missing values, and stacks as lists of frames */
	bool levels;	      /* rows: a column with the level of each row (row_level.h) */
	uint64_t every;	      /* rows: seconds of which samples are added up; 0: all */
	uint64_t from, to;    /* rows: the time of day of samples; to 0: no limit */
	struct constant_column {
		const char *name, *value;
	} constants[EXPORT_CONSTANTS_MAX]; /* rows */
	unsigned int constants_count;

	/* trace: */
	bool perfetto, instants;
	const char *name; /* a field, or NULL */
};

struct export_format {
	const char *name, *description;
	const char *by;		      /* the fields of --by without that option; NULL: none */
	const char *help;	      /* the lines of --help about its options, and examples */
	const struct option *options; /* ends with PK_COMMON_LONG */
	/* Handles a result of pk_getopt that is none of the common options. -1: continue; 0: not
	 * one of its options; else the exit status. */
	int (*option)(struct export_options *options, int c);
	/* Exports the inputs of run, whose files and fail_on are set. Returns the exit status. */
	int (*run)(struct pk_run *run, struct export_options *options);
};

extern const struct export_format export_callgrind, export_firefox, export_otlp, export_perf_data,
	export_pprof, export_rows, export_speedscope, export_sqlite, export_trace;

#endif
