// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "slim.h"

/* The fields that --drop accepts. The fields for event, time and task cannot be dropped, because
 * all programs need them. */
static const struct {
	const char *name;
	uint64_t bits;
} fields[] = {
	{"callchain", PERF_SAMPLE_CALLCHAIN},
	{"stack", PERF_SAMPLE_STACK_USER},
	{"regs", PERF_SAMPLE_REGS_USER},
	{"iregs", PERF_SAMPLE_REGS_INTR},
	{"raw", PERF_SAMPLE_RAW},
	{"branches", PERF_SAMPLE_BRANCH_STACK},
	{"addr", PERF_SAMPLE_ADDR},
	{"phys_addr", PERF_SAMPLE_PHYS_ADDR},
	{"weight", PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT},
	{"data_src", PERF_SAMPLE_DATA_SRC},
	{"transaction", PERF_SAMPLE_TRANSACTION},
	{"cgroup", PERF_SAMPLE_CGROUP},
	{"data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE},
	{"code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE},
	{"aux", PERF_SAMPLE_AUX},
};

const char slim_names[] =
	"callchain, stack, regs, iregs, raw, branches, addr, phys_addr, weight, data_src, "
	"transaction, cgroup, data_page_size, code_page_size, aux";

uint64_t slim_field(const char *name, size_t size)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (strlen(fields[i].name) == size && !memcmp(fields[i].name, name, size))
			return fields[i].bits;
	return 0;
}

#define PLACE(field) offsetof(struct perf_attr, field), sizeof(((struct perf_attr *)0)->field)

/* The fields of an attr that describe a field of samples (SPEC 4.1). */
static const struct {
	uint64_t bit;
	unsigned int at, size;
} belongings[] = {
	{PERF_SAMPLE_BRANCH_STACK, PLACE(branch_sample_type)},
	{PERF_SAMPLE_REGS_USER, PLACE(sample_regs_user)},
	{PERF_SAMPLE_STACK_USER, PLACE(sample_stack_user)},
	{PERF_SAMPLE_REGS_INTR, PLACE(sample_regs_intr)},
	{PERF_SAMPLE_AUX, PLACE(aux_sample_size)},
	{PERF_SAMPLE_AUX, PLACE(aux_action)},
};

/* Returns true for events whose samples come from a BPF program. Off-CPU samples (SPEC 5.6) are
 * among these, and they need the field RAW. Only the event's name shows that its samples are
 * off-CPU samples, and this name comes after the attr. So all events of this kind keep the field,
 * but its content is removed from samples that are not off-CPU samples. */
static bool keeps_raw(uint32_t type, uint64_t config)
{
	return type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_BPF_OUTPUT;
}

void slim_attr(const struct pk_events *events, uint64_t drop, uint8_t *data, size_t size)
{
	const struct pk_event *event = pk_events_at(events, pk_events_count(events) - 1);
	struct perf_record_header_attr *record = (void *)data;
	uint8_t *attr = (uint8_t *)&record->attr;
	size_t room = size - sizeof(record->header);

	/* Fields that cannot be decoded are not removed, because their size is unknown. */
	drop &= ~(pk_event_recorded_type(event) & ~event->attr.sample_type);
	if (room < PERF_ATTR_SIZE_VER0)
		return;
	if (record->attr.size && record->attr.size < room)
		room = record->attr.size;
	for (size_t i = 0; i < sizeof(belongings) / sizeof(*belongings); i++)
		if (drop & belongings[i].bit && belongings[i].at + belongings[i].size <= room)
			memset(attr + belongings[i].at, 0, belongings[i].size);
	record->attr.sample_type &=
		keeps_raw(record->attr.type, record->attr.config) ? ~drop | PERF_SAMPLE_RAW : ~drop;
}

/* Returns the end of a sample's unknown fields, which start at `start`. The tags of the trailers
 * show where these fields end. */
static uint16_t end_of_unknown(const struct slim *slim, const struct pk_record *record,
			       uint16_t start)
{
	const size_t size = sizeof(struct pk_trailer), least = start + size;
	const uint8_t *data = record->data;
	uint16_t end = record->size;

	if (slim->trailers & PK_TRAILER_STACK && end >= least &&
	    pk_trailer_at(data + end - size)->tag == PK_STACK_TRAILER_TAG)
		end = (uint16_t)(end - size);
	if (slim->trailers & PK_TRAILER_CHAIN && end >= least &&
	    pk_trailer_at(data + end - size)->tag == PK_CHAIN_TRAILER_TAG)
		end = (uint16_t)(end - size);
	return end;
}

/* Writes a field RAW of `size` bytes. It has its u32 size, and then zeros. Returns the address
 * after the u32. */
static uint8_t *start_raw(uint8_t *out, uint16_t size)
{
	memset(out, 0, size);
	pk_store_u32(out, size - (uint32_t)sizeof(uint32_t));
	return out + sizeof(uint32_t);
}

/* Writes the field RAW of an off-CPU sample without the parts that are removed. `old` is the size
 * of the original field in bytes. Returns the new size. */
static uint16_t put_off_cpu(const struct slim *slim, const struct pk_sample *sample, uint16_t old,
			    uint8_t *out)
{
	const uint64_t count = slim->drop & PERF_SAMPLE_CALLCHAIN ? 0 : sample->callchain.count;
	const size_t ips = count * sizeof(uint64_t), head = sizeof(struct perf_off_cpu);
	const size_t least = sizeof(uint32_t) + head + ips + sizeof(sample->cgroup);
	const uint16_t size = (uint16_t)(PK_ALIGN8(least) > old ? least : PK_ALIGN8(least));
	uint8_t *at = start_raw(out, size);

	*(struct perf_off_cpu *)at =
		(struct perf_off_cpu){{sample->pid, sample->tid}, sample->period, count};
	memcpy(at + head, sample->callchain.data, ips);
	if (!(slim->drop & PERF_SAMPLE_CGROUP))
		pk_store_u64(at + head + ips, sample->cgroup);
	return size;
}

/* Writes the field RAW of a sample of a BPF program. `old` is the size of the original field in
 * bytes. Returns the new size, or 0 if the field is not changed. */
static uint16_t put_raw(const struct slim *slim, const struct pk_record *record, uint16_t old,
			uint8_t *out)
{
	struct pk_sample sample;

	if (record->event->off_cpu && pk_sample_decode(record->event, record, &sample) == PK_OK)
		return put_off_cpu(slim, &sample, old, out);
	if (!(slim->drop & PERF_SAMPLE_RAW) || old < sizeof(uint64_t))
		return 0;
	start_raw(out, sizeof(uint64_t));
	return sizeof(uint64_t);
}

enum pk_status slim_sample(const struct slim *slim, const struct pk_record *record, uint8_t *out,
			   uint16_t *size)
{
	const struct perf_attr *attr = &record->event->attr;
	struct pk_sample_places places = {0};
	enum pk_status status = pk_sample_places(record->event, record, &places);
	uint16_t at = sizeof(struct perf_header), end = record->size, raw;

	if (status)
		return status;
	if (slim->strip)
		end = attr->sample_type & PK_SAMPLE_UNKNOWN
			      ? end_of_unknown(slim, record, places.end)
			      : places.end;
	memcpy(out, record->data, at);
	for (unsigned int i = 0; i < places.count; i++) {
		if (places.fields[i].bit == PERF_SAMPLE_RAW &&
		    keeps_raw(attr->type, attr->config)) {
			raw = put_raw(slim, record, places.fields[i].size, out + at);
			at = (uint16_t)(at + raw);
			if (raw)
				continue;
		} else if (slim->drop & places.fields[i].bit) {
			continue;
		}
		memcpy(out + at, record->data + places.fields[i].at, places.fields[i].size);
		at = (uint16_t)(at + places.fields[i].size);
	}
	memcpy(out + at, record->data + places.end, end - places.end);
	at = (uint16_t)(at + end - places.end);
	*size = at;
	((struct perf_header *)out)->size = at;
	return at % 8 ? PK_CORRUPT : PK_OK; /* not a multiple of 8 if RAW has an invalid size */
}
