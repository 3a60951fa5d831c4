// SPDX-License-Identifier: BSD-2-Clause
/* Tests the format of a derived event. The format is added to the formats of a stream. lib/trace
 * then reads the format, and samples of the event. */
#include <stdio.h>
#include <stdlib.h>

#include "span_format.h"
#include "stream_builder.h"
#include "tracepoint.h"
#include "tracing_payload.h"

static struct pk_span_format format;
static struct buffer text, merged;

/* Adds the format to the payload of TRACING_DATA. */
static enum pk_status merge(const struct buffer *payload, bool big_endian)
{
	const struct pk_bytes bytes = {(const uint8_t *)payload->data, payload->size};
	struct pk_tracing_format added = {.system = PK_SPAN_SYSTEM, .id = format.id};

	text.size = 0;
	pk_span_format_text(&format, &text);
	added.text = text.data;
	added.size = text.size;
	return pk_tracing_data_add(&merged, &bytes, &added, big_endian);
}

static struct pk_tracepoints *load(const struct buffer *payload)
{
	struct pk_tracepoints *all = pk_tracepoints_new();

	ck_assert_ptr_nonnull(all);
	ck_assert_int_eq(pk_tracepoints_load(all, (const uint8_t *)payload->data, payload->size),
			 PK_OK);
	return all;
}

static void start_format(uint32_t id, bool big_endian)
{
	pk_span_format_start(&format, "wait", id, big_endian);
	ck_assert(pk_span_format_add(&format, "start", PK_VALUE_NUMBER));
	ck_assert(pk_span_format_add(&format, "pid", PK_VALUE_SIGNED));
	ck_assert(pk_span_format_add(&format, "comm", PK_VALUE_TEXT));
	ck_assert(pk_span_format_add(&format, "addr", PK_VALUE_ADDRESS));
	ck_assert(pk_span_format_add(&format, "pid", PK_VALUE_NUMBER));
	ck_assert(pk_span_format_add(&format, "a-b", PK_VALUE_TEXT));
}

static void check_sample(bool big_endian)
{
	const struct buffer none = {0};
	const struct pk_span_value values[] = {
		{.number = 123456789012},
		{.number = (uint64_t)-5},
		{.text = {(const uint8_t *)"some name", 9}},
		{.number = UINT64_C(0xffffffff81000000)},
		{.number = 7},
		{.text = {NULL, 0}},
	};
	uint8_t raw[PK_SPAN_RAW_MAX];
	struct pk_bytes bytes = {.data = raw};
	struct pk_tracepoints *all;
	struct pk_tracepoint *tracepoint;

	start_format(65535, big_endian);
	ck_assert_int_eq(merge(&none, big_endian), PK_OK);
	ck_assert_uint_eq(merged.size % 8, 0);
	all = load(&merged);
	tracepoint = pk_tracepoints_find(all, 65535);
	ck_assert_ptr_nonnull(tracepoint);
	ck_assert_str_eq(pk_tracepoint_name(tracepoint), "pk:wait");
	bytes.size = pk_span_format_size(&format, values);
	ck_assert_uint_eq(bytes.size % 8, 4);
	memset(raw, 0xff, sizeof(raw));
	pk_span_format_put(&format, 77, values, raw, (size_t)bytes.size);
	ck_assert_str_eq(pk_tracepoint_text(tracepoint, &bytes, NULL),
			 "start=123456789012 pid=-5 comm=some name addr=0xffffffff81000000 "
			 "pid_2=7 a_b=");
	pk_tracepoints_free(all);
}

START_TEST(samples_in_both_byte_orders)
{
	check_sample(false);
	check_sample(true);
}
END_TEST

START_TEST(a_second_format_is_added_to_the_first)
{
	struct buffer first = {0};
	const struct buffer none = {0};
	struct pk_tracepoints *all;

	start_format(65535, true);
	ck_assert_int_eq(merge(&none, true), PK_OK);
	buffer_add(&first, merged.data, merged.size);
	start_format(65534, true);
	ck_assert_int_eq(merge(&first, false), PK_OK); /* the payload keeps its byte order */
	all = load(&merged);
	ck_assert_ptr_nonnull(pk_tracepoints_find(all, 65535));
	ck_assert_ptr_nonnull(pk_tracepoints_find(all, 65534));
	pk_tracepoints_free(all);
	/* The new format replaces a format with the same number. */
	pk_span_format_start(&format, "other", 65535, true);
	ck_assert(pk_span_format_add(&format, "start", PK_VALUE_NUMBER));
	ck_assert_int_eq(merge(&first, true), PK_OK);
	all = load(&merged);
	ck_assert_str_eq(pk_tracepoint_name(pk_tracepoints_find(all, 65535)), "pk:other");
	pk_tracepoints_free(all);
	free(first.data);
}
END_TEST

START_TEST(damaged_formats_are_left_out)
{
	struct buffer whole = {0}, cut = {0};
	const struct buffer none = {0};
	struct pk_tracepoints *all;
	enum pk_status status;

	start_format(65535, false);
	ck_assert_int_eq(merge(&none, false), PK_OK);
	buffer_add(&whole, merged.data, merged.size);
	for (size_t size = 1; size < whole.size; size++) {
		cut.size = 0;
		buffer_add(&cut, whole.data, size);
		start_format(1, false);
		status = merge(&cut, false);
		ck_assert(status == PK_OK || status == PK_CORRUPT);
		all = load(&merged);
		ck_assert_ptr_nonnull(pk_tracepoints_find(all, 1));
		pk_tracepoints_free(all);
	}
	free(whole.data);
	free(cut.data);
}
END_TEST

START_TEST(texts_are_cut)
{
	static uint8_t raw[PK_SPAN_RAW_MAX], long_text[PK_SPAN_TEXTS_MAX * 2];
	struct pk_span_value values[PK_SPAN_FIELDS_MAX];
	size_t size;

	memset(long_text, 'x', sizeof(long_text));
	pk_span_format_start(&format, "texts", 9, false);
	for (unsigned int i = 0; i < PK_SPAN_FIELDS_MAX; i++) {
		ck_assert(pk_span_format_add(&format, "text", PK_VALUE_TEXT));
		values[i] = (struct pk_span_value){.text = {long_text, i % 3 ? 100 : 3000}};
	}
	ck_assert(!pk_span_format_add(&format, "text", PK_VALUE_TEXT));
	size = pk_span_format_size(&format, values);
	ck_assert_uint_le(size, sizeof(raw));
	pk_span_format_put(&format, 1, values, raw, size);
}
END_TEST

START_TEST(names_of_events)
{
	ck_assert(pk_field_name_is_valid("span"));
	ck_assert(pk_field_name_is_valid("_a1"));
	ck_assert(!pk_field_name_is_valid(""));
	ck_assert(!pk_field_name_is_valid("1a"));
	ck_assert(!pk_field_name_is_valid("a b"));
	ck_assert(!pk_field_name_is_valid("a:b"));
	ck_assert(!pk_field_name_is_valid(
		"a123456789012345678901234567890123456789012345678901234567890123456789"));
}
END_TEST

RUN_TESTS("span_format", samples_in_both_byte_orders, a_second_format_is_added_to_the_first,
	  damaged_formats_are_left_out, texts_are_cut, names_of_events)
