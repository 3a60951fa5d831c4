/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the counts of instructions: functions, source lines or types, as text or JSON. */
#ifndef PK_ANNOTATE_REPORT_H
#define PK_ANNOTATE_REPORT_H

#include <stdio.h>

#include "annotate.h"
#include "blocks.h"
#include "buffer.h"
#include "json.h"
#include "rank.h"
#include "source_files.h"
#include "typing.h"

enum { COLUMNS_MAX = 32 }; /* limit for events side by side */
enum { SHARE_WIDTH = 8 };  /* of a column with a share, in characters */

struct report {
	const struct code_hits *hits;
	struct pk_code_objects *objects;
	struct blocks *blocks;	      /* NULL: not counted */
	struct pk_messages *messages; /* messages about the objects */
	const struct annotate_options *options;
	struct pk_typing typing;
	struct source_files *files;
	FILE *to;
	struct buffer out; /* written to `to` when it is full */
	bool *met; /* by index in options->functions: whether a function with samples matches */
	/* Counts for the warnings after the report: samples outside of the code of their function,
	 * samples that are not at the start of an instruction, and functions of which only the
	 * first 4 MiB are shown. */
	uint64_t outside, within, cut;
	uint64_t without_code; /* samples in functions whose code was not found */
	bool no_event;	       /* no selected event has samples */
};

/* Appends the listing of one function to report->out. */
PK_MUST_CHECK enum pk_status listing_text(struct report *report, const struct function *f);
PK_MUST_CHECK enum pk_status listing_json(struct report *report, const struct function *f);

/* Appends the text of the instruction in row r, with the symbols of the addresses in it. */
void report_instruction(const struct function *f, uint32_t r, struct buffer *out);

/* Appends the head of a table with a share for each of these events. `what` is its lines. */
void report_head(struct report *report, const uint32_t *events, unsigned int columns,
		 const char *what);

/* Prints the report and returns the exit status. blocks may be NULL. */
int report(const struct code_hits *hits, struct blocks *blocks, struct pk_code_objects *objects,
	   struct pk_messages *messages, const struct annotate_options *options, FILE *to);

/* The percentage that a count is of all samples of the function or, with options->of_all, of all
 * samples of the column's event. 0 if there are none. */
static inline double report_share(const struct report *report, const struct function *f,
				  unsigned int column, const struct hit_count *count)
{
	const struct hit_count all = code_hits_total(report->hits, f->events[column]);
	const uint64_t whole =
		weight_of(report->options, report->options->of_all ? &all : &f->totals[column]);

	return whole ? 100 * (double)weight_of(report->options, count) / (double)whole : 0;
}

/* Appends the lines for some events, side by side, to report->out, with the source text if it can
 * be read. */
PK_MUST_CHECK enum pk_status report_by_line(struct report *report, const uint32_t *events,
					    unsigned int columns);

/* If the instruction accesses memory and the type is known, appends "# data-type: struct foo +0x10
 * (list.next)", in the format of perf annotate --code-with-type. For a per-CPU variable, adds "
 * per-CPU", or "(per-CPU variable)" if its type is unknown. */
void type_note_text(const struct pk_function_types *f, uint32_t row, struct buffer *text);
/* If the instruction accesses memory, appends members of JSON: whether it reads or writes, and the
 * type and member, or null and the reason. */
void type_note_json(const struct pk_function_types *f, uint32_t row, struct json *json);

#endif
