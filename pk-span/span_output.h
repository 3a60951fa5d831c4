/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SPAN_OUTPUT_H
#define SPAN_OUTPUT_H

/* Writes the records of the input, with an id for the event in each, and the samples of spans. */

#include "derived_event.h"
#include "pairing.h"
#include "run.h"
#include "span_stacks.h"

struct span_output {
	struct pk_run *run;	      /* set by the caller */
	bool joins;		      /* set by the caller: spans can have two stacks */
	uint32_t trailers;	      /* set by the caller: PK_TRAILER_* of the session */
	struct pk_span_stacks stacks; /* if joins; copies of the input's */
	struct buffer chain, copy;    /* temporary */
};

/* Call at the start of a session; dictionary: that of the input, or NULL if !joins. */
PK_MUST_CHECK enum pk_status span_output_start_session(struct span_output *output,
						       const struct pk_dictionary *dictionary);
void span_output_free(struct span_output *output);

/* Writes a record that the kernel or a tool has written. */
PK_MUST_CHECK enum pk_status span_output_kernel(struct span_output *output,
						const struct pk_record *record);
PK_MUST_CHECK enum pk_status span_output_other(struct span_output *output,
					       const struct pk_record *record);
/* *cut: the callchain was cut. */
PK_MUST_CHECK enum pk_status span_output_span(struct span_output *output,
					      const struct pk_derived_event *derived,
					      const struct pk_span_format *format,
					      const struct pk_span *span, bool *cut);
/* Call after a record was written: ends a round if it is long enough. */
PK_MUST_CHECK enum pk_status span_output_round(struct span_output *output);

#endif
