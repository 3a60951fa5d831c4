// SPDX-License-Identifier: BSD-2-Clause
/* Compares ranges of code with an array that has one element for each address. */
#include <stdlib.h>

#include "code_ranges.h"
#include "stream_builder.h"

#define ADDRESSES 0x40000

static struct pk_code_ranges set;

static struct pk_location at(const struct pk_image *image, uint64_t address)
{
	return (struct pk_location){
		.image = image, .address = address, .ip = address, .map_end = ADDRESSES};
}

static uint32_t found(const struct pk_location *location)
{
	const struct pk_code_range *range = pk_code_ranges_find(&set, location);

	return range ? range->frames : 0;
}

/* Functions of all sizes are looked up at random addresses. Each function is added at most once for
 * each of its pages. */
START_TEST(model)
{
	static uint32_t function[ADDRESSES], begin[ADDRESSES + 1];
	const struct pk_image image = {.index = 3};
	uint32_t functions = 0;
	unsigned int added = 0;

	srand(1);
	for (uint32_t a = 0; a < ADDRESSES;) {
		uint32_t size = rand() % 4 ? 1 + (uint32_t)rand() % 64 : (uint32_t)rand() % 9000;

		begin[++functions] = a;
		while (size-- && a < ADDRESSES)
			function[a++] = functions;
		begin[functions + 1] = a;
	}
	for (unsigned int i = 0; i < 1000000; i++) {
		const uint32_t a = (uint32_t)rand() % ADDRESSES, wanted = function[a];
		const struct pk_location location = at(&image, a);
		const struct pk_range same = {begin[wanted], begin[wanted + 1]};

		if (pk_code_ranges_find(&set, &location)) {
			ck_assert_uint_eq(found(&location), wanted);
			continue;
		}
		added++;
		ck_assert(pk_code_ranges_add(
				  &set, &location, &same,
				  (struct pk_code_range){.frames = wanted, .count = 1}) == PK_OK);
		ck_assert_uint_eq(found(&location), wanted);
	}
	ck_assert_uint_gt(added, 100);
	ck_assert_uint_le(added, functions + ADDRESSES / 4096);
	ck_assert_uint_eq(added, set.ranges);
	pk_code_ranges_free(&set);
}
END_TEST

/* Addresses in different images, in different modes, and of callers and leaves have separate
 * ranges, even if the addresses are equal. */
START_TEST(keys)
{
	const struct pk_image one = {.index = 0}, two = {.index = 1};
	const struct pk_range same = {0x1000, 0x1100};
	struct pk_location location = at(&one, 0x1010);

	ck_assert(pk_code_ranges_add(&set, &location, &same, (struct pk_code_range){.frames = 7}) ==
		  PK_OK);
	location.address = 0x10ff;
	ck_assert_uint_eq(found(&location), 7);
	location.called = true;
	ck_assert_uint_eq(found(&location), 0);
	location.called = false;
	location.flags = PK_FRAME_GUEST;
	ck_assert_uint_eq(found(&location), 0);
	location = at(&two, 0x1010);
	ck_assert_uint_eq(found(&location), 0);
	location = at(NULL, 0x1010);
	ck_assert_uint_eq(found(&location), 0);
	pk_code_ranges_free(&set);
}
END_TEST

/* Outside of images, one range is valid for all addresses. In an image, the range of one map is not
 * valid for another map of the image. */
START_TEST(everything)
{
	const struct pk_image image = {.index = 0};
	const struct pk_range all = PK_RANGE_ALL;
	struct pk_location location = at(NULL, 0x10);

	ck_assert(pk_code_ranges_add(&set, &location, &all, (struct pk_code_range){.frames = 5}) ==
		  PK_OK);
	location.address = UINT64_MAX;
	ck_assert_uint_eq(found(&location), 5);
	ck_assert_uint_eq(set.ranges, 1);

	location = at(&image, 0x10);
	location.map_end = 0x1000;
	ck_assert(pk_code_ranges_add(&set, &location, &(struct pk_range){0, 0x1000},
				     (struct pk_code_range){.frames = 6}) == PK_OK);
	location.address = 0xfff;
	ck_assert_uint_eq(found(&location), 6);
	location.address = 0x1000;
	ck_assert_uint_eq(found(&location), 0);
	pk_code_ranges_free(&set);
}
END_TEST

/* Tests addresses at both ends of the address space. */
START_TEST(ends)
{
	const struct pk_image image = {.index = 0};
	struct pk_location location = at(&image, UINT64_MAX);
	struct pk_range same = pk_range_of_one(UINT64_MAX);

	ck_assert(pk_code_ranges_add(&set, &location, &same, (struct pk_code_range){.frames = 2}) ==
		  PK_OK);
	ck_assert_uint_eq(found(&location), 2);
	location.address--;
	ck_assert_uint_eq(found(&location), 0);
	location.address = 0;
	ck_assert(pk_code_ranges_add(&set, &location, &(struct pk_range){0, 1},
				     (struct pk_code_range){.frames = 3}) == PK_OK);
	ck_assert_uint_eq(found(&location), 3);
	location.address = 1;
	ck_assert_uint_eq(found(&location), 0);
	pk_code_ranges_free(&set);
}
END_TEST

RUN_TESTS("code_ranges", model, keys, everything, ends)
