// SPDX-License-Identifier: BSD-2-Clause
/* PHP. A zend_op_array describes a function, a method, or the code of a file. */
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interpreter.h"
#include "interpreter_file.h"
#include "pkprivate.h"
#include "stream_symbols.h"

/* A version of PHP. */
struct version {
	/* The number of its interface for modules, which is the date of the last change. The files
	 * of the interpreter contain this number in a text, such as "API20220829,NTS". */
	const char *interface;
	uint32_t version;
	uint32_t frame; /* member of executor_globals: the innermost frame */
	struct php_objects objects;
};

static const struct version versions[] = {
	{"20200930", 0x0800, 488, {.count = 68, .instructions = 72, .file = 144}},
	{"20210902", 0x0801, 488, {.count = 68, .instructions = 72, .file = 144}},
	{"20220829", 0x0802, 488, {.count = 80, .instructions = 88, .file = 152}},
	{"20230831", 0x0803, 488, {.count = 76, .instructions = 80, .file = 144}},
	{"20240924", 0x0804, 488, {.count = 96, .instructions = 104, .file = 168}},
};

/* ---- The file of the interpreter ---- */

/* What the symbols of a file tell. The members are addresses, or 0. */
struct found {
	uint64_t globals, evaluator, evaluator_size;
};

static void note_object(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct found *found = arg;

	if (!strcmp(name, "executor_globals"))
		found->globals = symbol->value;
}

static void note_function(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct found *found = arg;

	if (strcmp(name, "execute_ex") != 0)
		return;
	found->evaluator = symbol->value;
	found->evaluator_size = symbol->size;
}

/* Finds the version by the text in the file. Returns NULL if it is unknown. */
static const struct version *find_version(const struct pk_elf *elf)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".rodata");
	uint8_t *bytes = section ? pk_elf_bytes(elf, section->offset, section->size) : NULL;
	const struct version *version = NULL;
	char text[sizeof("API20220829,NTS")];

	for (size_t i = 0; bytes && !version && i < sizeof(versions) / sizeof(versions[0]); i++) {
		snprintf(text, sizeof(text), "API%s,NTS", versions[i].interface);
		if (memmem(bytes, section->size, text, sizeof(text)))
			version = &versions[i];
	}
	free(bytes);
	return version;
}

/* Builds for several threads (ZTS) do not export executor_globals. */
static enum interpreter_finding find(const struct pk_elf *elf, struct interpreter_layout *layout,
				     struct interpreter_places *places)
{
	const struct version *version;
	struct found found = {0};

	pk_elf_each_symbol(elf, ".dynsym", STT_FUNC, note_function, &found);
	if (!found.evaluator)
		return INTERPRETER_NONE;
	pk_elf_each_symbol(elf, ".dynsym", STT_OBJECT, note_object, &found);
	version = found.globals ? find_version(elf) : NULL;
	if (!version)
		return INTERPRETER_UNKNOWN;
	layout->version = version->version;
	layout->objects.php = version->objects;
	places->state = found.globals + version->frame;
	places->evaluator = found.evaluator;
	places->evaluator_size = found.evaluator_size;
	return INTERPRETER_FOUND;
}

/* ---- Functions ---- */

/* Offsets of members in a function. */
#define FUNCTION_TYPE  0
#define FUNCTION_NAME  8
#define FUNCTION_CLASS 16
#define FUNCTION_BYTES 192 /* number of bytes that are read of a function */

#define CLASS_NAME 8 /* member of a class */

/* Offsets of members in a text (zend_string). */
#define TEXT_KIND   4 /* in the lower bits of 4 bytes, as in all counted objects */
#define TEXT_LENGTH 16
#define TEXT_BYTES  24

#define KIND_MASK 0xfu
#define KIND_TEXT 6u /* IS_STRING */

#define INSTRUCTION_SIZE 32
#define INSTRUCTION_LINE 24 /* member of an instruction */

#define USER_FUNCTION 2 /* the type of functions, and of the code of files */
#define EVALUATED     4 /* the type of code that eval() runs */

/* Words of a struct code_identity. */
enum { TYPE, NAME, CLASS, COUNT, INSTRUCTIONS, FILE_NAME, FIRST_LINE, LAST_LINE };

static enum pk_status identify(pid_t pid, const struct interpreter_layout *layout, uint64_t address,
			       struct code_identity *identity)
{
	const struct php_objects *objects = &layout->objects.php;
	uint64_t *words = identity->words;
	uint8_t function[FUNCTION_BYTES];

	*identity = (struct code_identity){{0}};
	PK_TRY(interpreted_read(pid, address, function, sizeof(function)));
	words[TYPE] = function[FUNCTION_TYPE];
	words[NAME] = pk_load_u64(function + FUNCTION_NAME);
	words[CLASS] = pk_load_u64(function + FUNCTION_CLASS);
	words[COUNT] = pk_load_u32(function + objects->count);
	words[INSTRUCTIONS] = pk_load_u64(function + objects->instructions);
	words[FILE_NAME] = pk_load_u64(function + objects->file);
	words[FIRST_LINE] = pk_load_u32(function + objects->file + 8);
	words[LAST_LINE] = pk_load_u32(function + objects->file + 12);
	return (words[TYPE] == USER_FUNCTION || words[TYPE] == EVALUATED) && words[COUNT]
		       ? PK_OK
		       : PK_CORRUPT;
}

/* Adds a text. The name of a class without a name has a zero after its readable part. */
static enum pk_status read_text(pid_t pid, uint64_t address, struct buffer *text)
{
	const uint64_t length = interpreted_word(pid, address + TEXT_LENGTH);
	const size_t size = length < INTERPRETED_TEXT_MAX ? length : INTERPRETED_TEXT_MAX;
	char bytes[INTERPRETED_TEXT_MAX];

	if ((interpreted_word(pid, address + TEXT_KIND) & KIND_MASK) != KIND_TEXT)
		return PK_CORRUPT;
	PK_TRY(interpreted_read(pid, address + TEXT_BYTES, bytes, size));
	buffer_harmless(text, bytes, strnlen(bytes, size));
	if (size < length)
		buffer_text(text, "...");
	return text->failed ? PK_NOMEM : PK_OK;
}

/* Adds the name as it is in backtraces of PHP, such as "Class::method". The code of a file has no
 * name. */
static enum pk_status read_name(pid_t pid, const uint64_t *words, struct buffer *name)
{
	if (!words[NAME]) {
		buffer_text(name, "{main}");
		return name->failed ? PK_NOMEM : PK_OK;
	}
	if (words[CLASS]) {
		PK_TRY(read_text(pid, interpreted_word(pid, words[CLASS] + CLASS_NAME), name));
		buffer_text(name, "::");
	}
	return read_text(pid, words[NAME], name);
}

/* Adds the line of an instruction. If the memory of the instructions was freed, they have other
 * lines than the function. */
static enum pk_status add_line(const uint64_t *words, const uint8_t *instruction, uint32_t index,
			       struct interpreted_code *code)
{
	const uint32_t line = pk_load_u32(instruction + INSTRUCTION_LINE);

	if (line < words[FIRST_LINE] || line > words[LAST_LINE])
		return PK_CORRUPT;
	interpreted_code_add_line(code, index, line);
	return PK_OK;
}

static enum pk_status read_lines(pid_t pid, const uint64_t *words, struct interpreted_code *code)
{
	const uint64_t count = words[COUNT];
	uint8_t *instructions;
	enum pk_status status;

	if (count >= INTERPRETED_INDEX_MASK)
		return PK_OK; /* without lines */
	instructions = malloc(count * INSTRUCTION_SIZE);
	if (!instructions)
		return PK_NOMEM;
	status = interpreted_read(pid, words[INSTRUCTIONS], instructions, count * INSTRUCTION_SIZE);
	for (uint32_t i = 0; status == PK_OK && i < count; i++)
		status = add_line(words, instructions + (size_t)i * INSTRUCTION_SIZE, i, code);
	free(instructions);
	code->size = count;
	return code->lines.failed ? PK_NOMEM : status;
}

static enum pk_status read_function(pid_t pid, const struct interpreter_layout *layout,
				    uint64_t address, struct code_identity *identity,
				    struct interpreted_code *code)
{
	const uint64_t *words = identity->words;
	struct code_identity after;

	*code = (struct interpreted_code){0};
	PK_TRY(identify(pid, layout, address, identity));
	code->first_line = (uint32_t)words[FIRST_LINE];
	code->base = words[INSTRUCTIONS] / INSTRUCTION_SIZE & INTERPRETED_INDEX_MASK;
	PK_TRY(read_text(pid, words[FILE_NAME], &code->file));
	PK_TRY(read_name(pid, words, &code->name));
	PK_TRY(read_lines(pid, words, code));
	PK_TRY(identify(pid, layout, address, &after));
	return memcmp(identity, &after, sizeof(after)) == 0 ? PK_OK : PK_CORRUPT;
}

const struct interpreter php_interpreter = {
	.name = "PHP",
	.versions = "8.0 to 8.4 without support for threads (ZTS)",
	.image = PK_PHP_IMAGE,
	.find = find,
	.identify = identify,
	.read = read_function,
};
