// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "records.h"

/* Two fields have two encodings each: an empty stack dump has a dyn_size or not, and an empty
 * branch stack has a hw_idx or not. Only the size of the whole record shows which encoding was used
 * (SPEC 5.1, 5.4). A set bit means that the field has the additional number. The decoder first
 * tries to decode both fields without it. */
#define QUIRK_STACK_DYN_SIZE 1u
#define QUIRK_BRANCH_INDEX   2u

struct cursor {
	const uint8_t *at, *end;
	bool overrun;
	unsigned int quirks, ambiguous; /* quirks has the QUIRK_* to use. ambiguous has the QUIRK_*
					 * that would change the decoding of this sample */
	const uint8_t *start;
	struct pk_sample_places *places; /* output, or NULL if the places are not needed */
};

/* Returns true if the event has the field. If cursor->places is set, stores the offset of the field
 * there. */
static bool has_field(struct cursor *cursor, uint64_t type, uint64_t bits)
{
	struct pk_sample_places *places = cursor->places;

	if (!(type & bits))
		return false;
	if (pk_unlikely(places)) {
		places->fields[places->count].bit = type & bits;
		places->fields[places->count++].at = (uint16_t)(cursor->at - cursor->start);
	}
	return true;
}

static uint64_t read_u64(struct cursor *cursor)
{
	uint64_t value;

	if (cursor->end - cursor->at < 8) {
		cursor->overrun = true;
		return 0;
	}
	value = pk_load_u64(cursor->at);
	cursor->at += 8;
	return value;
}

static void read_two_u32(struct cursor *cursor, uint32_t *first, uint32_t *second)
{
	if (cursor->end - cursor->at < 8) {
		cursor->overrun = true;
		return;
	}
	*first = pk_load_u32(cursor->at);
	*second = pk_load_u32(cursor->at + 4);
	cursor->at += 8;
}

static const uint8_t *read_bytes(struct cursor *cursor, uint64_t size)
{
	const uint8_t *at = cursor->at;

	if (size > (uint64_t)(cursor->end - at)) {
		cursor->overrun = true;
		return at;
	}
	cursor->at += size;
	return at;
}

/* Reads an array of count elements. Each element has `each` u64. */
static void read_array(struct cursor *cursor, struct pk_u64s *array, uint64_t count,
		       unsigned int each)
{
	uint64_t room = (uint64_t)(cursor->end - cursor->at) / 8;

	if (each && count > room / each) {
		cursor->overrun = true;
		count = 0;
	}
	array->data = read_bytes(cursor, 8 * count * each);
	array->count = count;
}

static void read_group(struct cursor *cursor, uint64_t format, struct pk_read_values *read)
{
	unsigned int lost = format & PERF_FORMAT_ID ? 2 : 1;

	read->stride = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	read_array(cursor, &read->group, read->count, read->stride);
	read->count = read->group.count;
	read->group.count *= read->stride;
	if (!read->count)
		return;
	read->value = pk_u64s_at(&read->group, 0);
	if (format & PERF_FORMAT_ID)
		read->id = pk_u64s_at(&read->group, 1);
	if (format & PERF_FORMAT_LOST)
		read->lost = pk_u64s_at(&read->group, lost);
}

static void read_values(struct cursor *cursor, uint64_t format, struct pk_read_values *read)
{
	uint64_t first = read_u64(cursor); /* the number of counters with PERF_FORMAT_GROUP,
					    * otherwise the value of the counter */

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		read->time_enabled = read_u64(cursor);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		read->time_running = read_u64(cursor);
	if (format & PERF_FORMAT_GROUP) {
		read->count = first;
		read_group(cursor, format, read);
		return;
	}
	read->count = 1;
	read->value = first;
	if (format & PERF_FORMAT_ID)
		read->id = read_u64(cursor);
	if (format & PERF_FORMAT_LOST)
		read->lost = read_u64(cursor);
}

static void read_raw(struct cursor *cursor, struct pk_bytes *raw)
{
	const uint8_t *size = read_bytes(cursor, 4);

	if (cursor->overrun)
		return;
	raw->size = pk_load_u32(size);
	raw->data = read_bytes(cursor, raw->size);
}

static void read_branches(struct cursor *cursor, uint64_t type, struct pk_sample *sample)
{
	uint64_t count = read_u64(cursor);

	if (type & PERF_SAMPLE_BRANCH_HW_INDEX) {
		if (!count)
			cursor->ambiguous |= QUIRK_BRANCH_INDEX;
		if (count || cursor->quirks & QUIRK_BRANCH_INDEX)
			sample->branch_hw_index = read_u64(cursor);
	}
	read_array(cursor, &sample->branches, count, 3);
	if (type & PERF_SAMPLE_BRANCH_COUNTERS)
		read_array(cursor, &sample->branch_counters, sample->branches.count, 1);
}

static void read_registers(struct cursor *cursor, uint64_t mask, struct pk_registers *registers)
{
	registers->abi = read_u64(cursor);
	if (registers->abi)
		read_array(cursor, &registers->values, (uint64_t)__builtin_popcountll(mask), 1);
}

static void read_stack(struct cursor *cursor, struct pk_bytes *stack)
{
	uint64_t size = read_u64(cursor), valid;

	if (!size) {
		cursor->ambiguous |= QUIRK_STACK_DYN_SIZE;
		if (cursor->quirks & QUIRK_STACK_DYN_SIZE && read_u64(cursor))
			cursor->overrun = true; /* dyn_size of an empty dump must be 0, so these
						 * bytes belong to another field */
		return;
	}
	stack->data = read_bytes(cursor, size);
	valid = read_u64(cursor);
	stack->size = valid < size ? valid : size;
}

static void read_fixed(struct cursor *cursor, const struct pk_event *event,
		       struct pk_sample *sample)
{
	uint64_t type = pk_event_decoded_type(event);
	uint32_t reserved = 0;

	if (has_field(cursor, type, PERF_SAMPLE_IDENTIFIER))
		sample->id = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_IP))
		sample->ip = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_TID))
		read_two_u32(cursor, &sample->pid, &sample->tid);
	if (has_field(cursor, type, PERF_SAMPLE_TIME))
		sample->time = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_ADDR))
		sample->addr = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_ID))
		sample->id = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_STREAM_ID))
		sample->stream_id = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_CPU))
		read_two_u32(cursor, &sample->cpu, &reserved);
	if (has_field(cursor, type, PERF_SAMPLE_PERIOD))
		sample->period = read_u64(cursor);
}

static void read_rest(struct cursor *cursor, const struct pk_event *event, struct pk_sample *sample)
{
	const struct perf_attr *attr = &event->attr;
	uint64_t type = pk_event_decoded_type(event);

	if (has_field(cursor, type, PERF_SAMPLE_READ))
		read_values(cursor, attr->read_format, &sample->read);
	sample->callchain_at = cursor->at;
	if (has_field(cursor, type, PERF_SAMPLE_CALLCHAIN))
		read_array(cursor, &sample->callchain, read_u64(cursor), 1);
	if (has_field(cursor, type, PERF_SAMPLE_RAW))
		read_raw(cursor, &sample->raw);
	if (has_field(cursor, type, PERF_SAMPLE_BRANCH_STACK))
		read_branches(cursor, attr->branch_sample_type, sample);
	sample->user_at = cursor->at;
	if (has_field(cursor, type, PERF_SAMPLE_REGS_USER))
		read_registers(cursor, attr->sample_regs_user, &sample->user_registers);
	if (has_field(cursor, type, PERF_SAMPLE_STACK_USER))
		read_stack(cursor, &sample->user_stack);
	sample->user_end = cursor->at;
	if (has_field(cursor, type, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		sample->weight = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_DATA_SRC))
		sample->data_src = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_TRANSACTION))
		sample->transaction = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_REGS_INTR))
		read_registers(cursor, attr->sample_regs_intr, &sample->interrupt_registers);
	if (has_field(cursor, type, PERF_SAMPLE_PHYS_ADDR))
		sample->phys_addr = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_CGROUP))
		sample->cgroup = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_DATA_PAGE_SIZE))
		sample->data_page_size = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_CODE_PAGE_SIZE))
		sample->code_page_size = read_u64(cursor);
	if (has_field(cursor, type, PERF_SAMPLE_AUX)) {
		sample->aux.size = read_u64(cursor);
		sample->aux.data = read_bytes(cursor, sample->aux.size);
	}
}

/* Returns the first address of an off-CPU sample's callchain, which is the sample's ip. The field
 * IP of such a sample is ignored, because it is the place in the kernel where the task was switched
 * (SPEC 5.6). */
static uint64_t first_address(const struct pk_u64s *callchain)
{
	for (uint64_t i = 0; i < callchain->count; i++)
		if (pk_u64s_at(callchain, i) < PERF_CONTEXT_MAX)
			return pk_u64s_at(callchain, i);
	return 0;
}

uint64_t pk_off_cpu_ip(const struct pk_event *event, const struct pk_record *record)
{
	struct pk_u64s callchain;

	return pk_sample_callchain(event, record, &callchain) != PK_OK ? 0
								       : first_address(&callchain);
}

/* Reads the fields in RAW of an off-CPU sample. They replace the fields of the record (SPEC 5.6).
 */
static void read_off_cpu(struct cursor *cursor, struct pk_sample *sample)
{
	struct cursor raw = {.at = sample->raw.data, .end = sample->raw.data + sample->raw.size};

	read_two_u32(&raw, &sample->pid, &sample->tid);
	sample->period = read_u64(&raw);
	read_array(&raw, &sample->callchain, read_u64(&raw), 1);
	sample->cgroup = read_u64(&raw);
	sample->ip = first_address(&sample->callchain);
	cursor->overrun |= raw.overrun;
}

/* Returns true if the record ends with a trailer that has this tag. The trailer must be after the
 * fields. Sets cursor->end to the start of the trailer. */
static bool read_trailer(struct cursor *cursor, uint32_t tag, uint32_t *value)
{
	const struct pk_trailer *trailer = pk_trailer_at(cursor->end - sizeof(*trailer));

	if (cursor->end - cursor->at < (ptrdiff_t)sizeof(*trailer) || trailer->tag != tag)
		return false;
	cursor->end -= sizeof(*trailer);
	*value = trailer->value;
	return true;
}

/* Returns true if nothing but trailers follows the fields. */
static bool decode_once(const struct pk_event *event, const struct pk_record *record,
			unsigned int quirks, struct pk_sample *sample, struct cursor *cursor)
{
	memset(sample, 0, sizeof(*sample));
	*cursor = (struct cursor){
		.at = record->data + sizeof(struct perf_header),
		.end = record->data + record->size,
		.quirks = quirks,
		.start = record->data,
		.places = cursor->places,
	};
	if (cursor->places)
		cursor->places->count = 0;
	read_fixed(cursor, event, sample);
	read_rest(cursor, event, sample);
	if (pk_unlikely(event->off_cpu) && !cursor->overrun)
		read_off_cpu(cursor, sample);
	if (cursor->overrun)
		return false;
	sample->size = (uint16_t)(cursor->at - record->data);
	if (cursor->places)
		cursor->places->end = sample->size;
	sample->has_stack = read_trailer(cursor, PK_STACK_TRAILER_TAG, &sample->stack);
	read_trailer(cursor, PK_CHAIN_TRAILER_TAG, &sample->chain_flags);
	if (event->attr.sample_type & PK_SAMPLE_UNKNOWN) {
		cursor->at = cursor->end;
		sample->size = (uint16_t)(cursor->at - record->data);
	}
	return cursor->at == cursor->end;
}

static enum pk_status decode(const struct pk_event *event, const struct pk_record *record,
			     struct pk_sample *sample, struct pk_sample_places *places)
{
	struct cursor cursor = {.places = places};
	unsigned int ambiguous;

	if (decode_once(event, record, 0, sample, &cursor))
		return PK_OK;
	ambiguous = cursor.ambiguous;
	for (unsigned int quirks = 1; quirks <= (QUIRK_BRANCH_INDEX | QUIRK_STACK_DYN_SIZE);
	     quirks++) {
		if (ambiguous && decode_once(event, record, quirks, sample, &cursor))
			return PK_OK;
	}
	if (ambiguous)
		decode_once(event, record, QUIRK_BRANCH_INDEX, sample, &cursor);
	return cursor.overrun ? PK_CORRUPT : PK_OK;
}

enum pk_status pk_sample_decode_sized(const struct pk_event *event, const struct pk_record *record,
				      struct pk_sample *sample, size_t sample_size)
{
	struct pk_sample own;
	enum pk_status status;

	if (pk_likely(sample_size == sizeof(own)))
		return decode(event, record, sample, NULL);
	status = decode(event, record, &own, NULL);
	if (!status)
		pk_copy_sized(sample, sample_size, &own, sizeof(own));
	return status;
}

enum pk_status pk_sample_places(const struct pk_event *event, const struct pk_record *record,
				struct pk_sample_places *places)
{
	struct pk_sample sample;

	PK_TRY(decode(event, record, &sample, places));
	for (unsigned int i = 0; i < places->count; i++) {
		uint16_t end = i + 1 < places->count ? places->fields[i + 1].at : places->end;

		places->fields[i].size = (uint16_t)(end - places->fields[i].at);
	}
	return PK_OK;
}

enum pk_status pk_sample_check(const struct pk_event *event, const struct pk_record *record)
{
	struct pk_sample sample;

	if (pk_unlikely(!event->layout.plain))
		return pk_sample_decode(event, record, &sample);
	return pk_sample_is_whole(event, record) ? PK_OK : PK_CORRUPT;
}

enum pk_status pk_sample_callchain(const struct pk_event *event, const struct pk_record *record,
				   struct pk_u64s *callchain)
{
	uint16_t at = event->layout.callchain;

	if (pk_unlikely(!at)) {
		struct cursor cursor = {.at = record->data + event->layout.fixed_size,
					.end = record->data + record->size};
		struct pk_read_values read = {0};

		if (!(event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
			return record->size < event->layout.fixed_size ? PK_CORRUPT : PK_END;
		if (record->size < event->layout.fixed_size)
			return PK_CORRUPT;
		read_values(&cursor, event->attr.read_format, &read);
		if (cursor.overrun)
			return PK_CORRUPT;
		at = (uint16_t)(cursor.at - record->data);
	}
	if (at + 8 > record->size)
		return PK_CORRUPT;
	callchain->data = record->data + at + 8;
	callchain->count = pk_load_u64(record->data + at);
	return callchain->count <= (record->size - at - 8u) / 8 ? PK_OK : PK_CORRUPT;
}

void pk_sample_id_decode(const struct pk_event *event, const struct pk_record *record,
			 struct pk_sample_id *id)
{
	const struct pk_layout *layout = &event->layout;
	const uint8_t *end = record->data + record->size;

	*id = (struct pk_sample_id){.time = PK_NO_TIME};
	if (record->size < sizeof(struct perf_header) + layout->trailer.size)
		return;
	if (layout->trailer.tid) {
		id->pid = pk_load_u32(end - layout->trailer.tid);
		id->tid = pk_load_u32(end - layout->trailer.tid + 4);
	}
	if (layout->trailer.time)
		id->time = pk_load_u64(end - layout->trailer.time);
	if (layout->trailer.id)
		id->id = pk_load_u64(end - layout->trailer.id);
	if (layout->trailer.stream_id)
		id->stream_id = pk_load_u64(end - layout->trailer.stream_id);
	if (layout->trailer.cpu)
		id->cpu = pk_load_u32(end - layout->trailer.cpu);
	if (layout->trailer.identifier)
		id->id = pk_load_u64(end - layout->trailer.identifier);
}
