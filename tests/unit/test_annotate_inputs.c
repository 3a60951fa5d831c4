// SPDX-License-Identifier: BSD-2-Clause
/* Tests features and files that pk-annotate reads: groups of events, code of BPF programs, and
 * source lines. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf_code.h"
#include "counters.h"
#include "source_texts.h"
#include "stream_builder.h"

struct bytes {
	uint8_t data[512];
	size_t size;
};

static void put32(struct bytes *b, uint32_t value)
{
	pk_store_u32(b->data + b->size, value);
	b->size += 4;
}

static void put64(struct bytes *b, uint64_t value)
{
	pk_store_u64(b->data + b->size, value);
	b->size += 8;
}

static struct pk_feature_content content(const struct bytes *b)
{
	return (struct pk_feature_content){.data = b->data, .size = b->size};
}

START_TEST(event_lists)
{
	struct event_groups groups = {0};
	struct bytes b = {.size = 0};
	struct pk_feature_content feature;

	put32(&b, 2);
	put32(&b, 4);
	put32(&b, 0);
	put32(&b, 0);
	put32(&b, 2);
	put32(&b, 8);
	put64(&b, 0);
	put32(&b, 2);
	put32(&b, 1);
	feature = content(&b);
	ck_assert(pk_event_groups_read(&groups, &feature) == PK_OK);
	ck_assert_uint_eq(groups.count, 2);
	ck_assert_uint_eq(groups.list[0].members, 2);
	ck_assert_uint_eq(groups.list[1].leader, 2);
	for (feature.size = 0; feature.size < b.size; feature.size++) {
		ck_assert(pk_event_groups_read(&groups, &feature) == PK_OK);
		ck_assert_uint_lt(groups.count, 2);
	}
	/* Sizes and numbers that are too large for the feature. */
	pk_store_u32(b.data + 4, UINT32_MAX);
	feature = content(&b);
	ck_assert(pk_event_groups_read(&groups, &feature) == PK_OK);
	ck_assert_uint_eq(groups.count, 0);
	pk_store_u32(b.data, UINT32_MAX);
	ck_assert(pk_event_groups_read(&groups, &feature) == PK_OK);
	ck_assert_uint_eq(groups.count, 0);
	pk_event_groups_clear(&groups);
}
END_TEST

/* Builds the information about a BPF program of two functions with 3 and 2 bytes of code. */
static struct bytes program(void)
{
	struct bytes b = {.size = 0};

	put32(&b, 1);
	put32(&b, 128);
	put32(&b, 32);
	put64(&b, 1 | 1 << 3 | 1 << 4);
	memset(b.data + b.size, 0, 128);
	pk_store_u32(b.data + b.size + 16, 5);
	pk_store_u64(b.data + b.size + 24, 0);
	pk_store_u32(b.data + b.size + 104, 2);
	pk_store_u32(b.data + b.size + 108, 2);
	pk_store_u64(b.data + b.size + 112, 8);
	pk_store_u64(b.data + b.size + 120, 24);
	b.size += 128;
	memcpy(b.data + b.size, "abcde\0\0\0", 8);
	b.size += 8;
	put64(&b, 0x9000);
	put64(&b, 0x1000);
	put32(&b, 3);
	put32(&b, 2);
	return b;
}

START_TEST(bpf)
{
	struct bpf_code code = {0};
	struct bytes b = program();
	struct pk_feature_content feature = content(&b);

	ck_assert(pk_bpf_code_read(&code, &feature) == PK_OK);
	ck_assert_uint_eq(code.count, 2);
	ck_assert_mem_eq(pk_bpf_code_at(&code, 0x9002)->bytes, "abc", 3);
	ck_assert_mem_eq(pk_bpf_code_at(&code, 0x1000)->bytes, "de", 2);
	ck_assert_ptr_null(pk_bpf_code_at(&code, 0x1002));
	ck_assert_ptr_null(pk_bpf_code_at(&code, 0xfff));
	for (feature.size = 0; feature.size < b.size; feature.size++) {
		ck_assert(pk_bpf_code_read(&code, &feature) == PK_OK);
		ck_assert_uint_eq(code.count, 0);
	}
	pk_bpf_code_clear(&code);
}
END_TEST

/* Replaces each 32-bit number of the information about a BPF program by each of `values`. Reading
 * must neither fail nor read other memory. */
START_TEST(bpf_damage)
{
	static const uint32_t values[] = {0, 1, 2, 6, 31, 33, 0x7fffffff, 0xfffffff8, UINT32_MAX};
	struct bpf_code code = {0};

	for (size_t at = 0; at < program().size; at += 4) {
		for (size_t i = 0; i < COUNT(values); i++) {
			struct bytes b = program();
			struct pk_feature_content feature = content(&b);

			pk_store_u32(b.data + at, values[i]);
			ck_assert(pk_bpf_code_read(&code, &feature) == PK_OK);
			ck_assert_uint_le(code.count, 2);
			for (size_t k = 0; k < code.count; k++)
				ck_assert_uint_le(code.pieces[k].size, 5);
		}
	}
	pk_bpf_code_clear(&code);
}
END_TEST

static void line_is(struct pk_source_texts *files, const char *file, uint32_t line,
		    const char *text)
{
	size_t size = 0;
	const char *found = pk_source_texts_line(files, file, line, &size);

	if (!text) {
		ck_assert_ptr_null(found);
		return;
	}
	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(size, strlen(text));
	ck_assert_mem_eq(found, text, size);
}

START_TEST(lines)
{
	static const char text[] = "one\n\nthree\r\nlast";
	const char *above = getenv("TMPDIR");
	char folder[256], prefix[300], file[300];
	const char *texts[] = {"/never=/x", prefix};
	const struct pk_text_list prefixes = {.items = texts, .count = 2};
	struct pk_source_texts *files;
	FILE *f;

	snprintf(folder, sizeof(folder), "%s/pk-lines.XXXXXX", above ? above : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(prefix, sizeof(prefix), "/build=%s", folder);
	snprintf(file, sizeof(file), "%s/a.c", folder);
	f = fopen(file, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, sizeof(text) - 1, f), sizeof(text) - 1);
	fclose(f);
	files = pk_source_texts_new(&prefixes, NULL);
	line_is(files, "/build/a.c", 1, "one");
	line_is(files, "/build/a.c", 2, "");
	line_is(files, "/build/a.c", 3, "three\r");
	line_is(files, "/build/a.c", 4, "last");
	line_is(files, "/build/a.c", 5, NULL);
	line_is(files, "/build/a.c", 0, NULL);
	line_is(files, "/build/a.c", UINT32_MAX, NULL);
	line_is(files, "/build/b.c", 1, NULL);
	line_is(files, "a.c", 1, NULL);
	line_is(files, "/dev/zero", 1, NULL);
	line_is(files, folder, 1, NULL);
	pk_source_texts_free(files);
	unlink(file);
	rmdir(folder);
}
END_TEST

RUN_TESTS("annotate_inputs", event_lists, bpf, bpf_damage, lines)
