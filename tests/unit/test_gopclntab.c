// SPDX-License-Identifier: BSD-2-Clause
/* Tests tables of functions and lines of all versions of Go, with both sizes of pointers and both
 * byte orders. Each table is also cut and damaged at each byte. */
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

static void text(unsigned at, const char *bytes, size_t size)
{
	memcpy(table.bytes + at, bytes, size);
}

/* Offsets of the parts from the start of the table, and offsets in these parts. In Go 1.2, all
 * offsets in the table count from the start of the table. In later versions, they count from the
 * start of the part. */
enum {
	FUNCTIONS = 80,
	FIRST = 128,
	SECOND = 192,
	NAMES = 256,
	NUMBERS = 320,
	FILES = 352,
	VALUES = 384,
	MAIN = 1, /* offsets of names of functions */
	SPIN = 11,
	A_GO = 1, /* offsets of names of files */
	B_GO = 6,
	FILE_1 = 1, /* offsets of tables of values, here of the number of the file */
	FILE_2 = 8,
	FILE_0 = 16,
	LINES_10 = 24, /* line 10 for the first 16 bytes of the function, then line 8 */
	LINES_299 = 32,
};

static void values(void)
{
	text(NAMES, "\0main.main\0main.spin[...]", 26);
	text(FILES, "\0a.go\0dir/b.go", 15);
	text(VALUES + FILE_1, "\4\x40\0", 3);
	text(VALUES + FILE_2, "\6\xc0\1\0", 4);
	text(VALUES + FILE_0, "\2\xc0\1\0", 4);
	text(VALUES + LINES_10, "\x16\x10\3\x30\0", 5);
	text(VALUES + LINES_299, "\xd8\4\xc0\1\0", 5);
	table.size = sizeof(table.bytes);
}

/* Writes the description of a function: its address, and the four numbers: the offsets of its name,
 * its files and its lines, and the first number of its files. */
static void function(unsigned at, uint64_t address, unsigned size, const unsigned numbers[4])
{
	table.size = at;
	number(address, size);
	number(numbers[0], 4);
	for (int i = 0; i < 3; i++)
		number(0, 4);
	number(numbers[1], 4);
	number(numbers[2], 4);
	number(0, 4);
	number(numbers[3], 4);
}

/* In Go 1.2, offsets count from the start of the table. */
static void make_1_2(uint32_t magic, unsigned word, bool big)
{
	start(magic, word, big);
	number(2, word);
	number(0x401000, word);
	number(FIRST, word);
	number(0x401040, word);
	number(SECOND, word);
	number(0x401100, word);
	number(NUMBERS, 4);
	function(FIRST, 0x401000, word,
		 (unsigned[]){NAMES + MAIN, VALUES + FILE_1, VALUES + LINES_10, 0});
	function(SECOND, 0x401040, word,
		 (unsigned[]){NAMES + SPIN, VALUES + FILE_2, VALUES + LINES_299, 0});
	table.size = NUMBERS;
	number(3, 4);
	number(FILES + A_GO, 4);
	number(FILES + B_GO, 4);
	values();
}

static void make_later(uint32_t magic, unsigned word, bool big)
{
	const bool relative = magic >= 0xfffffff0 && magic < 0xfffffffa;
	const unsigned entry = relative ? 4 : word;
	const uint64_t base = relative ? 0x401000 : 0;

	start(magic, word, big);
	number(2, word);
	number(0, word);
	if (relative)
		number(0x401000, word);
	number(NAMES, word);
	number(NUMBERS, word);
	number(FILES, word);
	number(VALUES, word);
	number(FUNCTIONS, word);
	table.size = FUNCTIONS;
	number(0x401000 - base, entry);
	number(FIRST - FUNCTIONS, entry);
	number(0x401040 - base, entry);
	number(SECOND - FUNCTIONS, entry);
	number(0x401100 - base, entry);
	function(FIRST, 0x401000 - base, entry, (unsigned[]){MAIN, FILE_1, LINES_10, 0});
	function(SECOND, 0x401040 - base, entry, (unsigned[]){SPIN, FILE_0, LINES_299, 2});
	table.size = NUMBERS;
	number(UINT32_MAX, 4);
	number(A_GO, 4);
	number(B_GO, 4);
	values();
}

static bool same(const void *arg, uint64_t address, uint64_t *offset)
{
	(void)arg;
	*offset = address;
	return true;
}

static struct pk_go_table go_table(const uint8_t *bytes, size_t size)
{
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	return (struct pk_go_table){.bytes = bytes, .size = size, .swapped = table.big == little};
}

/* Loads the table, and also looks up the lines of some addresses. */
static struct pk_symtable load(size_t size)
{
	uint8_t *bytes = malloc(size + 1); /* a copy, so that sanitizers find reads after its end */
	const struct pk_go_table go = go_table(bytes, size);
	struct pk_symtable t = {0};
	struct pk_source source;
	struct pk_range range;

	memcpy(bytes, table.bytes, size);
	for (uint64_t address = 0x401000; address < 0x401100; address += 0x38)
		if (pk_go_table_line(&go, address, &source, &range)) {
			ck_assert(pk_range_has(&range, address));
			ck_assert_uint_gt(strlen(source.file), 0);
		}
	ck_assert(pk_go_table_load(&go, &t, same, NULL) == PK_OK);
	ck_assert(pk_symtable_settle(&t) == PK_OK);
	ck_assert(pk_symtable_flatten(&t, PK_OVERLAP_INNERMOST) == PK_OK);
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

/* Checks that all addresses of the range have this file and line. */
static void expect_line(uint64_t from, uint64_t to, const char *file, uint32_t line)
{
	const struct pk_go_table go = go_table(table.bytes, sizeof(table.bytes));
	struct pk_source source;
	struct pk_range range;

	for (uint64_t address = from; address < to; address += to - from - 1) {
		ck_assert(pk_go_table_line(&go, address, &source, &range));
		ck_assert_str_eq(source.file, file);
		ck_assert_uint_eq(source.line, line);
		ck_assert_uint_eq(source.start, from < 0x401040 ? 0x401000 : 0x401040);
		ck_assert_uint_eq(range.from, from);
		ck_assert_uint_eq(range.to, to);
		ck_assert(!source.function && !source.inlined);
	}
}

static void lines(void)
{
	const struct pk_go_table go = go_table(table.bytes, sizeof(table.bytes));
	struct pk_source source;
	struct pk_range range;

	expect_line(0x401000, 0x401010, "a.go", 10);
	expect_line(0x401010, 0x401040, "a.go", 8);
	expect_line(0x401040, 0x401100, "dir/b.go", 299);
	ck_assert(!pk_go_table_line(&go, 0x400fff, &source, &range));
	ck_assert(!pk_go_table_line(&go, 0x401100, &source, &range));
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
		lines();
		damage();
	}
}
END_TEST

RUN_TESTS("gopclntab", versions)
