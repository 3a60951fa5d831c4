// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "interpreter_file.h"
#include "python_code.h"
#include "stream_symbols.h"

/* Where CPython stores its frames. For 3.9 to 3.12, this is known from tables. Later versions
 * describe it in the interpreter's file. */

#define FRAME_SIZE 80 /* number of bytes that are read of each frame, since CPython 3.11 */

/* The layout of one version. */
struct python_layout {
	uint32_t version; /* as in struct interpreter_layout */
	struct python_offsets offsets;
	struct python_objects objects;
};

/* What is the same in 3.9 and 3.10. */
#define OFFSETS_OF_3_9                                                                             \
	.interpreters = 32, .holder = 568, .threads = 8, .thread_next = 8, .thread_id = 176,       \
	.frame = 24, .code = 32, .previous = 24, .single = 1
#define OBJECTS_OF_3_9 104, 112, 40, 120, 176, 0, 16, 32, 48, 72, 16, 32

static const struct python_layout known[] = {
	{0x0309,
	 {OFFSETS_OF_3_9, .instruction = 104, .frame_size = 112},
	 {OBJECTS_OF_3_9, PYTHON_LNOTAB}},
	{0x030a,
	 {OFFSETS_OF_3_9, .evaluation = 48, .evaluation_previous = 8, .instruction = 96,
	  .frame_size = 104, .root = 264},
	 {OBJECTS_OF_3_9, PYTHON_RANGES}},
	{0x030b,
	 {.interpreters = 40,
	  .holder = 576,
	  .interpreter_next = 0,
	  .threads = 16,
	  .thread_next = 8,
	  .thread_id = 152,
	  .evaluation = 56,
	  .evaluation_frame = 8,
	  .evaluation_previous = 16,
	  .code = 32,
	  .previous = 48,
	  .instruction = 56,
	  .owner = 69,
	  .is_entry = 68,
	  .instructions = 184,
	  .frame_size = FRAME_SIZE},
	 {112, 128, 72, 136, 184, 0, 16, 32, 48, 72, 16, 32, PYTHON_LOCATIONS}},
	{0x030c,
	 {.interpreters = 40,
	  .interpreter_next = 0,
	  .threads = 72,
	  .lock = 384,
	  .stamp = 269816,
	  .lock_holder = 8,
	  .thread_next = 8,
	  .thread_id = 136,
	  .evaluation = 56,
	  .evaluation_frame = 0,
	  .evaluation_previous = 8,
	  .code = 0,
	  .previous = 8,
	  .instruction = 56,
	  .owner = 70,
	  .instructions = 192,
	  .frame_size = FRAME_SIZE},
	 {112, 128, 68, 136, 192, 92, 16, 32, 40, 56, 16, 32, PYTHON_LOCATIONS}},
};

/* ---- Layouts that _PyRuntime itself describes ---- */

#define COOKIE "xdebugpy"

/* Where struct _Py_DebugOffsets of one version has the offsets. Each member is the index of a word
 * of 8 bytes. Each part of the struct starts with the size of the structure that the part
 * describes. */
struct description {
	uint32_t version;
	uint32_t stamp; /* offset of the stamp in versions whose _Py_DebugOffsets does not contain
			   this offset; 0 if stamp_word is the index of the word that contains it */
	uint8_t stamp_word, words, free_threaded;
	uint8_t interpreters, interpreter_next, threads, lock, thread_next, thread_id, frame;
	uint8_t previous, code, instruction, owner;
	uint8_t file, name, lines, first_line, instructions;
	uint8_t bytes_size, bytes, text_state, text_length, ascii;
};

static const struct description descriptions[] = {
	{0x030d, 17000, 0,  73, 2,  5,	8,  9,	14, 21, 24, 23, 29,
	 30,	 31,	33, 35, 37, 38, 39, 43, 65, 66, 68, 69, 70},
	{0x030e, 0,  20, 81, 2,	 5,  8,	 9,  15, 24, 27, 26, 32,
	 33,	 34, 36, 40, 42, 43, 44, 48, 75, 76, 78, 79, 80},
	{0x030f, 0,  20, 94, 2,	 5,  8,	 9,  15, 24, 30, 26, 40,
	 41,	 42, 44, 48, 50, 51, 52, 56, 87, 88, 90, 91, 92},
};

#define WORDS_MAX 160

static const struct description *description_of(uint32_t version)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(descriptions[0]); i++)
		if (descriptions[i].version == version)
			return &descriptions[i];
	return NULL;
}

/* Returns true if 8 bytes at this offset are in the bytes that are read of a frame. */
static bool is_in_frame(uint32_t offset)
{
	return offset <= FRAME_SIZE - 8 && offset % 8 == 0;
}

static bool is_plausible(const struct python_layout *layout, const uint64_t *words, size_t count)
{
	const struct python_offsets *offsets = &layout->offsets;

	for (size_t i = 3; i < count; i++)
		if (words[i] > UINT64_C(1) << 24)
			return false;
	return is_in_frame(offsets->code) && is_in_frame(offsets->previous) &&
	       is_in_frame(offsets->instruction) && offsets->owner < FRAME_SIZE &&
	       offsets->instructions <= 4096 && layout->objects.ascii <= 256;
}

static bool read_description(const struct pk_elf *elf, uint64_t runtime,
			     const struct description *from, struct python_layout *layout)
{
	uint64_t words[WORDS_MAX];

	if (!interpreter_file_read(elf, runtime, words, from->words * sizeof(words[0])) ||
	    memcmp(words, COOKIE, 8) != 0 || words[from->free_threaded])
		return false;
	layout->offsets = (struct python_offsets){
		.interpreters = (uint32_t)words[from->interpreters],
		.interpreter_next = (uint32_t)words[from->interpreter_next],
		.threads = (uint32_t)words[from->threads],
		.lock = (uint32_t)words[from->lock],
		.lock_holder = 8,
		.stamp = from->stamp_word ? (uint32_t)words[from->stamp_word] : from->stamp,
		.thread_next = (uint32_t)words[from->thread_next],
		.thread_id = (uint32_t)words[from->thread_id],
		.frame = (uint32_t)words[from->frame],
		.previous = (uint32_t)words[from->previous],
		.code = (uint32_t)words[from->code],
		.instruction = (uint32_t)words[from->instruction],
		.owner = (uint32_t)words[from->owner],
		.instructions = (uint32_t)words[from->instructions],
		.frame_size = FRAME_SIZE};
	layout->objects =
		(struct python_objects){.file = (uint32_t)words[from->file],
					.name = (uint32_t)words[from->name],
					.first_line = (uint32_t)words[from->first_line],
					.lines = (uint32_t)words[from->lines],
					.instructions = (uint32_t)words[from->instructions],
					.version = 92,
					.text_length = (uint32_t)words[from->text_length],
					.text_state = (uint32_t)words[from->text_state],
					.ascii = (uint32_t)words[from->ascii],
					.other = (uint32_t)words[from->ascii] + 16,
					.bytes_size = (uint32_t)words[from->bytes_size],
					.bytes = (uint32_t)words[from->bytes]};
	return is_plausible(layout, words, from->words);
}

/* ---- Files ---- */

/* Functions that CPython has since a version. Py_Version exists since 3.11. */
static const struct {
	const char *name;
	uint32_t version;
} functions[] = {
	{"PyInterpreterState_Get", 0x0309},
	{"PyGC_Enable", 0x030a},
};

/* What the symbols of a file tell. */
struct found {
	uint64_t runtime;    /* the address of _PyRuntime; 0 if there is no interpreter */
	uint64_t version_at; /* the address of Py_Version; 0 if there is no such symbol */
	uint32_t version;    /* the version according to `functions`; 0 if it is unknown */
	uint64_t evaluator, evaluator_size; /* the function that evaluates Python code */
};

static void note_object(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct found *found = arg;

	if (!strcmp(name, "_PyRuntime"))
		found->runtime = symbol->value;
	else if (!strcmp(name, "Py_Version"))
		found->version_at = symbol->value;
}

static void note_function(void *arg, const char *name, const struct pk_elf_symbol *symbol)
{
	struct found *found = arg;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].version > found->version && !strcmp(name, functions[i].name))
			found->version = functions[i].version;
	if (!strcmp(name, "_PyEval_EvalFrameDefault")) {
		found->evaluator = symbol->value;
		found->evaluator_size = symbol->size;
	}
}

static void search_symbols(const struct pk_elf *elf, struct found *found)
{
	const char *section = ".dynsym";

	pk_elf_each_symbol(elf, section, STT_OBJECT, note_object, found);
	if (!found->runtime) {
		section = ".symtab";
		pk_elf_each_symbol(elf, section, STT_OBJECT, note_object, found);
	}
	if (found->runtime && !found->version_at)
		pk_elf_each_symbol(elf, section, STT_FUNC, note_function, found);
}

/* Returns false if the layout of this version of CPython is unknown. */
static bool layout_of(const struct pk_elf *elf, const struct found *found,
		      struct python_layout *layout)
{
	const struct description *description;
	uint64_t version = 0;

	layout->version = found->version;
	if (found->version_at) {
		if (!interpreter_file_read(elf, found->version_at, &version, sizeof(version)))
			return false;
		/* the upper 16 bits of PY_VERSION_HEX */
		layout->version = (uint32_t)(version >> 16 & 0xffff);
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].version != layout->version)
			continue;
		*layout = known[i];
		return true;
	}
	description = description_of(layout->version);
	return description && read_description(elf, found->runtime, description, layout);
}

static enum interpreter_finding find(const struct pk_elf *elf, struct interpreter_layout *layout,
				     struct interpreter_places *places)
{
	struct python_layout python = {0};
	struct found found = {0};
	bool is_known;

	search_symbols(elf, &found);
	if (!found.runtime)
		return INTERPRETER_NONE;
	is_known = layout_of(elf, &found, &python);
	layout->version = python.version;
	layout->offsets.python = python.offsets;
	layout->objects.python = python.objects;
	places->state = found.runtime;
	if (!python.offsets.evaluation && python.offsets.single) {
		places->evaluator = found.evaluator;
		places->evaluator_size = found.evaluator_size;
	}
	return is_known ? INTERPRETER_FOUND : INTERPRETER_UNKNOWN;
}

const struct interpreter python_interpreter = {
	.name = "Python",
	.versions = "3.9 to 3.15 without free threading (the option -X perf of Python 3.12 and "
		    "later gives names to other programs)",
	.image = PK_PYTHON_IMAGE,
	.find = find,
	.identify = python_code_identify,
	.read = python_code_read,
};
