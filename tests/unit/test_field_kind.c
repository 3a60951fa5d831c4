// SPDX-License-Identifier: BSD-2-Clause
/* Tests the kinds of fields: their texts, the kinds that formats of tracepoints show, and that
 * spans keep the kinds. */
#include <stdlib.h>

#include "field_kind.h"
#include "span_format.h"
#include "stream_builder.h"
#include "tracing_payload.h"

static const char of_kernel[] =
	"name: work\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long where;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:size_t request;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int ret;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int flags;\toffset:36;\tsize:4;\tsigned:0;\n"
	"\tfield:long state;\toffset:40;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned int reason;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned int isa;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%d,%d at=%pS %zu %d flags=%s state=%s%s %s\", "
	"((unsigned int) ((REC->dev) >> 20)), ((unsigned int) ((REC->dev) & ((1U << 20) - 1))), "
	"(void *)REC->where, REC->request, REC->ret, "
	"__print_flags(REC->flags, \"|\", { (1U << 0), \"SPIN\" }, { (1U << 1), \"READ\" }), "
	"(REC->state & 0xff) ? __print_flags(REC->state & 0xff, \"|\", { 0x01, \"S\" }, "
	"{ 0x02, \"D\" }) : \"R\", REC->state & 0x100 ? \"+\" : \"\", "
	"REC->isa == 1 ? __print_symbolic(REC->reason, {1, \"A\"}) : __print_symbolic(REC->reason, "
	"{1, \"B\"})\n";

static struct pk_tracepoints *load(const char *system, const char *text, size_t size, uint32_t id,
				   bool big_endian)
{
	const struct pk_tracing_format format = {system, text, size, id};
	const struct pk_bytes none = {0};
	struct pk_tracepoints *all = pk_tracepoints_new();
	struct buffer payload = {0};

	ck_assert_int_eq(pk_tracing_data_add(&payload, &none, &format, big_endian), PK_OK);
	ck_assert_int_eq(pk_tracepoints_load(all, (uint8_t *)payload.data, payload.size), PK_OK);
	free(payload.data);
	return all;
}

static void expect_text(enum pk_value_kind kind, uint64_t number, const char *text)
{
	char found[PK_VALUE_SIZE + 1];

	found[pk_number_text(kind, number, found)] = '\0';
	ck_assert_str_eq(found, text);
}

START_TEST(numbers_have_the_text_of_their_kind)
{
	expect_text(PK_VALUE_NUMBER, UINT64_MAX, "18446744073709551615");
	expect_text(PK_VALUE_SIGNED, UINT64_MAX, "-1");
	expect_text(PK_VALUE_ADDRESS, UINT64_C(0xffffffff816cc5c4), "0xffffffff816cc5c4");
	expect_text(PK_VALUE_TIME, UINT64_C(4386418327008), "4386.418327008");
	expect_text(PK_VALUE_TIME, UINT64_MAX, "18446744073.709551615");
	expect_text(PK_VALUE_DEVICE, 266338304, "254,0");
	expect_text(PK_VALUE_DEVICE, 8 << 20 | 300, "8,300");
	expect_text(PK_VALUE_DEVICE, UINT64_MAX, "18446744073709551615");
	expect_text(PK_VALUE_ERROR, 2, "ENOENT");
	expect_text(PK_VALUE_ERROR, 0, "0");
	expect_text(PK_VALUE_ERROR, 999, "999");
	expect_text(PK_VALUE_RESULT, (uint64_t)-516, "ERESTART_RESTARTBLOCK");
	expect_text(PK_VALUE_RESULT, (uint64_t)-4000, "-4000");
	expect_text(PK_VALUE_RESULT, 2, "2");
	expect_text(PK_VALUE_RESULT, UINT64_C(1) << 63, "-9223372036854775808");
}
END_TEST

static const struct pk_tracepoint_field *field_of(const struct pk_tracepoint *tracepoint,
						  const char *name, enum pk_value_kind kind)
{
	const struct pk_tracepoint_field *field = pk_tracepoint_find_field(tracepoint, name);

	ck_assert_ptr_nonnull(field);
	ck_assert_msg(field->kind == kind, "%s: %s", name, pk_kind_name(field->kind));
	return field;
}

static void expect_words(struct pk_tracepoint *tracepoint, const struct pk_tracepoint_field *field,
			 uint64_t number, const char *text)
{
	const struct pk_bytes words = pk_tracepoint_words(tracepoint, field, number);

	ck_assert_uint_eq(words.size, strlen(text));
	ck_assert(!memcmp(words.data, text, words.size));
}

static void check_kinds(struct pk_tracepoint *tracepoint)
{
	field_of(tracepoint, "dev", PK_VALUE_DEVICE);
	field_of(tracepoint, "where", PK_VALUE_ADDRESS);
	field_of(tracepoint, "request", PK_VALUE_BYTES);
	field_of(tracepoint, "ret", PK_VALUE_RESULT);
	field_of(tracepoint, "reason", PK_VALUE_NUMBER); /* its words depend on the field isa */
	expect_words(tracepoint, field_of(tracepoint, "flags", PK_VALUE_WORDS), 3, "SPIN|READ");
	expect_words(tracepoint, field_of(tracepoint, "state", PK_VALUE_SIGNED_WORDS), 0x101, "S+");
	expect_words(tracepoint, field_of(tracepoint, "state", PK_VALUE_SIGNED_WORDS), 0, "R");
}

static void check_spans(bool big_endian)
{
	static const char *const names[] = {"dev",   "where", "request", "ret",
					    "flags", "state", "reason"};
	struct pk_span_format *format = calloc(1, sizeof(*format));
	struct pk_tracepoints *all = load("x", of_kernel, strlen(of_kernel), 300, big_endian),
			      *spans;
	struct pk_tracepoint *tracepoint = pk_tracepoints_find(all, 300);
	struct buffer text = {0};

	check_kinds(tracepoint);
	pk_span_format_start(format, "span", 301, big_endian);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct pk_tracepoint_field *field =
			pk_tracepoint_find_field(tracepoint, names[i]);

		ck_assert(pk_span_format_add(format, names[i], field->kind));
		if (!pk_kind_is_words(field->kind))
			continue;
		format->fields[i].of = tracepoint;
		format->fields[i].words = field;
	}
	pk_span_format_text(format, &text);
	spans = load("pk", text.data, text.size, 301, big_endian);
	check_kinds(pk_tracepoints_find(spans, 301));
	free(text.data);
	free(format);
	pk_tracepoints_free(spans);
	pk_tracepoints_free(all);
}

START_TEST(formats_tell_kinds_and_spans_keep_them)
{
	check_spans(false);
	check_spans(true);
}
END_TEST

START_TEST(some_kinds_are_known_by_name)
{
	ck_assert_int_eq(pk_kind_known("sched", "sched_stat_runtime", "runtime", false),
			 PK_VALUE_DURATION);
	ck_assert_int_eq(pk_kind_known("x", "y", "duration", false), PK_VALUE_DURATION);
	ck_assert_int_eq(pk_kind_known("pk", "y", "start", false), PK_VALUE_TIME);
	ck_assert_int_eq(pk_kind_known("x", "y", "start", false), PK_VALUE_NONE);
	ck_assert_int_eq(pk_kind_known("x", "y", "ret", true), PK_VALUE_RESULT);
	ck_assert_int_eq(pk_kind_known("x", "y", "ret", false), PK_VALUE_NONE);
}
END_TEST

RUN_TESTS("field_kind", numbers_have_the_text_of_their_kind, formats_tell_kinds_and_spans_keep_them,
	  some_kinds_are_known_by_name)
