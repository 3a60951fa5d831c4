/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_EMIT_H
#define PK_FILTER_EMIT_H

/* The output of the records that are kept. It removes fields, replaces names, and writes the
 * records to one or several streams. */

#include "anonymize.h"
#include "field.h"
#include "run.h"
#include "slim.h"
#include "split.h"

struct emitter {
	struct pk_run *run;
	struct slim slim;
	struct split *split;  /* the streams of --split-by; NULL if all records are written to
			       * run->writer */
	struct pk_column *by; /* the column whose value selects the stream of a sample; NULL without
			       * --split-by */
	struct anonymizer *anonymizer; /* NULL if records are neither anonymized nor restored */
	bool lends; /* the memory of records stays valid until they are written, so the writer need
		     * not copy them */
	bool drops_addresses; /* callchains are removed, and the frames of stacks are replaced by
			       * frames for whole functions */
	struct pk_context *context;
	const struct pk_bytes *value; /* the value of `by` in the current sample; NULL if the sample
				       * has no value */
	/* The counters (PERF_SAMPLE_READ) in the input, and the sums for the output. In the input,
	 * a counter has the number of events since the start. In the output, it has the sum over
	 * the samples that were kept so far. So a reader does not count the events of dropped
	 * samples. */
	struct pk_periods *counters, *sums;
	uint8_t buffer[PERF_RECORD_SIZE_MAX + 8];
	uint8_t counted[PERF_RECORD_SIZE_MAX + 8]; /* a copy of the sample, in which the counters
						    * are replaced by the sums for the output */
};

/* An anonymize_fn. arg is the emitter. */
enum pk_status emit_anonymous(void *arg, const struct pk_record *record);
/* Allocates what the emitter needs. Returns PK_NOMEM if memory is exhausted. */
PK_MUST_CHECK enum pk_status emit_set_up(struct emitter *emitter);
void emit_free(struct emitter *emitter);
/* Call at the start of a session. */
void emit_start_session(struct emitter *emitter);
/* Call for a sample that is not kept. */
PK_MUST_CHECK enum pk_status emit_drop(struct emitter *emitter, const struct pk_record *record);
/* Returns true if kept records are written unchanged to run->writer. */
bool emit_is_plain(const struct emitter *emitter);
enum pk_status emit_sample(struct emitter *emitter, struct pk_view *view);
/* Writes any other record. Its payload must not have been read. */
enum pk_status emit_record(struct emitter *emitter, const struct pk_record *record);
/* Writes a record whose payload was already read. */
enum pk_status emit_payload(struct emitter *emitter, const struct pk_record *record,
			    const struct pk_bytes *payload);

#endif
