/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NAMELESS_JIT_H
#define PK_NAMELESS_JIT_H

/* Counts the samples with generated code that has no names, and reports how the programs that
 * generate code write these names. */

#include "messages.h"
#include "session.h"
#include "table.h"

#define PK_JIT_RUNTIMES 8 /* the maximum number of known runtimes */

/* All members are private, and zero at first. */
struct pk_nameless_jit {
	struct pk_table runtimes; /* The key is a pid. The value is the number of its runtime. */
	uint64_t counts[PK_JIT_RUNTIMES]; /* Samples; the index is the number of the runtime minus
					   * 1. */
	uint64_t samples;		  /* the number of samples in the previous sessions */
	bool reported;
};

void pk_nameless_jit_free(struct pk_nameless_jit *jit);
/* Counts a sample whose stack has generated code without names (pk_stacks_nameless_jit()).
 */
PK_MUST_CHECK enum pk_status pk_nameless_jit_count(struct pk_nameless_jit *jit,
						   struct pk_session *session,
						   const struct pk_record *record);
/* Ends a session. `samples` is the number of all samples in this session. If at least 5 percent of
 * them were counted, adds a warning, which names the remedy for the runtime with the most samples.
 * The warning is only added once. */
void pk_nameless_jit_report(struct pk_nameless_jit *jit, uint64_t samples,
			    struct pk_messages *messages);

#endif
