// SPDX-License-Identifier: BSD-2-Clause
#include "anonymizer_parts.h"

static void move(const struct anonymizer *a, uint8_t *at)
{
	pk_store_u64(at, alias_address(&a->aliases, pk_load_u64(at)));
}

/* Moves the addresses of a callchain. The number after PERF_CONTEXT_USER_DEFERRED is a cookie, not
 * an address. */
static void move_chain(const struct anonymizer *a, uint8_t *at)
{
	const uint64_t count = pk_load_u64(at);

	for (uint64_t i = 1; i <= count; i++) {
		if (pk_load_u64(at + i * sizeof(count)) == PERF_CONTEXT_USER_DEFERRED)
			i++;
		else
			move(a, at + i * sizeof(count));
	}
}

/* Moves the addresses `from` and `to` of each branch. */
static void move_branches(const struct anonymizer *a, const struct pk_sample *sample,
			  const uint8_t *from, uint8_t *to)
{
	for (uint64_t i = 0; i < 3 * sample->branches.count; i++)
		if (i % 3 < 2)
			move(a, to + (sample->branches.data - from) + 8 * i);
}

static enum pk_status move_fields(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_sample_places places;
	struct pk_sample sample;
	enum pk_status status = pk_sample_places(record->event, record, &places);

	if (!status)
		status = pk_sample_decode(record->event, record, &sample);
	if (status)
		return status;
	for (unsigned int i = 0; i < places.count; i++) {
		uint8_t *at = a->copy + places.fields[i].at;

		switch (places.fields[i].bit) {
		case PERF_SAMPLE_IP:
		case PERF_SAMPLE_ADDR: move(a, at); break;
		case PERF_SAMPLE_CALLCHAIN: move_chain(a, at); break;
		case PERF_SAMPLE_RAW:
			if (record->event->off_cpu)
				move_chain(a, a->copy + record->event->layout.callchain);
			break;
		case PERF_SAMPLE_BRANCH_STACK:
			move_branches(a, &sample, record->data, a->copy);
			break;
		default: break;
		}
	}
	return PK_OK;
}

/* Removes unknown bytes between the fields, which end at `end`, and pk's trailers. Returns the new
 * size. */
static uint16_t close_up(struct anonymizer *a, const struct pk_record *record, uint32_t trailers,
			 uint16_t end)
{
	static const struct {
		uint32_t bit, tag;
	} kinds[] = {{PK_TRAILER_STACK, PK_STACK_TRAILER_TAG},
		     {PK_TRAILER_CHAIN, PK_CHAIN_TRAILER_TAG}};
	const size_t size = sizeof(struct pk_trailer);
	size_t at = record->size;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (trailers & kinds[i].bit && at >= end + size &&
		    pk_trailer_at(record->data + at - size)->tag == kinds[i].tag)
			at -= size;
	memcpy(a->copy + end, record->data + at, record->size - at);
	return (uint16_t)(end + (record->size - at));
}

enum pk_status anonymizer_sample(struct anonymizer *a, const struct pk_record *record,
				 uint32_t trailers)
{
	struct pk_record copy = *record;
	struct pk_sample_places places;
	enum pk_status status;
	uint16_t size;

	const bool known = !(record->event->attr.sample_type & PK_SAMPLE_UNKNOWN);

	if (!known && a->aliases.restore)
		return a->put(a->arg, record);
	if (!known) {
		a->samples++;
		return PK_OK;
	}
	memcpy(a->copy, record->data, record->size);
	copy.data = a->copy;
	status = move_fields(a, record);
	if (!status)
		status = pk_sample_places(record->event, record, &places);
	if (status == PK_OK) {
		copy.size = close_up(a, record, trailers, places.end);
		((struct perf_header *)a->copy)->size = copy.size;
		status = slim_sample(&a->slim, &copy, a->data, &size);
	}
	if (status == PK_CORRUPT) {
		pk_run_complain(a->run, record,
				"sample with a field of an impossible size, dropped");
		pk_run_lose(a->run, PK_LOSS_RECORDS_BAD, 1, 0);
		return PK_OK;
	}
	copy.data = a->data;
	copy.size = size;
	return status ? status : a->put(a->arg, &copy);
}
