/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/sample.c */
/* seeds: streams */
/* Tests SAMPLE records in a stream. If there is no stream header, the input is one record: five u64
 * (sample_type, read_format, branch_sample_type, sample_regs_user, sample_regs_intr) and the body.
 * The decoded fields are encoded again according to SPEC 5, in both byte orders. The result must be
 * the same bytes. */
#include "pkprivate.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define DYN_SIZE 1u /* the two ways to encode absent fields (SPEC 5.1, 5.4) */
#define INDEX	 2u

struct emitter {
	bool swapped;
	unsigned int quirks;
	uint64_t identifier; /* The decoded sample has only one of IDENTIFIER and ID. This is the
			      * other value. */
	size_t size;
	uint8_t data[2 * 65536];
};

static void put(struct emitter *e, uint64_t value, unsigned int width)
{
	uint8_t bytes[8];

	memcpy(bytes, &value, sizeof(bytes));
	for (unsigned int i = 0; i < width; i++) {
		bool from_end = e->swapped != PK_HOST_IS_BIG;
		unsigned int at = from_end ? width - 1 - i : i;

		e->data[e->size + i] = bytes[PK_HOST_IS_BIG ? 7 - at : at];
	}
	e->size += width;
}

static void put_bytes(struct emitter *e, const uint8_t *bytes, uint64_t size)
{
	if (size)
		memcpy(e->data + e->size, bytes, size);
	e->size += size;
}

static void put_array(struct emitter *e, const struct pk_u64s *array)
{
	for (uint64_t i = 0; i < array->count; i++)
		put(e, pk_u64s_at(array, i), 8);
}

static void put_read(struct emitter *e, uint64_t format, const struct pk_read_values *read)
{
	bool group = format & PERF_FORMAT_GROUP;

	put(e, group ? read->count : read->value, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put(e, read->time_enabled, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put(e, read->time_running, 8);
	if (group) {
		check_that(read->group.count == read->count * read->stride);
		put_array(e, &read->group);
		return;
	}
	if (format & PERF_FORMAT_ID)
		put(e, read->id, 8);
	if (format & PERF_FORMAT_LOST)
		put(e, read->lost, 8);
}

/* Converts flags from the order of this machine to the other order (SPEC 8.3). */
static uint64_t mirror(uint64_t flags)
{
	static const unsigned int widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3, 31};
	unsigned int at = 0;
	uint64_t result = 0;

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		for (unsigned int bit = 0; bit < widths[i]; bit++) {
			const unsigned int little = at + bit, big = 64 - at - widths[i] + bit;

			result |= (flags >> (PK_HOST_IS_BIG ? big : little) & 1)
				  << (PK_HOST_IS_BIG ? little : big);
		}
		at += widths[i];
	}
	return result;
}

static void put_branches(struct emitter *e, uint64_t type, const struct pk_sample *sample)
{
	put(e, sample->branches.count, 8);
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX && (sample->branches.count || e->quirks & INDEX))
		put(e, sample->branch_hw_index, 8);
	for (uint64_t i = 0; i < 3 * sample->branches.count; i++) {
		uint64_t word = pk_load_u64(sample->branches.data + 8 * i);

		put(e, e->swapped && i % 3 == 2 ? mirror(word) : word, 8);
	}
	put_array(e, &sample->branch_counters);
}

static void put_registers(struct emitter *e, const struct pk_registers *registers)
{
	put(e, registers->abi, 8);
	put_array(e, &registers->values);
}

static void put_stack(struct emitter *e, const struct pk_bytes *stack)
{
	/* The size in the record is used, because the decoded sample has only the valid part of the
	 * stack. */
	uint64_t size = stack->data ? pk_load_u64(stack->data - 8) : 0;

	put(e, size, 8);
	put_bytes(e, stack->data, size);
	if (size || e->quirks & DYN_SIZE)
		put(e, stack->size, 8);
}

static void put_fixed(struct emitter *e, uint64_t type, const struct pk_sample *sample)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		put(e, e->identifier, 8);
	if (type & PERF_SAMPLE_IP)
		put(e, sample->ip, 8);
	if (type & PERF_SAMPLE_TID) {
		put(e, sample->pid, 4);
		put(e, sample->tid, 4);
	}
	if (type & PERF_SAMPLE_TIME)
		put(e, sample->time, 8);
	if (type & PERF_SAMPLE_ADDR)
		put(e, sample->addr, 8);
	if (type & PERF_SAMPLE_ID)
		put(e, sample->id, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		put(e, sample->stream_id, 8);
	if (type & PERF_SAMPLE_CPU) {
		put(e, sample->cpu, 4);
		put(e, 0, 4);
	}
	if (type & PERF_SAMPLE_PERIOD)
		put(e, sample->period, 8);
}

static void put_rest(struct emitter *e, uint64_t type, const struct pk_sample *sample)
{
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		put(e, sample->weight, 8);
	if (type & PERF_SAMPLE_DATA_SRC)
		put(e, sample->data_src, 8);
	if (type & PERF_SAMPLE_TRANSACTION)
		put(e, sample->transaction, 8);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_registers(e, &sample->interrupt_registers);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put(e, sample->phys_addr, 8);
	if (type & PERF_SAMPLE_CGROUP)
		put(e, sample->cgroup, 8);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put(e, sample->data_page_size, 8);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put(e, sample->code_page_size, 8);
	if (type & PERF_SAMPLE_AUX) {
		put(e, sample->aux.size, 8);
		put_bytes(e, sample->aux.data, sample->aux.size);
	}
}

/* Writes the record, with its header in the byte order of this machine. Leaves out the bytes after
 * its fields, except the trailers of pk. */
static void emit(struct emitter *e, const struct perf_attr *attr, const struct pk_sample *sample)
{
	uint64_t type = attr->sample_type;

	e->size = sizeof(struct perf_header);
	put_fixed(e, type, sample);
	if (type & PERF_SAMPLE_READ)
		put_read(e, attr->read_format, &sample->read);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put(e, sample->callchain.count, 8);
		put_array(e, &sample->callchain);
	}
	if (type & PERF_SAMPLE_RAW) {
		put(e, sample->raw.size, 4);
		put_bytes(e, sample->raw.data, sample->raw.size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(e, attr->branch_sample_type, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(e, &sample->user_registers);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(e, &sample->user_stack);
	put_rest(e, type, sample);
	if (sample->chain_flags) {
		put(e, PK_CHAIN_TRAILER_TAG, 4);
		put(e, sample->chain_flags, 4);
	}
	if (sample->has_stack) {
		put(e, PK_STACK_TRAILER_TAG, 4);
		put(e, sample->stack, 4);
	}
	pk_store_u32(e->data, PERF_RECORD_SAMPLE);
	pk_store_u16(e->data + 4, 0);
	pk_store_u16(e->data + 6, (uint16_t)e->size);
}

/* Returns a copy that has exactly the size of the record. */
static struct pk_record copy_of(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size);

	check_that(copy != NULL && size <= UINT16_MAX);
	memcpy(copy, data, size);
	return (struct pk_record){.data = copy, .type = PERF_RECORD_SAMPLE, .size = (uint16_t)size};
}

/* Decodes the encoded record, and encodes the result again. Returns true if the second encoding is
 * the same. */
static bool is_same_again(const struct pk_event *event, const struct pk_record *record,
			  const struct emitter *expected)
{
	static struct emitter again;
	struct pk_sample sample;

	again.quirks = expected->quirks;
	again.identifier = expected->identifier;
	check_that(pk_sample_decode(event, record, &sample) == PK_OK);
	emit(&again, &event->attr, &sample);
	return again.size == expected->size && !memcmp(again.data, expected->data, again.size);
}

/* Adds a single event, so that the record needs no id. */
static const struct pk_event *add_alone(struct pk_events *events, const struct perf_attr *attr)
{
	uint8_t data[8 + sizeof(*attr)] = {0};
	struct pk_record record = {
		.data = data, .type = PERF_RECORD_HEADER_ATTR, .size = sizeof(data)};
	const char *problem = NULL;

	memcpy(data + 8, attr, sizeof(*attr));
	pk_store_u32(data + 12, sizeof(*attr));
	check_that(pk_events_add(events, &record, &problem) == PK_OK);
	return pk_events_at(events, 0);
}

static size_t trailers_size(const struct pk_sample *sample)
{
	return (sample->has_stack ? PK_STACK_TRAILER_SIZE : 0) +
	       (sample->chain_flags ? PK_CHAIN_TRAILER_SIZE : 0);
}

/* Encodes a sample in the byte order of this machine, with one of the two encodings of absent
 * fields. Returns false if none of them yields the record. */
static bool emit_host(struct emitter *host, const struct pk_event *event,
		      const struct pk_sample *sample)
{
	for (host->quirks = 0; host->quirks <= (DYN_SIZE | INDEX); host->quirks++) {
		struct pk_record record;
		bool same;

		emit(host, &event->attr, sample);
		if (host->size != sample->size + trailers_size(sample))
			continue;
		record = copy_of(host->data, host->size);
		same = is_same_again(event, &record, host);
		free((void *)record.data);
		if (same)
			return true;
	}
	return false;
}

/* Returns true if one of the last fields equals the tag of a trailer, in this byte order. */
static bool ends_like_trailer(const struct emitter *e)
{
	for (size_t from_end = 8; from_end <= 16 && from_end <= e->size; from_end += 8) {
		uint32_t tag = __builtin_bswap32(pk_load_u32(e->data + e->size - from_end));

		if (tag == PK_STACK_TRAILER_TAG || tag == PK_CHAIN_TRAILER_TAG)
			return true;
	}
	return false;
}

static void check_round_trip(const struct perf_attr *attr, const struct pk_sample *sample,
			     const struct pk_record *original)
{
	static struct emitter host, other = {.swapped = true};
	struct pk_events events = {0};
	const struct pk_event *event = add_alone(&events, attr);
	struct pk_record record;

	host.identifier = original->size >= 16 ? pk_load_u64(original->data + 8) : 0;
	if (emit_host(&host, event, sample)) {
		other.quirks = host.quirks;
		other.identifier = host.identifier;
		emit(&other, attr, sample);
		record = copy_of(other.data, other.size);
		check_that(pk_swap_sample(&events, (uint8_t *)record.data, record.size) == PK_OK);
		check_that(is_same_again(event, &record, &host) || ends_like_trailer(&other));
		free((void *)record.data);
	} else {
		/* The record has unknown bytes after its fields. Without them, it has another
		 * meaning. */
		check_that(sample->size + trailers_size(sample) < original->size);
	}
	pk_events_clear(&events);
}

/* SPEC 5.6: checks that the fields come from RAW. */
static void check_off_cpu(const struct pk_sample *sample)
{
	static struct emitter e;

	e.size = 0;
	put(&e, sample->pid, 4);
	put(&e, sample->tid, 4);
	put(&e, sample->period, 8);
	put(&e, sample->callchain.count, 8);
	check_that(sample->callchain.count < sample->raw.size / 8);
	put_array(&e, &sample->callchain);
	put(&e, sample->cgroup, 8);
	check_that(e.size <= sample->raw.size && !memcmp(e.data, sample->raw.data, e.size));
}

static void check_callchain(const struct pk_event *event, const struct pk_record *record,
			    const struct pk_sample *sample)
{
	bool wanted = event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	struct pk_u64s chain;
	enum pk_status status = pk_sample_callchain(event, record, &chain);

	if (!sample)
		return;
	check_that(status == (wanted ? PK_OK : PK_END));
	check_that(!wanted || (chain.data == sample->callchain.data &&
			       chain.count == sample->callchain.count));
}

static void check_sample(struct pk_events *events, const struct pk_record *record)
{
	const struct pk_event *event =
		pk_events_of(events, record->data, PERF_RECORD_SAMPLE, record->size, false);
	struct pk_sample sample;
	enum pk_status status;

	if (!event)
		return;
	status = pk_sample_decode(event, record, &sample);
	check_callchain(event, record, status ? NULL : &sample);
	if (status) {
		check_that(status == PK_CORRUPT);
		return;
	}
	check_that(sample.size <= record->size);
	check_that(!sample.has_stack ||
		   sample.stack == pk_stack_trailer(record->data, record->size));
	if (event->off_cpu)
		check_off_cpu(&sample);
	/* Unknown fields cannot be written again. */
	else if (!(event->attr.sample_type & PK_SAMPLE_UNKNOWN))
		check_round_trip(&event->attr, &sample, record);
}

static void take_stream(struct walk_records *walk, struct pk_events *events)
{
	const char *problem = NULL;
	struct pk_record record;

	while (walk_next(walk, &record)) {
		if (record.type == PERF_RECORD_HEADER_ATTR)
			check_that(pk_events_add(events, &record, &problem) != PK_NOMEM);
		else if (record.type == PERF_RECORD_EVENT_UPDATE)
			check_that(pk_events_update(events, &record) != PK_NOMEM);
		else if (record.type == PERF_RECORD_SAMPLE)
			check_sample(events, &record);
	}
}

static void take_one(const uint8_t *data, size_t size, struct pk_events *events)
{
	struct perf_attr attr = {0};
	struct pk_record record;

	if (size < 40 || size > 60000)
		return;
	attr.sample_type = pk_load_u64(data) & PERF_SAMPLE_KNOWN;
	attr.read_format = pk_load_u64(data + 8) & 0x1f;
	attr.branch_sample_type = pk_load_u64(data + 16) & 0xfffff;
	attr.sample_regs_user = pk_load_u64(data + 24);
	attr.sample_regs_intr = pk_load_u64(data + 32);
	add_alone(events, &attr);
	record = copy_of(data + 32, size - 32); /* the header is ignored */
	check_sample(events, &record);
	free((void *)record.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_events events = {0};
	struct walk_records walk;

	if (walk_begin(&walk, data, size, false))
		take_stream(&walk, &events);
	else
		take_one(data, size, &events);
	pk_events_clear(&events);
	return 0;
}
