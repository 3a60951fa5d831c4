// SPDX-License-Identifier: BSD-2-Clause
/* A stream in the other byte order must give the same records as the stream in the byte order of
 * the host. */
#include "feature_builder.h"
#include "sample_builder.h"

static struct perf_attr attr;

/* Writes the trailer of a record other than SAMPLE. `attr` defines its fields. */
static void put_trailer(struct built *b)
{
	uint64_t type = attr.sample_type;

	if (!(attr.flags & PERF_ATTR_SAMPLE_ID_ALL))
		return;
	if (type & PERF_SAMPLE_TID)
		PUT(b, "44", 0x01020304, 0x05060708);
	if (type & PERF_SAMPLE_TIME)
		put(b, 8, 0x1112131415161718);
	if (type & PERF_SAMPLE_ID)
		put(b, 8, 0x2122232425262728);
	if (type & PERF_SAMPLE_STREAM_ID)
		put(b, 8, 0x3132333435363738);
	if (type & PERF_SAMPLE_CPU)
		PUT(b, "44", 0x41424344, 0);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put(b, 8, 0x2122232425262728);
}

/* Writes numbers with these widths. Their values change if they are swapped. 's' is a string, 'p'
 * the prot of a map, 'i' the size of a build-id, and '.' a byte. */
static void put_pattern(struct built *b, const char *widths)
{
	unsigned int n = (unsigned int)*widths;

	for (; *widths; widths++) {
		if (*widths == 's')
			put_string(b, n++ % 2 ? "a name of some length" : "");
		else if (*widths == 'p')
			put(b, 4, 5);
		else if (*widths == 'i')
			put_bytes(b, "\x14\0\0", 4);
		else if (*widths == '.')
			put_bytes(b, &"abcdefgh"[n++ % 8], 1);
		else
			put(b, (unsigned int)(*widths - '0'), value_of(n++, 0));
	}
}

/* Records of the kernel (SPEC 3.5). */
static const struct {
	uint32_t type;
	uint16_t misc;
	const char *widths;
} kernel_records[] = {
	{PERF_RECORD_MMAP, 2, "44888s"},
	{PERF_RECORD_LOST, 0, "88"},
	{PERF_RECORD_COMM, 0, "44s"},
	{PERF_RECORD_EXIT, 0, "44448"},
	{PERF_RECORD_THROTTLE, 0, "888"},
	{PERF_RECORD_UNTHROTTLE, 0, "888"},
	{PERF_RECORD_FORK, 0, "44448"},
	{PERF_RECORD_READ, 0, "448"},
	{PERF_RECORD_READ, 0, "4488888"},
	{PERF_RECORD_MMAP2, 2, "448884488p4s"},
	{PERF_RECORD_MMAP2, 2 | PERF_RECORD_MISC_MMAP_BUILD_ID, "44888i....................p4s"},
	{PERF_RECORD_MMAP2, 2 | PERF_RECORD_MISC_MMAP_BUILD_ID, "448884488p4s"}, /* with a device */
	{PERF_RECORD_AUX, 0, "888"},
	{PERF_RECORD_ITRACE_START, 0, "44"},
	{PERF_RECORD_LOST_SAMPLES, 0, "8"},
	{PERF_RECORD_SWITCH, 0, ""},
	{PERF_RECORD_SWITCH_CPU_WIDE, 0, "44"},
	{PERF_RECORD_KSYMBOL, 0, "8422s"},
	{PERF_RECORD_BPF_EVENT, 0, "224........"},
	{PERF_RECORD_CGROUP, 0, "8s"},
	{PERF_RECORD_AUX_OUTPUT_HW_ID, 0, "8"},
};

static void put_kernel_records(struct built *b)
{
	for (size_t i = 0; i < COUNT(kernel_records); i++) {
		open_record(b, kernel_records[i].type, kernel_records[i].misc);
		put_pattern(b, kernel_records[i].widths);
		put_trailer(b);
		close_record(b);
	}
	open_record(b, PERF_RECORD_NAMESPACES, 0);
	PUT(b,
	    "448"
	    "88"
	    "88",
	    1, 2, 2, 0x0102030405060708, 9, 10, 11);
	put_trailer(b);
	close_record(b);
	open_record(b, PERF_RECORD_TEXT_POKE, 0);
	PUT(b, "822", 0xffffffff81000000, 3, 5);
	put_bytes(b, "abcdefgh\0\0\0\0", 12);
	put_trailer(b);
	close_record(b);
	for (unsigned int count = 0; count < 3; count++) {
		open_record(b, PERF_RECORD_CALLCHAIN_DEFERRED, 2);
		PUT(b, "88", 0x100000002, count);
		put_values(b, F_CHAIN, count);
		put_trailer(b);
		close_record(b);
	}
}

/* Records of tools (SPEC 3.6), without payloads. */
static const struct {
	uint32_t type;
	uint16_t misc;
	const char *widths;
} user_records[] = {
	{PERF_RECORD_HEADER_EVENT_TYPE, 0,
	 "8................................................................"},
	{PERF_RECORD_HEADER_BUILD_ID, 1, "4........................s"},
	{PERF_RECORD_FINISHED_ROUND, 0, ""},
	{PERF_RECORD_AUXTRACE_INFO, 0, "44888"},
	{PERF_RECORD_STAT, 0, "844888"},
	{PERF_RECORD_STAT_ROUND, 0, "88"},
	{PERF_RECORD_TIME_CONV, 0, "888"},
	{PERF_RECORD_TIME_CONV, 0, "88888........"},
	{PERF_RECORD_FINISHED_INIT, 0, ""},
	{PERF_RECORD_SCHEDSTAT_CPU, 0, "842..444444888"},
	{PERF_RECORD_SCHEDSTAT_DOMAIN, 0, "8422444444"},
};

static void put_auxtrace_errors(struct built *b)
{
	for (unsigned int format = 0; format < 3; format++) {
		open_record(b, PERF_RECORD_AUXTRACE_ERROR, 0);
		PUT(b, "4444448", 1, 2, 3, 4, 5, format, 0x102030405060708);
		if (format)
			put(b, 8, 0x1112131415161718);
		put_bytes(b, "sixty-four letters are what the message has, whatever it says...",
			  64);
		if (format == 2)
			PUT(b, "44", 6, 7);
		close_record(b);
	}
}

static void put_cpu_maps(struct built *b)
{
	RECORD(b, PERF_RECORD_CPU_MAP, 0,
	       "22"
	       "22"
	       "2222",
	       0, 3, 1, 258, 65535, 0, 0, 0);
	RECORD(b, PERF_RECORD_CPU_MAP, 0,
	       "222"
	       "44"
	       "2",
	       1, 2, 4, 0x01020304, 0x05060708, 0);
	RECORD(b, PERF_RECORD_CPU_MAP, 0,
	       "222"
	       "22"
	       "88"
	       "222",
	       1, 2, 8, 0, 0, 0x0102030405060708, 9, 0, 0, 0);
	RECORD(b, PERF_RECORD_CPU_MAP, 0,
	       "211"
	       "22",
	       2, 1, 0, 1, 258);
}

static void put_user_records(struct built *b)
{
	for (size_t i = 0; i < COUNT(user_records); i++) {
		open_record(b, user_records[i].type, user_records[i].misc);
		put_pattern(b, user_records[i].widths);
		close_record(b);
	}
	RECORD(b, PERF_RECORD_AUXTRACE, 0, "8884444", 0, 1, 2, 3, 4, 5, 0);
	RECORD(b, PERF_RECORD_HEADER_TRACING_DATA, 0, "4", 0);
	RECORD(b, PERF_RECORD_ID_INDEX, 0,
	       "8"
	       "8888"
	       "88",
	       1, 2, 3, 4, UINT64_MAX - 1, 5, 6);
	RECORD(b, PERF_RECORD_STAT_CONFIG, 0,
	       "8"
	       "88",
	       1, 2, 3);
	open_record(b, PERF_RECORD_THREAD_MAP, 0);
	PUT(b, "88", 2, 3);
	put_bytes(b, "fifteen letters", 16);
	put(b, 8, 4);
	put_bytes(b, "0123456789abcde", 16);
	close_record(b);
	open_record(b, PERF_RECORD_BPF_METADATA, 0);
	put_pattern(b, "s");
	put_zeros(b, 512 - (b->size - b->record - 8));
	put(b, 8, 1);
	put_bytes(b, "key", 4);
	put_zeros(b, 60);
	put_bytes(b, "value", 6);
	put_zeros(b, 250);
	close_record(b);
	put_auxtrace_errors(b);
	put_cpu_maps(b);
}

static void put_updates(struct built *b)
{
	put_name(b, 0x2122232425262728, "name");
	RECORD(b, PERF_RECORD_EVENT_UPDATE, 0,
	       "88"
	       "8",
	       PERF_EVENT_UPDATE_SCALE, 1, 0x3fe0000000000001);
	RECORD(b, PERF_RECORD_EVENT_UPDATE, 0,
	       "88"
	       "22"
	       "2222"
	       "22",
	       PERF_EVENT_UPDATE_CPUS, 1, 0, 2, 1, 258, 0, 0, 0, 0);
}

/* Writes definitions of all kinds (SPEC 9). */
static void put_definitions(struct built *b)
{
	put_session(b, PK_TRAILER_STACK);
	open_definition(b, PK_STAGE);
	PUT(b, "44844", 1, 0, 0x0102030405060708, 1, 0);
	put_bytes(b, "p\0v\0h\0a0\0\0\0\0\0\0\0\0", 16);
	close_record(b);
	DEFINITION(b, PK_ORDER, "44", PK_ORDER_NONE, UINT32_MAX);
	open_definition(b, PK_STRING);
	PUT(b, "44", 1, 5);
	put_string(b, "hello");
	close_record(b);
	open_definition(b, PK_DSO);
	PUT(b, "4444", 1, 2, 1, 20);
	put_bytes(b, "twenty bytes of an id\0\0", 24);
	close_record(b);
	DEFINITION(b, PK_FRAME, "4444444488", 1, 1, 1, 1, 0x102, 0x304, 5, 0, 0x1020304050607, 8);
	DEFINITION(b, PK_STACK, "4444", 1, 0, 1, 0);
	DEFINITION(b, PK_LOSS, "4488", 1, 2, 0x102, 0x10203);
	DEFINITION(b, PK_RESET, "44", 0xf0, 0);
}

static void put_all_features(struct built *b)
{
	put_features(b, &attr);
}

static void put_description(struct built *b)
{
	put_event_desc(b, &attr);
}

/* ---- Comparison of the two byte orders ---- */

static void compare_bytes(unsigned int n, const struct pk_record *a, const struct pk_record *b)
{
	unsigned int i = 0;

	if (!memcmp(a->data, b->data, a->size))
		return;
	while (a->data[i] == b->data[i])
		i++;
	ck_abort_msg("record %u, type %u, byte %u of %u: %02x, not %02x", n, a->type, i, a->size,
		     b->data[i], a->data[i]);
}

static void compare(void (*fill)(struct built *b))
{
	struct built ours = {.swap = false}, theirs = {.swap = true};
	struct pk_reader *reader[2];
	struct source source[2];
	struct pk_record a, b;
	enum pk_status status;
	unsigned int n = 0;

	put_header(&ours);
	put_attr(&ours, &attr, 0x2122232425262728, 2);
	fill(&ours);
	put_header(&theirs);
	put_attr(&theirs, &attr, 0x2122232425262728, 2);
	fill(&theirs);
	ck_assert_uint_eq(ours.size, theirs.size);
	source[0] = source_of(&ours);
	source[1] = source_of(&theirs);
	reader[0] = read_source(&source[0]);
	reader[1] = read_source(&source[1]);
	while (!(status = pk_reader_next(reader[0], &a))) {
		ck_assert_int_eq(pk_reader_next(reader[1], &b), PK_OK);
		ck_assert_uint_eq(a.offset, b.offset);
		ck_assert_uint_eq(a.type, b.type);
		ck_assert_uint_eq(a.misc, b.misc);
		ck_assert_uint_eq(a.size, b.size);
		compare_bytes(n, &a, &b);
		n++;
	}
	ck_assert_int_eq(pk_reader_next(reader[1], &b), status);
	for (int i = 0; i < 2; i++) {
		ck_assert_msg(!source[i].warnings, "%d: %s at %lu", i, source[i].warning,
			      (unsigned long)source[i].warned_at[0]);
		pk_reader_free(reader[i]);
	}
	free(ours.data);
	free(theirs.data);
}

static void compare_with_trailers(void (*fill)(struct built *b))
{
	static const uint64_t bits[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					PERF_SAMPLE_ID,	 PERF_SAMPLE_STREAM_ID,
					PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};

	for (unsigned int set = 0; set < 128; set++) {
		attr = (struct perf_attr){.type = 1, .sample_type = PERF_SAMPLE_IP};
		for (size_t i = 0; i < COUNT(bits); i++)
			attr.sample_type |= set & 1u << i ? bits[i] : 0;
		attr.flags = set & 64 ? PERF_ATTR_SAMPLE_ID_ALL : 0;
		compare(fill);
	}
}

START_TEST(kernel)
{
	compare_with_trailers(put_kernel_records);
}
END_TEST

START_TEST(user)
{
	attr = (struct perf_attr){.type = 1};
	compare(put_user_records);
	compare(put_updates);
	compare(put_definitions);
	compare(put_all_features);
}
END_TEST

START_TEST(attr_flags)
{
	attr = (struct perf_attr){.type = 1};
	for (int bit = 0; bit < 64; bit++) {
		attr.flags = UINT64_C(1) << bit;
		compare(put_description);
	}
	attr.flags = PERF_ATTR_PRECISE_IP_MASK | PERF_ATTR_MMAP | PERF_ATTR_DEFER_OUTPUT;
	compare(put_description);
}
END_TEST

static struct shape shape;
static unsigned int extra;
static bool with_stack;

static void put_one_sample(struct built *b)
{
	open_record(b, PERF_RECORD_SAMPLE, 2);
	put_sample_fields(b, &attr, &shape);
	put_bytes(b, "unknown to all of us", extra);
	if (with_stack)
		PUT(b, "44", PK_STACK_TRAILER_TAG, 0x01020304);
	close_record(b);
}

static void random_attr(uint64_t *seed)
{
	attr = (struct perf_attr){
		.type = 1,
		.sample_type = random_below(seed, PERF_SAMPLE_KNOWN + 1),
		.read_format = random_below(seed, 32),
		.branch_sample_type = random_below(seed, 1 << 20),
		.sample_regs_user = random_below(seed, 1 << 20),
		.sample_regs_intr = random_below(seed, 1 << 20),
	};
}

START_TEST(samples)
{
	uint64_t seed = 1181783497276652981;

	for (int i = 0; i < 2000; i++) {
		random_attr(&seed);
		shape = (struct shape){
			.chain = (unsigned int)random_below(&seed, 4),
			.branches = (unsigned int)random_below(&seed, 3),
			.group = (unsigned int)random_below(&seed, 3),
			.raw = (unsigned int)random_below(&seed, 20),
			.stack = 8 * (unsigned int)random_below(&seed, 3),
			.dyn_size = (unsigned int)random_below(&seed, 9),
			.aux = 8 * (unsigned int)random_below(&seed, 3),
			.abi = random_below(&seed, 3),
		};
		shape.raw = shape.raw / 8 * 8 + 4;
		/* If unknown bytes follow the fields, a reader cannot find out how an empty branch
		 * stack and an empty dump are written. */
		shape.no_index = i % 3 == 1 && shape.stack;
		shape.extra_size = i % 3 == 2 && (shape.branches || i % 2);
		extra = i % 3 == 0 && shape.stack && shape.branches ? 8 * (i % 2) : 0;
		with_stack = i % 5 == 0;
		compare(put_one_sample);
	}
}
END_TEST

START_TEST(branch_flags)
{
	attr = (struct perf_attr){.type = 1, .sample_type = PERF_SAMPLE_BRANCH_STACK};
	shape = usual_shape;
	for (shape.branches = 0; shape.branches < 20; shape.branches++)
		compare(put_one_sample);
}
END_TEST

RUN_TESTS("swap", kernel, user, attr_flags, samples, branch_flags)
