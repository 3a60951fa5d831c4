// SPDX-License-Identifier: BSD-2-Clause
/* Tests the samples that pk-unwind writes. A callchain replaces registers and stack, and all other
 * fields are unchanged. */
#include "pkprivate.h"
#include "sample_builder.h"
#include "unwind_stage.h"

static struct built built;
static struct sink sink;
static struct source from, to;
static struct pk_reader *in, *out;
static struct pk_writer *writer;
static struct pk_record record;
static struct pk_sample before, after;

static const uint64_t ips[] = {0x401000, 0x402000, 0x403000, 0x404000};

static const uint64_t *chain; /* replaces the sample's addresses; may be NULL */

/* Builds an event and a sample with these trailers, and reads the event. */
static void make(const struct perf_attr *attr, const struct shape *shape, uint16_t misc,
		 bool chain_trailer, bool stack_trailer)
{
	put_header(&built);
	put_attr(&built, attr, value_of(F_IDENTIFIER, 0), 1);
	open_record(&built, PERF_RECORD_SAMPLE, misc);
	put_sample_fields(&built, attr, shape);
	if (chain_trailer)
		PUT(&built, "44", PK_CHAIN_TRAILER_TAG, PK_CHAIN_USER_MISSING);
	if (stack_trailer)
		PUT(&built, "44", PK_STACK_TRAILER_TAG, 77);
	close_record(&built);
	if (chain)
		memcpy(built.data + built.record + 16, chain, 8 * shape->chain);
	from = source_of(&built);
	in = read_source(&from);
	expect_record(in, PK_RECORD_BEGIN);
	writer = write_sink(&sink);
	ck_assert_int_eq(pk_writer_header(writer), PK_OK);
}

/* Writes the event and the sample, and reads what was written. */
static enum pk_status convert(size_t count, uint32_t flags, bool keep, size_t *cut)
{
	struct unwind_output output = {
		.ips = ips, .count = count, .flags = flags, .keep = keep, .sample = &before};
	enum pk_status status;

	const struct pk_event *event;

	record = expect_record(in, PERF_RECORD_HEADER_ATTR);
	event = pk_events_at(pk_reader_events(in), 0);
	ck_assert_int_eq(unwind_write_attr(writer, &record, event, keep), PK_OK);
	record = expect_record(in, PERF_RECORD_SAMPLE);
	output.record = &record;
	output.event = event;
	ck_assert_int_eq(pk_sample_decode(output.event, &record, &before), PK_OK);
	status = unwind_write_sample(writer, &output, cut);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	if (status)
		return status;
	to = source_of(&sink.built);
	out = read_source(&to);
	expect_record(out, PK_RECORD_BEGIN);
	expect_record(out, PERF_RECORD_HEADER_ATTR);
	record = expect_record(out, PERF_RECORD_SAMPLE);
	ck_assert_int_eq(pk_sample_decode(pk_events_at(pk_reader_events(out), 0), &record, &after),
			 PK_OK);
	ck_assert_uint_eq(to.warnings, 0);
	return PK_OK;
}

static void unmake(void)
{
	pk_reader_free(in);
	pk_reader_free(out);
	pk_writer_free(writer);
	built_clear(&built);
	built_clear(&sink.built);
	sink = (struct sink){0};
	in = out = NULL;
	writer = NULL;
}

static void same(const uint8_t *a, uint64_t a_size, const uint8_t *b, uint64_t b_size)
{
	ck_assert_uint_eq(a_size, b_size);
	if (a_size)
		ck_assert_mem_eq(a, b, a_size);
}

static void same_words(const struct pk_u64s *a, const struct pk_u64s *b)
{
	same(a->data, 8 * a->count, b->data, 8 * b->count);
}

static void expect_same_fields(bool keep)
{
	ck_assert_uint_eq(after.id, before.id);
	ck_assert_uint_eq(after.ip, before.ip);
	ck_assert_uint_eq(after.time, before.time);
	ck_assert_uint_eq(after.addr, before.addr);
	ck_assert_uint_eq(after.stream_id, before.stream_id);
	ck_assert_uint_eq(after.period, before.period);
	ck_assert_uint_eq(after.pid, before.pid);
	ck_assert_uint_eq(after.tid, before.tid);
	ck_assert_uint_eq(after.cpu, before.cpu);
	ck_assert_uint_eq(after.read.value, before.read.value);
	same_words(&after.read.group, &before.read.group);
	same(after.raw.data, after.raw.size, before.raw.data, before.raw.size);
	same(after.branches.data, 24 * after.branches.count, before.branches.data,
	     24 * before.branches.count);
	same_words(&after.branch_counters, &before.branch_counters);
	same_words(&after.interrupt_registers.values, &before.interrupt_registers.values);
	ck_assert_uint_eq(after.weight, before.weight);
	ck_assert_uint_eq(after.data_src, before.data_src);
	ck_assert_uint_eq(after.transaction, before.transaction);
	ck_assert_uint_eq(after.phys_addr, before.phys_addr);
	ck_assert_uint_eq(after.cgroup, before.cgroup);
	ck_assert_uint_eq(after.data_page_size, before.data_page_size);
	ck_assert_uint_eq(after.code_page_size, before.code_page_size);
	same(after.aux.data, after.aux.size, before.aux.data, before.aux.size);
	ck_assert_uint_eq(after.has_stack, before.has_stack);
	ck_assert_uint_eq(after.stack, before.stack);
	ck_assert_uint_eq(after.user_registers.abi, keep ? before.user_registers.abi : 0);
	ck_assert_uint_eq(after.user_stack.size, keep ? before.user_stack.size : 0);
}

/* Checks the callchain: `kernel` addresses of the kernel, and then `count` user addresses. */
static void expect_chain(uint64_t kernel, size_t count)
{
	ck_assert_uint_eq(after.callchain.count, kernel + (count ? 1 + count : 0));
	for (uint64_t i = 0; i < kernel; i++)
		ck_assert_uint_eq(pk_u64s_at(&after.callchain, i), value_of(F_CHAIN, i));
	if (count)
		ck_assert_uint_eq(pk_u64s_at(&after.callchain, kernel), PERF_CONTEXT_USER);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(pk_u64s_at(&after.callchain, kernel + 1 + i), ips[i]);
}

#define BOTH (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

static struct perf_attr an_attr(uint64_t type)
{
	return (struct perf_attr){
		.size = PERF_ATTR_SIZE_VER9,
		.sample_type = type | BOTH,
		.flags = PERF_ATTR_EXCLUDE_CALLCHAIN_USER,
		.sample_regs_user = 0xff0fff,
		.sample_stack_user = 24,
		.sample_regs_intr = 0xff,
	};
}

START_TEST(whatever_else_a_sample_has)
{
	uint64_t seed = 4711;

	for (int i = 0; i < 2000; i++) {
		struct perf_attr attr = an_attr(random_below(&seed, PERF_SAMPLE_KNOWN + 1));
		struct shape shape = usual_shape;
		const bool keep = random_below(&seed, 2);
		const uint32_t flags = (uint32_t)random_below(&seed, 64);
		size_t count = random_below(&seed, 5), cut;

		attr.read_format = random_below(&seed, 32);
		shape.abi = random_below(&seed, 3);
		shape.stack = (unsigned int)random_below(&seed, 3) * 24;
		shape.chain = (unsigned int)random_below(&seed, 3) * 3;
		make(&attr, &shape, PERF_RECORD_MISC_USER, random_below(&seed, 2),
		     random_below(&seed, 2));
		ck_assert_int_eq(convert(count, flags, keep, &cut), PK_OK);
		ck_assert_uint_eq(cut, 0);
		expect_same_fields(keep);
		expect_chain(attr.sample_type & PERF_SAMPLE_CALLCHAIN ? shape.chain : 0, count);
		ck_assert_uint_eq(after.chain_flags, flags);
		unmake();
	}
}
END_TEST

START_TEST(attrs)
{
	struct perf_attr attr = an_attr(PERF_SAMPLE_IP);
	size_t cut;

	make(&attr, &usual_shape, PERF_RECORD_MISC_USER, false, false);
	convert(1, 0, false, &cut);
	attr = pk_events_at(pk_reader_events(out), 0)->attr;
	ck_assert_uint_eq(attr.sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN);
	ck_assert_uint_eq(attr.flags, 0);
	ck_assert_uint_eq(attr.sample_regs_user, 0);
	ck_assert_uint_eq(attr.sample_stack_user, 0);
	ck_assert_uint_eq(attr.sample_regs_intr, 0xff);
	ck_assert_uint_eq(pk_events_at(pk_reader_events(out), 0)->ids[0],
			  value_of(F_IDENTIFIER, 0));
	unmake();
}
END_TEST

START_TEST(a_kernel_sample_without_a_chain)
{
	struct perf_attr attr = an_attr(PERF_SAMPLE_IP);
	size_t cut;

	make(&attr, &usual_shape, PERF_RECORD_MISC_KERNEL, false, false);
	convert(2, 0, false, &cut);
	ck_assert_uint_eq(after.callchain.count, 5);
	ck_assert_uint_eq(pk_u64s_at(&after.callchain, 0), PERF_CONTEXT_KERNEL);
	ck_assert_uint_eq(pk_u64s_at(&after.callchain, 1), value_of(F_IP, 0));
	ck_assert_uint_eq(pk_u64s_at(&after.callchain, 2), PERF_CONTEXT_USER);
	unmake();
}
END_TEST

/* The addresses after the marker USER, or after a cookie, are replaced. */
START_TEST(a_user_part_that_was_there)
{
	static const uint64_t markers[] = {PERF_CONTEXT_USER, PERF_CONTEXT_USER_DEFERRED};

	for (size_t i = 0; i < COUNT(markers); i++) {
		const uint64_t words[] = {PERF_CONTEXT_KERNEL, 0xffffffff81000000, markers[i], 1,
					  2};
		struct perf_attr attr = an_attr(PERF_SAMPLE_CALLCHAIN);
		struct shape shape = usual_shape;
		size_t cut;

		shape.chain = COUNT(words);
		chain = words;
		make(&attr, &shape, PERF_RECORD_MISC_KERNEL, false, false);
		convert(4, 0, false, &cut);
		ck_assert_uint_eq(after.callchain.count, 7);
		ck_assert_uint_eq(pk_u64s_at(&after.callchain, 1), words[1]);
		ck_assert_uint_eq(pk_u64s_at(&after.callchain, 2), PERF_CONTEXT_USER);
		ck_assert_uint_eq(pk_u64s_at(&after.callchain, 6), ips[3]);
		chain = NULL;
		unmake();
	}
}
END_TEST

/* A record has at most 65,528 bytes. */
START_TEST(no_room)
{
	struct perf_attr attr = an_attr(PERF_SAMPLE_IP | PERF_SAMPLE_RAW);
	struct shape shape = usual_shape;
	size_t cut;

	/* The record has no room for the new callchain. The end of the stack dump is cut to make
	 * room. */
	shape.stack = 65528 - 8 - 8 - 16 - 8 * (1 + 20) - 16;
	shape.dyn_size = shape.stack;
	make(&attr, &shape, PERF_RECORD_MISC_USER, false, false);
	ck_assert_int_eq(convert(4, PK_CHAIN_STACK_SHORT, true, &cut), PK_OK);
	ck_assert_uint_eq(cut, 0);
	ck_assert_uint_eq(record.size, PERF_RECORD_SIZE_MAX);
	expect_chain(0, 4);
	ck_assert_uint_eq(after.user_stack.size, shape.stack - 8 * 7);
	ck_assert_mem_eq(after.user_stack.data, before.user_stack.data, after.user_stack.size);
	unmake();
	/* If there is no stack dump to cut, callers are cut, and a flag is set. */
	shape = usual_shape;
	shape.abi = 0;
	shape.stack = 0;
	shape.raw = 65528 - 8 - 8 - 4 - 16;
	make(&attr, &shape, PERF_RECORD_MISC_USER, false, false);
	ck_assert_int_eq(convert(4, 0, false, &cut), PK_UNSUPPORTED);
	unmake();
	shape.raw -= 16;
	make(&attr, &shape, PERF_RECORD_MISC_USER, false, false);
	ck_assert_int_eq(convert(4, 0, false, &cut), PK_OK);
	ck_assert_uint_eq(cut, 3);
	expect_chain(0, 1);
	ck_assert_uint_eq(after.chain_flags, PK_CHAIN_STACK_SHORT);
	unmake();
}
END_TEST

RUN_TESTS("unwind_write", whatever_else_a_sample_has, attrs, a_kernel_sample_without_a_chain,
	  a_user_part_that_was_there, no_room)
