// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "python_code.h"
#include "status.h"

#define LINES_BYTES (1u << 20) /* limit for the size of a table of lines */

/* Masks for the first word of an object, which starts with the number of references. The upper 16
 * bits can be flags (since 3.14). Bits in ADDRESS_MASK are set only if the word is an address. */
#define REFERENCES_MASK UINT64_C(0xffffffff)
#define ADDRESS_MASK	UINT64_C(0xffff00000000)

#define OBJECT_TYPE 8  /* offset in an object of the address of its type, in bytes */
#define OBJECT_SIZE 16 /* offset in an object of the number of its items, in bytes */
#define TYPE_NAME   24 /* offset in a type of the address of its name, in bytes */

/* Words of a struct code_identity. Words from CONTENT on are the number of instructions, and the
 * addresses of the constants, the names, and the table of exception handlers. */
enum { TYPE, FILE_TEXT, NAME, LINES, NUMBERS, CONTENT, CONTENT_WORDS = 4 };

enum pk_status python_code_identify(pid_t pid, const struct interpreter_layout *layout,
				    uint64_t address, struct code_identity *identity)
{
	const struct python_objects *objects = &layout->objects.python;
	uint8_t head[4096];

	*identity = (struct code_identity){{0}};
	if (objects->file > sizeof(head) - 8 || objects->name > sizeof(head) - 8 ||
	    objects->lines > sizeof(head) - 8 || objects->first_line > sizeof(head) - 8 ||
	    objects->version > sizeof(head) - 4 || objects->instructions > sizeof(head) ||
	    objects->instructions < OBJECT_SIZE + CONTENT_WORDS * sizeof(uint64_t))
		return PK_CORRUPT;
	if (interpreted_read(pid, address, head, objects->instructions) != PK_OK)
		return PK_IO;
	identity->words[TYPE] = pk_load_u64(head + OBJECT_TYPE);
	identity->words[FILE_TEXT] = pk_load_u64(head + objects->file);
	identity->words[NAME] = pk_load_u64(head + objects->name);
	identity->words[LINES] = pk_load_u64(head + objects->lines);
	identity->words[NUMBERS] = pk_load_u32(head + objects->first_line);
	if (objects->version)
		identity->words[NUMBERS] |= (uint64_t)pk_load_u32(head + objects->version) << 32;
	memcpy(identity->words + CONTENT, head + OBJECT_SIZE, CONTENT_WORDS * sizeof(uint64_t));
	return PK_OK;
}

/* ---- Texts ---- */

static void add_utf8(struct buffer *text, uint32_t c)
{
	if (c < 0x80) {
		buffer_char(text, (char)c);
		return;
	}
	if (c < 0x800) {
		buffer_char(text, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			buffer_char(text, (char)(0xe0 | c >> 12));
		} else {
			buffer_char(text, (char)(0xf0 | (c >> 18 & 7)));
			buffer_char(text, (char)(0x80 | (c >> 12 & 63)));
		}
		buffer_char(text, (char)(0x80 | (c >> 6 & 63)));
	}
	buffer_char(text, (char)(0x80 | (c & 63)));
}

/* Reads a str object as UTF-8. Depending on the object, a character has 1, 2 or 4 bytes. */
static enum pk_status read_text(pid_t pid, const struct python_objects *objects, uint64_t address,
				struct buffer *text)
{
	uint8_t characters[INTERPRETED_TEXT_MAX * 4];
	struct buffer utf8 = {0};
	uint64_t length;
	uint32_t state, kind, count;

	if (interpreted_read(pid, address + objects->text_length, &length, sizeof(length)) !=
		    PK_OK ||
	    interpreted_read(pid, address + objects->text_state, &state, sizeof(state)) != PK_OK)
		return PK_IO;
	/* Bits 2 to 4 are the number of bytes of a character. Bit 5 is set if the characters are in
	 * the object. Bit 6 is set if all characters are ASCII. */
	kind = state >> 2 & 7;
	if ((kind != 1 && kind != 2 && kind != 4) || !(state & 0x20) || !length || length >> 40)
		return PK_CORRUPT;
	count = length < INTERPRETED_TEXT_MAX ? (uint32_t)length : INTERPRETED_TEXT_MAX;
	if (interpreted_read(pid, address + (state & 0x40 ? objects->ascii : objects->other),
			     characters, (size_t)count * kind) != PK_OK)
		return PK_IO;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *at = characters + (size_t)i * kind;

		add_utf8(&utf8, kind == 1   ? *at
				: kind == 2 ? (uint32_t)(at[0] | at[1] << 8)
					    : pk_load_u32(at));
	}
	if (count < length)
		buffer_text(&utf8, "...");
	buffer_harmless(text, utf8.data, utf8.size);
	free(utf8.data);
	return text->failed || utf8.failed ? PK_NOMEM : PK_OK;
}

/* Reads the table of lines, which is a bytes object. */
static enum pk_status read_lines(pid_t pid, const struct python_objects *objects, uint64_t address,
				 struct interpreted_code *code)
{
	enum pk_status status = PK_OK;
	uint8_t *bytes;
	uint64_t size;

	if (interpreted_read(pid, address + objects->bytes_size, &size, sizeof(size)) != PK_OK)
		return PK_IO;
	if (size > LINES_BYTES)
		return PK_OK; /* without this table, no frame of the code gets a line */
	bytes = malloc(size + 1);
	if (!bytes)
		return PK_NOMEM;
	if (size)
		status = interpreted_read(pid, address + objects->bytes, bytes, size);
	if (status == PK_OK)
		python_code_add_lines(code, objects->line_table, bytes, size);
	free(bytes);
	return code->lines.failed ? PK_NOMEM : status;
}

static enum pk_status check_type(pid_t pid, uint64_t type)
{
	uint64_t address;
	char name[5];

	if (interpreted_read(pid, type + TYPE_NAME, &address, sizeof(address)) != PK_OK ||
	    interpreted_read(pid, address, name, sizeof(name)) != PK_OK)
		return PK_IO;
	return memcmp(name, "code", sizeof(name)) == 0 ? PK_OK : PK_CORRUPT;
}

/* Checks that an object was not freed. An object starts with the number of references to it. After
 * it was freed, its memory starts with an address or 0, and the other bytes stay unchanged for a
 * while. */
static enum pk_status check_references(pid_t pid, uint64_t address)
{
	uint64_t references;

	if (interpreted_read(pid, address, &references, sizeof(references)) != PK_OK)
		return PK_IO;
	return references & REFERENCES_MASK && !(references & ADDRESS_MASK) ? PK_OK : PK_CORRUPT;
}

static enum pk_status read_parts(pid_t pid, const struct python_objects *objects,
				 const struct code_identity *identity,
				 struct interpreted_code *code)
{
	PK_TRY(check_type(pid, identity->words[TYPE]));
	PK_TRY(read_text(pid, objects, identity->words[FILE_TEXT], &code->file));
	PK_TRY(read_text(pid, objects, identity->words[NAME], &code->name));
	return read_lines(pid, objects, identity->words[LINES], code);
}

enum pk_status python_code_read(pid_t pid, const struct interpreter_layout *layout,
				uint64_t address, struct code_identity *identity,
				struct interpreted_code *code)
{
	struct code_identity after;

	*code = (struct interpreted_code){0};
	PK_TRY(python_code_identify(pid, layout, address, identity));
	code->first_line = (uint32_t)identity->words[NUMBERS];
	/* In code that CPython runs between two frames of the program, the file and the name are
	 * the same object. */
	code->internal = identity->words[FILE_TEXT] == identity->words[NAME];
	PK_TRY(read_parts(pid, &layout->objects.python, identity, code));
	PK_TRY(python_code_identify(pid, layout, address, &after));
	if (memcmp(identity, &after, sizeof(after)) != 0)
		return PK_CORRUPT;
	return check_references(pid, address);
}

/* ---- Lines ---- */

/*
 * co_linetable is a list of entries, each for some instructions. Only the first byte of an entry
 * has bit 7 set. This byte also has the kind of the entry (4 bits), and the number of units of 2
 * bytes less 1 (3 bits). Numbers in the other bytes have 6 bits in each byte, the lowest bits
 * first. Bit 6 is set if more bytes of the number follow. If a number has a sign, bit 0 of the
 * number is the sign.
 */
enum { KIND_ONE_LINE = 10, KIND_NO_COLUMN = 13, KIND_LONG = 14, KIND_NONE = 15 };

struct entry {
	uint32_t units; /* number of units that an index counts */
	bool has_line;
	int64_t line;
};

/* A position in co_linetable. */
struct walk {
	const uint8_t *at, *end;
	int64_t line; /* line of the previous entry */
	enum python_line_table table;
	bool ended; /* only for PYTHON_LNOTAB: the last line was returned */
};

static int64_t read_signed(struct walk *walk)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	bool more = true;

	for (; more && walk->at < walk->end; shift += 6) {
		more = *walk->at & 0x40;
		if (shift < 36)
			value |= (uint64_t)(*walk->at & 0x3f) << shift;
		walk->at++;
	}
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* co_linetable of 3.10 is a list of pairs of bytes: the number of bytes of instructions, and the
 * change of the line before them, or -128 if they have no line. */
static bool next_pair(struct walk *walk, struct entry *entry)
{
	int8_t change;

	if (walk->end - walk->at < 2)
		return false;
	memcpy(&change, walk->at + 1, 1);
	entry->units = walk->at[0] / 2u;
	entry->has_line = change != INT8_MIN;
	walk->line += entry->has_line ? change : 0;
	walk->at += 2;
	entry->line = walk->line;
	return true;
}

/* In co_lnotab of 3.9, the line changes after the bytes of a pair. All instructions after the last
 * pair have the last line. */
static bool next_change(struct walk *walk, struct entry *entry)
{
	int8_t change = 0;

	if (walk->ended)
		return false;
	entry->has_line = true;
	entry->line = walk->line;
	walk->ended = walk->end - walk->at < 2;
	entry->units = walk->ended ? UINT32_MAX : walk->at[0];
	if (walk->ended)
		return true;
	memcpy(&change, walk->at + 1, 1);
	walk->line += change;
	walk->at += 2;
	return true;
}

static bool next_entry(struct walk *walk, struct entry *entry)
{
	uint32_t kind;

	if (walk->table == PYTHON_LNOTAB)
		return next_change(walk, entry);
	if (walk->table == PYTHON_RANGES)
		return next_pair(walk, entry);
	if (walk->at >= walk->end)
		return false;
	kind = *walk->at >> 3 & 15;
	entry->units = (*walk->at & 7u) + 1;
	entry->has_line = kind != KIND_NONE;
	walk->at++;
	if (kind == KIND_NO_COLUMN || kind == KIND_LONG)
		walk->line += read_signed(walk);
	else if (kind >= KIND_ONE_LINE && kind < KIND_NO_COLUMN)
		walk->line += kind - KIND_ONE_LINE;
	while (walk->at < walk->end && !(*walk->at & 0x80))
		walk->at++;
	entry->line = walk->line;
	return true;
}

void python_code_add_lines(struct interpreted_code *code, enum python_line_table table,
			   const uint8_t *bytes, size_t size)
{
	struct walk walk = {bytes, bytes + size, code->first_line, table, false};
	struct entry entry;

	while (code->size < UINT32_MAX && next_entry(&walk, &entry)) {
		const bool has_line = entry.has_line && entry.line > 0 && entry.line <= UINT32_MAX;

		if (entry.units)
			interpreted_code_add_line(code, (uint32_t)code->size,
						  has_line ? (uint32_t)entry.line : 0);
		code->size += entry.units;
	}
}
