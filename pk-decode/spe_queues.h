/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPE_QUEUES_H
#define PK_SPE_QUEUES_H

/* The SPE traces of a session. Each CPU or thread that was recorded has a queue. This file decodes
 * the traces of all queues, and returns the operations in the order of time. */

#include "pkstream.h"
#include "spe.h"
#include "trace_clock.h"

/* What was lost. */
struct spe_counts {
	uint64_t operations; /* number of complete records of the traces */
	uint64_t lost;	     /* number of records of the traces that were damaged or incomplete */
	uint64_t dropped;    /* number of AUXTRACE records that were dropped, because there were too
			      * many queues */
};

/* An operation. */
struct spe_operation {
	const struct spe_record *record; /* valid until the next call of spe_queues_next() */
	uint64_t time;			 /* in ns; 0 if it is unknown */
	uint32_t cpu, tid;		 /* of the queue; UINT32_MAX if the queue has none */
};

struct spe_queues;

/* Returns NULL if memory is exhausted. */
struct spe_queues *spe_queues_new(void);
void spe_queues_free(struct spe_queues *queues);
/* Removes all queues. */
void spe_queues_clear(struct spe_queues *queues);
/* Adds the payload of the AUXTRACE record that the reader has read last. Returns PK_NOMEM, or PK_IO
 * with errno if the temporary file cannot be written. */
PK_MUST_CHECK enum pk_status spe_queues_add(struct spe_queues *queues, struct pk_reader *reader,
					    const struct pk_record *auxtrace);
/* Returns the next operation whose time is less than `before`. Returns PK_END if there is none.
 * Operations of one queue keep their order. If *clock is not known, the times are 0. */
PK_MUST_CHECK enum pk_status spe_queues_next(struct spe_queues *queues,
					     const struct trace_clock *clock, uint64_t before,
					     struct spe_operation *operation);
/* Counts the records that are still incomplete as lost. Call it at the end of a session. */
void spe_queues_end(struct spe_queues *queues);
const struct spe_counts *spe_queues_counts(const struct spe_queues *queues);

#endif
