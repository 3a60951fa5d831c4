// SPDX-License-Identifier: BSD-2-Clause
#include "events.h"
#include "pkprivate.h"

struct field {
	uint64_t bit;
	size_t place; /* offset of the member in struct pk_layout */
};

/* The fields before READ, in the order of the record (SPEC 5.1). Each of them is one u64. */
static const struct field sample_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, offsetof(struct pk_layout, identifier)},
	{PERF_SAMPLE_IP, offsetof(struct pk_layout, ip)},
	{PERF_SAMPLE_TID, offsetof(struct pk_layout, tid)},
	{PERF_SAMPLE_TIME, offsetof(struct pk_layout, time)},
	{PERF_SAMPLE_ADDR, offsetof(struct pk_layout, addr)},
	{PERF_SAMPLE_ID, offsetof(struct pk_layout, id)},
	{PERF_SAMPLE_STREAM_ID, offsetof(struct pk_layout, stream_id)},
	{PERF_SAMPLE_CPU, offsetof(struct pk_layout, cpu)},
	{PERF_SAMPLE_PERIOD, offsetof(struct pk_layout, period)},
};

/* The fields of the trailer, from the last to the first (SPEC 5.5). */
static const struct field trailer_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, offsetof(struct pk_layout, trailer.identifier)},
	{PERF_SAMPLE_CPU, offsetof(struct pk_layout, trailer.cpu)},
	{PERF_SAMPLE_STREAM_ID, offsetof(struct pk_layout, trailer.stream_id)},
	{PERF_SAMPLE_ID, offsetof(struct pk_layout, trailer.id)},
	{PERF_SAMPLE_TIME, offsetof(struct pk_layout, trailer.time)},
	{PERF_SAMPLE_TID, offsetof(struct pk_layout, trailer.tid)},
};

/* WORDS_BEHIND are the fields after READ that are one u64 each. VARYING are the fields of variable
 * size. */
#define WORDS_BEHIND                                                                               \
	(PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR |                  \
	 PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)
#define VARYING                                                                                    \
	(PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |                      \
	 PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Sets layout->plain and layout->least. `at` is the offset after READ. The callchain starts there
 * if the event has callchains. */
static void set_least(struct pk_layout *layout, const struct perf_attr *attr, uint16_t at)
{
	uint64_t type = attr->sample_type;

	layout->plain =
		!(type & (VARYING | ~PERF_SAMPLE_KNOWN)) &&
		!(layout->read && attr->read_format & ~(PERF_FORMAT_KNOWN & ~PERF_FORMAT_GROUP));
	layout->least =
		(uint16_t)(at + 8 * (!!(type & PERF_SAMPLE_CALLCHAIN) +
				     !!(type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) +
				     __builtin_popcountll(type & WORDS_BEHIND)));
}

void pk_layout_init(struct pk_layout *layout, const struct perf_attr *attr)
{
	uint16_t at = sizeof(struct perf_header);

	memset(layout, 0, sizeof(*layout));
	for (size_t i = 0; i < COUNT(sample_fields); i++) {
		if (!(attr->sample_type & sample_fields[i].bit))
			continue;
		pk_store_u16((uint8_t *)layout + sample_fields[i].place, at);
		at += 8;
	}
	layout->fixed_size = at;
	if (attr->sample_type & PERF_SAMPLE_READ) {
		layout->read = at;
		at += 8 * (1 + !!(attr->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			   !!(attr->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING) +
			   !!(attr->read_format & PERF_FORMAT_ID) +
			   !!(attr->read_format & PERF_FORMAT_LOST));
	}
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
	    !(layout->read && attr->read_format & PERF_FORMAT_GROUP))
		layout->callchain = at;
	set_least(layout, attr, at);

	if (!(attr->flags & PERF_ATTR_SAMPLE_ID_ALL))
		return;
	for (size_t i = 0; i < COUNT(trailer_fields); i++) {
		if (!(attr->sample_type & trailer_fields[i].bit))
			continue;
		layout->trailer.size += 8;
		pk_store_u16((uint8_t *)layout + trailer_fields[i].place, layout->trailer.size);
	}
}

/* ---- Off-CPU samples (SPEC 5.6) ---- */

/* The fields that perf 6.16 and later can select for off-CPU samples. In the record, RAW directly
 * follows the fields of fixed size, and CGROUP follows RAW. */
#define OFF_CPU_FIELDS                                                                             \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_CGROUP)
#define IN_RAW                                                                                     \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |           \
	 PERF_SAMPLE_CGROUP)

static bool is_off_cpu(const struct pk_event *event)
{
	const uint64_t type = event->attr.sample_type;

	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_BPF_OUTPUT && type & PERF_SAMPLE_RAW &&
	       !(type & ~(uint64_t)OFF_CPU_FIELDS) && !strcmp(event->name, "offcpu-time");
}

/* `at` is the offset of RAW. The place of the sample's address is not fixed: see pk_sample_ip(). */
static void lay_out_raw(struct pk_layout *layout, size_t at)
{
	const size_t raw = at + sizeof(uint32_t);

	layout->ip = 0;
	layout->tid = (uint16_t)(raw + offsetof(struct perf_off_cpu, task));
	layout->period = (uint16_t)(raw + offsetof(struct perf_off_cpu, period));
	layout->callchain = (uint16_t)(raw + offsetof(struct perf_off_cpu, count));
	layout->fixed_size = layout->callchain;
	layout->plain = false;
}

#define BEFORE_READ                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD)
#define BEFORE_BRANCH_STACK                                                                        \
	(BEFORE_READ | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

/* Returns the fields that can be decoded. The size of an unknown field is unknown, so the places of
 * all fields after it are unknown, too (SPEC 4.1). */
static uint64_t known_part(const struct perf_attr *attr)
{
	const uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ && attr->read_format & ~PERF_FORMAT_KNOWN)
		return (type & BEFORE_READ) | PK_SAMPLE_UNKNOWN;
	if (type & PERF_SAMPLE_BRANCH_STACK && attr->branch_sample_type & ~PERF_SAMPLE_BRANCH_KNOWN)
		return (type & BEFORE_BRANCH_STACK) | PK_SAMPLE_UNKNOWN;
	if (type & ~PERF_SAMPLE_KNOWN)
		return (type & PERF_SAMPLE_KNOWN & ~PERF_SAMPLE_AUX) | PK_SAMPLE_UNKNOWN;
	return type;
}

void pk_event_set_layout(struct pk_event *event)
{
	uint64_t known;

	event->attr.sample_type = pk_event_recorded_type(event);
	event->recorded_type = 0;
	known = known_part(&event->attr);
	if (pk_unlikely(known != event->attr.sample_type)) {
		event->recorded_type = event->attr.sample_type;
		event->attr.sample_type = known;
	}
	pk_layout_init(&event->layout, &event->attr);
	event->off_cpu = is_off_cpu(event);
	if (pk_likely(!event->off_cpu))
		return;
	event->recorded_type = event->attr.sample_type;
	event->attr.sample_type = (event->recorded_type & ~PERF_SAMPLE_RAW) | IN_RAW;
	lay_out_raw(&event->layout, event->layout.fixed_size);
}
