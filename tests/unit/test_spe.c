/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets and records of Arm SPE. The expected values are those of the Arm Architecture Reference
 * Manual, and of perf 7.2 for the source of the data. */
#include "spe.h"
#include "stream_builder.h"

#include "spe_builder.h"

static struct built b;
static struct spe_decoder decoder;
static unsigned int bad;

static void setup(void)
{
	b = (struct built){0};
	decoder = (struct spe_decoder){0};
	bad = 0;
}

static void teardown(void)
{
	built_clear(&b);
}

/* Decodes the bytes from *at on, up to the end of a record. Returns false if there is none. */
static bool next_record(size_t *at)
{
	for (;;) {
		size_t used;
		const enum spe_step step = spe_decode(&decoder, b.data + *at, b.size - *at, &used);

		*at += used;
		bad += step == SPE_STEP_BAD;
		if (step == SPE_STEP_RECORD || step == SPE_STEP_SHORT)
			return step == SPE_STEP_RECORD;
		ck_assert_uint_gt(used, 0);
	}
}

/* Decodes the only record. */
static const struct spe_record *only_record(void)
{
	size_t at = 0;

	ck_assert(next_record(&at));
	ck_assert_uint_eq(at, b.size);
	ck_assert_uint_eq(bad, 0);
	return &decoder.record;
}

START_TEST(load)
{
	const struct spe_record *r;

	spe_code(&b, 0, 0xffffba66eda1c2d0, 2);
	put_zeros(&b, 5);
	spe_context(&b, 2, 0x5f80);
	spe_operation(&b, 1, 0);
	spe_events(&b, 2, SPE_RETIRED | SPE_L1D_ACCESS | SPE_TLB_ACCESS);
	spe_latency(&b, 1, 4);
	spe_latency(&b, 0, 12);
	spe_data(&b, 0x12ff0e3703096b28);
	spe_latency(&b, 2, 1);
	spe_packet(&b, 0x83, 8, 0xc200000012345678);
	spe_source(&b, 14);
	put_zeros(&b, 2);
	spe_time(&b, 44731163950);
	r = only_record();
	ck_assert_uint_eq(r->ip, 0xffffba66eda1c2d0);
	ck_assert(r->has_context && r->has_time && r->has_source);
	ck_assert_uint_eq(r->context, 0x5f80);
	ck_assert_int_eq(r->class, SPE_MEMORY);
	ck_assert(!r->store);
	ck_assert_uint_eq(r->events, 0x16);
	ck_assert_uint_eq(r->latency, 12);
	ck_assert_uint_eq(r->address, 0xffff0e3703096b28);
	ck_assert_uint_eq(r->physical, 0x12345678);
	ck_assert_uint_eq(r->source, 14);
	ck_assert_uint_eq(r->time, 44731163950);
}
END_TEST

START_TEST(branch)
{
	static const struct {
		unsigned int bits;
		bool conditional, indirect;
		enum spe_branch_kind kind;
	} cases[] = {
		{0x00, false, false, SPE_BRANCH_UNKNOWN}, {0x01, true, false, SPE_BRANCH_UNKNOWN},
		{0x02, false, true, SPE_BRANCH_UNKNOWN},  {0x08, false, false, SPE_BRANCH_CALL},
		{0x12, false, true, SPE_BRANCH_RETURN},	  {0x1b, true, true, SPE_BRANCH_OTHER},
	};
	size_t at = 0;

	for (size_t i = 0; i < COUNT(cases); i++) {
		spe_code(&b, 0, 0x401000, 0);
		spe_operation(&b, 2, cases[i].bits);
		spe_events(&b, 1, SPE_RETIRED | SPE_MISPREDICTED);
		spe_code(&b, 1, 0xffff800008000010, 1);
		spe_time(&b, i);
	}
	for (size_t i = 0; i < COUNT(cases); i++) {
		ck_assert(next_record(&at));
		ck_assert_int_eq(decoder.record.class, SPE_BRANCH);
		ck_assert_int_eq(decoder.record.conditional, cases[i].conditional);
		ck_assert_int_eq(decoder.record.indirect, cases[i].indirect);
		ck_assert_int_eq(decoder.record.kind, cases[i].kind);
		ck_assert_uint_eq(decoder.record.ip, 0x401000);
		ck_assert_uint_eq(decoder.record.target, 0xffff800008000010);
		ck_assert(!decoder.record.store);
	}
	ck_assert(!next_record(&at));
}
END_TEST

/* Secure code at level 1 is not the kernel of Linux. The upper byte of such an address is 0. */
START_TEST(secure)
{
	spe_packet(&b, 0x80, 8, 0x20ff800008000010);
	put(&b, 1, 0x01);
	ck_assert_uint_eq(only_record()->ip, 0x00ff800008000010);
	ck_assert(!decoder.record.has_time && !decoder.record.has_context);
	ck_assert_int_eq(decoder.record.class, SPE_NO_CLASS);
}
END_TEST

/* Packets with two bytes of header have a longer index. A packet with the second byte 0 fills the
 * bytes up to a multiple of 2, 4, 8 or 16. */
START_TEST(extended)
{
	put(&b, 1, 0x20);
	spe_code(&b, 0, 0x401000, 0); /* index 0 */
	put(&b, 1, 0x22);
	spe_code(&b, 0, 0x402000, 0); /* index 16, which is unknown */
	PUT(&b, "11", 0x23, 0);
	put_zeros(&b, -b.size % 16);
	spe_operation(&b, 1, 1);
	spe_time(&b, 5);
	ck_assert_uint_eq(only_record()->ip, 0x401000);
	ck_assert(decoder.record.store);
}
END_TEST

/* The bytes of a damaged record are skipped one by one. The packets after the damage still end the
 * record. */
START_TEST(damaged)
{
	size_t at = 0;

	spe_code(&b, 0, 0x401000, 0);
	PUT(&b, "111", 0xff, 0x4b, 0x7f); /* 0x4b: a class of operations that does not exist */
	spe_time(&b, 5);
	spe_load(&b, 0x402000, 7, 6);
	ck_assert(next_record(&at));
	ck_assert_uint_eq(bad, 3);
	ck_assert(next_record(&at));
	ck_assert_uint_eq(bad, 3);
	ck_assert_uint_eq(decoder.record.ip, 0x402000);
	ck_assert(!next_record(&at));
	ck_assert(!spe_drop(&decoder));
}
END_TEST

START_TEST(incomplete)
{
	size_t at = 0, whole;

	spe_load(&b, 0x401000, 7, 5);
	whole = b.size;
	for (size_t size = 1; size < whole; size++) {
		decoder = (struct spe_decoder){0};
		at = 0;
		b.size = size;
		ck_assert(!next_record(&at));
		ck_assert_int_eq(spe_drop(&decoder), size >= 9);
		ck_assert(!spe_drop(&decoder));
	}
	b.size = whole;
}
END_TEST

/* END without packets, and padding, are no records. */
START_TEST(empty)
{
	size_t at = 0;

	PUT(&b, "1111", 1, 1, 0, 1);
	ck_assert(!next_record(&at));
	ck_assert_uint_eq(at, 4);
	ck_assert(!spe_drop(&decoder));
}
END_TEST

/* ---- The source of the data ---- */

#define N1     0x413fd0c1
#define AMPERE 0xc00fac40
#define HIP12  0x480fd060
#define OTHER  0x410fd0b0

static uint64_t data_source(uint64_t midr, bool store, int source, uint64_t events)
{
	const struct spe_record record = {.class = SPE_MEMORY,
					  .store = store,
					  .events = events,
					  .source = (uint64_t)source,
					  .has_source = source >= 0};

	return spe_data_source(&record, midr, 0);
}

START_TEST(models)
{
	static const struct {
		uint64_t midr;
		int source;
		uint64_t expected;
	} cases[] = {
		{N1, 0, 0x200100142},	  {N1, 8, 0x400100442},	    {N1, 9, 0x8400080442},
		{N1, 10, 0x8600080842},	  {N1, 11, 0x600200842},    {N1, 12, 0x8600080842},
		{N1, 13, 0xbe00080022},	  {N1, 14, 0x1a00101042},   {N1, 7, 0x1e00080022},
		{N1, -1, 0x1e00080022},	  {AMPERE, 9, 0x400100442}, {AMPERE, 5, 0xbe00080022},
		{HIP12, 9, 0x3a00082042}, {HIP12, 1, 0x8400800442}, {HIP12, 13, 0x1400120042},
		{OTHER, 8, 0x1e00080022}, {0, 8, 0x1e00080022},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		ck_assert_msg(
			data_source(cases[i].midr, false, cases[i].source, 0) == cases[i].expected,
			"case %zu: %llx", i,
			(unsigned long long)data_source(cases[i].midr, false, cases[i].source, 0));
	ck_assert_uint_eq(data_source(N1, true, 8, 0), 0x1e00080024);
}
END_TEST

/* Without a known source, the events tell the level. */
START_TEST(levels)
{
	static const struct {
		bool store;
		uint64_t events, expected;
	} cases[] = {
		{false, SPE_L1D_ACCESS, 0x200080142},
		{false, SPE_L1D_ACCESS | SPE_L1D_MISS, 0x200080182},
		{false, SPE_L1D_ACCESS | SPE_L1D_MISS | SPE_FETCHED, 0x1800080242},
		{false, SPE_L1D_MISS | SPE_L2D_ACCESS, 0x400080442},
		{false, SPE_L1D_MISS | SPE_L2D_MISS | SPE_LLC_ACCESS, 0x600080842},
		{false, SPE_L1D_MISS | SPE_L2D_MISS | SPE_LLC_MISS, 0x600080882},
		{true, SPE_L1D_ACCESS | SPE_L2D_ACCESS | SPE_L2D_MISS, 0x400080484},
		{true, SPE_L1D_ACCESS, 0x200080144},
		{false, SPE_TLB_ACCESS, 0x1e88080022},
		{false, SPE_TLB_ACCESS | SPE_TLB_MISS, 0x1e90080022},
		{false, SPE_REMOTE, 0x3e00080022},
		{false, SPE_SNOOPED, 0x1e00200022},
		{false, SPE_SNOOPED | SPE_MODIFIED, 0x1e00800022},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		ck_assert_msg(
			data_source(0, cases[i].store, -1, cases[i].events) == cases[i].expected,
			"case %zu: %llx", i,
			(unsigned long long)data_source(0, cases[i].store, -1, cases[i].events));
}
END_TEST

/* If the processor can report snoops, the lack of the event tells that there was none. */
START_TEST(no_snoop)
{
	const struct spe_record record = {.class = SPE_MEMORY}, other = {.class = SPE_BRANCH};

	ck_assert_uint_eq(spe_data_source(&record, 0, SPE_SNOOPED), 0x1e00100022);
	ck_assert_uint_eq(spe_data_source(&other, N1, SPE_SNOOPED), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spe");
	TCase *tests = tcase_create("spe");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, load);
	tcase_add_test(tests, branch);
	tcase_add_test(tests, secure);
	tcase_add_test(tests, extended);
	tcase_add_test(tests, damaged);
	tcase_add_test(tests, incomplete);
	tcase_add_test(tests, empty);
	tcase_add_test(tests, models);
	tcase_add_test(tests, levels);
	tcase_add_test(tests, no_snoop);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
