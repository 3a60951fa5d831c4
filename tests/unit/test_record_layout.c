// SPDX-License-Identifier: BSD-2-Clause
/* The table of layouts agrees with itself. */
#include "stream_builder.h"
#include "stream_internal.h"

#define MISC_NONE 0

/* The fields that have a name: each letter but those that are not printed. */
static size_t named_letters(const char *letters)
{
	size_t count = 0;

	for (; *letters && *letters != '|'; letters++)
		count += !strchr(".?nm*/-)}", *letters);
	return count;
}

static size_t words(const char *text)
{
	size_t count = *text != '\0';

	for (; *text; text++)
		count += *text == ' ';
	return count;
}

/* The bytes that a record cannot do without. */
static size_t least_size(const char *letters)
{
	size_t size = sizeof(struct perf_header);

	for (; *letters && !strchr("?({", *letters); letters++)
		size += *letters == 's' ? 1 : pk_letter_size(*letters);
	return size;
}

static void check(const struct pk_record_layout *layout)
{
	ck_assert_msg(named_letters(layout->letters) == words(layout->fields), "%s: %s: %s",
		      layout->name, layout->letters, layout->fields);
	for (const char *p = layout->letters; *p; p++)
		ck_assert_msg(pk_letter_size(*p) || strchr("st*/-|?(){}", *p), "%s: %c",
			      layout->name, *p);
}

START_TEST(records)
{
	unsigned int known = 0;

	for (uint32_t type = 0; type < PERF_RECORD_USER_MAX + 10; type++) {
		const struct pk_record_layout *layout = pk_record_layout(type, MISC_NONE);

		ck_assert_uint_eq(pk_record_size_min(type), layout ? layout->size_min : 8);
		if (!layout)
			continue;
		known++;
		check(layout);
		if (type != PERF_RECORD_AUXTRACE_ERROR && type != PERF_RECORD_BPF_METADATA)
			ck_assert_msg(layout->size_min == least_size(layout->letters),
				      "%s: %u, not %zu", layout->name, layout->size_min,
				      least_size(layout->letters));
	}
	ck_assert_uint_eq(known, PERF_RECORD_KERNEL_MAX - 1 + PERF_RECORD_USER_MAX -
					 PERF_RECORD_USER_START);
	check(pk_record_layout(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID));
}
END_TEST

START_TEST(definitions_and_features)
{
	for (unsigned int kind = PK_SESSION; kind <= PK_ARGUMENTS; kind++)
		check(pk_definition_layout(kind));
	ck_assert_ptr_null(pk_definition_layout(PK_DEFINITION_NONE));
	ck_assert_ptr_null(pk_definition_layout(PK_ARGUMENTS + 1));
	for (uint64_t feature = 1; feature < PERF_FEATURE_MAX; feature++)
		if (pk_feature_layout(feature))
			check(pk_feature_layout(feature));
	ck_assert_ptr_null(pk_feature_layout(0));
	ck_assert_ptr_null(pk_feature_layout(PERF_FEATURE_MAX));
}
END_TEST

RUN_TESTS("record_layout", records, definitions_and_features)
