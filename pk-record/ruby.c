// SPDX-License-Identifier: BSD-2-Clause
/* Ruby. An instruction sequence (rb_iseq_t) describes a method, a block, or another piece of code.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpreter.h"
#include "interpreter_file.h"
#include "lookups.h"
#include "pkprivate.h"
#include "stream_symbols.h"

static const struct interpreter_layout known[] = {
	{0x0301,
	 {.ruby = {.frame_size = 64}},
	 {.ruby = {.lines = 120, .text = 16, .length_in_flags = 1, .tagged_line = 1}}},
	{0x0303, {.ruby = {.frame_size = 56}}, {.ruby = {.lines = 112, .text = 24}}},
};

/* ---- The file of the interpreter ---- */

#define ADDRESSES_MIN                                                                              \
	100 /* the interpreter has about 100 instructions, each with two addresses                 \
	     */

/* Adds up for each function how many addresses in its middle are stored in data. */
static void count_inner(const struct pk_elf *elf, const struct interpreter_starts *starts,
			uint32_t *counts)
{
	size_t count;
	const struct pk_elf_section *sections = pk_elf_sections(elf, &count);

	for (size_t i = 0; i < count; i++) {
		const bool relocations = sections[i].type == SHT_RELA;
		const struct pk_elf_records records =
			relocations ? pk_elf_relocations(elf, &sections[i])
				    : (struct pk_elf_records){0};

		for (size_t j = 0; j < records.count; j++) {
			const struct pk_elf_relocation r = pk_elf_relocation(&records, j);
			const size_t number = interpreter_starts_before(starts, r.addend);

			if (r.type == R_X86_64_RELATIVE && number &&
			    interpreter_start(starts, number - 1) != r.addend)
				counts[number - 1]++;
		}
	}
}

/* Finds vm_exec_core(), the function with the code of all instructions of Ruby. It has a table with
 * the addresses of this code, and no other function has so many inner addresses in data. */
static struct interpreter_range find_core(const struct pk_elf *elf,
					  const struct interpreter_starts *starts)
{
	uint32_t *counts = calloc(starts->count + 1, sizeof(*counts));
	size_t best = 0;

	if (!pk_need(pk_lookups(), counts))
		return (struct interpreter_range){0};
	count_inner(elf, starts, counts);
	/* The last function has no known end, and all addresses of data seem to be in it. */
	for (size_t i = 1; i + 1 < starts->count; i++)
		best = counts[i] > counts[best] ? i : best;
	best = counts[best] >= ADDRESSES_MIN ? best + 1 : 0;
	free(counts);
	return interpreter_range_of(starts, best);
}

#define CALL	  0xe8
#define CALL_SIZE 5

/* Finds vm_exec(), the function that calls vm_exec_core(). */
static struct interpreter_range
find_caller(const struct pk_elf *elf, const struct interpreter_starts *starts, uint64_t function)
{
	const struct pk_elf_section *text = pk_elf_section(elf, ".text");
	uint8_t *bytes = text ? pk_elf_bytes(elf, text->offset, text->size) : NULL;
	struct interpreter_range range = {0};

	for (uint64_t i = 0; bytes && !range.size && i + CALL_SIZE <= text->size; i++) {
		const uint64_t next = text->addr + i + CALL_SIZE;

		if (bytes[i] == CALL &&
		    next + (uint64_t)(int64_t)(int32_t)pk_load_u32(bytes + i + 1) == function)
			range = interpreter_range_of(starts,
						     interpreter_starts_before(starts, next - 1));
	}
	free(bytes);
	return range;
}

static void find_evaluator(const struct pk_elf *elf, struct interpreter_places *places)
{
	struct interpreter_range core = {0}, caller = {0};
	struct interpreter_starts starts;

	interpreter_starts_read(elf, &starts);
	if (starts.count)
		core = find_core(elf, &starts);
	if (core.size)
		caller = find_caller(elf, &starts, core.start);
	free(starts.header);
	places->evaluator = caller.size ? caller.start : core.start;
	places->evaluator_size = caller.size ? caller.size : core.size;
	places->inner = caller.size ? core.start : 0;
	places->inner_size = caller.size ? core.size : 0;
}

/* The start of an instruction that rb_errinfo() uses to access ruby_current_ec. A number of 4 bytes
 * follows. */
struct access {
	uint8_t bytes[5], size;
};

/* In a library: "data16 lea NUMBER(%rip),%rdi", before a call of __tls_get_addr(). */
static const struct access in_library = {{0x66, 0x48, 0x8d, 0x3d}, 4};
/* In a program: "mov %fs:NUMBER,%rax". */
static const struct access in_program = {{0x64, 0x48, 0x8b, 0x04, 0x25}, 5};

/* Returns the offset after the number in an instruction, or 0 if there is no such instruction. */
static size_t find_access(const uint8_t *code, size_t size, const struct access *access)
{
	for (size_t i = 0; i + access->size + 4u <= size; i++)
		if (!memcmp(code + i, access->bytes, access->size))
			return i + access->size + 4;
	return 0;
}

static bool find_context(const struct pk_elf *elf, uint64_t function,
			 struct interpreter_places *places)
{
	uint8_t code[48];
	size_t after;

	if (!interpreter_file_read(elf, function, code, sizeof(code)))
		return false;
	after = find_access(code, sizeof(code), &in_library);
	if (after)
		places->state = function + after +
				(uint64_t)(int64_t)(int32_t)pk_load_u32(code + after - 4);
	else if ((after = find_access(code, sizeof(code), &in_program)))
		places->thread_offset = (uint64_t)(int64_t)(int32_t)pk_load_u32(code + after - 4);
	return after;
}

/* What the symbols of a file tell. The members are addresses, or 0. */
struct found {
	uint64_t version, errinfo;
};

static void note_object(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct found *found = arg;

	if (!strcmp(name, "ruby_version"))
		found->version = symbol->value;
}

static void note_function(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct found *found = arg;

	if (!strcmp(name, "rb_errinfo"))
		found->errinfo = symbol->value;
}

static enum interpreter_finding find(const struct pk_elf *elf, struct interpreter_layout *layout,
				     struct interpreter_places *places)
{
	unsigned int major = 0, minor = 0;
	struct found found = {0};
	char text[6] = "";

	pk_elf_each_symbol(elf, ".dynsym", STT_OBJECT, note_object, &found);
	if (found.version)
		pk_elf_each_symbol(elf, ".dynsym", STT_FUNC, note_function, &found);
	if (!found.version || !found.errinfo)
		return INTERPRETER_NONE;
	if (!interpreter_file_read(elf, found.version, text, sizeof(text) - 1) ||
	    sscanf(text, "%2u.%2u", &major, &minor) != 2)
		return INTERPRETER_UNKNOWN;
	layout->version = major << 8 | minor;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].version != layout->version ||
		    !find_context(elf, found.errinfo, places))
			continue;
		find_evaluator(elf, places);
		layout->offsets.ruby = known[i].offsets.ruby;
		layout->objects.ruby = known[i].objects.ruby;
		return places->evaluator_size ? INTERPRETER_FOUND : INTERPRETER_UNKNOWN;
	}
	return INTERPRETER_UNKNOWN;
}

/* ---- Objects ---- */

/* The first word of an object has flags. The lowest 5 bits are its type. */
#define TYPE_MASK     UINT64_C(0x1f)
#define TYPE_STRING   UINT64_C(0x05)
#define TYPE_ARRAY    UINT64_C(0x07)
#define FLAG_1	      (UINT64_C(1) << 13) /* set if a String is long, or if an Array is short */
#define SEQUENCE_MASK UINT64_C(0xf01f)
#define SEQUENCE      UINT64_C(0x701a) /* the type T_IMEMO, and its subtype imemo_iseq */

/* Offsets of members in an object, in bytes. */
#define OBJECT_LENGTH	16
#define OBJECT_ITEMS	16 /* the items of a short Array */
#define OBJECT_BYTES_AT 24 /* the address of the bytes of a long String */
#define OBJECT_ITEMS_AT 32 /* the address of the items of a long Array */

/* Offsets of members in an instruction sequence and in its body. */
#define SEQUENCE_BODY	16
#define BODY_SIZE	4 /* number of words of the instructions */
#define BODY_CODE	8
#define BODY_FILE	64
#define BODY_NAME	80
#define BODY_FIRST_LINE 88
#define BODY_BYTES	160 /* number of bytes that are read of a body */

/* The table of lines, at struct ruby_objects.lines in the body: the address of its entries, their
 * number, and the address of the index. */
#define LINES_COUNT 16
#define LINES_INDEX 24

#define ENTRY_SIZE 12 /* an entry of the table of lines starts with the line, in 4 bytes */

/* Words of a struct code_identity. SIZE is the size of the instructions. */
enum { BODY, CODE, SIZE, FILE_OBJECT, NAME, FIRST_LINE, ENTRIES, COUNT, INDEX };

static enum pk_status identify(pid_t pid, const struct interpreter_layout *layout, uint64_t address,
			       struct code_identity *identity)
{
	const uint32_t lines = layout->objects.ruby.lines;
	uint64_t head[3], *words = identity->words;
	uint8_t body[BODY_BYTES];

	*identity = (struct code_identity){{0}};
	PK_TRY(interpreted_read(pid, address, head, sizeof(head)));
	if ((head[0] & SEQUENCE_MASK) != SEQUENCE)
		return PK_CORRUPT;
	words[BODY] = head[SEQUENCE_BODY / 8];
	PK_TRY(interpreted_read(pid, words[BODY], body, sizeof(body)));
	words[CODE] = pk_load_u64(body + BODY_CODE);
	words[SIZE] = pk_load_u32(body + BODY_SIZE);
	words[FILE_OBJECT] = pk_load_u64(body + BODY_FILE);
	words[NAME] = pk_load_u64(body + BODY_NAME);
	words[FIRST_LINE] = layout->objects.ruby.tagged_line
				    ? pk_load_u64(body + BODY_FIRST_LINE) >> 1
				    : pk_load_u32(body + BODY_FIRST_LINE);
	words[ENTRIES] = pk_load_u64(body + lines);
	words[COUNT] = pk_load_u32(body + lines + LINES_COUNT);
	words[INDEX] = pk_load_u64(body + lines + LINES_INDEX);
	return PK_OK;
}

static enum pk_status read_text(pid_t pid, const struct ruby_objects *objects, uint64_t address,
				struct buffer *text)
{
	char bytes[INTERPRETED_TEXT_MAX];
	uint64_t head[4], length;
	size_t size;
	bool is_long;

	PK_TRY(interpreted_read(pid, address, head, sizeof(head)));
	if ((head[0] & TYPE_MASK) != TYPE_STRING)
		return PK_CORRUPT;
	is_long = head[0] & FLAG_1;
	length =
		objects->length_in_flags && !is_long ? head[0] >> 14 & 31 : head[OBJECT_LENGTH / 8];
	size = length < sizeof(bytes) ? length : sizeof(bytes);
	PK_TRY(interpreted_read(pid, is_long ? head[OBJECT_BYTES_AT / 8] : address + objects->text,
				bytes, size));
	buffer_harmless(text, bytes, size);
	if (size < length)
		buffer_text(text, "...");
	return text->failed ? PK_NOMEM : PK_OK;
}

/* Reads the path of a file. The object is a String, or an Array of the path and the absolute path.
 * The absolute path is nil for code that is not from a file. */
static enum pk_status read_path(pid_t pid, const struct ruby_objects *objects, uint64_t address,
				struct buffer *text)
{
	const uint64_t flags = interpreted_word(pid, address);
	const uint64_t items = flags & FLAG_1 ? address + OBJECT_ITEMS
					      : interpreted_word(pid, address + OBJECT_ITEMS_AT);

	if ((flags & TYPE_MASK) != TYPE_ARRAY)
		return read_text(pid, objects, address, text);
	if (read_text(pid, objects, interpreted_word(pid, items + 8), text) == PK_OK)
		return PK_OK;
	return read_text(pid, objects, interpreted_word(pid, items), text);
}

/* ---- Lines ---- */

/*
 * The index of the table of lines tells for each word of the instructions how many entries start at
 * or before the word. For the first 54 words, these are numbers of 7 bits, 9 in each word of the
 * index. Then blocks follow, each for 512 words of the instructions. A block has the number of
 * entries that start before the block, 7 numbers of 9 bits with the number of entries that start in
 * the first 64, 128, ... words of the block, and a bit for each word at which an entry starts.
 */
#define FIRST_WORDS 54u
#define FIRST_BYTES 48u
#define BLOCK_WORDS 512u
#define BLOCK_BYTES 80u

#define WORDS_MAX   INTERPRETED_INDEX_MASK /* limit for the size of the instructions, in words */
#define ENTRIES_MAX WORDS_MAX

static uint32_t entries_until(const uint8_t *index, uint32_t word)
{
	const uint8_t *block;
	uint32_t bit, part, count;
	uint64_t bits;

	if (word < FIRST_WORDS)
		return pk_load_u64(index + word / 9 * 8) >> word % 9 * 7 & 0x7f;
	block = index + FIRST_BYTES + (size_t)((word - FIRST_WORDS) / BLOCK_WORDS) * BLOCK_BYTES;
	bit = (word - FIRST_WORDS) % BLOCK_WORDS;
	part = bit / 64;
	count = part ? pk_load_u64(block + 8) >> (part - 1) * 9 & 0x1ff : 0;
	bits = pk_load_u64(block + 16 + (size_t)part * 8) << (63 - bit % 64);
	return pk_load_u32(block) + count + (uint32_t)__builtin_popcountll(bits);
}

/* Adds the lines of all words. An index in a word of a frame is that of the next instruction, so
 * the line of each word belongs to the index after it. */
static void add_lines(struct interpreted_code *code, const uint8_t *entries, uint32_t count,
		      const uint8_t *index)
{
	for (uint32_t word = 0; word < code->size - 1; word++) {
		const uint32_t entry = count == 1 ? 1 : entries_until(index, word);
		const uint32_t line =
			entry && entry <= count
				? pk_load_u32(entries + (size_t)(entry - 1) * ENTRY_SIZE)
				: 0;

		interpreted_code_add_line(code, word ? word + 1 : 0, line);
	}
}

static enum pk_status read_lines(pid_t pid, const struct code_identity *identity,
				 struct interpreted_code *code)
{
	const uint64_t size = identity->words[SIZE], count = identity->words[COUNT];
	const uint64_t blocks =
		size > FIRST_WORDS ? (size - FIRST_WORDS + BLOCK_WORDS - 1) / BLOCK_WORDS : 0;
	const size_t index_bytes = count > 1 ? FIRST_BYTES + blocks * BLOCK_BYTES : 0;
	enum pk_status status;
	uint8_t *memory;

	if (!size || size >= WORDS_MAX || !count || count > ENTRIES_MAX)
		return PK_OK; /* without this table, no frame of the code gets a line */
	memory = malloc(index_bytes + count * ENTRY_SIZE);
	if (!memory)
		return PK_NOMEM;
	status = interpreted_read(pid, identity->words[ENTRIES], memory + index_bytes,
				  count * ENTRY_SIZE);
	if (status == PK_OK && index_bytes)
		status = interpreted_read(pid, identity->words[INDEX], memory, index_bytes);
	if (status == PK_OK) {
		code->size = size + 1;
		add_lines(code, memory + index_bytes, (uint32_t)count, memory);
	}
	free(memory);
	return code->lines.failed ? PK_NOMEM : status;
}

static enum pk_status read_sequence(pid_t pid, const struct interpreter_layout *layout,
				    uint64_t address, struct code_identity *identity,
				    struct interpreted_code *code)
{
	const struct ruby_objects *objects = &layout->objects.ruby;
	struct code_identity after;

	*code = (struct interpreted_code){0};
	PK_TRY(identify(pid, layout, address, identity));
	code->first_line = (uint32_t)identity->words[FIRST_LINE];
	code->base = identity->words[CODE] >> 3 & INTERPRETED_INDEX_MASK;
	PK_TRY(read_path(pid, objects, identity->words[FILE_OBJECT], &code->file));
	PK_TRY(read_text(pid, objects, identity->words[NAME], &code->name));
	PK_TRY(read_lines(pid, identity, code));
	PK_TRY(identify(pid, layout, address, &after));
	return memcmp(identity, &after, sizeof(after)) == 0 ? PK_OK : PK_CORRUPT;
}

const struct interpreter ruby_interpreter = {
	.name = "Ruby",
	.versions = "3.1 and 3.3",
	.image = PK_RUBY_IMAGE,
	.find = find,
	.identify = identify,
	.read = read_sequence,
};
