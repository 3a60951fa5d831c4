// SPDX-License-Identifier: BSD-2-Clause
#include "derived_event.h"
#include "pkprivate.h"
#include "pkutil.h"

/* Ids of events that have none in the input. The kernel never gives ids as large as these. */
#define ID_OF_EVENT   UINT64_C(0x706b657600000000) /* plus the index of the event */
#define ID_OF_DERIVED UINT64_C(0x706b737000000000) /* plus a number that makes it unique */

/* The largest ID of a format. perf 6.1 and 7.2 read only 16 bits of the ID. */
#define FORMAT_MAX 65535u

/* ---- Records of the input ---- */

/* Returns the id that samples of the event get: the first id of the event, or a new id if it has
 * none. */
static uint64_t pk_identified_id(const struct pk_event *event)
{
	return event->ids_count ? event->ids[0] : ID_OF_EVENT + event->index;
}

static bool lacks_identifier(const struct pk_event *event)
{
	return !(event->attr.sample_type & PERF_SAMPLE_IDENTIFIER);
}

void pk_identified_attr(struct pk_writer *writer, const struct pk_record *record,
			const struct pk_event *event)
{
	const size_t more = event->ids_count ? 0 : sizeof(uint64_t);
	struct perf_record_header_attr *out = (void *)pk_writer_extend(writer, record, more);

	if (!out)
		return;
	out->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	if (more)
		pk_store_u64((uint8_t *)out + record->size, pk_identified_id(event));
}

void pk_identified_update(struct pk_writer *writer, const struct pk_record *record,
			  const struct pk_events *events)
{
	struct perf_record_event_update *out = (void *)pk_writer_extend(writer, record, 0);

	if (out && pk_events_count(events) == 1 && !pk_events_by_id(events, out->id))
		out->id = pk_identified_id(pk_events_at(events, 0));
}

/* Returns the id of a sample that has no IDENTIFIER field. */
static uint64_t id_of_sample(const struct pk_record *record, const struct pk_events *events)
{
	const uint16_t at = record->event->layout.id;
	const uint64_t id = at ? pk_load_u64(record->data + at) : 0;

	return pk_events_by_id(events, id) == record->event ? id : pk_identified_id(record->event);
}

static bool write_sample(struct pk_writer *writer, const struct pk_record *record,
			 const struct pk_events *events)
{
	const size_t head = sizeof(struct perf_header), more = sizeof(uint64_t);
	uint8_t *out;

	if (record->size > PERF_RECORD_SIZE_MAX - more)
		return false;
	out = pk_writer_append(writer, record->type, record->misc, record->size + more);
	if (!out)
		return true; /* the writer remembers the error */
	pk_store_u64(out + head, id_of_sample(record, events));
	memcpy(out + head + more, record->data + head, record->size - head);
	return true;
}

/* Writes a sample with the id of its event. In a session of one event, samples of the input can
 * have any id. */
static void write_with_id(struct pk_writer *writer, const struct pk_record *record)
{
	const struct pk_event *event = record->event;
	uint8_t *out = pk_writer_extend(writer, record, 0);

	if (out)
		pk_store_u64(out + event->layout.identifier, pk_identified_id(event));
}

/* Writes a kernel record that is not a sample, and adds an id at the end of its trailer. */
static void write_trailer(struct pk_writer *writer, const struct pk_record *record)
{
	const struct pk_layout *layout = &record->event->layout;
	const uint16_t at = layout->trailer.id;
	uint8_t *out = pk_writer_extend(writer, record, sizeof(uint64_t));

	if (!out)
		return;
	pk_store_u64(out + record->size, at && at <= record->size
						 ? pk_load_u64(record->data + record->size - at)
						 : pk_identified_id(record->event));
}

bool pk_identified_record(struct pk_writer *writer, const struct pk_record *record,
			  const struct pk_events *events)
{
	const struct pk_event *event = record->event;
	const bool is_sample = record->type == PERF_RECORD_SAMPLE;

	if (pk_unlikely(!event)) {
		pk_writer_record(writer, record->data, record->size);
	} else if (pk_unlikely(lacks_identifier(event))) {
		if (is_sample)
			return write_sample(writer, record, events);
		if (!(event->attr.flags & PERF_ATTR_SAMPLE_ID_ALL))
			pk_writer_record(writer, record->data, record->size);
		else if (record->size > PERF_RECORD_SIZE_MAX - sizeof(uint64_t))
			return false;
		else
			write_trailer(writer, record);
	} else if (pk_unlikely(is_sample && pk_events_count(events) == 1) &&
		   record->size >= event->layout.fixed_size &&
		   pk_events_by_id(events, pk_load_u64(record->data + event->layout.identifier)) !=
			   event) {
		write_with_id(writer, record);
	} else {
		pk_writer_record(writer, record->data, record->size);
	}
	return true;
}

/* ---- The derived event ---- */

/* The IDs of the input's formats, one bit for each ID. */
struct used_formats {
	uint8_t bits[FORMAT_MAX / 8 + 1];
};

static void find_used(struct used_formats *used, const struct pk_events *events)
{
	memset(used, 0, sizeof(*used));
	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct perf_attr *attr = &pk_events_at(events, i)->attr;

		if (attr->type == PERF_TYPE_TRACEPOINT && attr->config <= FORMAT_MAX)
			used->bits[attr->config / 8] |= (uint8_t)(1u << attr->config % 8);
	}
}

/* Returns the largest ID, at most `format`, that no tracepoint of the input has. Returns 0 if there
 * is none. */
static uint32_t unused_format(const struct used_formats *used, uint32_t format)
{
	while (format && used->bits[format / 8] & 1u << format % 8)
		format--;
	return format;
}

void pk_derived_events_choose(struct pk_derived_event *derived, size_t count,
			      const struct pk_events *events)
{
	const uint64_t taken_over = PERF_SAMPLE_IP | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN;
	const struct perf_attr *first = &pk_events_at(events, 0)->attr;
	uint64_t type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW,
		 id = ID_OF_DERIVED;
	uint32_t format = FORMAT_MAX;
	uint64_t flags = first->flags & (PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_USE_CLOCKID);
	struct used_formats used;

	for (size_t i = 0; i < pk_events_count(events); i++) {
		type |= pk_events_at(events, i)->attr.sample_type & taken_over;
		flags |= pk_events_at(events, i)->attr.flags & PERF_ATTR_DEFER_CALLCHAIN;
	}
	find_used(&used, events);
	for (size_t i = 0; i < count; i++, id++, format -= format != 0) {
		while (pk_events_by_id(events, id))
			id++;
		format = unused_format(&used, format);
		derived[i] = (struct pk_derived_event){.id = id, .format = format};
		derived[i].attr = (struct perf_attr){
			.type = PERF_TYPE_TRACEPOINT,
			.size = first->size < sizeof(struct perf_attr) ? first->size
								       : sizeof(struct perf_attr),
			.config = format,
			.sample_period = 1,
			.sample_type = type,
			.flags = flags,
			.clockid = first->clockid,
		};
	}
}

enum pk_status pk_derived_event_write(const struct pk_derived_event *derived,
				      struct pk_writer *writer)
{
	return pk_writer_attr(writer, &derived->attr, &derived->id, 1);
}

/* Returns the size of the record. Sets *chain to the number of entries of the callchain that fit
 * into it. */
static size_t size_of(const struct pk_derived_event *derived,
		      const struct pk_derived_sample *sample, uint64_t *chain)
{
	const uint64_t type = derived->attr.sample_type;
	const size_t words = 4 + !!(type & PERF_SAMPLE_IP) + !!(type & PERF_SAMPLE_ADDR) +
			     !!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_CALLCHAIN) +
			     !!(sample->trailers & PK_TRAILER_STACK) + !!sample->chain_flags;
	const size_t size =
		sizeof(struct perf_header) + 8 * words + sizeof(uint32_t) + sample->raw_size;
	const uint64_t room = (PERF_RECORD_SIZE_MAX - size) / 8;

	*chain = type & PERF_SAMPLE_CALLCHAIN ? sample->callchain.count : 0;
	if (*chain > room)
		*chain = room;
	return size + 8 * *chain;
}

/* Writes a sample, with `chain` entries of its callchain, to the bytes of a record. The head of the
 * record is not written. Returns the place of the raw bytes. */
static uint8_t *put_sample(const struct pk_derived_event *derived,
			   const struct pk_derived_sample *sample, uint64_t chain, uint8_t *at)
{
	const uint64_t type = derived->attr.sample_type;
	uint8_t *raw;

	at = pk_put_u64(at + sizeof(struct perf_header), derived->id);
	if (type & PERF_SAMPLE_IP)
		at = pk_put_u64(at, sample->ip);
	at = pk_put_two_u32(at, sample->pid, sample->tid);
	at = pk_put_u64(at, sample->time);
	if (type & PERF_SAMPLE_ADDR)
		at = pk_put_u64(at, sample->addr);
	if (type & PERF_SAMPLE_CPU)
		at = pk_put_two_u32(at, sample->cpu, 0);
	at = pk_put_u64(at, sample->period);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		at = pk_put_u64(at, chain);
		if (chain)
			memcpy(at, sample->callchain.data, 8 * chain);
		at += 8 * chain;
	}
	pk_store_u32(at, (uint32_t)sample->raw_size);
	raw = at + sizeof(uint32_t);
	at = raw + sample->raw_size;
	if (sample->chain_flags)
		at = pk_trailer_put(at, PK_CHAIN_TRAILER_TAG, sample->chain_flags);
	if (sample->trailers & PK_TRAILER_STACK)
		pk_trailer_put(at, PK_STACK_TRAILER_TAG, sample->stack);
	return raw;
}

uint8_t *pk_derived_sample_write(const struct pk_derived_event *derived,
				 const struct pk_derived_sample *sample, struct pk_writer *writer,
				 bool *cut)
{
	uint64_t chain;
	const size_t size = size_of(derived, sample, &chain);
	uint8_t *at = pk_writer_append(writer, PERF_RECORD_SAMPLE, sample->misc, size);

	*cut = derived->attr.sample_type & PERF_SAMPLE_CALLCHAIN && chain < sample->callchain.count;
	return at ? put_sample(derived, sample, chain, at) : NULL;
}

uint8_t *pk_derived_sample_make(const struct pk_derived_event *derived,
				const struct pk_derived_sample *sample, struct buffer *record,
				bool *cut)
{
	uint64_t chain;
	const size_t size = size_of(derived, sample, &chain);
	struct perf_header *header;

	record->size = 0;
	header = (void *)buffer_room(record, size);
	if (!header)
		return NULL;
	*header = (struct perf_header){
		.type = PERF_RECORD_SAMPLE, .misc = sample->misc, .size = (uint16_t)size};
	record->size = size;
	*cut = derived->attr.sample_type & PERF_SAMPLE_CALLCHAIN && chain < sample->callchain.count;
	return put_sample(derived, sample, chain, (uint8_t *)header);
}
