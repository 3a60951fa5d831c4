// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "stream_builder.h"

/* Each record has a number, which identifies it: the ip of a SAMPLE, or the count of a LOST. */
static const struct perf_attr timed = {.type = 1,
				       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
				       .flags = PERF_ATTR_SAMPLE_ID_ALL};

static struct built built;

static void put_sample(uint64_t number, uint64_t time)
{
	RECORD(&built, PERF_RECORD_SAMPLE, 2, "88", number, time);
}

static void put_lost(uint64_t number, uint64_t time)
{
	RECORD(&built, PERF_RECORD_LOST, 0, "888", 0, number, time);
}

static void put_round(void)
{
	put_empty(&built, PERF_RECORD_FINISHED_ROUND);
}

static void begin(void)
{
	put_header(&built);
	put_attr(&built, &timed, 1, 1);
}

static uint64_t number_of(const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE: return pk_load_u64(record->data + 8);
	case PERF_RECORD_LOST: return pk_load_u64(record->data + 16);
	default: return UINT64_MAX;
	}
}

/* The numbers of the records in the order of delivery. For other types of records, 1000000 plus the
 * type. */
#define OTHER(type) (1000000 + (type))

static struct source source;
static struct pk_reader *reader;
static struct pk_order *order;

static void open_built(void)
{
	source = source_of(&built);
	reader = read_source(&source);
	ck_assert_int_eq(pk_order_new(reader, &order), PK_OK);
}

static void close_built(void)
{
	pk_order_free(order);
	pk_reader_free(reader);
	built_clear(&built);
}

static void expect_order(const uint64_t *numbers, size_t count, uint64_t late)
{
	struct pk_order_stats stats;
	struct pk_record record;

	open_built();
	for (size_t i = 0; i < count; i++) {
		ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
		ck_assert_uint_eq(number_of(&record) == UINT64_MAX ? OTHER(record.type)
								   : number_of(&record),
				  numbers[i]);
	}
	ck_assert_int_eq(pk_order_next(order, &record), PK_END);
	ck_assert_int_eq(pk_order_next(order, &record), PK_END);
	pk_order_stats(order, &stats);
	ck_assert_uint_eq(stats.late, late);
	ck_assert_uint_eq(stats.window_flushes, 0);
	close_built();
}

#define EXPECT(late, ...)                                                                          \
	expect_order((const uint64_t[]){__VA_ARGS__},                                              \
		     sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), late)
#define BEGIN OTHER(PK_RECORD_BEGIN)
#define ATTR  OTHER(PERF_RECORD_HEADER_ATTR)

START_TEST(no_rounds)
{
	begin();
	put_sample(1, 30);
	put_lost(2, 10);
	put_sample(3, 20);
	EXPECT(0, BEGIN, ATTR, 2, 3, 1);
	pk_order_free(NULL);
}
END_TEST

/* SPEC 7.2: records without a time, or with the time 0, are delivered at once. */
START_TEST(without_time)
{
	begin();
	put_sample(1, 30);
	put_sample(2, 0);
	put_lost(3, 0);
	put_lost(4, UINT64_MAX);
	put_empty(&built, PERF_RECORD_FINISHED_INIT);
	put_sample(5, 10);
	EXPECT(0, BEGIN, ATTR, 2, 3, 4, OTHER(PERF_RECORD_FINISHED_INIT), 5, 1);
}
END_TEST

/* A FINISHED_ROUND releases the records that are not newer than the records before the previous
 * FINISHED_ROUND. */
START_TEST(two_rounds)
{
	struct pk_order_stats stats;
	struct pk_record record;

	begin();
	put_sample(1, 20);
	put_sample(2, 10);
	put_round();
	put_sample(3, 40);
	put_sample(4, 15);
	put_sample(5, 21);
	put_sample(6, 20);
	put_round(); /* releases up to time 20 */
	put_empty(&built, PERF_RECORD_FINISHED_INIT);
	put_sample(7, 60);
	put_round(); /* releases up to time 40 */
	put_empty(&built, PERF_RECORD_FINISHED_INIT);
	put_round(); /* releases up to time 60 */
	EXPECT(0, BEGIN, ATTR, 2, 4, 1, 6, OTHER(PERF_RECORD_FINISHED_INIT), 5, 3,
	       OTHER(PERF_RECORD_FINISHED_INIT), 7);
	begin();
	put_round();
	put_round();
	open_built();
	while (pk_order_next(order, &record) == PK_OK)
		ck_assert_uint_ne(record.type, PERF_RECORD_FINISHED_ROUND);
	pk_order_stats(order, &stats);
	ck_assert_uint_eq(stats.rounds, 2);
	close_built();
}
END_TEST

START_TEST(late)
{
	begin();
	put_sample(1, 20);
	put_round();
	put_round(); /* releases sample 1 */
	put_sample(2, 50);
	put_sample(3, 10); /* late, and therefore delivered at once */
	put_sample(4, 20); /* not late, because its time is that of the last delivered record */
	put_lost(5, 19);
	put_sample(6, 30);
	EXPECT(2, BEGIN, ATTR, 1, 3, 5, 4, 6, 2);
}
END_TEST

START_TEST(equal_times)
{
	uint64_t numbers[102] = {BEGIN, ATTR};

	begin();
	for (uint64_t i = 0; i < 50; i++) {
		put_sample(2 * i, 10 + i / 10);
		put_lost(2 * i + 1, 10);
	}
	for (uint64_t i = 0, n = 2; n < 102; n++) {
		/* First come all records with the time 10 in the order of the stream, then all
		 * other records. */
		if (n < 2 + 60)
			numbers[n] = n < 2 + 20 ? n - 2 : 21 + 2 * i++;
		else
			numbers[n] = 20 + 2 * (n - 62);
	}
	expect_order(numbers, 102, 0);
}
END_TEST

/* END, RESET, ORDER and the next session are delivered after all stored records. Other definitions
 * are delivered before stored records. */
START_TEST(barriers)
{
	const uint64_t update = OTHER(PERF_RECORD_EVENT_UPDATE);

	begin();
	put_sample(1, 30);
	put_sample(2, 20);
	open_definition(&built, PK_STRING);
	PUT(&built, "448", 1, 0, 0);
	close_record(&built);
	put_sample(3, 10);
	DEFINITION(&built, PK_RESET, "44", 0xf0, 0);
	put_sample(4, 40);
	put_sample(5, 35);
	DEFINITION(&built, PK_FINISH, "88", 0, 0);
	put_sample(6, 60);
	put_sample(7, 50);
	begin();
	put_sample(8, 2);
	put_sample(9, 1);
	EXPECT(0, BEGIN, ATTR, update, 3, 2, 1, update, 5, 4, update, 7, 6, BEGIN, ATTR, 9, 8);
}
END_TEST

/* Tests ORDER definitions (SPEC 7.4, 9.3). */
START_TEST(told_order)
{
	const uint64_t update = OTHER(PERF_RECORD_EVENT_UPDATE);

	for (uint32_t kind = 0; kind < 4; kind++) {
		begin();
		put_sample(1, 30);
		put_sample(2, 20);
		DEFINITION(&built, PK_ORDER, "44", kind, UINT32_MAX);
		put_sample(3, 50);
		put_round();
		put_sample(4, 10);
		put_round();
		put_sample(5, 40);
		if (kind == PK_ORDER_TIME || kind == PK_ORDER_PROCESSING)
			EXPECT(0, BEGIN, ATTR, 2, 1, update, 3, 4, 5);
		else
			EXPECT(2, BEGIN, ATTR, 2, 1, update, 4, 3, 5);
	}
	/* An ORDER of an unknown kind has no effect. */
	begin();
	DEFINITION(&built, PK_ORDER, "44", PK_ORDER_PROCESSING, UINT32_MAX);
	put_sample(1, 30);
	DEFINITION(&built, PK_ORDER, "44", 77, UINT32_MAX);
	put_sample(2, 20);
	put_sample(3, 10);
	EXPECT(0, BEGIN, ATTR, update, 1, update, 2, 3);
	/* An ORDER is valid up to the next ORDER. After the second ORDER, records that are older
	 * than the newest record before it are late. */
	begin();
	DEFINITION(&built, PK_ORDER, "44", PK_ORDER_PROCESSING, UINT32_MAX);
	put_sample(1, 30);
	put_sample(2, 20);
	DEFINITION(&built, PK_ORDER, "44", PK_ORDER_NONE, UINT32_MAX);
	put_sample(3, 50);
	put_sample(4, 40);
	put_round();
	put_sample(5, 25);
	put_sample(6, 60);
	put_round();
	EXPECT(1, BEGIN, ATTR, update, 1, 2, update, 5, 4, 3, 6);
	/* An ORDER is not valid for the next session. */
	begin();
	DEFINITION(&built, PK_ORDER, "44", PK_ORDER_TIME, UINT32_MAX);
	put_sample(1, 9);
	begin();
	put_sample(2, 8);
	put_sample(3, 7);
	EXPECT(0, BEGIN, ATTR, update, 1, BEGIN, ATTR, 3, 2);
}
END_TEST

/* A delivered record has its event and time, even if the record was stored. */
START_TEST(fields)
{
	struct perf_attr other = timed;
	struct pk_record record;

	put_header(&built);
	other.sample_type |= PERF_SAMPLE_IDENTIFIER;
	put_attr(&built, &other, 11, 1);
	put_attr(&built, &other, 21, 1);
	RECORD(&built, PERF_RECORD_SAMPLE, 2, "888", 21, 5, 70);
	RECORD(&built, PERF_RECORD_LOST, 3,
	       "88"
	       "88",
	       1, 2, 60, 11);
	RECORD(&built, PERF_RECORD_SAMPLE, 2, "888", 31, 5, 50); /* unknown event */
	put_empty(&built, PERF_RECORD_FINISHED_INIT);
	open_built();
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
		ck_assert_ptr_null(record.event);
		ck_assert_uint_eq(record.time, PK_NO_TIME);
	}
	ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
	ck_assert_uint_eq(record.type, PERF_RECORD_FINISHED_INIT);
	ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
	ck_assert_uint_eq(record.type, PERF_RECORD_LOST);
	ck_assert_uint_eq(record.misc, 3);
	ck_assert_uint_eq(record.event->index, 0);
	ck_assert_uint_eq(record.time, 60);
	ck_assert_uint_eq(record.payload_size, 0);
	ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
	ck_assert_uint_eq(record.type, PERF_RECORD_SAMPLE);
	ck_assert_uint_eq(record.event->index, 1);
	ck_assert_uint_eq(record.time, 70);
	ck_assert_uint_eq(record.size, 32);
	ck_assert_uint_eq(record.offset, 16 + 2 * (8 + 128 + 8));
	ck_assert_int_eq(pk_order_next(order, &record), PK_END);
	ck_assert_uint_eq(pk_reader_bad_records(reader), 1);
	close_built();
}
END_TEST

/* All records that were read before a failure are delivered before the failure is reported. */
START_TEST(failure)
{
	struct pk_record record;

	begin();
	put_sample(1, 20);
	put_sample(2, 10);
	put_sample(3, 30);
	built.size -= 1;
	open_built();
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
	ck_assert_uint_eq(number_of(&record), 1);
	ck_assert_int_eq(pk_order_next(order, &record), PK_TRUNCATED);
	ck_assert_int_eq(pk_order_next(order, &record), PK_TRUNCATED);
	close_built();
}
END_TEST

/* The ordered reader is freed while it has stored records. All memory must be freed. */
START_TEST(given_up)
{
	struct pk_record record;

	begin();
	for (uint64_t i = 0; i < 50000; i++)
		put_sample(i, 1000000 - i);
	open_built();
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
	ck_assert_uint_eq(number_of(&record), 49999 - 7);
	close_built();
}
END_TEST

/* ---- Comparison with a model of SPEC 7.3 ---- */

struct item {
	uint64_t number, time;
};

struct model {
	struct item waiting[5000];
	size_t count;
	uint64_t newest, limit, delivered, late;
	uint64_t out[5000];
	size_t out_count;
};

static void model_deliver(struct model *m, struct item item)
{
	m->out[m->out_count++] = item.number;
}

/* Releases all records whose time is at most `limit`. The oldest record is first. Of records with
 * the same time, the record that was added first is first. */
static void model_release(struct model *m, uint64_t limit)
{
	for (;;) {
		size_t best = m->count;

		for (size_t i = 0; i < m->count; i++)
			if (m->waiting[i].time <= limit &&
			    (best == m->count || m->waiting[i].time < m->waiting[best].time))
				best = i;
		if (best == m->count)
			return;
		m->delivered = m->waiting[best].time;
		model_deliver(m, m->waiting[best]);
		memmove(m->waiting + best, m->waiting + best + 1,
			(m->count - best - 1) * sizeof(m->waiting[0]));
		m->count--;
	}
}

static void model_sample(struct model *m, struct item item)
{
	if (!item.time) {
		model_deliver(m, item);
	} else if (item.time < m->delivered) {
		m->late++;
		model_deliver(m, item);
	} else {
		m->waiting[m->count++] = item;
		if (item.time > m->newest)
			m->newest = item.time;
	}
}

static void model_round(struct model *m)
{
	model_release(m, m->limit);
	m->limit = m->newest;
}

static void random_stream(uint64_t *seed, struct model *m)
{
	uint64_t spread = 1 + random_below(seed, 200), now = 1000;
	size_t length = random_below(seed, 400);

	memset(m, 0, sizeof(*m));
	begin();
	for (uint64_t i = 0; i < length; i++) {
		struct item item = {i, now - spread / 2 + random_below(seed, spread)};

		now += random_below(seed, 20);
		if (random_below(seed, 20) == 0) {
			put_round();
			model_round(m);
		}
		if (random_below(seed, 50) == 0)
			item.time = 0;
		if (i % 3)
			put_sample(item.number, item.time);
		else
			put_lost(item.number, item.time);
		model_sample(m, item);
	}
	model_release(m, UINT64_MAX);
}

START_TEST(random_streams)
{
	static struct model model;
	uint64_t seed = 2463534242, late_seen = 0;

	for (int i = 0; i < 400; i++) {
		struct pk_order_stats stats;
		struct pk_record record;

		random_stream(&seed, &model);
		open_built();
		source.piece = i % 3 ? 0 : 1 + random_below(&seed, 100);
		for (size_t n = 0; n < 2; n++)
			ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
		for (size_t n = 0; n < model.out_count; n++) {
			ck_assert_int_eq(pk_order_next(order, &record), PK_OK);
			ck_assert_uint_eq(number_of(&record), model.out[n]);
		}
		ck_assert_int_eq(pk_order_next(order, &record), PK_END);
		pk_order_stats(order, &stats);
		ck_assert_uint_eq(stats.late, model.late);
		late_seen += model.late;
		close_built();
	}
	ck_assert_uint_gt(late_seen, 100);
}
END_TEST

/* The numbers of the delivered records in their order, and 500 plus the numbers of the records that
 * the tee got. */
static uint64_t seen[64];
static size_t seen_count;

static void see(const struct pk_record *record, uint64_t added)
{
	uint64_t number = number_of(record);

	ck_assert_uint_lt(seen_count, COUNT(seen));
	seen[seen_count++] = (number == UINT64_MAX ? OTHER(record->type) : number) + added;
}

static void tee(void *arg, const struct pk_record *record)
{
	ck_assert_ptr_eq(arg, &seen_count);
	see(record, 500);
}

/* If a record releases stored records, the tee gets it after all these records were delivered. */
START_TEST(tees)
{
	static const uint64_t expected[] = {
		OTHER(PK_RECORD_BEGIN),
		OTHER(PK_RECORD_BEGIN) + 500,
		OTHER(PERF_RECORD_HEADER_ATTR),
		OTHER(PERF_RECORD_HEADER_ATTR) + 500,
		501,
		502,
		OTHER(PERF_RECORD_FINISHED_ROUND) + 500,
		503,
		2,
		1,
		OTHER(PERF_RECORD_FINISHED_ROUND) + 500,
		3,
	};
	struct pk_record record;
	enum pk_status status;

	begin();
	put_sample(1, 20);
	put_sample(2, 10);
	put_round();
	put_sample(3, 30);
	put_round();
	open_built();
	seen_count = 0;
	pk_order_tee(order, tee, &seen_count);
	while (!(status = pk_order_next(order, &record)))
		see(&record, 0);
	ck_assert_int_eq(status, PK_END);
	ck_assert_uint_eq(seen_count, COUNT(expected));
	for (size_t i = 0; i < seen_count; i++)
		ck_assert_uint_eq(seen[i], expected[i]);
	close_built();
}
END_TEST

RUN_TESTS("order", no_rounds, without_time, two_rounds, late, equal_times, barriers, told_order,
	  fields, failure, given_up, random_streams, tees)
