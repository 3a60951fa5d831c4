/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LOSSES_H
#define PK_LOSSES_H

#include "pkstream.h"

/* What the records of a stream report as lost. */
struct pk_losses {
	uint64_t samples;      /* number of SAMPLE records */
	uint64_t counts;       /* number of STAT records */
	uint64_t lost_records; /* sum of the numbers in PERF_RECORD_LOST */
	uint64_t lost_samples; /* sum of the numbers in PERF_RECORD_LOST_SAMPLES, without records
				* about BPF filters */
	struct {
		/* `count` items of `total` items are lost, over all LOSS records of this cause; a
		 * LOSS record whose total is unknown adds 0 to `total`. */
		uint64_t count, total;
	} causes[PK_LOSS_CAUSE_MAX];
};

/* Evaluates a record. Counts a SAMPLE or STAT, and adds the numbers in LOST, LOST_SAMPLES and LOSS.
 */
void pk_losses_record(struct pk_losses *losses, const struct pk_record *record);
void pk_losses_add(struct pk_losses *losses, enum pk_loss_cause cause, uint64_t count,
		   uint64_t total);

#endif
