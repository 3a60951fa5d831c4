// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "sample_builder.h"

static struct built built;
static struct source source;
static struct pk_reader *reader;
static const struct pk_event *event;
static struct pk_record record;
static struct pk_sample sample;

/* Builds a sample of the event and reads it. `extra` bytes follow the fields of the sample. */
static void make(const struct perf_attr *attr, const struct shape *shape, unsigned int extra)
{
	put_header(&built);
	put_attr(&built, attr, value_of(F_IDENTIFIER, 0), 1);
	open_record(&built, PERF_RECORD_SAMPLE, 0);
	put_sample_fields(&built, attr, shape);
	for (unsigned int i = 0; i < extra; i++)
		put(&built, 1, 0xee);
	close_record(&built);
	source = source_of(&built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	record = expect_record(reader, PERF_RECORD_SAMPLE);
	event = pk_events_at(pk_reader_events(reader), 0);
}

static void unmake(void)
{
	pk_reader_free(reader);
	built_clear(&built);
}

static void expect_values(const struct pk_u64s *array, unsigned int field, uint64_t count)
{
	ck_assert_uint_eq(array->count, count);
	for (uint64_t i = 0; i < count; i++)
		ck_assert_uint_eq(pk_u64s_at(array, i), value_of(field, i));
}

static void expect_bytes(const struct pk_bytes *bytes, unsigned int size)
{
	ck_assert_uint_eq(bytes->size, size);
	for (unsigned int i = 0; i < size; i++)
		ck_assert_uint_eq(bytes->data[i], 255 - i);
}

#define HAS(bit) (!!(type & PERF_SAMPLE_##bit))

static void expect_numbers(uint64_t type)
{
	ck_assert_uint_eq(sample.id, HAS(ID)	       ? value_of(F_ID, 0)
				     : HAS(IDENTIFIER) ? value_of(F_IDENTIFIER, 0)
						       : 0);
	ck_assert_uint_eq(sample.ip, HAS(IP) * value_of(F_IP, 0));
	ck_assert_uint_eq(sample.pid, (uint32_t)(HAS(TID) * value_of(F_PID, 0)));
	ck_assert_uint_eq(sample.tid, (uint32_t)(HAS(TID) * value_of(F_TID, 0)));
	ck_assert_uint_eq(sample.time, HAS(TIME) * value_of(F_TIME, 0));
	ck_assert_uint_eq(sample.addr, HAS(ADDR) * value_of(F_ADDR, 0));
	ck_assert_uint_eq(sample.stream_id, HAS(STREAM_ID) * value_of(F_STREAM_ID, 0));
	ck_assert_uint_eq(sample.cpu, (uint32_t)(HAS(CPU) * value_of(F_CPU, 0)));
	ck_assert_uint_eq(sample.period, HAS(PERIOD) * value_of(F_PERIOD, 0));
	ck_assert_uint_eq(sample.weight,
			  (HAS(WEIGHT) || HAS(WEIGHT_STRUCT)) * value_of(F_WEIGHT, 0));
	ck_assert_uint_eq(sample.data_src, HAS(DATA_SRC) * value_of(F_DATA_SRC, 0));
	ck_assert_uint_eq(sample.transaction, HAS(TRANSACTION) * value_of(F_TRANSACTION, 0));
	ck_assert_uint_eq(sample.phys_addr, HAS(PHYS_ADDR) * value_of(F_PHYS_ADDR, 0));
	ck_assert_uint_eq(sample.cgroup, HAS(CGROUP) * value_of(F_CGROUP, 0));
	ck_assert_uint_eq(sample.data_page_size,
			  HAS(DATA_PAGE_SIZE) * value_of(F_DATA_PAGE_SIZE, 0));
	ck_assert_uint_eq(sample.code_page_size,
			  HAS(CODE_PAGE_SIZE) * value_of(F_CODE_PAGE_SIZE, 0));
}

static void expect_registers(const struct pk_registers *registers, bool present, uint64_t mask,
			     unsigned int field)
{
	ck_assert_uint_eq(registers->abi, present * 2);
	expect_values(&registers->values, field,
		      present ? (uint64_t)__builtin_popcountll(mask) : 0);
}

static void expect_sample(const struct perf_attr *attr, const struct shape *shape)
{
	uint64_t type = attr->sample_type;
	unsigned int branches = HAS(BRANCH_STACK) ? shape->branches : 0;
	bool index = attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX &&
		     !(shape->no_index && !branches);

	expect_numbers(type);
	expect_values(&sample.callchain, F_CHAIN, HAS(CALLCHAIN) ? shape->chain : 0);
	expect_bytes(&sample.raw, HAS(RAW) ? shape->raw : 0);
	ck_assert_uint_eq(sample.branches.count, branches);
	for (unsigned int i = 0; i < 3 * branches; i++)
		ck_assert_uint_eq(i % 3 == 2 ? pk_branch_flags(&sample.branches, i / 3)
					     : pk_u64s_at(&sample.branches, i),
				  value_of(F_BRANCH, i));
	ck_assert_uint_eq(sample.branch_hw_index,
			  HAS(BRANCH_STACK) && index ? value_of(F_HW_INDEX, 0) : 0);
	expect_values(&sample.branch_counters, F_COUNTER,
		      attr->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS ? branches : 0);
	expect_registers(&sample.user_registers, HAS(REGS_USER), attr->sample_regs_user,
			 F_USER_REGISTER);
	expect_registers(&sample.interrupt_registers, HAS(REGS_INTR), attr->sample_regs_intr,
			 F_INTR_REGISTER);
	ck_assert_uint_eq(sample.user_stack.size,
			  HAS(STACK_USER) && shape->stack ? shape->dyn_size : 0);
	for (unsigned int i = 0; i < sample.user_stack.size; i++)
		ck_assert_uint_eq(sample.user_stack.data[i], i);
	expect_bytes(&sample.aux, HAS(AUX) ? shape->aux : 0);
	ck_assert_uint_eq(sample.has_stack, 0);
	ck_assert_uint_eq(sample.stack, 0);
}

static void expect_callchain(const struct perf_attr *attr, const struct shape *shape)
{
	enum pk_status status;
	struct pk_u64s chain = {0};

	status = pk_sample_callchain(event, &record, &chain);
	if (!(attr->sample_type & PERF_SAMPLE_CALLCHAIN)) {
		ck_assert_int_eq(status, PK_END);
		return;
	}
	ck_assert_int_eq(status, PK_OK);
	expect_values(&chain, F_CHAIN, shape->chain);
}

static void round_trip(const struct perf_attr *attr, const struct shape *shape)
{
	make(attr, shape, 0);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(sample.size, record.size);
	expect_sample(attr, shape);
	expect_callchain(attr, shape);
	unmake();
	/* Bytes after the fields are ignored. */
	make(attr, shape, 16);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(sample.size, record.size - 16);
	expect_sample(attr, shape);
	unmake();
}

static struct perf_attr attr_of(uint64_t sample_type)
{
	return (struct perf_attr){
		.sample_type = sample_type,
		.read_format = PERF_FORMAT_ID,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_COUNTERS,
		.sample_regs_user = 0x8000000000ff0101,
		.sample_regs_intr = 0xf,
	};
}

START_TEST(each_bit)
{
	for (int bit = 0; bit < 25; bit++) {
		struct perf_attr attr = attr_of(UINT64_C(1) << bit);

		round_trip(&attr, &usual_shape);
	}
}
END_TEST

START_TEST(all_bits)
{
	struct perf_attr attr = attr_of(PERF_SAMPLE_KNOWN);

	for (uint64_t format = 0; format < 32; format++) {
		attr.read_format = format;
		round_trip(&attr, &usual_shape);
	}
	attr.branch_sample_type = 0;
	round_trip(&attr, &usual_shape);
}
END_TEST

START_TEST(random_bits)
{
	uint64_t seed = 88172645463325252;

	for (int i = 0; i < 3000; i++) {
		struct perf_attr attr = attr_of(random_below(&seed, PERF_SAMPLE_KNOWN + 1));
		struct shape shape = {
			.chain = (unsigned int)random_below(&seed, 5),
			.branches = (unsigned int)random_below(&seed, 3),
			.group = (unsigned int)random_below(&seed, 3),
			.raw = (unsigned int)random_below(&seed, 20),
			.stack = 8 * (unsigned int)random_below(&seed, 3),
			.dyn_size = (unsigned int)random_below(&seed, 8),
			.aux = 8 * (unsigned int)random_below(&seed, 3),
			.abi = 2,
		};

		attr.read_format = random_below(&seed, 32);
		round_trip(&attr, &shape);
	}
}
END_TEST

START_TEST(read_values)
{
	struct perf_attr attr = attr_of(PERF_SAMPLE_READ);
	const struct pk_read_values *read = &sample.read;

	attr.read_format = 7 | PERF_FORMAT_LOST;
	make(&attr, &usual_shape, 0);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(read->value, value_of(F_READ, 0));
	ck_assert_uint_eq(read->time_enabled, value_of(F_READ, 1));
	ck_assert_uint_eq(read->time_running, value_of(F_READ, 2));
	ck_assert_uint_eq(read->id, value_of(F_READ, 3));
	ck_assert_uint_eq(read->lost, value_of(F_READ, 4));
	ck_assert_uint_eq(read->count, 1);
	ck_assert_uint_eq(read->group.count, 0);
	unmake();
	attr.read_format |= PERF_FORMAT_GROUP;
	make(&attr, &usual_shape, 0);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(read->time_enabled, value_of(F_READ, 0));
	ck_assert_uint_eq(read->time_running, value_of(F_READ, 1));
	ck_assert_uint_eq(read->value, value_of(F_READ, 2));
	ck_assert_uint_eq(read->id, value_of(F_READ, 3));
	ck_assert_uint_eq(read->lost, value_of(F_READ, 4));
	ck_assert_uint_eq(read->count, 2);
	ck_assert_uint_eq(read->stride, 3);
	ck_assert_uint_eq(read->group.count, 6);
	ck_assert_uint_eq(pk_u64s_at(&read->group, 5), value_of(F_READ, 7));
	unmake();
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_LOST;
	make(&attr, &usual_shape, 0);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(read->value, value_of(F_READ, 0));
	ck_assert_uint_eq(read->id, 0);
	ck_assert_uint_eq(read->lost, value_of(F_READ, 1));
	unmake();
}
END_TEST

/* SPEC 5.1, 5.4: an empty stack dump and an empty branch stack can each be written in two ways. */
START_TEST(quirks)
{
	const uint64_t with[] = {0, PERF_SAMPLE_WEIGHT, PERF_SAMPLE_AUX | PERF_SAMPLE_WEIGHT};

	for (unsigned int i = 0; i < 4 * COUNT(with); i++) {
		struct perf_attr attr = attr_of(PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK |
						PERF_SAMPLE_STACK_USER | with[i / 4]);
		struct shape shape = usual_shape;

		shape.branches = shape.stack = 0;
		shape.no_index = i & 1;
		shape.extra_size = i & 2;
		make(&attr, &shape, 0);
		ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
		ck_assert_uint_eq(sample.size, record.size);
		expect_sample(&attr, &shape);
		unmake();
	}
}
END_TEST

/* SPEC 12: if dyn_size is above size, size is used. */
START_TEST(dyn_size)
{
	struct perf_attr attr = attr_of(PERF_SAMPLE_STACK_USER);
	struct shape shape = usual_shape;

	shape.dyn_size = 1000;
	make(&attr, &shape, 0);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(sample.user_stack.size, 24);
	unmake();
}
END_TEST

START_TEST(no_registers)
{
	struct perf_attr attr = attr_of(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR);
	struct shape shape = usual_shape;

	shape.abi = 0;
	make(&attr, &shape, 0);
	ck_assert_uint_eq(record.size, 24);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
	ck_assert_uint_eq(sample.user_registers.values.count, 0);
	unmake();
}
END_TEST

/* A record that is cut at any byte. Bytes after the cut are not read. */
START_TEST(too_short)
{
	for (int bit = 0; bit < 26; bit++) {
		struct perf_attr attr = attr_of(bit == 25 ? PERF_SAMPLE_KNOWN : UINT64_C(1) << bit);
		uint16_t whole;

		make(&attr, &usual_shape, 0);
		whole = record.size;
		while (--record.size >= 8) {
			uint8_t *copy = malloc(record.size); /* copied for sanitizers */
			struct pk_record cut = record;
			struct pk_u64s chain;

			memcpy(copy, record.data, record.size);
			cut.data = copy;
			ck_assert_msg(pk_sample_decode(event, &cut, &sample) == PK_CORRUPT,
				      "bit %d, %u of %u bytes", bit, record.size, whole);
			(void)(pk_sample_callchain(event, &cut, &chain) == PK_OK);
			free(copy);
		}
		unmake();
	}
}
END_TEST

/* Counts that are larger than the record. For some of them, the product with 8 overflows. */
START_TEST(impossible_counts)
{
	static const uint64_t counts[] = {2, 0x2000000000000000, 0x2000000000000001,
					  0xaaaaaaaaaaaaaab, UINT64_MAX};
	static const uint64_t types[] = {PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
					 PERF_SAMPLE_READ, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX};

	for (size_t t = 0; t < COUNT(types); t++) {
		for (size_t i = 0; i < COUNT(counts); i++) {
			struct perf_attr attr = {.sample_type = types[t],
						 .read_format = PERF_FORMAT_GROUP};
			struct pk_u64s chain;

			put_header(&built);
			put_attr(&built, &attr, 1, 1);
			RECORD(&built, PERF_RECORD_SAMPLE, 0, "81", counts[i], 0);
			source = source_of(&built);
			reader = read_source(&source);
			expect_record(reader, PK_RECORD_BEGIN);
			expect_record(reader, PERF_RECORD_HEADER_ATTR);
			record = expect_record(reader, PERF_RECORD_SAMPLE);
			event = pk_events_at(pk_reader_events(reader), 0);
			ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_CORRUPT);
			ck_assert_int_eq(pk_sample_callchain(event, &record, &chain),
					 types[t] == PERF_SAMPLE_CALLCHAIN ? PK_CORRUPT : PK_END);
			unmake();
		}
	}
}
END_TEST

/* Bytes were added at the end of the sample. Reads and decodes the sample again. */
static void decode_longer(void)
{
	close_record(&built);
	source = source_of(&built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	record = expect_record(reader, PERF_RECORD_SAMPLE);
	event = pk_events_at(pk_reader_events(reader), 0);
	ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
}

/* SPEC 9.8: the stack trailer is the last 8 bytes. Other bytes can be between the fields and the
 * trailer. */
START_TEST(stack_trailers)
{
	struct perf_attr attr = attr_of(PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN);

	for (unsigned int extra = 0; extra <= 16; extra += 8) {
		make(&attr, &usual_shape, extra);
		pk_reader_free(reader);
		PUT(&built, "44", PK_STACK_TRAILER_TAG, 0x12345678);
		decode_longer();
		ck_assert(sample.has_stack);
		ck_assert_uint_eq(sample.stack, 0x12345678);
		ck_assert_uint_eq(sample.size, record.size - 8 - extra);
		ck_assert_uint_eq(pk_stack_trailer(record.data, record.size), 0x12345678);
		ck_assert_uint_eq(pk_stack_trailer(record.data, record.size - 4), 0);
		unmake();
	}
	ck_assert_uint_eq(pk_stack_trailer((const uint8_t *)"\x70\x73\x74\x6b\1\2\3\4", 8), 0);
}
END_TEST

/* SPEC 9.8.1: the chain trailer is after the fields and directly before the stack trailer. */
START_TEST(chain_trailers)
{
	struct perf_attr attr = attr_of(PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN);

	for (unsigned int with_stack = 0; with_stack < 2; with_stack++) {
		make(&attr, &usual_shape, 0);
		pk_reader_free(reader);
		PUT(&built, "44", PK_CHAIN_TRAILER_TAG, PK_CHAIN_STACK_SHORT);
		if (with_stack)
			PUT(&built, "44", PK_STACK_TRAILER_TAG, 7);
		decode_longer();
		ck_assert_uint_eq(sample.chain_flags, PK_CHAIN_STACK_SHORT);
		ck_assert_uint_eq(sample.has_stack, with_stack);
		ck_assert_uint_eq(sample.size, record.size - 8 - 8 * with_stack);
		unmake();
	}
}
END_TEST

/* SPEC 5.5: the fields of a trailer in their order. They are read from the end of the record. */
START_TEST(trailers)
{
	static const struct {
		uint64_t bit;
		const char *widths;
	} fields[] = {
		{PERF_SAMPLE_TID, "44"}, {PERF_SAMPLE_TIME, "8"},
		{PERF_SAMPLE_ID, "8"},	 {PERF_SAMPLE_STREAM_ID, "8"},
		{PERF_SAMPLE_CPU, "44"}, {PERF_SAMPLE_IDENTIFIER, "8"},
	};

	for (unsigned int set = 0; set < 64; set++) {
		struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD,
					 .flags = PERF_ATTR_SAMPLE_ID_ALL};
		struct pk_sample_id id;

		for (size_t i = 0; i < COUNT(fields); i++)
			attr.sample_type |= set & 1u << i ? fields[i].bit : 0;
		put_header(&built);
		put_attr(&built, &attr, 1, 1);
		open_record(&built, PERF_RECORD_LOST, 0);
		PUT(&built, "88", 77, 78);
		for (size_t i = 0; i < COUNT(fields); i++)
			if (set & 1u << i)
				put_all(&built, fields[i].widths,
					(const uint64_t[]){10 + i, 20 + i});
		close_record(&built);
		source = source_of(&built);
		reader = read_source(&source);
		expect_record(reader, PK_RECORD_BEGIN);
		expect_record(reader, PERF_RECORD_HEADER_ATTR);
		record = expect_record(reader, PERF_RECORD_LOST);
		pk_sample_id_decode(pk_events_at(pk_reader_events(reader), 0), &record, &id);
		ck_assert_uint_eq(id.pid, set & 1 ? 10 : 0);
		ck_assert_uint_eq(id.tid, set & 1 ? 20 : 0);
		ck_assert_uint_eq(id.time, set & 2 ? 11 : PK_NO_TIME);
		ck_assert_uint_eq(id.id, set & 32 ? 15 : set & 4 ? 12 : 0);
		ck_assert_uint_eq(id.stream_id, set & 8 ? 13 : 0);
		ck_assert_uint_eq(id.cpu, set & 16 ? 14 : 0);
		unmake();
	}
}
END_TEST

START_TEST(no_trailer)
{
	struct perf_attr attr = {.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_TID};
	struct pk_sample_id id;

	make(&attr, &usual_shape, 0);
	RECORD(&built, PERF_RECORD_LOST, 0, "88", 77, 78);
	record = last_built(&built);
	pk_sample_id_decode(event, &record, &id);
	ck_assert_uint_eq(id.time, PK_NO_TIME);
	ck_assert_uint_eq(id.pid, 0);
	unmake();
	attr.flags = PERF_ATTR_SAMPLE_ID_ALL;
	make(&attr, &usual_shape, 0);
	RECORD(&built, PERF_RECORD_SWITCH, 0, "8", 77);
	record = last_built(&built);
	pk_sample_id_decode(event, &record, &id);
	ck_assert_uint_eq(id.time, PK_NO_TIME);
	ck_assert_uint_eq(id.tid, 0);
	unmake();
}
END_TEST

RUN_TESTS("sample", each_bit, all_bits, random_bits, read_values, quirks, dyn_size, no_registers,
	  too_short, impossible_counts, stack_trailers, chain_trailers, trailers, no_trailer)
