// SPDX-License-Identifier: BSD-2-Clause
/* The raw bytes of samples of s390. The events CF_DIAG of cpum_cf, and CRYPTO_ALL and NNPA_ALL of
 * the PAI facilities, record the values of all their counters. Numbers are big-endian. The counters
 * are described in "The CPU-Measurement Facility" (SA23-2260) and in "z/Architecture Principles of
 * Operation". */
#include <endian.h>

#include "dump.h"

/* Numbers of attr.config */
enum { CF_DIAG = 0xbc000, CRYPTO_ALL = 0x1000, NNPA_ALL = 0x1800 };

struct __attribute__((packed)) set {
	uint16_t mark; /* SET_MARK; other numbers start the trailer */
	uint16_t number, count, reserved;
	uint64_t counters[];
};

#define SET_MARK 0xfeef

struct __attribute__((packed)) trailer {
	uint64_t flags;
	uint16_t first_version, second_version;
	uint32_t speed;
	uint64_t time, usage[3], time_base;
	uint16_t machine, reserved[3];
};

struct __attribute__((packed)) pai_counter {
	uint16_t number;
	uint64_t value;
};

/* The event number of the first counter of each set: basic, problem state, crypto activity,
 * extended, MT diagnostic. */
static const unsigned int first_counters[] = {0, 32, 64, 128, 448};

static void dump_counter(unsigned int number, uint64_t value)
{
	char name[32];

	snprintf(name, sizeof(name), "raw.counter[%u]", number);
	dump_decimal(name, be64toh(value));
}

static void dump_set(const struct set *set)
{
	const unsigned int number = be16toh(set->number);
	const unsigned int first = number < COUNT(first_counters) ? first_counters[number] : 0;

	dump_decimal("raw.set", number);
	for (unsigned int i = 0; i < be16toh(set->count); i++)
		dump_counter(first + i, set->counters[i]);
}

static void dump_set_trailer(const struct trailer *trailer)
{
	/* Bit 0 is the highest bit. */
	static const char *const flags[] = {"lost", "authorization", "mt_lost", "speed", "clock"};

	dump_flags("raw.flags", be64toh(trailer->flags) >> 59, flags, COUNT(flags));
	dump_decimal("raw.first_version", be16toh(trailer->first_version));
	dump_decimal("raw.second_version", be16toh(trailer->second_version));
	dump_decimal("raw.speed", be32toh(trailer->speed));
	dump_hex("raw.tod", be64toh(trailer->time));
	for (unsigned int i = 0; i < COUNT(trailer->usage); i++)
		dump_hex("raw.usage", be64toh(trailer->usage[i]));
	dump_hex("raw.tod_base", be64toh(trailer->time_base));
	dump_hex("raw.machine", be16toh(trailer->machine));
}

static void dump_counter_sets(const struct pk_bytes *raw)
{
	uint64_t at = 0;

	while (raw->size - at >= sizeof(struct set)) {
		const struct set *set = (const void *)(raw->data + at);
		const uint64_t size = sizeof(*set) + 8 * (uint64_t)be16toh(set->count);

		if (be16toh(set->mark) != SET_MARK || size > raw->size - at)
			break;
		dump_set(set);
		at += size;
	}
	if (raw->size - at >= sizeof(struct trailer))
		dump_set_trailer((const void *)(raw->data + at));
}

static void dump_pai_counters(const struct pk_bytes *raw)
{
	const struct pai_counter *counters = (const void *)raw->data;

	for (uint64_t i = 0; i < raw->size / sizeof(*counters); i++)
		dump_counter(be16toh(counters[i].number), counters[i].value);
}

void dump_raw_s390(const struct pk_event *event, const struct pk_bytes *raw)
{
	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		return; /* its config is the id of the tracepoint */
	switch (event->attr.config) {
	case CF_DIAG: dump_counter_sets(raw); break;
	case CRYPTO_ALL:
	case NNPA_ALL: dump_pai_counters(raw); break;
	default: break;
	}
}
