/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CS_TRACES_H
#define PK_CS_TRACES_H

/* The CoreSight traces of a session, as they were recorded. An AUX record tells which bytes of a
 * buffer belong together, and whether they have frames. From them, this file makes the traces of
 * the trace units. */

#include "cs_machine.h"
#include "pt_queues.h"
#include "trace_spool.h"

struct cs_piece;
struct cs_range;

struct cs_traces {
	struct trace_spool spool;
	struct cs_piece *pieces; /* the payloads of AUXTRACE records */
	size_t pieces_count, pieces_capacity;
	struct cs_range *ranges; /* the AUX records */
	size_t ranges_count, ranges_capacity;
	uint64_t unknown; /* bytes whose trace unit is unknown, or without an AUX record */
};

void cs_traces_init(struct cs_traces *traces);
void cs_traces_clear(struct cs_traces *traces);
void cs_traces_free(struct cs_traces *traces);
/* Adds the payload of the AUXTRACE that the reader has read last. Returns PK_NOMEM, or PK_IO with
 * errno. */
PK_MUST_CHECK enum pk_status cs_traces_add(struct cs_traces *traces, struct pk_reader *reader,
					   const struct pk_record *record);
/* Adds an AUX record. `event` is its event, or NULL. */
PK_MUST_CHECK enum pk_status cs_traces_range(struct cs_traces *traces,
					     const struct pk_record *record,
					     const struct pk_event *event);
/* Gives the traces to the queues: a queue for each trace unit in each buffer. */
PK_MUST_CHECK enum pk_status cs_traces_split(struct cs_traces *traces,
					     const struct cs_machine *machine,
					     struct pt_queues *queues);

#endif
