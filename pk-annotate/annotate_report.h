/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the counts of instructions as text or JSON. The counts are grouped by function, source
 * line or type. */
#ifndef PK_ANNOTATE_REPORT_H
#define PK_ANNOTATE_REPORT_H

#include <stdio.h>

#include "annotate.h"
#include "blocks.h"
#include "buffer.h"
#include "json.h"
#include "rank.h"
#include "source_texts.h"
#include "source_listing.h"
#include "typing.h"

enum { COLUMNS_MAX = 32 }; /* maximum number of events that have a column in the same listing */
enum { SHARE_WIDTH = 8 };  /* width of a column of percentages, in characters */

/* The state of the report that is printed. */
struct report {
	const struct code_hits *hits;
	struct pk_code_objects *objects;
	struct blocks *blocks;	      /* NULL if blocks are not counted */
	struct pk_messages *messages; /* messages of functions that read the objects */
	const struct annotate_options *options;
	struct pk_typing typing;
	struct pk_source_texts *files;
	FILE *to;
	struct buffer out; /* the output, which is written to `to` when this buffer is full */
	bool *met; /* met[i] is true if a function with samples matches options->functions.items[i]
		    */
	/* Counts for the warnings after the report. `outside` counts samples outside of the code of
	 * their function. `within` counts samples that are not at the start of an instruction.
	 * `cut` counts functions of which only the first 4 MiB are shown. */
	uint64_t outside, within, cut;
	uint64_t without_line; /* number of samples outside of the source lines of their function */
	uint64_t without_code; /* number of samples in functions whose code was not found */
	bool no_event;	       /* true if none of the selected events has samples */
};

/* These functions append the listing of one function to report->out. */
PK_MUST_CHECK enum pk_status listing_text(struct report *report, const struct function *f);
PK_MUST_CHECK enum pk_status listing_json(struct report *report, const struct function *f);

/* Like listing_text() and listing_json(), for a function whose source lines are shown instead of
 * instructions. */
PK_MUST_CHECK enum pk_status listing_lines_text(struct report *report,
						const struct function_lines *lines);
PK_MUST_CHECK enum pk_status listing_lines_json(struct report *report,
						const struct function_lines *lines);

/* Appends the head of a table that has a column of percentages for each of the events. `what` tells
 * what the lines of the table are. */
void report_head(struct report *report, const uint32_t *events, unsigned int columns,
		 const char *what);

/* Prints the report and returns the exit status. blocks may be NULL. */
int report(const struct code_hits *hits, struct blocks *blocks, struct pk_code_objects *objects,
	   struct pk_messages *messages, const struct annotate_options *options, FILE *to);

/* The percentage that a count is of all samples of the function. With options->of_all, it is the
 * percentage of all samples of the column's event. Returns 0 if there are no samples. */
static inline double report_share(const struct report *report, const struct function *f,
				  unsigned int column, const struct hit_count *count)
{
	const struct hit_count all = code_hits_total(report->hits, f->events[column]);
	const uint64_t whole =
		weight_of(report->options, report->options->of_all ? &all : &f->totals[column]);

	return whole ? 100 * (double)weight_of(report->options, count) / (double)whole : 0;
}

/* Appends a table of source lines to report->out. The counts of the events are side by side. A line
 * includes its source text if the file can be read. */
PK_MUST_CHECK enum pk_status report_by_line(struct report *report, const uint32_t *events,
					    unsigned int columns);

/* If the instruction accesses memory and the type is known, appends a note like "# data-type:
 * struct foo +0x10 (list.next)", in the format of perf annotate --code-with-type. For a per-CPU
 * variable, appends " per-CPU" to the note. If the type of a per-CPU variable is unknown, the note
 * is "# data-type: (per-CPU variable)". */
void type_note_text(const struct pk_function_types *f, uint32_t row, struct buffer *text);
/* If the instruction accesses memory, appends members of a JSON object. They tell whether the
 * instruction reads or writes, and which type and member it accesses. If the type is unknown, they
 * are null and the reason. */
void type_note_json(const struct pk_function_types *f, uint32_t row, struct json *json);

#endif
