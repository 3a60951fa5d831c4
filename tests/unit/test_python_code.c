// SPDX-License-Identifier: BSD-2-Clause
/* Tests the reading of code objects of Python in the memory of this process. */
#include <string.h>
#include <unistd.h>

#include "python_code.h"
#include "stream_builder.h"

/* The co_linetable of a function. The first line of the function is 2. */
static const uint8_t table[] = {
	128, 0, 216, 8,	 9,   136, 65, 137, 5,	128, 65,  224, 7,  8,	240, 0,	 2,  5,	  28,
	240, 2, 1,   16, 28,  240, 0,  1,   16, 28,  216, 25,  26, 240, 3,   1,	 16, 28,  241,
	0,   1, 16,  28, 244, 0,   1,  16,  28, 240, 0,	  1,   9,  28,	224, 11, 12, 128, 72};

START_TEST(lines_of_instructions)
{
	static const uint32_t lines[] = {2, 3, 3, 3, 3, 3, 5, 5, 6, 6, 7,
					 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 8};
	struct interpreted_code code = {.first_line = 2};
	struct code_range range;
	uint32_t line;

	python_code_add_lines(&code, PYTHON_LOCATIONS, table, sizeof(table));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert(interpreted_code_line(&code, i, &line) && line == lines[i]);
	ck_assert(!interpreted_code_line(&code, sizeof(lines) / sizeof(lines[0]), &line));
	ck_assert(interpreted_code_line(&code, INTERPRETED_INDEX_NONE, &line) && !line);
	range = interpreted_code_range(&code);
	ck_assert_uint_eq(range.first, 2);
	ck_assert_uint_eq(range.last, 8);
	interpreted_code_free(&code);
}
END_TEST

/* co_linetable of 3.10. Instruction 16 has no line. */
START_TEST(lines_of_ranges)
{
	static const uint8_t ranges[] = {2, 2,	 6, 2,	 4, 253, 8, 5,	4, 1, 8,  1,
					 2, 128, 0, 127, 0, 127, 2, 47, 4, 1, 12, 2};
	static const uint32_t lines[] = {3, 5, 5, 5, 2,	  2,   7,   7,	 7,   7,   8,	8,   9,
					 9, 9, 9, 0, 310, 311, 311, 313, 313, 313, 313, 313, 313};
	struct interpreted_code code = {.first_line = 1};
	struct code_range range;
	uint32_t line;

	python_code_add_lines(&code, PYTHON_RANGES, ranges, sizeof(ranges));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert(interpreted_code_line(&code, i, &line) && line == lines[i]);
	ck_assert(!interpreted_code_line(&code, sizeof(lines) / sizeof(lines[0]), &line));
	range = interpreted_code_range(&code);
	ck_assert(range.first == 1 && range.last == 313);
	interpreted_code_free(&code);
}
END_TEST

/* co_lnotab of 3.9, whose indexes count bytes. The table of a function of one line is empty. */
START_TEST(lines_of_lnotab)
{
	static const uint8_t changes[] = {0,   2, 2,   2, 6,  253, 4, 5, 8, 1, 4,   1, 10,
					  127, 0, 127, 0, 47, 2,   1, 4, 2, 4, 254, 2, 2};
	static const uint32_t lines[] = {3,   5,   5,	5,   2,	  2,   7,   7,	 7,   7,
					 8,   8,   9,	9,   9,	  9,   9,   310, 311, 311,
					 313, 313, 311, 313, 313, 313, 313, 313};
	struct interpreted_code code = {.first_line = 1};
	struct code_range range;
	uint32_t line;

	python_code_add_lines(&code, PYTHON_LNOTAB, changes, sizeof(changes));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert(interpreted_code_line(&code, 2 * i, &line) && line == lines[i]);
	ck_assert(interpreted_code_line(&code, INTERPRETED_INDEX_NONE, &line) && !line);
	range = interpreted_code_range(&code);
	ck_assert(range.first == 1 && range.last == 313);
	interpreted_code_free(&code);
	code.first_line = 1;
	python_code_add_lines(&code, PYTHON_LNOTAB, changes, 0);
	ck_assert(interpreted_code_line(&code, 8, &line) && line == 1);
	interpreted_code_free(&code);
}
END_TEST

/* Reads each prefix of the table, and each copy with one changed byte. All these reads must end. */
START_TEST(damaged_lines)
{
	uint8_t bytes[sizeof(table)];
	struct code_range range;
	uint32_t line;

	for (size_t i = 0; i < 3 * (sizeof(table) + 1); i++) {
		struct interpreted_code code = {.first_line = 2};
		const size_t size = i / 3;

		memcpy(bytes, table, sizeof(table));
		bytes[size ? size - 1 : 0] ^= 0xff;
		python_code_add_lines(&code, (enum python_line_table)(i % 3), bytes, size);
		range = interpreted_code_range(&code);
		ck_assert_uint_le(range.first, range.last);
		interpreted_code_line(&code, 3, &line);
		interpreted_code_free(&code);
	}
}
END_TEST

/* Objects with the members of those of CPython 3.12, at offsets of this test. */
struct text {
	uint64_t length;
	uint32_t state, unused;
	uint8_t characters[8200];
};

struct object {
	uint64_t references, type, content[4], file, name, lines;
	uint32_t first_line, unused;
};

static const struct interpreter_layout layout = {
	.objects.python = {
		.file = offsetof(struct object, file),
		.name = offsetof(struct object, name),
		.first_line = offsetof(struct object, first_line),
		.lines = offsetof(struct object, lines),
		.instructions = sizeof(struct object),
		.text_length = offsetof(struct text, length),
		.text_state = offsetof(struct text, state),
		.ascii = offsetof(struct text, characters),
		.other = offsetof(struct text, characters),
		.bytes_size = 0,
		.bytes = 8,
	}};

static enum pk_status read_name(const struct text *name, struct interpreted_code *code)
{
	static struct text file = {.length = 4, .state = 1 << 2 | 0x60, .characters = "a.py"};
	static const uint64_t lines[2] = {0, 0};
	const uint64_t type[4] = {[3] = (uintptr_t) "code"};
	const struct object object = {
		1, (uintptr_t)type, {0}, (uintptr_t)&file, (uintptr_t)name, (uintptr_t)lines, 7, 0};
	struct code_identity identity;

	return python_interpreter.read(getpid(), &layout, (uintptr_t)&object, &identity, code);
}

START_TEST(names_are_safe_text)
{
	static struct text name;
	struct interpreted_code code;
	const uint16_t wide[] = {0x202e, 'b', 0x1234};

	name = (struct text){.length = 3, .state = 1 << 2 | 0x20, .characters = {'a', 0x1b, 0xe9}};
	ck_assert_int_eq(read_name(&name, &code), PK_OK);
	ck_assert(code.name.size == 4 && !memcmp(code.name.data, "a?\xc3\xa9", 4));
	ck_assert(code.file.size == 4 && !memcmp(code.file.data, "a.py", 4));
	ck_assert_uint_eq(code.first_line, 7);
	interpreted_code_free(&code);

	name = (struct text){.length = 3, .state = 2 << 2 | 0x20};
	memcpy(name.characters, wide, sizeof(wide));
	ck_assert_int_eq(read_name(&name, &code), PK_OK);
	ck_assert(code.name.size >= 4);
	ck_assert(!memcmp(code.name.data + code.name.size - 4, "b\xe1\x88\xb4", 4));
	ck_assert(!memchr(code.name.data, 0xe2, code.name.size));
	interpreted_code_free(&code);

	name = (struct text){.length = 8000, .state = 1 << 2 | 0x60};
	memset(name.characters, 'n', sizeof(name.characters));
	ck_assert_int_eq(read_name(&name, &code), PK_OK);
	ck_assert_uint_eq(code.name.size, 1024 + strlen("..."));
	interpreted_code_free(&code);
}
END_TEST

START_TEST(what_is_no_code_object)
{
	static struct text name;
	struct code_identity identity;
	struct interpreted_code code;

	name = (struct text){.length = 3, .state = 3 << 2 | 0x20};
	ck_assert_int_eq(read_name(&name, &code), PK_CORRUPT);
	interpreted_code_free(&code);
	name = (struct text){.length = UINT64_MAX, .state = 1 << 2 | 0x20};
	ck_assert_int_eq(read_name(&name, &code), PK_CORRUPT);
	interpreted_code_free(&code);
	name = (struct text){.length = 3, .state = 1 << 2};
	ck_assert_int_eq(read_name(&name, &code), PK_CORRUPT);
	interpreted_code_free(&code);
	ck_assert_int_eq(python_interpreter.identify(getpid(), &layout, 16, &identity), PK_IO);
}
END_TEST

RUN_TESTS("python_code", lines_of_instructions, lines_of_ranges, lines_of_lnotab, damaged_lines,
	  names_are_safe_text, what_is_no_code_object)
