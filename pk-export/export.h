/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EXPORT_H
#define PK_EXPORT_H

/* The formats of pk-export: one source file each, and one entry in the table of main.c. A format
 * reads the samples through the driver, export_inputs(), and prints them. */

#include "export_output.h"
#include "options.h"
#include "profile_tables.h"
#include "samples.h"

/* The first member of the struct of each format. It has what all formats have. The other members of
 * that struct are the format's options, and what it needs while it exports. */
struct exporter {
	const struct export_format *format;
	const char *path; /* of the output; NULL: stdout */
	struct pk_common common;
	struct sample_options options;
	struct pk_run *run;
	struct export_samples samples;
	struct cells cells;	  /* of export_sum() */
	struct tracks tracks;	  /* of export_track() */
	struct value_types types; /* if the format sets them */
	struct profile_tables tables;
	enum output_kind kind; /* of `out`; at first that of the format */
	struct export_output out;
	uint64_t cut; /* samples whose stacks were cut */
	bool failed;  /* out of memory */
	int status;   /* an exit status after a message; 0: none */
};

struct export_format {
	const char *name, *description;
	const char *by;		   /* the fields of --by without that option; NULL: none */
	struct pk_command command; /* for its struct */
	size_t size;		   /* of its struct */
	enum output_kind output;
	const char *next;   /* for binary formats: a program to pipe to */
	unsigned int needs; /* these three as in struct export_samples */
	bool no_stacks;
	bool stackless;

	/* The functions get the struct of the format, whose bytes are all zero at first, except
	 * for the options. Only `sample` and `write` must exist. */

	/* Checks the options, and prepares. Returns PK_CONTINUE, or an exit status. */
	int (*start)(void *format);
	/* As in struct export_samples. */
	enum pk_status (*sample)(void *format, const struct export_sample *sample);
	enum pk_status (*record)(void *format, struct pk_run *run, const struct pk_record *record);
	/* Writes what was read, and reports. */
	void (*write)(void *format);
	/* Frees all members. Is called after `start`, also if that has failed. Returns result, or
	 * an exit status instead of 0. */
	int (*end)(void *format, int result);
	/* For a format without samples: does all instead of these. */
	int (*run)(void *format, struct pk_run *run);
};

/* For export_format.sample: adds the sample to its cell, or track. */
PK_MUST_CHECK enum pk_status export_sum(void *format, const struct export_sample *sample);
PK_MUST_CHECK enum pk_status export_track(void *format, const struct export_sample *sample);
/* Exports the inputs of run, whose files and fail_on are set. Returns the exit status. */
int export_inputs(struct exporter *exporter, struct pk_run *run);

/* The rows of formats that are made of samples, and the common ones, for struct exporter. */
extern const struct pk_option export_sample_rows[];

extern const struct export_format export_callgrind, export_firefox, export_otlp, export_perf_data,
	export_pprof, export_rows, export_speedscope, export_sqlite, export_trace;

#endif
