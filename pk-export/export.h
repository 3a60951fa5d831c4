/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EXPORT_H
#define PK_EXPORT_H

/* The formats of pk-export. Each format has a source file, and an entry in the table of main.c. A
 * format gets the samples through export_inputs(), and writes them. */

#include "export_output.h"
#include "options.h"
#include "profile_tables.h"
#include "samples.h"

/* What all formats need. It is the first member of the struct of each format. The other members of
 * that struct are the options of the format, and its data during the export. */
struct exporter {
	const struct export_format *format;
	const char *path; /* path of the output; NULL selects stdout */
	struct pk_common common;
	struct sample_options options;
	struct pk_run *run;
	struct export_samples samples;
	struct cells cells; /* sums of samples; only used if the format uses export_sum() */
	/* Sequences of samples; only used if the format uses export_track(). */
	struct tracks tracks;
	/* types of the values of a stack; only used if the format sets them. */
	struct value_types types;
	struct profile_tables tables;
	enum output_kind kind; /* kind of `out`; an option can change the kind that the format has
				* by default */
	struct export_output out;
	uint64_t cut; /* number of samples whose stacks were cut */
	bool failed;  /* memory was exhausted */
	int status;   /* the exit status of an error that was reported, or 0 */
};

/* A format: its options and the functions that export it. */
struct export_format {
	const char *name, *description;
	const char *by;		   /* the default of --by; NULL if there is none */
	struct pk_command command; /* name and options of the command; the options set members of
				    * the struct of the format */
	size_t size;		   /* size of the struct that the format allocates, in bytes */
	enum output_kind output;
	const char *next;   /* for binary formats: name of a program to which the user can pipe the
			     * output; used in messages */
	unsigned int needs; /* the three members from `needs` on are described in struct
			     * export_samples */
	bool no_stacks;
	bool stackless;

	/* The functions get the struct of the format. At first, all its bytes are 0 except the
	 * options. Only `sample` and `write` must exist. */

	/* Checks the options, and prepares the export. Returns PK_CONTINUE, or an exit status. */
	int (*start)(void *format);
	/* These two functions are described in struct export_samples. */
	enum pk_status (*sample)(void *format, const struct export_sample *sample);
	enum pk_status (*record)(void *format, struct pk_run *run, const struct pk_record *record);
	/* Writes the samples that were read, and reports problems. */
	void (*write)(void *format);
	/* Frees all members. This function is called after `start`, even if `start` has failed. It
	 * returns result. If result is 0, it can return another exit status. */
	int (*end)(void *format, int result);
	/* For a format that is not made of samples. This function is called instead of all other
	 * functions. */
	int (*run)(void *format, struct pk_run *run);
};

/* These functions can be used as export_format.sample. They add the sample to its cell, or to its
 * track. */
PK_MUST_CHECK enum pk_status export_sum(void *format, const struct export_sample *sample);
PK_MUST_CHECK enum pk_status export_track(void *format, const struct export_sample *sample);
/* Exports the inputs of run. The caller has set files and fail_on of run. Returns the exit status.
 */
int export_inputs(struct exporter *exporter, struct pk_run *run);

/* The options of formats that are made of samples, and the common options. They are for struct
 * exporter. */
extern const struct pk_option export_sample_rows[];

extern const struct export_format export_autofdo, export_bolt, export_callgrind, export_firefox,
	export_otlp, export_perf_data, export_pprof, export_profgen, export_rows, export_speedscope,
	export_sqlite, export_trace;

#endif
