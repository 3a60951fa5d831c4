/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_EMIT_H
#define PK_FILTER_EMIT_H

/* What becomes of the records that are kept: without some fields, under other names, and where they
 * go. */

#include "anonymize.h"
#include "field.h"
#include "run.h"
#include "slim.h"
#include "split.h"

struct emitter {
	struct pk_run *run;
	struct slim slim;
	struct split *split;	       /* NULL: to run->writer */
	struct pk_column *by;	       /* its value selects the split stream */
	struct anonymizer *anonymizer; /* or NULL */
	bool lends;		       /* records lie still until they expire */
	struct pk_context *context;
	const struct pk_bytes *value; /* of the sample, or NULL: none */
	uint8_t buffer[PERF_RECORD_SIZE_MAX + 8];
};

/* An anonymize_fn, arg is the emitter. */
enum pk_status emit_anonymous(void *arg, const struct pk_record *record);
/* Records go out as they come in. */
bool emit_is_plain(const struct emitter *emitter);
enum pk_status emit_sample(struct emitter *emitter, struct pk_view *view);
/* Any other one, the payload of which has not been taken. */
enum pk_status emit_record(struct emitter *emitter, const struct pk_record *record);
/* One whose payload was taken. */
enum pk_status emit_payload(struct emitter *emitter, const struct pk_record *record,
			    const struct pk_bytes *payload);

#endif
