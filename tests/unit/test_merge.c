// SPDX-License-Identifier: BSD-2-Clause
/* Tests which sample gets which user addresses (half) of a CALLCHAIN_DEFERRED, and when. */
#include <stdio.h>

#include "merge.h"
#include "merger.h"
#include "pkprivate.h"
#include "stream_builder.h"

#define KERNEL(n) (UINT64_C(0xffffffff81000000) + (n))
#define TYPE	  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/* In samples of event 1, the callchain is the last field. In samples of event 2, the values of a
 * group precede the callchain, and RAW, registers and a stack dump follow it. CALLCHAIN_DEFERRED
 * records belong to event 3. */
static const struct perf_attr attrs[] = {
	{.sample_type = TYPE | PERF_SAMPLE_CALLCHAIN, .flags = PERF_ATTR_SAMPLE_ID_ALL},
	{.sample_type = TYPE | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
			PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	 .read_format = PERF_FORMAT_GROUP,
	 .sample_regs_user = 3,
	 .flags = PERF_ATTR_SAMPLE_ID_ALL},
	{.sample_type = TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL},
};

static struct built input;
static struct sink sink;
static struct merger_options options;
static struct merger_counts counts;
static uint64_t now;
static bool swapped;
static size_t derived; /* index of the event of spans; 2, the event of the halves, means no spans */

static void begin(void)
{
	built_clear(&input);
	input.swap = swapped;
	put_header(&input);
	for (unsigned int i = 0; i < COUNT(attrs); i++)
		put_attr(&input, &attrs[i], i + 1, 1);
	options = (struct merger_options){.samples_max = 100, .bytes_max = 1 << 20};
	derived = 2;
	now = 1000;
}

/* ---- Records ---- */

static void put_front(uint64_t event, uint64_t ip, uint32_t pid, uint32_t tid)
{
	open_record(&input, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	PUT(&input, "88448", event, ip, pid, tid, ++now);
	if (event == 2)
		PUT(&input, "888", 2, 7, 8);
}

static void put_back(uint64_t event)
{
	if (event == 2) {
		put(&input, 4, 4);
		put_bytes(&input, "RAW!", 4);
		PUT(&input, "888888", 2, 101, 102, 8, 0x5354, 8);
	}
	close_record(&input);
}

/* Writes a sample whose callchain has `depth` addresses of the kernel, the marker USER_DEFERRED,
 * and the cookie. */
static void sample_of(uint64_t event, uint32_t pid, uint32_t tid, uint64_t cookie,
		      unsigned int depth)
{
	put_front(event, now, pid, tid);
	put(&input, 8, depth + 2);
	for (unsigned int i = 0; i < depth; i++)
		put(&input, 8, KERNEL(i));
	PUT(&input, "88", PERF_CONTEXT_USER_DEFERRED, cookie);
	put_back(event);
}

static void sample(uint32_t tid, uint64_t cookie)
{
	sample_of(1, 10, tid, cookie, 1);
}

/* Writes a sample with a complete callchain. */
static void whole(uint32_t tid, uint64_t address)
{
	put_front(1, now, 10, tid);
	PUT(&input, "88", 1, address);
	put_back(1);
}

static void half_of_process(uint32_t pid, uint32_t tid, uint64_t cookie, uint64_t first,
			    unsigned int count)
{
	open_record(&input, PERF_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	PUT(&input, "88", cookie, count);
	for (unsigned int i = 0; i < count; i++)
		put(&input, 8, first + i);
	PUT(&input, "4488", pid, tid, ++now, 3);
	close_record(&input);
}

static void half(uint32_t tid, uint64_t cookie, uint64_t first, unsigned int count)
{
	half_of_process(10, tid, cookie, first, count);
}

static void task(uint32_t type, uint16_t misc, uint32_t pid, uint32_t tid)
{
	open_record(&input, type, misc);
	if (type == PERF_RECORD_COMM)
		PUT(&input, "448", pid, tid, 0x61);
	else
		PUT(&input, "44448", pid, 1, tid, 1, now);
	PUT(&input, "4488", pid, tid, ++now, 3);
	close_record(&input);
}

/* ---- Results ---- */

static void take(struct merger *merger, const struct pk_record *record, bool trailers)
{
	enum pk_status status = PK_OK;

	if (record->time != PK_NO_TIME)
		status = merger_time(merger, record->time);
	ck_assert_int_eq(status, PK_OK);
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		status = merger_sample(merger, record, trailers, record->event->index == derived);
		break;
	case PERF_RECORD_CALLCHAIN_DEFERRED: status = merger_half(merger, record); break;
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
	case PERF_RECORD_COMM:
		status = merger_task(merger, record);
		if (!status)
			status = merger_pass(merger, record, NULL);
		break;
	default: break;
	}
	ck_assert_int_eq(status, PK_OK);
}

static void run_merger(bool trailers)
{
	struct source source = source_of(&input);
	struct pk_reader *reader = read_source(&source);
	struct pk_writer *writer;
	struct merger *merger;
	struct pk_record record;
	struct pk_order *order;

	built_clear(&sink.built);
	writer = write_sink(&sink);
	merger = merger_new(&options, writer);
	ck_assert_ptr_nonnull(merger);
	merger_start_session(merger, true, options.time_max);
	put_header(&sink.built);
	for (unsigned int i = 0; i < COUNT(attrs); i++)
		put_attr(&sink.built, &attrs[i], i + 1, 1);
	ck_assert_int_eq(pk_order_new(reader, &order), PK_OK);
	while (pk_order_next(order, &record) == PK_OK)
		take(merger, &record, trailers);
	ck_assert_int_eq(merger_finish(merger), PK_OK);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	counts = *merger_counts(merger);
	merger_free(merger);
	pk_writer_free(writer);
	pk_order_free(order);
	pk_reader_free(reader);
	ck_assert_uint_eq(source.warnings, 0);
}

static void add_text(char *text, size_t size, const char *format, uint64_t value)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, format, (unsigned long long)value);
}

static void describe(const struct pk_sample *sample, char *text, size_t size)
{
	add_text(text, size, *text ? " %llu:" : "%llu:", sample->tid);
	for (uint64_t i = 0; i < sample->callchain.count; i++) {
		uint64_t ip = pk_u64s_at(&sample->callchain, i);

		if (ip == PERF_CONTEXT_USER)
			add_text(text, size, "|", 0);
		else if (ip >= KERNEL(0) && ip < KERNEL(100))
			add_text(text, size, "k%llu", ip - KERNEL(0));
		else
			add_text(text, size, "u%llu", ip);
	}
	if (sample->chain_flags)
		add_text(text, size, "!", 0);
}

/* Returns the written samples as "TID:k0k1|u1u2". A sample with the flag for missing user addresses
 * has "!". */
static const char *written(void)
{
	static char text[4096];
	struct source source = source_of(&sink.built);
	struct pk_reader *reader = read_source(&source);
	struct pk_record record;
	struct pk_sample sample;

	*text = '\0';
	while (pk_reader_next(reader, &record) == PK_OK) {
		const struct pk_event *event = pk_reader_event_of(reader, &record);

		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(pk_sample_decode(event, &record, &sample), PK_OK);
		ck_assert_uint_eq(record.misc, PERF_RECORD_MISC_KERNEL);
		describe(&sample, text, sizeof(text));
		if (event->index != 1)
			continue;
		ck_assert_uint_eq(sample.read.count, 2);
		ck_assert_mem_eq(sample.raw.data, "RAW!", 4);
		ck_assert_uint_eq(pk_u64s_at(&sample.user_registers.values, 1), 102);
		ck_assert_uint_eq(sample.user_stack.size, 8);
	}
	pk_reader_free(reader);
	return text;
}

static void expect(const char *text)
{
	uint64_t alone = 0;

	run_merger(false);
	ck_assert_str_eq(written(), text);
	for (int reason = 0; reason < MERGER_REASONS; reason++)
		alone += counts.alone[reason];
	ck_assert_uint_eq(counts.samples, counts.merged + counts.empty + alone);
	ck_assert_uint_ge(counts.halves, counts.used + counts.repeated);
}

/* ---- Cases ---- */

START_TEST(one_entry)
{
	for (int i = 0; i < 2; i++) {
		swapped = i;
		begin();
		sample(10, 5);
		whole(10, KERNEL(9)); /* does not wait */
		sample_of(2, 10, 10, 5, 2);
		whole(11, 77);
		sample_of(1, 10, 10, 5, 0); /* sampled in user mode */
		half(10, 5, 1, 2);
		sample(10, 5); /* late sample */
		half(10, 5, 1, 2);
		expect("10:k0|u1u2 10:k9 10:k0k1|u1u2 11:u77 10:|u1u2 10:k0|u1u2");
		ck_assert_uint_eq(counts.late, 1);
		ck_assert_uint_eq(counts.repeated, 1);
		ck_assert_uint_eq(counts.used, 1);
		ck_assert_uint_eq(counts.samples_most, 3);
	}
	swapped = false;
}
END_TEST

/* Two threads have the same cookie, and each thread has its own half. */
START_TEST(two_threads)
{
	begin();
	sample(10, 5);
	sample(11, 5);
	half(11, 5, 1, 1);
	half(10, 5, 2, 1);
	sample(11, 5);
	expect("10:k0|u2 11:k0|u1 11:k0|u1");
}
END_TEST

START_TEST(lost_halves)
{
	begin();
	sample(10, 5);
	sample(10, 5);
	sample(10, 6);
	half(10, 6, 1, 1);
	sample(10, 7);
	sample(10, 6); /* late sample */
	sample(10, 7);
	half(11, 9, 3, 1);
	expect("10:k0! 10:k0! 10:k0|u1 10:k0! 10:k0|u1 10:k0!");
	ck_assert_uint_eq(counts.alone[MERGER_PASSED], 2);
	ck_assert_uint_eq(counts.alone[MERGER_FINISHED], 2);
	ck_assert_uint_eq(counts.halves - counts.used, 1);
	/* The half was sorted after a sample of the next entry to the kernel. */
	begin();
	sample(10, 5);
	sample(10, 6);
	half(10, 5, 1, 1);
	half(10, 6, 2, 1);
	expect("10:k0|u1 10:k0|u2");
	/* The same happens for each copy of the half. The sample of the next entry to the kernel
	 * continues to wait. */
	begin();
	sample(10, 5);
	sample(10, 6);
	half(10, 5, 1, 1);
	half(10, 5, 1, 1);
	half(10, 6, 2, 1);
	expect("10:k0|u1 10:k0|u2");
	ck_assert_uint_eq(counts.repeated, 1);
}
END_TEST

START_TEST(cookies)
{
	begin();
	sample(10, KERNEL(5)); /* cookie that looks like an address, ... */
	half(10, KERNEL(5), 1, 1);
	sample(10, PERF_CONTEXT_USER_DEFERRED); /* ... or like a marker */
	half(10, PERF_CONTEXT_USER_DEFERRED, 2, 1);
	sample(10, 0);
	half(10, 0, PERF_CONTEXT_USER, 1); /* a half with only a marker */
	put_front(1, now, 10, 10);
	PUT(&input, "888", 2, KERNEL(0), PERF_CONTEXT_USER_DEFERRED); /* no cookie */
	put_back(1);
	expect("10:k0|u1 10:k0|u2 10:k0! 10:k0!");
	ck_assert_uint_eq(counts.empty, 1);
	ck_assert_uint_eq(counts.alone[MERGER_NO_COOKIE], 1);
}
END_TEST

/* The kernel writes the last half of a task after its EXIT. */
START_TEST(end_of_task)
{
	begin();
	sample(10, 5);
	task(PERF_RECORD_EXIT, 0, 10, 10);
	half(10, 5, 1, 1);
	sample(10, 5);
	sample(11, 6);
	task(PERF_RECORD_EXIT, 0, 10, 11);
	now += 2000000000;
	whole(12, 7);
	sample(11, 6);
	expect("10:k0|u1 10:k0|u1 11:k0! 12:u7 11:k0!");
	ck_assert_uint_eq(counts.alone[MERGER_ENDED], 1);
	/* A new task gets the same tid. */
	begin();
	sample(10, 5);
	task(PERF_RECORD_FORK, 0, 10, 10);
	sample(10, 5);
	sample(11, 6);
	task(PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, 11, 11); /* not a new task */
	half(11, 6, 1, 1);
	half(10, 5, 1, 1);
	expect("10:k0! 10:k0|u1 11:k0|u1");
}
END_TEST

/* The half after an exec belongs to the new program. It is not joined to samples of the old
 * program. */
START_TEST(execution)
{
	begin();
	sample(10, 5);
	task(PERF_RECORD_COMM, 0, 10, 10); /* a new name without an exec */
	sample(10, 5);
	task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 10, 10);
	sample(10, 5);
	half(10, 5, 1, 1);
	sample(10, 5);
	expect("10:k0! 10:k0! 10:k0|u1 10:k0|u1");
	ck_assert_uint_eq(counts.alone[MERGER_EXECUTED], 2);
	/* Thread 11 calls exec, and has the tid 10 afterwards. Threads of other processes can still
	 * get their halves. */
	begin();
	sample(10, 4); /* thread 10, which the exec ends */
	sample(11, 5);
	sample(12, 6);
	sample(13, 7);
	task(PERF_RECORD_EXIT, 0, 10, 10);
	half(10, 4, 1, 1);
	task(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 10, 10);
	sample(10, 5);
	half(12, 6, 3, 1);
	half(10, 5, 2, 1);
	now += 2000000000;
	whole(14, 7);
	expect("10:k0|u1 11:k0! 12:k0|u3 13:k0! 10:k0|u2 14:u7");
	ck_assert_uint_eq(counts.alone[MERGER_ENDED], 2);
}
END_TEST

/* The callchain of a span can belong to another task, whose half can come late. */
START_TEST(spans)
{
	begin();
	derived = 1;
	sample_of(2, 10, 10, 5, 1); /* the callchain belongs to thread 11 */
	sample_of(2, 10, 12, 6, 1);
	sample(10, 7);
	half(10, 7, 1, 1);
	half(11, 5, 2, 1);
	half(12, 6, 3, 1);
	sample_of(2, 10, 12, 6, 1);
	sample_of(2, 10, 12, 8, 1);
	expect("10:k0|u2 12:k0|u3 10:k0|u1 12:k0|u3 12:k0!");
	ck_assert_uint_eq(counts.used, 3);
	ck_assert_uint_eq(counts.alone[MERGER_FINISHED], 1);
}
END_TEST

/* All tasks outside of the pid namespace have the same tid. */
START_TEST(namespaces)
{
	begin();
	for (int i = 0; i < 2; i++) {
		uint32_t tid = i ? UINT32_MAX : 0;

		sample(tid, 5 + tid % 7);
		sample(tid, 6 + tid % 7);
		half(tid, 6 + tid % 7, 1, 1);
		half(tid, 5 + tid % 7, 2, 1);
		sample(tid, 6 + tid % 7);
	}
	expect("0:k0|u2 0:k0|u1 0:k0|u1 4294967295:k0|u2 4294967295:k0|u1 4294967295:k0|u1");
}
END_TEST

START_TEST(bounds)
{
	begin();
	options.samples_max = 2;
	sample(10, 5);
	sample(11, 6);
	sample(10, 5);
	half(11, 6, 1, 1);
	half(10, 5, 2, 1);
	expect("10:k0! 11:k0|u1 10:k0|u2");
	ck_assert_uint_eq(counts.alone[MERGER_FULL], 1);
	begin();
	options.bytes_max = 0;
	sample(10, 5);
	half(10, 5, 2, 1);
	sample(10, 5); /* late sample, which does not wait */
	expect("10:k0! 10:k0|u2");
	/* Records after a waiting sample also count for the limit. */
	begin();
	options.bytes_max = 2000;
	sample(10, 5);
	for (int i = 0; i < 30; i++)
		whole(12, 7);
	sample(11, 6);
	half(11, 6, 2, 1);
	half(10, 5, 2, 1);
	run_merger(false);
	ck_assert_uint_eq(counts.alone[MERGER_FULL], 1);
	ck_assert_uint_eq(counts.merged, 1);
	ck_assert_uint_le(counts.bytes_most, 2000);
	/* The limit of the time. */
	begin();
	options.time_max = 1000000;
	sample(10, 5);
	now += 1000000 - 1;
	sample(11, 6);
	half(11, 6, 1, 1);
	half(10, 5, 2, 1);
	expect("10:k0! 11:k0|u1");
	ck_assert_uint_eq(counts.alone[MERGER_LATE], 1);
}
END_TEST

/* A half can be used until 4 MiB of records have followed it. */
START_TEST(late_samples)
{
	for (unsigned int before = 0; before < 2; before++) {
		const unsigned int records = before ? 62 : 66;

		begin();
		options.bytes_max = UINT64_MAX;
		sample(12, 1); /* all these records wait after the waiting sample */
		half(10, 5, 7, 1);
		for (unsigned int i = 0; i < records; i++)
			sample_of(1, 10, 11, 1, (65528 - 56) / 8 - 2);
		sample(10, 5);
		run_merger(false);
		ck_assert_uint_eq(counts.late, before);
		ck_assert_uint_eq(counts.merged, before);
	}
}
END_TEST

START_TEST(sizes)
{
	begin();
	sample_of(1, 10, 10, 5, 8000);
	half(10, 5, 1, 8000);
	run_merger(false);
	ck_assert_uint_eq(counts.shortened, 1);
	ck_assert_uint_eq(counts.merged, 1);
	ck_assert_uint_eq(pk_load_u16(sink.built.data + sink.built.size - 65528 + 6), 65528);
	/* A sample of the maximum size, and a sample that has room for a trailer only after its
	 * cookie was removed. */
	begin();
	sample_of(1, 10, 10, 5, (65528 - 56) / 8 - 2);
	sample_of(1, 10, 10, 6, (65528 - 56) / 8 - 2);
	half(10, 6, 1, 3);
	run_merger(false);
	ck_assert_uint_eq(counts.shortened, 1);
	ck_assert_uint_eq(counts.alone[MERGER_PASSED], 1);
}
END_TEST

/* If a sample has a chain trailer, the trailer remains. */
START_TEST(trailers)
{
	struct pk_sample sample;
	struct pk_record record;
	struct pk_reader *reader;
	struct source source;

	begin();
	put_front(1, now, 10, 10);
	PUT(&input, "8888", 3, KERNEL(0), PERF_CONTEXT_USER_DEFERRED, 5);
	PUT(&input, "44", PK_CHAIN_TRAILER_TAG, PK_CHAIN_NO_CFI);
	close_record(&input);
	run_merger(true);
	source = source_of(&sink.built);
	reader = read_source(&source);
	do {
		ck_assert_int_eq(pk_reader_next(reader, &record), PK_OK);
	} while (record.type != PERF_RECORD_SAMPLE);
	ck_assert_int_eq(pk_sample_decode(pk_reader_event_of(reader, &record), &record, &sample),
			 PK_OK);
	ck_assert_uint_eq(sample.chain_flags, PK_CHAIN_NO_CFI | PK_CHAIN_USER_MISSING);
	ck_assert_uint_eq(record.size, sample.size + PK_CHAIN_TRAILER_SIZE);
	pk_reader_free(reader);
}
END_TEST

START_TEST(flags)
{
	const uint64_t defer = PERF_ATTR_DEFER_CALLCHAIN, told = PERF_ATTR_DEFER_OUTPUT;
	struct perf_attr attr = attrs[0];
	struct pk_record record;
	uint64_t *words;

	built_clear(&input);
	attr.flags |= defer | told;
	put_attr(&input, &attr, 1, 1);
	record = last_built(&input);
	ck_assert(flags_defer(&record));
	flags_clear(&record, true, input.data);
	ck_assert(!flags_defer(&record));
	ck_assert_uint_eq(pk_load_u64(record.data + 48), flags_of(&input, attrs[0].flags | told));
	flags_clear(&record, false, input.data);
	ck_assert_uint_eq(pk_load_u64(record.data + 48), flags_of(&input, attrs[0].flags));
	/* EVENT_DESC declares three events, but has only two. */
	built_clear(&input);
	open_record(&input, PERF_RECORD_HEADER_FEATURE, 0);
	PUT(&input, "844", PERF_FEATURE_EVENT_DESC, 3, 64);
	for (int i = 0; i < 2; i++) {
		PUT(&input, "888888", 0, 0, 0, 0, 0, flags_of(&input, defer | told));
		PUT(&input, "884488", 0, 0, 1, 8, 0x61, 1);
	}
	close_record(&input);
	record = last_built(&input);
	words = (uint64_t *)(void *)input.data;
	flags_clear(&record, false, input.data);
	ck_assert_uint_eq(pk_load_u64(&words[3 + 5]), 0);
	ck_assert_uint_eq(pk_load_u64(&words[3 + 11 + 5]), 0);
	ck_assert_uint_eq(pk_load_u64(&words[3 + 10]), 1);
}
END_TEST

RUN_TESTS("merge", one_entry, two_threads, lost_halves, cookies, end_of_task, execution, spans,
	  namespaces, bounds, late_samples, sizes, trailers, flags)
