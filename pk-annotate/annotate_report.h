/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_REPORT_H
#define PK_ANNOTATE_REPORT_H

/* What was sampled, function by function, in one of several formats. */

#include <stdio.h>

#include "annotate.h"
#include "buffer.h"
#include "function.h"
#include "rank.h"
#include "source_files.h"
#include "typing.h"

enum { COLUMNS_MAX = 32 }; /* events side by side */

struct report {
	const struct pk_histogram *histogram;
	struct pk_code_objects *objects;
	struct pk_messages *messages; /* of the objects */
	const struct annotate_options *options;
	struct pk_typing typing;
	struct source_files *files;
	FILE *to;
	struct buffer out; /* written there as it fills */
	bool *met;	   /* by options->functions: has something sampled that name? */
	/* For the summary: */
	uint64_t outside, within, cut;
	uint64_t without_code; /* samples */
	bool no_event;	       /* none of those that are wanted was sampled */
};

/* One function, into report->out. False: out of memory. */
bool listing_text(struct report *report, const struct function *f);
bool listing_json(struct report *report, const struct function *f);

/* The text of an instruction, with the names of the places that it refers to. */
void report_instruction(const struct function *f, uint32_t r, struct buffer *out);

/* Prints everything; the exit status. */
int report(const struct pk_histogram *histogram, struct pk_code_objects *objects,
	   struct pk_messages *messages, const struct annotate_options *options, FILE *to);

/* Prints what the objects have reported since. */
void report_messages(struct report *report);

/* The share of a count, in percent, in a column of a function. */
double report_share(const struct report *report, const struct function *f, unsigned int column,
		    const struct pk_count *count);

#endif
