// SPDX-License-Identifier: BSD-2-Clause
/* Tests events: HEADER_ATTR, EVENT_UPDATE, EVENT_DESC, and the search for the event of a record. */
#include "pkprivate.h"
#include "stream_builder.h"

#define WITH_TRAILER PERF_ATTR_SAMPLE_ID_ALL

static struct built built;
static struct source source;
static struct pk_reader *reader;
static const struct pk_events *events;

/* Reads all built records, and returns the last record. */
static struct pk_record read_all(void)
{
	struct pk_record record = {0};
	size_t last = built.record;

	source = source_of(&built);
	reader = read_source(&source);
	events = pk_reader_events(reader);
	do {
		ck_assert_int_eq(pk_reader_next(reader, &record), PK_OK);
	} while (record.offset < last);
	return record;
}

static void done(void)
{
	pk_reader_free(reader);
	built_clear(&built);
}

static void begin(bool swap)
{
	built.swap = swap;
	put_header(&built);
}

static const struct perf_attr full = {
	.type = 1,
	.config = 0x1122334455667788,
	.sample_period = 4000,
	.sample_type = PERF_SAMPLE_IP,
	.read_format = 7,
	.flags = PERF_ATTR_DISABLED | PERF_ATTR_FREQ | PERF_ATTR_SAMPLE_ID_ALL |
		 UINT64_C(2) << PERF_ATTR_PRECISE_IP_SHIFT | PERF_ATTR_DEFER_OUTPUT,
	.wakeup_events = 0x01020304,
	.bp_type = 0x05060708,
	.config1 = 0x1112131415161718,
	.config2 = 0x2122232425262728,
	.branch_sample_type = 0x3132333435363738,
	.sample_regs_user = 0x4142434445464748,
	.sample_stack_user = 0x51525354,
	.clockid = -3,
	.sample_regs_intr = 0x6162636465666768,
	.aux_watermark = 0x71727374,
	.sample_max_stack = 0x8182,
	.aux_sample_size = 0x91929394,
	.aux_action = 0xa1a2a3a4,
	.sig_data = 0xb1b2b3b4b5b6b7b8,
	.config3 = 0xc1c2c3c4c5c6c7c8,
	.config4 = 0xd1d2d3d4d5d6d7d8,
};

/* If an attr is short, the fields after its end are 0. If an attr is longer than the known fields,
 * the further bytes are ignored. */
START_TEST(sizes)
{
	for (uint32_t size = 64; size <= 160; size += 8) {
		for (int swap = 0; swap < 2; swap++) {
			struct perf_attr attr = full, expected = {0};
			size_t known = size < sizeof(attr) ? size : sizeof(attr);
			const struct pk_event *event;

			attr.size = size;
			begin(swap);
			put_attr(&built, &attr, 11, 3);
			read_all();
			event = pk_events_at(events, 0);
			ck_assert_ptr_nonnull(event);
			memcpy(&expected, &attr, known);
			ck_assert_mem_eq(&event->attr, &expected, sizeof(expected));
			ck_assert_uint_eq(event->ids_count, 3);
			for (uint64_t i = 0; i < 3; i++) {
				ck_assert_uint_eq(event->ids[i], 11 + i);
				ck_assert_ptr_eq(pk_events_by_id(events, 11 + i), event);
			}
			ck_assert_ptr_null(pk_events_by_id(events, 10));
			ck_assert_ptr_null(pk_events_by_id(events, 0));
			ck_assert_uint_eq(source.warnings, 0);
			done();
		}
	}
}
END_TEST

/* A size of 0 means 64. The bytes after these 64 bytes are ids. */
START_TEST(size_zero)
{
	for (int swap = 0; swap < 2; swap++) {
		struct perf_attr attr = {.size = 64, .config = 5};

		begin(swap);
		put_attr(&built, &attr, 21, 2);
		memset(built.data + built.record + 12, 0, 4);
		read_all();
		ck_assert_uint_eq(pk_events_at(events, 0)->attr.config, 5);
		ck_assert_uint_eq(pk_events_at(events, 0)->attr.size, 64);
		ck_assert_uint_eq(pk_events_at(events, 0)->ids_count, 2);
		ck_assert_uint_eq(pk_events_at(events, 0)->ids[1], 22);
		done();
	}
}
END_TEST

/* Malformed sizes of an attr (SPEC 4.1): below 64, not a multiple of 8, and larger than the record.
 * The size of the ids is not a multiple of 8 (SPEC 4.2). */
START_TEST(malformed)
{
	static const uint32_t wrong[] = {1, 8, 56, 63, 65, 124, 129, 136, 1000, UINT32_MAX};

	for (int swap = 0; swap < 2; swap++) {
		for (size_t i = 0; i <= COUNT(wrong); i++) {
			struct built size = {.swap = swap};

			begin(swap);
			put_attr(&built, &full, 1, 0);
			if (i == COUNT(wrong)) {
				put_zeros(&built, 4);
				close_record(&built);
			} else {
				put(&size, 4, wrong[i]);
				memcpy(built.data + built.record + 12, size.data, 4);
				built_clear(&size);
			}
			put_empty(&built, PERF_RECORD_FINISHED_INIT);
			read_all();
			ck_assert_uint_eq(pk_events_count(events), 0);
			ck_assert_ptr_null(pk_events_at(events, 0));
			ck_assert_uint_eq(pk_reader_bad_records(reader), 1);
			done();
		}
	}
}
END_TEST

/* If sample_type has unknown bits, the fields before the fields of these bits are decoded. */
START_TEST(unknown_fields)
{
	struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN |
						PERF_SAMPLE_AUX | UINT64_C(1) << 25};
	struct pk_sample sample;
	struct pk_record record;

	begin(false);
	put_attr(&built, &attr, 1, 1);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "888888", 0x77, 1, 0x88, 5, 6, 7);
	record = read_all();
	ck_assert_uint_eq(source.warnings, 1);
	ck_assert_int_eq(pk_sample_decode(pk_events_at(events, 0), &record, &sample), PK_OK);
	ck_assert_uint_eq(sample.ip, 0x77);
	ck_assert_uint_eq(sample.callchain.count, 1);
	ck_assert_uint_eq(sample.aux.size, 0);
	ck_assert_uint_eq(sample.size, record.size);
	done();
}
END_TEST

/* Unknown bits of read_format and of branch_sample_type, also in a stream with the other byte
 * order. */
START_TEST(unknown_bits)
{
	for (int i = 0; i < 4; i++) {
		const bool read = i & 1, swapped = i & 2;
		struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN |
							PERF_SAMPLE_READ |
							PERF_SAMPLE_BRANCH_STACK};
		struct pk_sample sample;
		struct pk_u64s chain;
		struct pk_record record;

		*(read ? &attr.read_format : &attr.branch_sample_type) = UINT64_C(1) << 40;
		begin(swapped);
		put_attr(&built, &attr, 1, 1);
		RECORD(&built, PERF_RECORD_SAMPLE, 0, "888888", 0x77, 5, 1, 0x88, 6, 7);
		record = read_all();
		ck_assert_uint_eq(pk_events_count(events), 1);
		ck_assert_uint_eq(source.warnings, 1);
		ck_assert_uint_eq(pk_reader_bad_records(reader), 0);
		ck_assert_int_eq(pk_sample_decode(pk_events_at(events, 0), &record, &sample),
				 PK_OK);
		ck_assert_uint_eq(sample.ip, 0x77);
		ck_assert_uint_eq(sample.read.value, read ? 0 : 5);
		ck_assert_uint_eq(sample.callchain.count, read ? 0 : 1);
		ck_assert_uint_eq(sample.branches.count, 0);
		ck_assert_uint_eq(sample.size, record.size);
		ck_assert_int_eq(pk_sample_callchain(pk_events_at(events, 0), &record, &chain),
				 read ? PK_END : PK_OK);
		done();
	}
}
END_TEST

/* SPEC 4.2: if two events have the same id, the id belongs to the first event. If the first id of
 * an attr belongs to another event, the attr announces no event. */
START_TEST(repeated_ids)
{
	struct perf_attr attr = {.config = 1};

	begin(false);
	put_attr(&built, &attr, 10, 3);
	attr.config = 2;
	put_attr(&built, &attr, 12, 3);
	attr.config = 3;
	put_attr(&built, &attr, 9, 4);
	attr.config = 4;
	put_attr(&built, &attr, 0, 2);
	put_empty(&built, PERF_RECORD_FINISHED_INIT);
	read_all();
	ck_assert_uint_eq(pk_events_count(events), 3);
	ck_assert_uint_eq(pk_events_at(events, 1)->attr.config, 3);
	ck_assert_uint_eq(pk_events_at(events, 1)->index, 1);
	ck_assert_uint_eq(pk_events_by_id(events, 12)->attr.config, 1);
	ck_assert_uint_eq(pk_events_by_id(events, 9)->attr.config, 3);
	ck_assert_uint_eq(pk_events_by_id(events, 1)->attr.config, 4);
	ck_assert_ptr_null(pk_events_by_id(events, 0));
	ck_assert_ptr_null(pk_events_by_id(events, 13));
	ck_assert_uint_eq(pk_reader_bad_records(reader), 1);
	done();
}
END_TEST

START_TEST(many_ids)
{
	struct perf_attr attr = {.size = 64};

	begin(false);
	for (uint64_t i = 0; i < 5; i++)
		put_attr(&built, &attr, 1 + 8000 * i, 8000);
	read_all();
	for (uint64_t id = 1; id <= 40000; id++)
		ck_assert_uint_eq(pk_events_by_id(events, id)->index, (id - 1) / 8000);
	ck_assert_ptr_null(pk_events_by_id(events, 40001));
	done();
}
END_TEST

/* ---- Event of a record (SPEC 4.4) ---- */

static void expect_event(int index)
{
	struct pk_record record = read_all();
	const struct pk_event *event = pk_reader_event_of(reader, &record);

	if (index < 0) {
		ck_assert_ptr_null(event);
	} else {
		ck_assert_ptr_nonnull(event);
		ck_assert_int_eq(event->index, index);
	}
	done();
}

static void two_events(const struct perf_attr *a, const struct perf_attr *b)
{
	begin(false);
	put_attr(&built, a, 101, 2);
	put_attr(&built, b, 201, 2);
}

START_TEST(one_event)
{
	struct perf_attr attr = {.sample_type = PERF_SAMPLE_IDENTIFIER, .flags = WITH_TRAILER};

	begin(false);
	put_attr(&built, &attr, 1, 1);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "8", 999);
	expect_event(0);
	begin(false);
	put_attr(&built, &attr, 1, 1);
	RECORD(&built, PERF_RECORD_LOST, 0, "888", 7, 7, 999);
	expect_event(0);
	begin(false);
	put_attr(&built, &attr, 1, 1);
	put_empty(&built, PERF_RECORD_FINISHED_ROUND);
	expect_event(-1);
	begin(false);
	RECORD(&built, PERF_RECORD_LOST, 0, "888", 7, 7, 999);
	expect_event(-1);
}
END_TEST

START_TEST(by_identifier)
{
	struct perf_attr a = {.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP,
			      .flags = WITH_TRAILER};
	struct perf_attr b = {.sample_type =
				      PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
			      .flags = WITH_TRAILER};
	static const struct {
		uint64_t id;
		int sample, other;
	} cases[] = {{101, 0, 0}, {102, 0, 0}, {201, 1, 1}, {202, 1, 1}, {0, 0, 0}, {7, -1, 0}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		two_events(&a, &b);
		RECORD(&built, PERF_RECORD_SAMPLE, 0, "8888", cases[i].id, 201, 101, 201);
		expect_event(cases[i].sample);
		two_events(&a, &b);
		RECORD(&built, PERF_RECORD_LOST, 0, "88888", 101, 201, 101, 101, cases[i].id);
		expect_event(cases[i].other);
	}
	two_events(&a, &b);
	put_empty(&built, PERF_RECORD_SAMPLE);
	expect_event(-1);
}
END_TEST

/* The field ID has fields before it and after it. It is at the same offset in both events. */
START_TEST(by_id)
{
	struct perf_attr a = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					     PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
					     PERF_SAMPLE_CPU,
			      .flags = WITH_TRAILER};

	two_events(&a, &a);
	RECORD(&built, PERF_RECORD_SAMPLE, 0,
	       "844"
	       "8888",
	       101, 101, 0, 101, 202, 101, 101);
	expect_event(1);
	two_events(&a, &a);
	RECORD(&built, PERF_RECORD_LOST, 0,
	       "88"
	       "88888",
	       101, 101, 101, 101, 202, 101, 101);
	expect_event(1);
	two_events(&a, &a);
	RECORD(&built, PERF_RECORD_SAMPLE, 0,
	       "844"
	       "8888",
	       101, 101, 0, 101, 777, 101, 101);
	expect_event(-1);
}
END_TEST

/* The events have their ids at different offsets. An id is accepted only at the offset at which its
 * event has ids. */
START_TEST(unlike_places)
{
	struct perf_attr a = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ID,
			      .flags = WITH_TRAILER};
	struct perf_attr b = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ID |
					     PERF_SAMPLE_CPU,
			      .flags = WITH_TRAILER};

	/* In event a, the id is at 16, and is the last field of a trailer. In event b, the id is at
	 * 24, and is the field before the last field. */
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "8888", 0, 101, 5, 5);
	expect_event(0);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "8888", 0, 5, 201, 5);
	expect_event(1);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "8888", 0, 201, 101, 5);
	expect_event(-1);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "8888", 0, 0, 6, 5);
	expect_event(0);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "88", 0, 6);
	expect_event(-1);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_LOST, 0, "88888", 1, 1, 1, 1, 102);
	expect_event(0);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_LOST, 0, "88888", 1, 1, 1, 202, 3);
	expect_event(1);
	two_events(&a, &b);
	RECORD(&built, PERF_RECORD_LOST, 0, "88888", 1, 1, 1, 7, 201);
	expect_event(0);
}
END_TEST

START_TEST(no_ids)
{
	struct perf_attr a = {.sample_type = PERF_SAMPLE_IP};

	two_events(&a, &a);
	RECORD(&built, PERF_RECORD_SAMPLE, 0, "8", 201);
	expect_event(0);
}
END_TEST

RUN_TESTS("attr", sizes, size_zero, malformed, unknown_bits, unknown_fields, repeated_ids, many_ids,
	  one_event, by_identifier, by_id, unlike_places, no_ids)
