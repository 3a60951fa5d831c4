/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/swap.c libpkstream/swap_sample.c */
/* seeds: streams */
/* Tests records of the other byte order, one by one. Swapping moves the bytes of a record and does
 * not change them. Only the bits in words of flags are mirrored. */
#include "pkprivate.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_flags(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_HEADER_ATTR ||
	       type == PERF_RECORD_HEADER_FEATURE;
}

static void count_bytes(const struct pk_record *record, uint32_t *counts, uint32_t by)
{
	for (size_t i = 0; i < record->size; i++)
		counts[record->data[i]] += by;
}

/* Checks that the sample is as complete as the swap has reported. */
static void check_sample(struct pk_events *events, const struct pk_record *record)
{
	const struct pk_event *event =
		pk_events_of(events, record->data, record->type, record->size, false);
	struct pk_sample sample;

	check_that(event != NULL);
	check_that(pk_sample_decode(event, record, &sample) == PK_OK);
}

static void take(struct pk_events *events, const struct pk_record *record)
{
	uint32_t counts[256] = {0};
	const char *problem = NULL;
	enum pk_status status;

	count_bytes(record, counts, 1);
	status = pk_swap_record(events, (uint8_t *)record->data, record->type, record->misc,
				record->size);
	check_that(status == PK_OK || status == PK_CORRUPT || status == PK_UNSUPPORTED);
	count_bytes(record, counts, UINT32_MAX);
	for (size_t i = 0; i < 256 && !has_flags(record->type); i++)
		check_that(!counts[i]);
	if (status != PK_OK)
		return;
	if (record->type == PERF_RECORD_SAMPLE)
		check_sample(events, record);
	else if (record->type == PERF_RECORD_HEADER_ATTR)
		check_that(pk_events_add(events, record, &problem) != PK_NOMEM);
	else if (record->type == PERF_RECORD_EVENT_UPDATE)
		check_that(pk_events_update(events, record) != PK_NOMEM);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_events events = {0};
	struct walk_records walk;
	struct pk_record record;

	if (!walk_begin(&walk, data, size, true))
		return 0;
	while (walk_next(&walk, &record))
		take(&events, &record);
	pk_events_clear(&events);
	return 0;
}
