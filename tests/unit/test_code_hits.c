// SPDX-License-Identifier: BSD-2-Clause
/* Tests samples by address, and the order of functions. */
#include <stdio.h>
#include <stdlib.h>

#include "rank.h"
#include "stream_builder.h"

static struct pk_places *places;
static struct code_hits *hits;
static uint32_t object;

static void add(uint32_t event, const char *name, uint64_t start, uint64_t address, uint64_t weight)
{
	const struct pk_place_function function = {.object = object, .start = start, .name = name};
	const uint32_t place = pk_places_add(places, &function, address);

	ck_assert_uint_ne(place, 0);
	ck_assert(code_hits_add(hits, event, place, weight) == PK_OK);
}

static void setup(void)
{
	const struct pk_code_file like = {.kind = PK_DSO_FILE, .path = "/bin/app"};

	places = pk_places_new(NULL);
	ck_assert_ptr_nonnull(places);
	hits = code_hits_new(places);
	ck_assert_ptr_nonnull(hits);
	object = pk_places_object(places, &like);
	ck_assert_uint_ne(object, 0);
	ck_assert_uint_eq(pk_places_object(places, &like), object);
}

static void teardown(void)
{
	code_hits_free(hits);
	pk_places_free(places);
}

START_TEST(sums)
{
	uint32_t a, b;
	size_t count;
	const struct hit_cell *cells;

	setup();
	a = code_hits_event(hits, "a");
	b = code_hits_event(hits, "b");
	ck_assert_uint_eq(code_hits_event(hits, "a"), a);
	add(b, "g", 0x200, 0x208, 7);
	add(a, "g", 0x200, 0x204, 1);
	add(a, "f", 0x100, 0x104, 10);
	add(a, "g", 0x200, 0x202, 100);
	add(a, "f", 0x100, 0x104, 1000);
	ck_assert(code_hits_add(hits, a, 0, 5) == PK_OK);
	ck_assert(code_hits_sort(hits) == PK_OK);
	ck_assert_str_eq(code_hits_function(hits, 0).name, "f");
	ck_assert_str_eq(code_hits_function(hits, 1).name, "g");
	ck_assert_uint_eq(code_hits_total(hits, a).samples, 5);
	ck_assert_uint_eq(code_hits_total(hits, a).weight, 1116);
	ck_assert_uint_eq(code_hits_unplaced(hits, a).weight, 5);
	cells = code_hits_cells(hits, a, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(cells[0].count.samples, 2);
	ck_assert_uint_eq(cells[0].count.weight, 1010);
	ck_assert_uint_eq(cells[1].address, 0x202);
	cells = code_hits_cells_of(hits, a, 1, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(cells[1].address, 0x204);
	code_hits_cells_of(hits, b, 0, &count);
	ck_assert_uint_eq(count, 0);
	ck_assert_str_eq(code_hits_object(hits, object).path, "/bin/app");
	teardown();
}
END_TEST

/* Checks the names of the shown functions. `expected` has the names in their order, separated by
 * blanks. */
static void expect(const struct annotate_options *options, const uint32_t *events,
		   unsigned int count, const char *expected)
{
	struct ranking ranking;
	char text[256] = "";
	bool met[8] = {false};

	ck_assert(rank_functions(&ranking, hits, options, events, count, met) == PK_OK);
	for (size_t i = 0; i < ranking.count; i++) {
		strncat(text, i ? " " : "", sizeof(text) - strlen(text) - 1);
		strncat(text, code_hits_function(hits, ranking.list[i].function).name,
			sizeof(text) - strlen(text) - 1);
	}
	ck_assert_str_eq(text, expected);
	free(ranking.list);
}

static void expect_named(const char *glob, uint32_t event, const char *expected)
{
	const char *globs[] = {glob};
	const struct annotate_options options = {.functions = {.items = globs, .count = 1},
						 .min_percent = 50};

	expect(&options, &event, 1, expected);
}

START_TEST(ranks)
{
	struct annotate_options options = {0};
	uint32_t events[2];

	setup();
	events[0] = code_hits_event(hits, "a");
	events[1] = code_hits_event(hits, "b");
	add(events[0], "f", 0x100, 0x104, 30);
	add(events[0], "g", 0x200, 0x204, 40);
	add(events[0], "f.cold", 0x900, 0x904, 20);
	add(events[0], "h(int)", 0x300, 0x304, 9);
	add(events[0], "h(int) [clone .cold]", 0xa00, 0xa04, 1);
	add(events[1], "k", 0x400, 0x404, 1);
	add(events[1], "(anonymous namespace)::n(void (*)(int))", 0x500, 0x504, 0);
	add(events[1], "c::operator()(int) const", 0x600, 0x604, 0);
	ck_assert(code_hits_sort(hits) == PK_OK);

	/* f and f.cold together have more samples than g. */
	expect(&options, events, 1, "f f.cold g h(int) h(int) [clone .cold]");
	options.min_percent = 0.1;
	expect(&options, events, 2, "f f.cold g h(int) h(int) [clone .cold] k");
	options.min_percent = 0;
	options.hottest = 2;
	expect(&options, events, 1, "f f.cold g");
	options.hottest = 0;
	options.min_percent = 15;
	expect(&options, events, 1, "f f.cold g");
	/* k has most samples of the second event. */
	expect(&options, events, 2, "f f.cold g k");
	options.by_samples = true;
	expect(&options, events, 1, "f f.cold h(int) h(int) [clone .cold] g");

	expect_named("f", events[0], "f f.cold");
	expect_named("f.cold", events[0], "f.cold");
	expect_named("?", events[0], "f f.cold g h(int) h(int) [clone .cold]");
	expect_named("h", events[0], "h(int) h(int) [clone .cold]");
	expect_named("app:g", events[0], "g");
	expect_named("/bin/*:g", events[0], "g");
	expect_named("lib:g", events[0], "");
	expect_named("std::g", events[0], "");
	expect_named("(anonymous namespace)::n", events[1],
		     "(anonymous namespace)::n(void (*)(int))");
	expect_named("c::operator()", events[1], "c::operator()(int) const");
	expect_named("c::operator", events[1], "");
	teardown();
}
END_TEST

START_TEST(leaders)
{
	uint32_t a, b;

	setup();
	a = code_hits_event(hits, "a");
	b = code_hits_event(hits, "b");
	ck_assert_uint_eq(code_hits_leader(hits, b), b);
	code_hits_set_leader(hits, b, a);
	ck_assert_uint_eq(code_hits_leader(hits, b), a);
	/* With many events, the sum of each event is right. */
	for (int i = 0; i < 1000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "e%d", i);
		ck_assert(code_hits_add(hits, code_hits_event(hits, name), 0, (uint64_t)i) ==
			  PK_OK);
	}
	ck_assert_uint_eq(code_hits_leader(hits, b), a);
	ck_assert_uint_eq(code_hits_total(hits, code_hits_event(hits, "e77")).weight, 77);
	teardown();
}
END_TEST

RUN_TESTS("hits", sums, ranks, leaders)
