/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OWN_SAMPLE_H
#define PK_RECORD_OWN_SAMPLE_H

/* Samples that pk-record writes itself, for events that the kernel does not sample. */

#include "event.h"
#include "pkstream.h"

/* The fields that such samples can have. The caller writes the callchain and the raw data, in this
 * order, as far as the attr has them. */
#define OWN_SAMPLE_TYPES                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

struct own_sample {
	uint16_t misc; /* processor mode */
	uint64_t ip;
	uint32_t pid, tid, cpu;
	uint64_t time, period;
};

/* Appends a sample of the event, with the id of this slot, and `more` bytes at its end. Returns the
 * place of these bytes, or NULL if the writer has failed, or the sample is too large. */
uint8_t *own_sample_append(struct pk_writer *writer, const struct event *event, size_t slot,
			   const struct own_sample *sample, size_t more);

#endif
