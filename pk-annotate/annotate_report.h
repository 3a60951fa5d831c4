/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_REPORT_H
#define PK_ANNOTATE_REPORT_H

/* The samples of each function, in one of several formats. */

#include <stdio.h>

#include "annotate.h"
#include "buffer.h"
#include "function.h"
#include "rank.h"
#include "source_files.h"
#include "typing.h"

enum { COLUMNS_MAX = 32 }; /* limit for events side by side */

struct report {
	const struct pk_histogram *histogram;
	struct pk_code_objects *objects;
	struct pk_messages *messages; /* of the objects */
	const struct annotate_options *options;
	struct pk_typing typing;
	struct source_files *files;
	FILE *to;
	struct buffer out; /* written to stdout when it is full */
	bool *met;	   /* by options->functions: whether a function with samples matches */
	/* For the summary: */
	uint64_t outside, within, cut;
	uint64_t without_code; /* samples */
	bool no_event;	       /* no selected event has samples */
};

/* Writes one function to report->out. False: out of memory. */
bool listing_text(struct report *report, const struct function *f);
bool listing_json(struct report *report, const struct function *f);

/* Writes the text of an instruction, with the names of the addresses in it. */
void report_instruction(const struct function *f, uint32_t r, struct buffer *out);

/* Prints the report; returns the exit status. */
int report(const struct pk_histogram *histogram, struct pk_code_objects *objects,
	   struct pk_messages *messages, const struct annotate_options *options, FILE *to);

/* Prints new messages of the objects. */
void report_messages(struct report *report);

/* The percentage of a count, in a column of a function. */
double report_share(const struct report *report, const struct function *f, unsigned int column,
		    const struct pk_count *count);

#endif
