// SPDX-License-Identifier: BSD-2-Clause
/* Tables of functions of all versions of Go, both sizes of pointers, both byte orders; each cut and
 * damaged everywhere. */
#include <stdlib.h>
#include <string.h>

#include "gopclntab.h"
#include "stream_builder.h"

static struct {
	uint8_t bytes[512];
	size_t size;
	unsigned word;
	bool big;
} table;

static void number(uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		const unsigned shift = 8 * (table.big ? size - 1 - i : i);

		table.bytes[table.size++] = (uint8_t)(value >> shift);
	}
}

static void start(uint32_t magic, unsigned word, bool big)
{
	memset(&table, 0, sizeof(table));
	table.word = word;
	table.big = big;
	number(magic, 4);
	number(0, 2);
	number(1, 1);
	number(word, 1);
}

static void names(void)
{
	static const char text[] = "\0main.main\0main.spin[...]";

	memcpy(table.bytes + table.size, text, sizeof(text));
	table.size += sizeof(text);
}

enum { FIRST = 1, SECOND = 11, NAMES = 26 };

/* Go 1.2: offsets are from the start of the table. */
static void make_1_2(uint32_t magic, unsigned word, bool big)
{
	const unsigned functions = 8 + word + 5 * word + 4, text = functions + 2 * (word + 4);

	start(magic, word, big);
	number(2, word);
	number(0x401000, word);
	number(functions, word);
	number(0x401040, word);
	number(functions + word + 4, word);
	number(0x401100, word);
	number(0, 4);
	number(0x401000, word);
	number(text + FIRST, 4);
	number(0x401040, word);
	number(text + SECOND, 4);
	names();
	table.size = sizeof(table.bytes);
}

static void make_later(uint32_t magic, unsigned word, bool big)
{
	const bool relative = magic >= 0xfffffff0 && magic < 0xfffffffa;
	const unsigned entry = relative ? 4 : word, text = 8 + 8 * word, pcs = text + NAMES;
	const uint64_t base = relative ? 0x401000 : 0;

	start(magic, word, big);
	number(2, word);
	number(0, word);
	if (relative)
		number(0x401000, word);
	number(text, word);
	for (int i = 0; i < 3; i++)
		number(pcs, word);
	number(pcs, word);
	table.size = text;
	names();
	number(0x401000 - base, entry);
	number(5 * entry, entry);
	number(0x401040 - base, entry);
	number(6 * entry + 4, entry);
	number(0x401100 - base, entry);
	number(0x401000 - base, entry);
	number(FIRST, 4);
	number(0x401040 - base, entry);
	number(SECOND, 4);
	table.size = sizeof(table.bytes);
}

static bool same(const void *arg, uint64_t address, uint64_t *offset)
{
	(void)arg;
	*offset = address;
	return true;
}

static struct pk_symtable load(size_t size)
{
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	uint8_t *bytes = malloc(size + 1); /* so that sanitizers see a read behind the end */
	const struct pk_go_table go = {
		.bytes = bytes, .size = size, .swapped = table.big == little};
	struct pk_symtable t = {0};

	memcpy(bytes, table.bytes, size);
	ck_assert(pk_go_table_load(&go, &t, same, NULL));
	ck_assert(pk_symtable_settle(&t, NULL, NULL));
	ck_assert(pk_symtable_flatten(&t, PK_OVERLAP_INNERMOST));
	free(bytes);
	return t;
}

static void expect(struct pk_symtable *t, uint64_t address, const char *name)
{
	struct pk_symtable_entry *e = pk_symtable_find(t, address);

	ck_assert(!!e == !!name);
	if (e)
		ck_assert_str_eq(pk_symtable_name(t, e), name);
}

static void damage(void)
{
	for (size_t size = 0; size <= sizeof(table.bytes); size += 3) {
		struct pk_symtable t = load(size);

		pk_symtable_clear(&t);
	}
	for (size_t i = 0; i < 8 * sizeof(table.bytes); i++) {
		struct pk_symtable t;

		table.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		t = load(sizeof(table.bytes));
		pk_symtable_clear(&t);
		table.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
	}
}

START_TEST(versions)
{
	static const uint32_t magics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};

	for (size_t i = 0; i < 16; i++) {
		const uint32_t magic = magics[i / 4];
		struct pk_symtable t;

		(i < 4 ? make_1_2 : make_later)(magic, i & 1 ? 8 : 4, i & 2);
		t = load(sizeof(table.bytes));
		expect(&t, 0x400fff, NULL);
		expect(&t, 0x401000, "main.main");
		expect(&t, 0x40103f, "main.main");
		expect(&t, 0x401040, "main.spin[...]");
		expect(&t, 0x4010ff, "main.spin[...]");
		expect(&t, 0x401100, NULL);
		pk_symtable_clear(&t);
		damage();
	}
}
END_TEST

RUN_TESTS("gopclntab", versions)
