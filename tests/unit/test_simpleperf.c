/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"
#include "simpleperf.h"
#include "swap.h"

static uint8_t in[4096], out[65536];
static size_t in_size, out_size;
static bool swapped;

static void put(const void *bytes, size_t size)
{
	memcpy(in + in_size, bytes, size);
	in_size += size;
}

static void put_u32(uint32_t value)
{
	value = swapped ? __builtin_bswap32(value) : value;
	put(&value, sizeof(value));
}

static void put_u64(uint64_t value)
{
	value = swapped ? __builtin_bswap64(value) : value;
	put(&value, sizeof(value));
}

static void put_text(const char *text)
{
	put(text, strlen(text) + 1);
}

/* Ends the description of a file, which starts at this offset, by writing its size there. */
static void end_file(size_t start)
{
	const size_t size = in_size;

	in_size = start;
	put_u32((uint32_t)(size - start - 4));
	in_size = size;
}

/* Writes the description of a file with two symbols. `extra` is the file offset of min_vaddr, which
 * only later versions of simpleperf write. It can be NULL. */
static void put_file(const char *path, uint32_t type, uint64_t min_vaddr, const uint64_t *extra)
{
	const size_t start = in_size;

	put_u32(0);
	put_text(path);
	put_u32(type);
	put_u64(min_vaddr);
	put_u32(2);
	put_u64(0x12000);
	put_u32(0x40);
	put_text("_Z3onev");
	put_u64(0x12040);
	put_u32(0);
	put_text("without_size");
	if (extra)
		put_u64(*extra);
	end_file(start);
}

static uint8_t *add(void *arg, size_t size)
{
	(void)arg;
	ck_assert_uint_le(out_size + size, sizeof(out));
	out_size += size;
	return memset(out + out_size - size, 0, size);
}

static bool convert(unsigned int id, size_t size)
{
	/* A copy without further bytes, so that sanitizers find reads after its end. */
	uint8_t *copy = malloc(size + 1);
	struct pk_simpleperf to = {.swapped = swapped, .add = add};
	bool fine;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, in, size);
	out_size = 0;
	fine = pk_simpleperf_add(&to, id, copy, size);
	free(copy);
	return fine;
}

/* Reads an IMAGE and its only symbol from `out` at *at, and checks them. */
static void expect(size_t *at, uint32_t id, uint32_t kind, const char *path, uint64_t start)
{
	struct pk_record record;
	struct pk_image_info image;
	struct pk_symbol_info symbol;
	struct pk_offsite_list list;
	uint16_t size;

	for (int i = 0; i < 2; i++) {
		ck_assert_uint_lt(*at, out_size);
		size = pk_load_u16(out + *at + 6);
		if (swapped) {
			size = __builtin_bswap16(size);
			memcpy(out + *at + 6, &size, sizeof(size));
			pk_swap_u32(out + *at);
			ck_assert_int_eq(
				pk_swap_record(NULL, out + *at, PERF_RECORD_EVENT_UPDATE, 0, size),
				PK_OK);
		}
		record = (struct pk_record){
			.data = out + *at, .type = pk_load_u32(out + *at), .size = size};
		*at += size;
		if (i == 0) {
			ck_assert_int_eq(pk_image_info_decode(&record, &image), PK_OK);
			ck_assert_uint_eq(image.id, id);
			ck_assert_uint_eq(image.kind, kind);
			ck_assert_str_eq(image.path, path);
			continue;
		}
		ck_assert_int_eq(pk_offsite_entries(&record, &list), PK_OK);
		ck_assert_uint_eq(list.image, id);
		ck_assert_int_eq(pk_symbol_info_next(&list, &symbol), PK_OK);
		ck_assert_uint_eq(symbol.start, start);
		ck_assert_uint_eq(symbol.size, 0x40);
		ck_assert_uint_eq(symbol.name_size, 7);
		ck_assert(!memcmp(symbol.name, "_Z3onev", 7));
		ck_assert_int_eq(pk_symbol_info_next(&list, &symbol), PK_END);
	}
}

/* Files of these types: kernel, module, ELF without and with an offset, DEX, and a type of later
 * versions. */
START_TEST(file)
{
	const uint64_t offset = 0x800, dex[] = {1, 0x28};
	size_t at = 0, start;

	swapped = _i;
	in_size = 0;
	put_file("[kernel.kallsyms]", 0, 0, NULL);
	put_file("/module.ko", 1, 0x10000, &offset);
	put_file("/old.so", 2, 0x10000, NULL);
	put_file("/new.so", 2, 0x10000, &offset);
	start = in_size;
	put_file("/a.vdex", 3, 0, NULL);
	put_u32((uint32_t)dex[0]);
	put_u64(dex[1]);
	end_file(start);
	put_file("/later", 9, 0, NULL);
	ck_assert(convert(PK_SIMPLEPERF_FILE, in_size));
	expect(&at, 1, PK_DSO_KERNEL, "[kernel.kallsyms]", 0x12000);
	expect(&at, 2, PK_DSO_FILE, "/old.so", 0x2000);
	expect(&at, 3, PK_DSO_FILE, "/new.so", 0x2800);
	expect(&at, 4, PK_DSO_FILE, "/a.vdex", 0x12000);
	ck_assert_uint_eq(at, out_size);
	for (size_t size = 0; size < in_size; size++)
		convert(PK_SIMPLEPERF_FILE, size);
}
END_TEST

/* A file whose fields are in an unusual order. It has an unknown field and two symbols. */
START_TEST(file2)
{
	static const uint8_t message[] = {
		0x22, 0x0f, 0x08, 0x80, 0xc0, 0x04, 0x10, 0x40, /* symbol: vaddr, len */
		0x1a, 7,    '_',  'Z',	'3',  'o',  'n',  'e',	'v',
		0x32, 0x03, 0x08, 0x80, 0x10, /* elf_file: offset 0x800 */
		0x18, 0x80, 0x80, 0x04,	      /* min_vaddr 0x10000 */
		0x7a, 0x02, 1,	  2,	      /* an unknown field */
		0x22, 0x02, 0x08, 0x05,	      /* a symbol without name and size */
		0x10, 0x02,		      /* type ELF */
		0x0a, 7,    '/',  'n',	'e',  'w',  '.',  's',	'o',
	};
	size_t at = 0;

	swapped = _i;
	in_size = 0;
	put_u32(sizeof(message));
	put(message, sizeof(message));
	ck_assert(convert(PK_SIMPLEPERF_FILE2, in_size));
	expect(&at, 1, PK_DSO_FILE, "/new.so", 0x2800);
	ck_assert_uint_eq(at, out_size);
	for (size_t size = 1; size < in_size; size++)
		ck_assert(!convert(PK_SIMPLEPERF_FILE2, size));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("simpleperf");
	TCase *c = tcase_create("simpleperf");
	SRunner *r;
	int failed;

	tcase_add_loop_test(c, file, 0, 2);
	tcase_add_loop_test(c, file2, 0, 2);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
