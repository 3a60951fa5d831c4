/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_EMIT_H
#define PK_FILTER_EMIT_H

/* The output of kept records: removes fields, replaces names, and writes to one or several
 * streams. */

#include "anonymize.h"
#include "field.h"
#include "run.h"
#include "slim.h"
#include "split.h"

struct emitter {
	struct pk_run *run;
	struct slim slim;
	struct split *split;	       /* NULL: write to run->writer */
	struct pk_column *by;	       /* the field whose value selects the stream */
	struct anonymizer *anonymizer; /* or NULL */
	bool lends;		       /* records stay valid until they expire */
	bool drops_addresses;	       /* callchains are removed, and the stacks are of functions */
	struct pk_context *context;
	const struct pk_bytes *value; /* value of `by` in the current sample; NULL: none */
	uint8_t buffer[PERF_RECORD_SIZE_MAX + 8];
};

/* An anonymize_fn; arg is the emitter. */
enum pk_status emit_anonymous(void *arg, const struct pk_record *record);
/* True if kept records are written unchanged to run->writer. */
bool emit_is_plain(const struct emitter *emitter);
enum pk_status emit_sample(struct emitter *emitter, struct pk_view *view);
/* Any other record whose payload was not read. */
enum pk_status emit_record(struct emitter *emitter, const struct pk_record *record);
/* A record whose payload was read. */
enum pk_status emit_payload(struct emitter *emitter, const struct pk_record *record,
			    const struct pk_bytes *payload);

#endif
