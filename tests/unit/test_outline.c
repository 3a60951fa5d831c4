// SPDX-License-Identifier: BSD-2-Clause
/* Tests the lines of pk-top without a terminal. */
#include <locale.h>
#include <stdlib.h>

#include "annotation.h"
#include "keys.h"
#include "outline_text.h"
#include "screen.h"
#include "stream_builder.h"

/* ---- Columns of a terminal ---- */

static void expect_fit(const char *text, size_t columns, enum fit_side side, const char *expected)
{
	struct buffer out = {0};

	fit_text(&out, text, strlen(text), columns, side);
	buffer_char(&out, '\0');
	ck_assert_str_eq(out.data, expected);
	free(out.data);
}

START_TEST(texts_fit)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	expect_fit("abc", 5, FIT_LEFT, "abc  ");
	expect_fit("abc", 5, FIT_RIGHT, "  abc");
	expect_fit("abc", 2, FIT_LEFT, "ab");
	expect_fit("abc", 0, FIT_LEFT, "");
	expect_fit("123", 5, FIT_NUMBER, "  123");
	expect_fit("123", 3, FIT_NUMBER, "123");
	expect_fit("123", 2, FIT_NUMBER, "##");
	expect_fit("\xc3\xa9z", 3, FIT_RIGHT, " \xc3\xa9z");
	/* A character of two columns is left out if only one column is left. */
	expect_fit("\xe5\xad\x97\xe5\xad\x97", 4, FIT_LEFT, "\xe5\xad\x97\xe5\xad\x97");
	expect_fit("\xe5\xad\x97\xe5\xad\x97", 3, FIT_LEFT, "\xe5\xad\x97 ");
	/* A combining mark needs no column. Only the first four marks of a character are printed.
	 */
	expect_fit("e\xcc\x81x", 2, FIT_LEFT, "e\xcc\x81x");
	expect_fit("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81", 2, FIT_LEFT,
		   "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81 ");
	expect_fit("a\x1b[m\n\x7f", 9, FIT_LEFT, "a?[m??   ");
	expect_fit("\xff\xe2\x80\xaez", 4, FIT_LEFT, "??z ");
	expect_fit("\xe2\x80\x8f\xd8\x9c\xef\xbb\xbfz", 5, FIT_LEFT, "???z ");
	ck_assert_uint_eq(fit_columns("\xe5\xad\x97\xff", 4), 3);
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C"));
	expect_fit("\xc3\xa9z", 3, FIT_LEFT, "?z ");
}
END_TEST

/* ---- Annotated functions ---- */

START_TEST(hot_lines)
{
	static const char text[] = " Percent | f\n"
				   "    0.10 :  1:\tnop\n"
				   "   50.00 :  2: add\n"
				   "         : source\n"
				   "   20.00 :  3: add\n"
				   "   50.00 :  4: add\n";
	struct annotation a = {.height = 3};

	annotation_next(&a, 1); /* has no effect, because there are no lines yet */
	annotation_hottest(&a);
	ck_assert(annotation_set(&a, text, sizeof(text) - 1) == PK_OK);
	ck_assert_uint_eq(a.count, 6);
	ck_assert_uint_eq(a.selected, 2);
	annotation_next(&a, 1);
	ck_assert_uint_eq(a.selected, 5);
	annotation_next(&a, 1);
	ck_assert_uint_eq(a.selected, 4);
	annotation_next(&a, 1); /* wraps to the hottest line */
	ck_assert_uint_eq(a.selected, 2);
	annotation_next(&a, -1);
	ck_assert_uint_eq(a.selected, 4);
	annotation_next(&a, -1);
	ck_assert_uint_eq(a.selected, 5);
	annotation_select(&a, 0);
	ck_assert_uint_eq(a.top, 0);
	annotation_move(&a, -5);
	ck_assert_uint_eq(a.selected, 0);
	annotation_move(&a, 100);
	ck_assert_uint_eq(a.selected, 5);
	ck_assert_uint_eq(a.top, 3);
	ck_assert_mem_eq(a.lines[1].text, "    0.10 :  1:  nop", 19);
	ck_assert(annotation_set(&a, "x", 1) == PK_OK);
	ck_assert_uint_eq(a.count, 1);
	annotation_free(&a);
}
END_TEST

START_TEST(all_keys_are_explained)
{
	ck_assert_int_eq(keys_command('q'), COMMAND_QUIT);
	ck_assert_int_eq(keys_command(KEY_OF_RIGHT), COMMAND_IN);
	ck_assert_int_eq(keys_command('y'), COMMAND_NONE);
	for (size_t i = 0; keys_help(i); i++)
		ck_assert_uint_lt(strlen(keys_help(i)), 80);
}
END_TEST

/* ---- Rows of a recording ---- */

static struct pk_run run;
static struct report_options options;
static struct reporter reporter;
static struct outline outline;

static void start(const char *by)
{
	static char *files[] = {(char *)"format/vectors/good/like-perf-le.pk"};
	struct layout_options layout = {.by = by};
	struct layout_error error;

	run = (struct pk_run){.files = files, .files_count = 1};
	options = (struct report_options){.live = 1,
					  .tail = {.symbols.no_lines = true,
						   .weigh.kind = PK_WEIGHT_PERIOD,
						   .weigh.each_event = true}};
	reporter = (struct reporter){.run = &run, .options = &options};
	outline = (struct outline){.reporter = &reporter, .height = 2};
	ck_assert_int_eq(pk_layout_make(&options.layout, &layout, &error), LAYOUT_OK);
	ck_assert(pk_reporter_start(&reporter) == PK_OK);
	ck_assert(outline_update(&outline) == PK_OK);
	ck_assert_uint_eq(outline.count, 0);
	ck_assert_int_eq(pk_run(&run), 0);
	ck_assert(pk_reporter_refresh(&reporter) == PK_OK);
	ck_assert(outline_update(&outline) == PK_OK);
}

static void stop(void)
{
	outline_free(&outline);
	ck_assert_int_eq(pk_reporter_end(&reporter, 0), 0);
	pk_layout_free(&options.layout);
}

START_TEST(rows_are_selected)
{
	struct outline_texts texts = {.outline = &outline};
	struct buffer out = {0};
	size_t all;

	start("ip,pid");
	all = outline.count;
	ck_assert_uint_gt(all, 2);
	outline_select(&outline, SIZE_MAX);
	ck_assert_uint_eq(outline.selected, all - 1);
	ck_assert_uint_eq(outline.top, all - 2);
	outline_move(&outline, -1);
	ck_assert_uint_eq(outline.top, all - 2);
	outline_text_measure(&texts);
	ck_assert(outline_text_line(&texts, 0, 30, &out) == PK_OK);
	ck_assert_uint_eq(out.size, 30);
	ck_assert(!outline_open(&outline, true));
	ck_assert(!outline_leave(&outline));
	/* The selected row remains selected if other rows are removed. */
	ck_assert(outline_zoom(&outline, "ip"));
	ck_assert(!outline_zoom(&outline, "no_field"));
	ck_assert(outline_update(&outline) == PK_OK);
	ck_assert_uint_eq(outline.count, 1);
	ck_assert_uint_eq(outline.selected, 0);
	ck_assert(outline_zoom_next(&outline));
	ck_assert(outline_zoom_out(&outline));
	ck_assert(outline_zoom_out(&outline));
	ck_assert(!outline_zoom_out(&outline));
	ck_assert(outline_update(&outline) == PK_OK);
	ck_assert_uint_eq(outline.count, all);
	ck_assert(outline_filter(&outline, "no such text") == PK_OK);
	ck_assert(outline_update(&outline) == PK_OK);
	ck_assert_uint_eq(outline.count, 0);
	ck_assert(!outline_zoom(&outline, "ip"));
	ck_assert_ptr_null(outline_function(&outline));
	free(out.data);
	outline_text_free(&texts);
	stop();
}
END_TEST

/* Numbers do not change between two refreshes. Rows decay until they are removed. */
START_TEST(numbers_decay)
{
	uint64_t weight;
	size_t all;

	start("ip");
	weight = outline_sheet(&outline)->sets[0].weight;
	all = outline.count;
	ck_assert_int_eq(pk_run(&run), 0);
	ck_assert_uint_eq(pk_results_value(&reporter.results, outline_sheet(&outline),
					   &(struct column){.kind = COLUMN_PERIOD},
					   outline.lines[0].row, 0)
				  .kind,
			  PK_AMOUNT_INTEGER);
	ck_assert_uint_eq(outline_sheet(&outline)->sets[0].weight, weight);
	options.decay = true;
	ck_assert(pk_reporter_refresh(&reporter) == PK_OK);
	ck_assert_uint_le(outline_sheet(&outline)->sets[0].weight, weight + weight * 7 / 8);
	ck_assert_uint_ge(outline_sheet(&outline)->sets[0].weight, weight + weight * 7 / 8 - all);
	for (int i = 0; i < 1000 && outline_sheet(&outline)->count; i++)
		ck_assert(pk_reporter_refresh(&reporter) == PK_OK);
	ck_assert_uint_eq(outline_sheet(&outline)->count, 0);
	ck_assert_uint_eq(outline_sheet(&outline)->sets[0].samples, 0);
	ck_assert_int_eq(pk_run(&run), 0);
	ck_assert(pk_reporter_refresh(&reporter) == PK_OK);
	ck_assert_uint_eq(outline_sheet(&outline)->sets[0].weight, weight);
	ck_assert_uint_eq(outline_sheet(&outline)->count, all);
	ck_assert(pk_reporter_zero(&reporter) == PK_OK);
	ck_assert(outline_update(&outline) == PK_OK);
	ck_assert_uint_eq(outline.count, 0);
	stop();
}
END_TEST

RUN_TESTS("outline", texts_fit, hot_lines, all_keys_are_explained, rows_are_selected, numbers_decay)
