/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LOSSES_H
#define PK_LOSSES_H

#include "pkstream.h"

struct pk_losses {
	uint64_t samples;      /* number of SAMPLE records */
	uint64_t lost_records; /* sum of the numbers in PERF_RECORD_LOST */
	uint64_t lost_samples; /* sum of the numbers in PERF_RECORD_LOST_SAMPLES, without records
				  about BPF filters */
	struct {
		uint64_t count, total; /* total is 0 if it is unknown */
	} causes[PK_LOSS_CAUSE_MAX];
};

/* Evaluates a record. Counts a SAMPLE, and adds the numbers in LOST, LOST_SAMPLES and LOSS. */
void pk_losses_record(struct pk_losses *losses, const struct pk_record *record);
void pk_losses_add(struct pk_losses *losses, enum pk_loss_cause cause, uint64_t count,
		   uint64_t total);

#endif
