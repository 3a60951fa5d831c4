/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of trace units in frames of a CoreSight buffer. */
#include <check.h>
#include <stdlib.h>

#include "cs_frames.h"

static struct cs_frames frames;
static struct cs_byte bytes[CS_FRAME_DATA];

static void setup(void)
{
	frames = (struct cs_frames){0};
}

static void expect(unsigned int i, unsigned int id, unsigned int value)
{
	ck_assert_uint_eq(bytes[i].id, id);
	ck_assert_uint_eq(bytes[i].value, value);
}

START_TEST(changes)
{
	/* ID 0x10, ID 0x11 at once at byte 4, and ID 0x12 at byte 8 after byte 9. The last byte has
	 * the lowest bits of bytes 2, 6 and 14. */
	static const uint8_t frame[CS_FRAME_SIZE] = {0x21, 0x01, 0x02, 0x03, 0x23, 0x04,
						     0x04, 0x05, 0x25, 0x06, 0x06, 0x07,
						     0x08, 0x09, 0x0a, 0x9a};

	setup();
	ck_assert_uint_eq(cs_frames_decode(&frames, frame, bytes), 12);
	expect(0, 0x10, 0x01);
	expect(1, 0x10, 0x03);
	expect(2, 0x10, 0x03);
	expect(3, 0x11, 0x04);
	expect(4, 0x11, 0x05);
	expect(5, 0x11, 0x05);
	expect(6, 0x11, 0x06);
	expect(7, 0x12, 0x06);
	expect(8, 0x12, 0x07);
	expect(9, 0x12, 0x08);
	expect(10, 0x12, 0x09);
	expect(11, 0x12, 0x0b);
}
END_TEST

START_TEST(continues)
{
	static const uint8_t change[CS_FRAME_SIZE] = {[14] = 0x21};
	static const uint8_t next[CS_FRAME_SIZE] = {2, 3};

	setup();
	ck_assert_uint_eq(cs_frames_decode(&frames, change, bytes), 14);
	expect(13, 0, 0);
	ck_assert_uint_eq(cs_frames_decode(&frames, next, bytes), 15);
	expect(0, 0x10, 2);
	expect(1, 0x10, 3);
}
END_TEST

START_TEST(barrier)
{
	static const uint8_t frame[CS_FRAME_SIZE] = {0xff, 0xff, 0xff, 0x7f, 0xff, 0xff,
						     0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
						     0xff, 0xff, 0xff, 0x7f};

	frames.id = 0x10;
	ck_assert_uint_eq(cs_frames_decode(&frames, frame, bytes), UINT32_MAX);
	ck_assert_uint_eq(frames.id, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cs_frames");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, changes);
	tcase_add_test(tcase, continues);
	tcase_add_test(tcase, barrier);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
