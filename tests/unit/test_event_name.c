// SPDX-License-Identifier: BSD-2-Clause
/* Tests names of events: EVENT_UPDATE, EVENT_DESC, type and config. */
#include "pkprivate.h"
#include "stream_builder.h"

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

static void expect_name(size_t index, const char *name)
{
	ck_assert_str_eq(pk_events_at(events, index)->name, name);
}

START_TEST(derived_names)
{
	static const struct {
		uint32_t type;
		uint64_t config, config1;
		const char *name;
	} cases[] = {
		{0, 0, 0, "cycles"},
		{0, 9, 0, "ref-cycles"},
		{0, 10, 0, "raw 0xa"},
		{1, 0, 0, "cpu-clock"},
		{1, 11, 0, "cgroup-switches"},
		{1, 12, 0, "raw 0xc"},
		{1, UINT64_MAX, 0, "raw 0xffffffffffffffff"},
		{2, 314, 0, "tracepoint 314"},
		{3, 0, 0, "L1-dcache-loads"},
		{3, 0x10203, 0, "dTLB-prefetch-misses"},
		{3, 0x10006, 0, "node-load-misses"},
		{3, 7, 0, "raw 0x7"},
		{3, 0x300, 0, "raw 0x300"},
		{3, 0x20000, 0, "raw 0x20000"},
		{3, 0x1000000, 0, "raw 0x1000000"},
		{4, 0x1a2b, 0, "raw 0x1a2b"},
		{5, 0, 0xc0ffee, "mem:0xc0ffee:"},
		{77, 3, 0, "raw 0x3"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct perf_attr attr = {.type = cases[i].type,
					 .config = cases[i].config,
					 .config1 = cases[i].config1};

		begin(false);
		put_attr(&built, &attr, 1, 1);
		read_all();
		expect_name(0, cases[i].name);
		done();
	}
}
END_TEST

/* The name of an event includes its modifiers. */
START_TEST(modifiers)
{
	const uint64_t user = PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV,
		       kernel = PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_HV,
		       precise = UINT64_C(1) << PERF_ATTR_PRECISE_IP_SHIFT;
	const struct {
		struct perf_attr attr;
		const char *name;
	} cases[] = {
		{{.type = 0, .flags = user}, "cycles:u"},
		{{.type = 0, .flags = PERF_ATTR_EXCLUDE_USER}, "cycles:kh"},
		{{.type = 0, .flags = PERF_ATTR_EXCLUDE_GUEST}, "cycles"},
		{{.type = 0, .flags = PERF_ATTR_EXCLUDE_HOST}, "cycles:G"},
		{{.type = 0, .flags = PERF_ATTR_EXCLUDE_GUEST | user}, "cycles:uH"},
		{{.type = 0, .flags = PERF_ATTR_EXCLUDE_GUEST | 2 * precise}, "cycles:ppH"},
		{{.type = 4, .config = 0xc4, .flags = kernel | 3 * precise}, "raw 0xc4:kppp"},
		{{.type = 2, .config = 9, .flags = user}, "tracepoint 9"},
		{{.type = 5, .bp_type = 3, .config1 = 0x10}, "mem:0x10:rw"},
		{{.type = 5, .bp_type = 4, .flags = user}, "mem:0x0:x:u"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		begin(false);
		put_attr(&built, &cases[i].attr, 1, 1);
		read_all();
		expect_name(0, cases[i].name);
		done();
	}
}
END_TEST

/* A name from another source is used only if the stream contains no name. */
START_TEST(named)
{
	struct perf_attr attr = {.type = 2, .config = 9};

	begin(false);
	put_attr(&built, &attr, 1, 1);
	put_attr(&built, &attr, 2, 1);
	put_name(&built, 2, "by:itself");
	read_all();
	ck_assert_int_eq(pk_reader_name_event(reader, pk_events_at(events, 0), "a:tracepoint"), 0);
	ck_assert_int_eq(pk_reader_name_event(reader, pk_events_at(events, 1), "a:tracepoint"), 0);
	expect_name(0, "a:tracepoint");
	expect_name(1, "by:itself");
	done();
}
END_TEST

/* SPEC 4.3: the last update is valid, id 0 stands for the first event, and unknown ids are ignored.
 */
START_TEST(updates)
{
	struct perf_attr attr = {.type = 1};

	for (int swap = 0; swap < 2; swap++) {
		begin(swap);
		put_attr(&built, &attr, 101, 2);
		put_attr(&built, &attr, 201, 2);
		put_name(&built, 202, "two");
		put_name(&built, 999, "nobody");
		put_name(&built, 0, "first");
		read_all();
		expect_name(0, "first");
		expect_name(1, "two");
		done();
	}
	begin(false);
	put_attr(&built, &attr, 101, 1);
	put_name(&built, 101, "a");
	put_name(&built, 101, "b");
	put_name(&built, 101, "");
	put_name(&built, 102, "c");
	read_all();
	expect_name(0, "c");
	done();
	/* A name without a NUL. */
	begin(false);
	put_attr(&built, &attr, 101, 1);
	open_record(&built, PERF_RECORD_EVENT_UPDATE, 0);
	PUT(&built, "88", PERF_EVENT_UPDATE_NAME, 101);
	put_bytes(&built, "endless!", 8);
	close_record(&built);
	read_all();
	expect_name(0, "endless!");
	done();
}
END_TEST

static void open_description(uint32_t count, uint32_t attr_size)
{
	open_record(&built, PERF_RECORD_HEADER_FEATURE, 0);
	PUT(&built, "844", PERF_FEATURE_EVENT_DESC, count, attr_size);
}

static void describe(uint32_t ids, const char *name, uint64_t id)
{
	put(&built, 4, 0);
	put(&built, 4, 64);
	put_zeros(&built, 56);
	PUT(&built, "44", ids, 64);
	put_bytes(&built, name, strlen(name));
	put_zeros(&built, 64 - strlen(name));
	for (uint32_t i = 0; i < ids; i++)
		put(&built, 8, id + i);
}

START_TEST(descriptions)
{
	struct perf_attr attr = {.type = 1};

	for (int swap = 0; swap < 2; swap++) {
		begin(swap);
		put_attr(&built, &attr, 101, 2);
		put_attr(&built, &attr, 201, 2);
		put_attr(&built, &attr, 301, 2);
		put_name(&built, 301, "updated");
		open_description(3, 64);
		describe(1, "two", 202);
		describe(2, "one", 101);
		describe(1, "three", 301);
		close_record(&built);
		read_all();
		expect_name(0, "one");
		expect_name(1, "two");
		expect_name(2, "updated");
		ck_assert_uint_eq(source.warnings, 0);
		done();
	}
	/* If the events have no ids, the position of an entry is the number of its event. */
	begin(false);
	put_attr(&built, &attr, 0, 0);
	put_attr(&built, &attr, 0, 0);
	open_description(2, 64);
	describe(0, "one", 0);
	describe(0, "two", 0);
	close_record(&built);
	read_all();
	expect_name(0, "one");
	expect_name(1, "two");
	done();
}
END_TEST

/* Numbers that are too large for the record. */
START_TEST(false_descriptions)
{
	static const uint32_t numbers[][4] = {
		/* In each case: the number of entries, attr_size, the number of ids, and the length
		   of the name. */
		{UINT32_MAX, 0, 0, 0},	{1, UINT32_MAX, 0, 0}, {1, 64, UINT32_MAX, 4},
		{1, 64, 0, UINT32_MAX}, {1, 65, 0, 0},	       {1, 64, 1, 0xfffffff8},
		{1, 0, 0x20000000, 4},
	};
	struct perf_attr attr = {.type = 1};

	for (size_t i = 0; i < COUNT(numbers); i++) {
		begin(false);
		put_attr(&built, &attr, 101, 2);
		open_description(numbers[i][0], numbers[i][1]);
		put(&built, 4, 0);
		put(&built, 4, 64);
		put_zeros(&built, 56);
		PUT(&built, "44", numbers[i][2], numbers[i][3]);
		put_bytes(&built, "abc", 4);
		close_record(&built);
		put_empty(&built, PERF_RECORD_FINISHED_INIT);
		read_all();
		expect_name(0, "cpu-clock");
		done();
	}
}
END_TEST

RUN_TESTS("event_name", derived_names, modifiers, named, updates, descriptions, false_descriptions)
