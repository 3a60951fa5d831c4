// SPDX-License-Identifier: BSD-2-Clause
/* Checks that docs/fields.md has exactly the fields of the table. */
#include <stdio.h>
#include <stdlib.h>

#include "field.h"
#include "stream_builder.h"

static void make_row(const struct pk_field *field, char *row, size_t size)
{
	char alias[64] = "";

	if (field->alias)
		snprintf(alias, sizeof(alias), "`%s`", field->alias);
	snprintf(row, size, "| `%s` | %s | %s | %s |\n", field->name, alias,
		 pk_kind_name(field->kind), field->about);
}

START_TEST(documentation_lists_the_table)
{
	FILE *file = fopen("docs/fields.md", "r");
	const struct pk_field *field;
	char line[512], row[512];
	size_t rows = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file) && strncmp(line, "## Fields of trace", 18) != 0) {
		if (strncmp(line, "| `", 3) != 0)
			continue;
		field = pk_field_at(rows++);
		ck_assert_msg(field != NULL, "more rows than fields: %s", line);
		make_row(field, row, sizeof(row));
		ck_assert_str_eq(line, row);
	}
	fclose(file);
	field = pk_field_at(rows);
	ck_assert_msg(!field, "not in docs/fields.md: %s", field ? field->name : "");
}
END_TEST

START_TEST(documentation_lists_the_kinds)
{
	FILE *file = fopen("docs/fields.md", "r");
	char line[512], row[64];
	bool listed[PK_VALUE_KINDS] = {false};

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file) && strncmp(line, "## Kinds", 8) != 0)
		;
	while (fgets(line, sizeof(line), file) && strncmp(line, "## ", 3) != 0)
		for (int kind = PK_VALUE_NONE + 1; kind < PK_VALUE_KINDS; kind++) {
			snprintf(row, sizeof(row), "| %s |", pk_kind_name(kind));
			listed[kind] |= !strncmp(line, row, strlen(row));
		}
	fclose(file);
	for (int kind = PK_VALUE_NONE + 1; kind < PK_VALUE_KINDS; kind++)
		ck_assert_msg(listed[kind], "not in docs/fields.md: %s", pk_kind_name(kind));
}
END_TEST

START_TEST(names_are_found_once)
{
	const struct pk_field *field;

	for (size_t i = 0; (field = pk_field_at(i)); i++) {
		ck_assert_ptr_eq(pk_field_find(field->name, strlen(field->name)), field);
		if (field->alias)
			ck_assert_ptr_eq(pk_field_find(field->alias, strlen(field->alias)), field);
	}
	ck_assert_ptr_null(pk_field_find("pi", 2));
	ck_assert_ptr_null(pk_field_find("pidx", 4));
	ck_assert_ptr_null(pk_field_find("", 0));
}
END_TEST

static void expect_reference(const char *text, const char *field, const char *event,
			     const char *name)
{
	struct pk_reference reference;

	ck_assert(pk_reference_parse(&reference, text, strlen(text)) == PK_OK);
	ck_assert(!reference.field == !field && !reference.event == !event &&
		  !reference.name == !name);
	if (field)
		ck_assert_str_eq(reference.field->name, field);
	if (event)
		ck_assert_str_eq(reference.event, event);
	if (name)
		ck_assert_str_eq(reference.name, name);
	pk_reference_free(&reference);
}

START_TEST(references)
{
	expect_reference("pid", "pid", NULL, NULL);
	expect_reference("sym", "symbol", NULL, NULL);
	expect_reference("trace.pid", NULL, NULL, "pid");
	expect_reference("prev_pid", NULL, NULL, "prev_pid");
	expect_reference("sched_switch.prev_pid", NULL, "sched_switch", "prev_pid");
	expect_reference("sched:sched_switch.pid", NULL, "sched:sched_switch", "pid");
}
END_TEST

START_TEST(events_are_called_with_or_without_their_system)
{
	struct pk_event event = {.name = "sched:sched_switch",
				 .attr = {.type = PERF_TYPE_TRACEPOINT}};
	struct pk_event cycles = {.name = "cycles:u"};

	ck_assert(pk_event_is_called(&event, "sched:sched_switch"));
	ck_assert(pk_event_is_called(&event, "sched_switch"));
	ck_assert(pk_event_is_called(&event, "sched:*"));
	ck_assert(pk_event_is_called(&event, "sched_sw*"));
	ck_assert(!pk_event_is_called(&event, "other:sched_switch"));
	ck_assert(!pk_event_is_called(&event, "switch"));
	ck_assert(pk_event_is_called(&cycles, "cycles:u"));
	ck_assert(!pk_event_is_called(&cycles, "u"));
}
END_TEST

RUN_TESTS("field", documentation_lists_the_table, documentation_lists_the_kinds,
	  names_are_found_once, references, events_are_called_with_or_without_their_system)
