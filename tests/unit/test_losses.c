// SPDX-License-Identifier: BSD-2-Clause
/* Tests losses in records, in the summary, and for --fail-on. */
#include "run.h"
#include "stream_builder.h"

static struct built built;
static struct pk_losses losses;

static void take(void)
{
	struct pk_record record = last_built(&built);

	pk_losses_record(&losses, &record);
	built_clear(&built);
}

static void begin(void)
{
	losses = (struct pk_losses){0};
}

static void samples(unsigned int n)
{
	while (n--) {
		RECORD(&built, PERF_RECORD_SAMPLE, 0, "8", 1);
		take();
	}
}

static void expect(const char *expected)
{
	char text[512];

	ck_assert_int_eq(pk_losses_text(&losses, text, sizeof(text)), *expected != '\0');
	ck_assert_str_eq(text, expected);
}

START_TEST(records)
{
	begin();
	expect("");
	samples(3);
	expect("");
	RECORD(&built, PERF_RECORD_LOST, 0, "88", 1, 5);
	take();
	RECORD(&built, PERF_RECORD_LOST, 0, "88", 2, 1000);
	take();
	/* LOST and LOST_SAMPLES can count the same samples. */
	RECORD(&built, PERF_RECORD_LOST_SAMPLES, 0, "8", 600);
	take();
	RECORD(&built, PERF_RECORD_LOST_SAMPLES, PERF_RECORD_MISC_LOST_SAMPLES_BPF, "8", 90000);
	take();
	ck_assert_uint_eq(losses.samples, 3);
	ck_assert_uint_eq(losses.lost_records, 1005);
	ck_assert_uint_eq(losses.lost_samples, 600);
	expect("1,005 of 1,008 samples lost");
	/* A LOST record that is too short. */
	RECORD(&built, PERF_RECORD_LOST, 0, "8", 1);
	take();
	put_empty(&built, PERF_RECORD_LOST_SAMPLES);
	take();
	RECORD(&built, PERF_RECORD_COMM, 0, "8", 1);
	take();
	expect("1,005 of 1,008 samples lost");
}
END_TEST

START_TEST(definitions)
{
	begin();
	samples(1000);
	DEFINITION(&built, PK_LOSS, "4488", 1, PK_LOSS_SAMPLES_LOST, 10, 0);
	take();
	DEFINITION(&built, PK_LOSS, "4488", 1, PK_LOSS_RECORDS_LOST, 2, 0);
	take();
	DEFINITION(&built, PK_LOSS, "4488", 2, PK_LOSS_STACKS_TRUNCATED, 31, 1000);
	take();
	DEFINITION(&built, PK_LOSS, "4488", 2, PK_LOSS_FRAMES_UNRESOLVED, 1, 100000);
	take();
	DEFINITION(&built, PK_LOSS, "4488", 2, PK_LOSS_FRAMES_UNRESOLVED, 2, 100000);
	take();
	DEFINITION(&built, PK_LOSS, "4488", 3, PK_LOSS_RECORDS_LATE, 1234, 0);
	take();
	DEFINITION(&built, PK_LOSS, "4488", 3, 99, 5, 5); /* a cause of a later version */
	take();
	DEFINITION(&built, PK_LOSS, "448", 3, PK_LOSS_RECORDS_BAD, 5);
	take();
	expect("12 of 1,012 samples lost, 3.1% of stacks truncated, 3 of 200,000 frames "
	       "unresolved, 1,234 records out of order");
}
END_TEST

/* If the buffer is too small, the text has only the first parts, and these parts are complete. */
START_TEST(small_buffers)
{
	char whole[1024], text[1024];

	begin();
	for (int cause = 0; cause < PK_LOSS_CAUSE_MAX; cause++)
		pk_losses_add(&losses, (enum pk_loss_cause)cause, 1000, 0);
	pk_losses_add(&losses, PK_LOSS_CAUSE_MAX, 1, 1);
	ck_assert(pk_losses_text(&losses, whole, sizeof(whole)));
	ck_assert_uint_lt(strlen(whole), sizeof(whole) - 32);
	for (size_t size = 0; size <= strlen(whole) + 1; size++) {
		memset(text, 'x', sizeof(text));
		ck_assert(pk_losses_text(&losses, text, size));
		ck_assert_int_eq(text[size], 'x');
		if (size)
			ck_assert_msg(!strncmp(text, whole, strlen(text)), "%zu: %s", size, text);
	}
	ck_assert_str_eq(text, whole);
}
END_TEST

START_TEST(fail_on)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
		{"lost", true},
		{"lost,truncated=5,unresolved=0.5", true},
		{"unresolved=100", true},
		{"lost,lost=3", true},
		{"", false},
		{"lost,", false},
		{",lost", false},
		{"lost=", false},
		{"lost=x", false},
		{"lost=-1", false},
		{"lost=101", false},
		{"lost=nan", false},
		{"lost=5%", false},
		{"los", false},
		{"lostt", false},
		{"late", false},
	};
	struct pk_fail_on parsed = {0};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pk_fail_on any = {0};

		ck_assert_msg(pk_parse_fail_on(cases[i].text, &any) == cases[i].good, "%s",
			      cases[i].text);
	}
	ck_assert(pk_parse_fail_on("truncated=2.5,lost", &parsed));
	ck_assert(parsed.set[PK_FAIL_LOST] && parsed.set[PK_FAIL_TRUNCATED]);
	ck_assert(!parsed.set[PK_FAIL_UNRESOLVED]);
	ck_assert(parsed.percent[PK_FAIL_TRUNCATED] == 2.5);
	ck_assert(parsed.percent[PK_FAIL_LOST] == 0);
}
END_TEST

static bool exceeds(const char *text)
{
	struct pk_fail_on parsed = {0};

	ck_assert(pk_parse_fail_on(text, &parsed));
	return pk_losses_exceed(&losses, &parsed);
}

/* "lost=5" is exceeded by more than 5 percent, and "lost" by any loss. */
START_TEST(exceeding)
{
	begin();
	samples(95);
	ck_assert(!exceeds("lost,truncated,unresolved"));
	RECORD(&built, PERF_RECORD_LOST, 0, "88", 1, 5);
	take();
	pk_losses_add(&losses, PK_LOSS_STACKS_TRUNCATED, 10, 100);
	ck_assert(exceeds("lost"));
	ck_assert(exceeds("lost=4.9"));
	ck_assert(!exceeds("lost=5"));
	ck_assert(exceeds("lost=50,truncated=9"));
	ck_assert(!exceeds("lost=50,truncated=10"));
	ck_assert(!exceeds("unresolved"));
	/* If the total is unknown, any loss exceeds the limit. */
	pk_losses_add(&losses, PK_LOSS_FRAMES_UNRESOLVED, 1, 0);
	ck_assert(exceeds("unresolved=99"));
	ck_assert(!pk_losses_exceed(&losses, &(struct pk_fail_on){.set = {false}}));
}
END_TEST

RUN_TESTS("losses", records, definitions, small_buffers, fail_on, exceeding)
