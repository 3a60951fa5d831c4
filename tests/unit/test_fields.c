// SPDX-License-Identifier: BSD-2-Clause
/* Tests the option -F of pk-script. */
#include "fields.h"
#include "stream_builder.h"

#define NAMED (FIELD(IP) | FIELD(SYM) | FIELD(SYMOFF) | FIELD(DSO))

static struct fields fields;

static void parse(const char *text)
{
	struct field_error error;

	ck_assert_msg(fields_parse(&fields, text, &error), "%s", text);
}

static void refuse(const char *text, const char *why, const char *word)
{
	struct field_error error = {0};

	fields_default(&fields);
	ck_assert_msg(!fields_parse(&fields, text, &error), "%s", text);
	ck_assert_str_eq(error.why, why);
	ck_assert_int_eq(error.length, (int)strlen(word));
	ck_assert_mem_eq(error.word, word, strlen(word));
}

START_TEST(lists)
{
	fields_default(&fields);
	ck_assert(fields.of[TYPE_SW] & FIELD(PERIOD));
	ck_assert(!(fields.of[TYPE_TRACE] & FIELD(IP)));
	parse("comm,tid,time");
	for (int i = 0; i < TYPES; i++)
		ck_assert_uint_eq(fields.of[i], FIELD(COMM) | FIELD(TID) | FIELD(TIME));
	parse("ip,sym");
	ck_assert_uint_eq(fields.of[TYPE_HW], FIELD(IP) | FIELD(SYM));
}
END_TEST

START_TEST(changes)
{
	uint64_t before;

	fields_default(&fields);
	before = fields.of[TYPE_HW];
	parse("+pid,-comm,+addr");
	ck_assert_uint_eq(fields.of[TYPE_HW], (before | FIELD(PID) | FIELD(ADDR)) & ~FIELD(COMM));
	ck_assert_uint_eq(fields.asked[TYPE_HW], FIELD(PID) | FIELD(ADDR));
	parse("-pid");
	ck_assert_uint_eq(fields.asked[TYPE_HW], FIELD(ADDR));
}
END_TEST

START_TEST(types)
{
	uint64_t hw;

	fields_default(&fields);
	hw = fields.of[TYPE_HW];
	parse("sw:comm,event");
	ck_assert_uint_eq(fields.of[TYPE_SW], FIELD(COMM) | FIELD(EVENT));
	ck_assert_uint_eq(fields.of[TYPE_HW], hw);
	parse("trace:");
	ck_assert_uint_eq(fields.of[TYPE_TRACE], 0);
	/* A field that events of some types do not have is ignored for these types. (If -F names
	 * the type, as in "sw:trace", the field is an error.) */
	parse("comm,trace");
	ck_assert_uint_eq(fields.of[TYPE_SW], FIELD(COMM));
	ck_assert_uint_eq(fields.of[TYPE_TRACE], FIELD(COMM) | FIELD(TRACE));
}
END_TEST

START_TEST(errors)
{
	refuse("comm,non-sense", "no such field", "non-sense");
	refuse("", "no fields", "");
	refuse("comm,,tid", "no such field", "");
	refuse("comm,+tid", "all fields or none must begin with + or -", "+tid");
	refuse("+comm,tid", "all fields or none must begin with + or -", "tid");
	refuse("other:comm", "no such type of events", "other");
	refuse("sw:trace", "not a field of such events", "trace");
	refuse("+", "no such field", "+");
}
END_TEST

START_TEST(of_events)
{
	struct pk_event event = {.attr = {.type = PERF_TYPE_TRACEPOINT}};
	uint64_t missing, base = FIELD(COMM) | FIELD(EVENT);

	fields_default(&fields);
	ck_assert_uint_eq(fields_of(&fields, &event, &missing), base);
	ck_assert_uint_eq(missing, 0);
	event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
	ck_assert_uint_eq(fields_of(&fields, &event, &missing), base | FIELD(TRACE) | NAMED);
	parse("comm,addr");
	ck_assert_uint_eq(fields_of(&fields, &event, &missing), FIELD(COMM));
	ck_assert_uint_eq(missing, FIELD(ADDR));
	event.attr.type = 77;
	event.attr.sample_type |= PERF_SAMPLE_ADDR;
	ck_assert_uint_eq(fields_of(&fields, &event, &missing), FIELD(COMM) | FIELD(ADDR));
}
END_TEST

START_TEST(all)
{
	fields_default(&fields);
	parse("hw:comm");
	fields_all(&fields);
	ck_assert_uint_eq(fields.of[TYPE_HW], FIELD(COMM));
	ck_assert(fields.of[TYPE_SW] & FIELD(BRSTACK));
}
END_TEST

START_TEST(other_names_are_of_tracepoints_or_the_vocabulary)
{
	fields_default(&fields);
	parse("comm,prev_comm,mode,symbol");
	ck_assert_uint_eq(fields.of[TYPE_HW], FIELD(COMM) | FIELD(MORE) | FIELD(SYM));
	ck_assert_uint_eq(fields.more_count, 3);
	ck_assert(fields.more[2].json_only);
	ck_assert_str_eq(fields.more[0].column.reference.name, "prev_comm");
	ck_assert_str_eq(fields.more[1].column.reference.field->name, "mode");
	parse("trace:+prev_comm,-mode");
	ck_assert_uint_eq(fields.more[1].types >> TYPE_TRACE & 1, 0);
	ck_assert_uint_eq(fields.more[1].types >> TYPE_HW & 1, 1);
	fields_free(&fields);
}
END_TEST

RUN_TESTS("fields", lists, changes, types, errors, of_events, all,
	  other_names_are_of_tracepoints_or_the_vocabulary)
