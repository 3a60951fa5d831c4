/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_STAGE_H
#define PK_PT_STAGE_H

/* The traces of Intel PT and CoreSight in the stream: the threads and their code, the decoders, and
 * the samples. */

#include "pt_events.h"
#include "run.h"
#include "symbols.h"
#include "trace_clock.h"

struct pt_options {
	bool wanted[PT_EVENTS];
	uint64_t every; /* one of so many instructions becomes a sample */
	const struct pk_symbols_options *files;
};

struct pt_stage;

/* The caller keeps run and symbols. Returns NULL if memory is exhausted. */
struct pt_stage *pt_stage_new(struct pk_run *run, struct pk_symbols *symbols,
			      const struct pt_options *options);
void pt_stage_free(struct pt_stage *stage);
/* Starts a session. */
PK_MUST_CHECK enum pk_status pt_stage_start(struct pt_stage *stage);
/* Returns why traces of this kind cannot be decoded, or NULL. */
const char *pt_stage_obstacle(uint32_t kind);
/* Collects a record that the reader has read in advance, if it belongs to the trace. Returns
 * PK_NOMEM or PK_IO. */
PK_MUST_CHECK enum pk_status pt_stage_collect(struct pt_stage *stage, struct pk_reader *reader,
					      const struct pk_record *record);
/* Says that all records of the session were collected. Returns PK_NOMEM or PK_IO. */
PK_MUST_CHECK enum pk_status pt_stage_collected(struct pt_stage *stage);
/* Evaluates AUXTRACE_INFO: writes the events, and sets *clock if it is not known yet. */
PK_MUST_CHECK enum pk_status pt_stage_info(struct pt_stage *stage, const struct pk_record *record,
					   struct trace_clock *clock);
/* Evaluates another record, in the order of time. `event` is its event, or NULL. */
PK_MUST_CHECK enum pk_status pt_stage_record(struct pt_stage *stage, const struct pk_record *record,
					     const struct pk_event *event);
/* Writes the samples before `time`. Branches whose time is unknown get the time `newest`. */
PK_MUST_CHECK enum pk_status pt_stage_write_before(struct pt_stage *stage,
						   const struct trace_clock *clock, uint64_t newest,
						   uint64_t time);
/* Counts the losses of a session. Call it after pt_stage_write_before(). */
void pt_stage_end(struct pt_stage *stage);
/* Prints the numbers of samples, with -v. */
void pt_stage_report(const struct pt_stage *stage);

#endif
