/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_LIVE_HEAD_H
#define PK_REPORT_LIVE_HEAD_H

/* The numbers of the head line of a live table, as in perf top. A struct of all zero bytes is
 * valid. */

#include "json.h"
#include "pkstream.h"

/* The numbers of the samples in the current interval. */
struct live_head {
	/* Private: */
	uint64_t samples, kernel, exact; /* numbers of samples in the interval: all samples, samples
					  * in the kernel, samples with an exact ip */
	uint64_t start,
		end;   /* time at which the interval started, and time of the last sample, in ns */
	uint64_t lost; /* number of samples lost before the interval */
	uint32_t cpus; /* number of CPUs of the recorded machine; 0 if it is unknown */
	size_t events_count;
	char events[96]; /* text that describes the events; "" if the events can have changed since
			  * it was made */
};

/* Evaluates a record of any type, including PK_RECORD_BEGIN. */
void pk_live_head_record(struct live_head *head, const struct pk_reader *reader,
			 const struct pk_record *record);
/* Appends "155 samples/s kernel: 83.9% exact: 0.0% lost: 0/0 [1000 Hz cycles] (2 CPUs)". `span` is
 * the length of the interval in ns. If it is 0, the time between the first and the last sample is
 * used. `lost` is explained at pk_live_head_next(). */
void pk_live_head_text(const struct live_head *head, uint64_t span, uint64_t lost,
		       struct buffer *out);
/* Appends the numbers of pk_live_head_text() as members of a JSON object, such as "samples":310,
 * "samples_per_second":155. */
void pk_live_head_json(const struct live_head *head, uint64_t span, uint64_t lost,
		       struct json *json);
/* Starts a new interval. `lost` is the number of all records that were lost so far. */
void pk_live_head_next(struct live_head *head, uint64_t lost);

#endif
