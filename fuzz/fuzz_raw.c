/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/ibs.c pk-script/dump_s390.c */
/*
 * Decodes raw bytes of samples: the registers of AMD's IBS and the counters of s390. The input
 * starts with the features CPUID and PMU_MAPPINGS. A byte with its size precedes each feature. All
 * other bytes are the raw bytes.
 */
#include "dump.h"
#include "events.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input. */
struct rest {
	const uint8_t *data;
	size_t size;
};

/* Returns a copy of the next bytes, so that a sanitizer reports a read after their end. */
static uint8_t *next_bytes(struct rest *rest, size_t size)
{
	uint8_t *copy = malloc(size + !size);

	check_that(copy != NULL);
	memcpy(copy, rest->data, size);
	rest->data += size;
	rest->size -= size;
	return copy;
}

static uint8_t *next_feature(struct rest *rest, size_t *size)
{
	*size = rest->size ? *rest->data : 0;
	if (rest->size) {
		rest->data++;
		rest->size--;
	}
	if (*size > rest->size)
		*size = rest->size;
	return next_bytes(rest, *size);
}

static void read_features(struct pk_events *events, struct rest *rest)
{
	size_t size;
	uint8_t *feature = next_feature(rest, &size);

	pk_events_processor(events, feature, size);
	free(feature);
	feature = next_feature(rest, &size);
	check_that(pk_events_pmus(events, feature, size) == PK_OK);
	free(feature);
}

/* All values of an event must be the same in both samples. */
static void read_arguments(const struct pk_event *event, const struct pk_sample *sample,
			   const struct pk_sample *copy)
{
	const struct pk_arguments *arguments = event->arguments;
	uint64_t value = 0, again = 0;

	for (size_t i = 0; arguments && i < arguments->count; i++) {
		const struct pk_argument *argument = &arguments->items[i];
		const bool valid = pk_argument_get(event, argument, sample, &value);

		check_that(pk_argument_find(event, argument->name) == argument);
		check_that(!valid || sample->raw.size >= 12);
		check_that(valid == pk_argument_get(event, argument, copy, &again));
		check_that(!valid || value == again);
	}
}

/* A counter has at least 8 bytes. A set without counters has 8 bytes. */
static void dump_counters(const struct pk_event *event, const struct pk_bytes *raw)
{
	struct buffer text = {0};
	size_t fields = 0;

	dump_to_json(&text);
	dump_raw_s390(event, raw);
	dump_to_json(NULL);
	check_that(!text.failed);
	for (size_t i = 0; i < text.size; i++)
		fields += text.data[i] == ':';
	check_that(fields <= raw->size / 8 + 10);
	free(text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t configs[] = {0, 0xbc000, 0x1000, 0x1800};
	struct pk_events events = {0};
	struct rest rest = {data, size};
	struct pk_sample sample = {0}, copy = {0};
	uint8_t *raw[2];

	for (size_t i = 0; i < COUNT(configs); i++) {
		const struct perf_attr attr = {.type = (uint32_t)(10 + i),
					       .size = sizeof(attr),
					       .config = configs[i],
					       .sample_type = PERF_SAMPLE_RAW};

		check_that(pk_events_derive(&events, &attr, 1 + i, "event") == PK_OK);
	}
	read_features(&events, &rest);
	/* The second copy has another alignment. */
	raw[0] = malloc(rest.size + 4);
	check_that(raw[0] != NULL);
	memcpy(raw[0] + 4, rest.data, rest.size);
	copy.raw = (struct pk_bytes){.data = raw[0] + 4, .size = rest.size};
	sample.raw.size = rest.size;
	sample.raw.data = raw[1] = next_bytes(&rest, rest.size);
	for (size_t i = 0; i < events.count; i++) {
		read_arguments(&events.list[i]->event, &sample, &copy);
		dump_counters(&events.list[i]->event, &sample.raw);
	}
	free(raw[0]);
	free(raw[1]);
	pk_events_clear(&events);
	return 0;
}
