// SPDX-License-Identifier: BSD-2-Clause
/* Functions with another name on the two sides of a comparison. */
#include <stdlib.h>

#include "renames.h"
#include "stream_builder.h"

enum { MAIN = 1, PARSE, OLD, NEW, READ, OTHER, TWIN };

static void add(struct renames *renames, unsigned int side, uint64_t weight, uint32_t leaf,
		uint32_t caller)
{
	const uint32_t stack[] = {leaf, caller, MAIN};

	ck_assert_int_eq(pk_renames_add(renames, side, stack, 3, weight), PK_OK);
}

static size_t find(struct renames *renames, struct rename *first)
{
	struct rename *found;
	size_t count;

	ck_assert_int_eq(pk_renames_find(renames, &found, &count), PK_OK);
	if (count)
		*first = found[0];
	free(found);
	pk_renames_free(renames);
	return count;
}

START_TEST(same)
{
	struct renames renames = {0};
	struct rename rename;

	for (unsigned int side = 0; side < 2; side++) {
		add(&renames, side, 40, READ, side ? NEW : OLD);
		add(&renames, side, 60, READ, PARSE);
		add(&renames, side, 10 + side, side ? NEW : OLD, PARSE);
	}
	ck_assert_uint_eq(find(&renames, &rename), 1);
	ck_assert_uint_eq(rename.from, OLD);
	ck_assert_uint_eq(rename.to, NEW);
	/* Callers are main with 40, and parse with 10 or 11. */
	ck_assert_double_eq_tol(rename.callers, 40 / 51.0 + 10 / 50.0, 1e-12);
	ck_assert_double_eq_tol(rename.callees, 1, 1e-12);
}
END_TEST

START_TEST(different)
{
	struct renames renames = {0};
	struct rename rename;

	/* Other callees. */
	add(&renames, 0, 40, READ, OLD);
	add(&renames, 1, 40, OTHER, NEW);
	add(&renames, 0, 10, OTHER, PARSE);
	add(&renames, 1, 10, READ, PARSE);
	ck_assert_uint_eq(find(&renames, &rename), 0);
	/* Another share. */
	renames = (struct renames){0};
	add(&renames, 0, 40, READ, OLD);
	add(&renames, 1, 10, READ, NEW);
	add(&renames, 0, 60, READ, PARSE);
	add(&renames, 1, 90, READ, PARSE);
	ck_assert_uint_eq(find(&renames, &rename), 0);
	/* Two functions that fit alike. */
	renames = (struct renames){0};
	add(&renames, 0, 40, READ, OLD);
	add(&renames, 1, 40, READ, NEW);
	add(&renames, 1, 40, READ, TWIN);
	add(&renames, 0, 40, READ, PARSE);
	ck_assert_uint_eq(find(&renames, &rename), 0);
	/* The name exists on both sides. */
	renames = (struct renames){0};
	add(&renames, 0, 40, READ, OLD);
	add(&renames, 1, 40, READ, NEW);
	add(&renames, 1, 1, READ, OLD);
	ck_assert_uint_eq(find(&renames, &rename), 0);
	/* A function that calls nothing. */
	renames = (struct renames){0};
	add(&renames, 0, 40, OLD, PARSE);
	add(&renames, 1, 40, NEW, PARSE);
	ck_assert_uint_eq(find(&renames, &rename), 0);
	/* Nothing. */
	renames = (struct renames){0};
	ck_assert_uint_eq(find(&renames, &rename), 0);
}
END_TEST

RUN_TESTS("renames", same, different)
