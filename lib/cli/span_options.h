/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_OPTIONS_H
#define PK_SPAN_OPTIONS_H

/* The options that define spans. pk-span has them in its command line. Tails read them from a
 * preset of pk-span. */

#include "options.h"
#include "span_maker.h"

struct pk_span_options {
	struct pk_span_definition *definitions[PK_SPAN_DEFINITIONS_MAX];
	size_t count;
	struct pk_open_pool pool;     /* shared by all definitions */
	struct pk_user_halves halves; /* shared by all definitions */
	uint64_t shortest;	      /* in ns; shorter spans are left out */
	bool unfinished;	      /* spans that have not ended are written */
	bool optional;		      /* events may be missing in the input */
	bool pass;		      /* keep the samples from which spans were made */
};

/* Sets the defaults. */
void pk_span_options_init(struct pk_span_options *options);
/* Rows for struct pk_span_options: those of one definition, and those of all definitions. */
extern const struct pk_option pk_span_definition_rows[], pk_span_rows[];
/* Checks and completes the definitions. Call it after the last option was parsed. Returns
 * PK_CONTINUE, or an exit status after a message. */
int pk_span_options_check(struct pk_span_options *options);
void pk_span_options_free(struct pk_span_options *options);

#endif
