// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "firefox_tables.h"
#include "samples.h"
#include "stack_walk.h"
#include "vector.h"

/* The profiler stores addresses as signed 32-bit numbers. */
#define ADDRESS_MAX	 INT32_MAX
#define RESOURCE_LIBRARY 1

struct frame_of {
	uint32_t id;	 /* id of a FRAME in the dictionary */
	uint32_t symbol; /* number of the symbol, or 0 if there is none */
	uint32_t function;
	uint32_t depth;
};

struct symbol_of {
	uint64_t address;
	uint32_t object; /* index of the object + 1 */
	uint32_t name;	 /* id of a string */
};

uint32_t firefox_string(struct firefox_tables *tables, const char *text, size_t size)
{
	const uint32_t number = profile_string(tables->shared, text, size);

	return number ? number - 1 : 0;
}

/* ---- Objects ---- */

/* Returns the index + 1 of a frame's object, or 0 if the frame has no object. */
static uint32_t object_of(struct firefox_tables *tables, const struct pk_frame *frame)
{
	struct profile_object *object = profile_object(tables->shared, frame->dso);

	if (!object)
		return 0;
	if (frame->address)
		profile_object_add(object, frame->address);
	if (frame->symbol_start)
		profile_object_add(object, frame->symbol_start);
	return object->number;
}

static const struct pk_dso *used_object(const struct firefox_tables *tables, size_t i)
{
	return pk_dictionary_get_dso(tables->shared->names, tables->shared->used[i]);
}

/* Returns the start address of an object. `object` is the index of the object + 1. If it is 0, the
 * result is UINT64_MAX. */
static uint64_t start_of(const struct firefox_tables *tables, uint32_t object)
{
	if (!object)
		return UINT64_MAX;
	return profile_object_start(&tables->shared->objects[tables->shared->used[object - 1]],
				    used_object(tables, object - 1));
}

/* Writes an address relative to the start of its object. Writes -1 if the address is unknown or too
 * large. */
static void put_address(struct firefox_tables *tables, uint32_t object, uint64_t address)
{
	const uint64_t low = start_of(tables, object);
	const bool known = object && address >= low && address - low <= ADDRESS_MAX;

	json_signed(&tables->out->json, NULL, known ? (int64_t)(address - low) : -1);
}

/* ---- Frames and functions ---- */

/* Returns the index + 1 of a source file in the table of sources. The table has the index of the
 * file's name in the table of strings. */
static uint32_t source_of(struct firefox_tables *tables, uint32_t file)
{
	size_t size;
	const char *text = pk_dictionary_get_string(tables->shared->names, file, &size);
	uint32_t string;

	if (!text)
		return 0;
	string = firefox_string(tables, text, size);
	return profile_number(tables->shared, &tables->sources, &string, sizeof(string));
}

static uint32_t function_of(struct firefox_tables *tables, const struct pk_frame *frame,
			    uint32_t object)
{
	struct profile_function key = {.name = frame->function, .object = object};

	if (frame->function)
		key.file = source_of(tables, frame->file);
	return profile_function(tables->shared, &key);
}

/* Returns the number of the frame's symbol, or 0 if there is none. It is not called for inlined
 * functions: they have the symbol of the function into which they were inlined. */
static uint32_t symbol_of(struct firefox_tables *tables, const struct pk_frame *frame,
			  uint32_t object)
{
	const struct symbol_of key = {frame->symbol_start, object, frame->function};

	if (!object || !frame->function || !frame->symbol_start)
		return 0;
	return profile_number(tables->shared, &tables->symbols, &key, sizeof(key));
}

static void add_frame(struct firefox_tables *tables, struct firefox_stack *stack, uint32_t id,
		      const struct pk_frame *frame)
{
	const uint32_t object = object_of(tables, frame);
	struct frame_of key = {.id = id, .depth = stack->depth};

	if (!(frame->flags & PK_FRAME_INLINED))
		stack->symbol = symbol_of(tables, frame, object);
	key.symbol = stack->symbol;
	key.function = function_of(tables, frame, object);
	stack->frame = profile_number(tables->shared, &tables->frames, &key, sizeof(key));
}

/* Adds a stack of the dictionary. The id of a parent is smaller than the ids of its children, so
 * the parent was added before. */
static void add_stack(struct firefox_tables *tables, const struct pk_stack *stack)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(tables->shared->names, stack->frame);
	const enum pk_frame_kind kind = pk_frame_kind(stack, frame);
	struct firefox_stack *item = &tables->stacks[tables->stacks_count], *parent = NULL;

	*item = (struct firefox_stack){0};
	if (stack->parent && stack->parent <= tables->stacks_count)
		parent = &tables->stacks[stack->parent - 1];
	tables->stacks_count++;
	if (parent)
		item->parent = parent->index;
	item->index = item->parent;
	if (kind != PK_FRAME_IS_CODE && kind != PK_FRAME_IS_CUT)
		return;
	if (parent && frame->flags & PK_FRAME_INLINED) {
		item->depth = parent->depth < UINT8_MAX ? parent->depth + 1 : UINT8_MAX;
		item->symbol = parent->symbol;
	}
	add_frame(tables, item, stack->frame, frame);
	item->index = ++tables->written;
}

void firefox_tables_read(struct firefox_tables *tables)
{
	const struct pk_stack *stack;

	while ((stack = pk_dictionary_get_stack(tables->shared->names,
						(uint32_t)tables->stacks_count + 1))) {
		if (pk_reserve(&tables->stacks, &tables->stacks_capacity, tables->stacks_count, 1,
			       sizeof(*tables->stacks)) != PK_OK) {
			tables->shared->failed = true;
			return;
		}
		add_stack(tables, stack);
	}
}

uint32_t firefox_stack(const struct firefox_tables *tables, uint32_t id)
{
	return id && id <= tables->stacks_count ? tables->stacks[id - 1].index : 0;
}

/* ---- Columns ---- */

/* A column of a table. It has either a function that writes the value of item i, or a word that is
 * the value of all items. */
struct column {
	const char *name;
	void (*value)(struct firefox_tables *tables, size_t i);
	const char *word;
};

static void put_column(struct firefox_tables *tables, const struct column *column, size_t count)
{
	struct json *json = &tables->out->json;

	json_line(json);
	json_open(json, column->name, '[');
	for (size_t i = 0; i < count; i++) {
		if (column->word)
			json_word(json, NULL, column->word);
		else
			column->value(tables, i);
		output_part(tables->out);
	}
	json_close(json, ']');
}

/* Writes a table. A column without a name ends the list of columns. */
static void put_table(struct firefox_tables *tables, const char *name, size_t count,
		      const struct column *columns)
{
	struct json *json = &tables->out->json;

	json_open(json, name, '{');
	json_number(json, "length", count);
	for (; columns->name; columns++)
		put_column(tables, columns, count);
	json_close(json, '}');
}

static void put_number(struct firefox_tables *tables, uint64_t number)
{
	json_number(&tables->out->json, NULL, number);
}

static void put_signed(struct firefox_tables *tables, int64_t number)
{
	json_signed(&tables->out->json, NULL, number);
}

static void put_optional(struct firefox_tables *tables, uint64_t number, uint64_t minus)
{
	if (number)
		put_number(tables, number - minus);
	else
		json_word(&tables->out->json, NULL, "null");
}

/* ---- Stacks ---- */

/* Writes the table of stacks. It has only those stacks whose frame is code. */
static void put_stacks(struct firefox_tables *tables)
{
	struct json *json = &tables->out->json;

	json_open(json, "stackTable", '{');
	json_number(json, "length", tables->written);
	json_line(json);
	json_open(json, "frame", '[');
	for (size_t i = 0; i < tables->stacks_count; i++) {
		if (tables->stacks[i].frame)
			put_number(tables, tables->stacks[i].frame - 1);
		output_part(tables->out);
	}
	json_close(json, ']');
	json_line(json);
	json_open(json, "prefixOffset", '[');
	for (size_t i = 0; i < tables->stacks_count; i++) {
		const struct firefox_stack *stack = &tables->stacks[i];

		if (stack->frame)
			put_number(tables, stack->parent ? stack->index - stack->parent : 0);
		output_part(tables->out);
	}
	json_close(json, ']');
	json_close(json, '}');
}

/* ---- The table of frames ---- */

static const struct frame_of *frame_key(const struct firefox_tables *tables, size_t i)
{
	return (const void *)pk_texts_get(&tables->frames, (uint32_t)i + 1, NULL);
}

static const struct pk_frame *frame_at(const struct firefox_tables *tables, size_t i)
{
	return pk_dictionary_get_frame(tables->shared->names, frame_key(tables, i)->id);
}

static uint32_t object_at(const struct firefox_tables *tables, size_t i)
{
	const uint32_t id = frame_at(tables, i)->dso;

	return id < tables->shared->objects_count ? tables->shared->objects[id].number : 0;
}

static void put_frame_address(struct firefox_tables *tables, size_t i)
{
	put_address(tables, object_at(tables, i), frame_at(tables, i)->address);
}

static void put_frame_object(struct firefox_tables *tables, size_t i)
{
	put_signed(tables, (int64_t)object_at(tables, i) - 1);
}

static void put_frame_depth(struct firefox_tables *tables, size_t i)
{
	put_number(tables, frame_key(tables, i)->depth);
}

static void put_frame_category(struct firefox_tables *tables, size_t i)
{
	const uint32_t flags = frame_at(tables, i)->flags;
	enum firefox_category category = FIREFOX_OTHER;

	if (flags & PK_FRAME_JIT)
		category = FIREFOX_JIT;
	else if (flags & (PK_FRAME_KERNEL | PK_FRAME_HYPERVISOR))
		category = FIREFOX_KERNEL;
	else if (flags & PK_FRAME_USER)
		category = FIREFOX_USER;
	put_number(tables, category);
}

/* Writes 1 if the frame is in a guest, and 0 otherwise. */
static void put_frame_subcategory(struct firefox_tables *tables, size_t i)
{
	put_number(tables, (frame_at(tables, i)->flags & PK_FRAME_GUEST) != 0);
}

static void put_frame_function(struct firefox_tables *tables, size_t i)
{
	put_number(tables, frame_key(tables, i)->function - 1);
}

static void put_frame_symbol(struct firefox_tables *tables, size_t i)
{
	put_optional(tables, frame_key(tables, i)->symbol, 1);
}

static void put_frame_line(struct firefox_tables *tables, size_t i)
{
	put_optional(tables, frame_at(tables, i)->line, 0);
}

static void put_frame_column(struct firefox_tables *tables, size_t i)
{
	put_optional(tables, frame_at(tables, i)->column, 0);
}

static const struct column frame_columns[] = {
	{"address", put_frame_address, NULL},
	{"lib", put_frame_object, NULL},
	{"inlineDepth", put_frame_depth, NULL},
	{"category", put_frame_category, NULL},
	{"subcategory", put_frame_subcategory, NULL},
	{"func", put_frame_function, NULL},
	{"nativeSymbol", put_frame_symbol, NULL},
	{.name = "innerWindowID", .word = "0"},
	{"line", put_frame_line, NULL},
	{"column", put_frame_column, NULL},
	{.name = "originalLocation", .word = "null"},
	{.name = NULL},
};

/* ---- The table of functions ---- */

static const struct profile_function *function_key(const struct firefox_tables *tables, size_t i)
{
	return profile_function_at(tables->shared, (uint32_t)i + 1);
}

static uint32_t path_of(const struct firefox_tables *tables, uint32_t object)
{
	return object ? used_object(tables, object - 1)->path : 0;
}

static void put_function_name(struct firefox_tables *tables, size_t i)
{
	const struct profile_function *key = function_key(tables, i);
	size_t size;
	const char *name = pk_dictionary_get_string(tables->shared->names, key->name, &size);

	if (!name) {
		tables->text.size = 0;
		names_object_text(tables->shared->names, path_of(tables, key->object),
				  &tables->text);
		tables->shared->failed |= tables->text.failed;
		name = tables->text.data;
		size = tables->text.size;
	}
	put_number(tables, name ? firefox_string(tables, name, size) : 0);
}

static void put_function_resource(struct firefox_tables *tables, size_t i)
{
	put_signed(tables, (int64_t)function_key(tables, i)->object - 1);
}

static void put_function_source(struct firefox_tables *tables, size_t i)
{
	put_optional(tables, function_key(tables, i)->file, 1);
}

static const struct column function_columns[] = {
	{"name", put_function_name, NULL},
	{.name = "isJS", .word = "false"},
	{.name = "relevantForJS", .word = "false"},
	{"resource", put_function_resource, NULL},
	{"source", put_function_source, NULL},
	{.name = "lineNumber", .word = "null"},
	{.name = "columnNumber", .word = "null"},
	{.name = "originalLocation", .word = "null"},
	{.name = NULL},
};

/* ---- Native symbols ---- */

static const struct symbol_of *symbol_key(const struct firefox_tables *tables, size_t i)
{
	return (const void *)pk_texts_get(&tables->symbols, (uint32_t)i + 1, NULL);
}

static void put_symbol_object(struct firefox_tables *tables, size_t i)
{
	put_number(tables, symbol_key(tables, i)->object - 1);
}

static void put_symbol_address(struct firefox_tables *tables, size_t i)
{
	put_address(tables, symbol_key(tables, i)->object, symbol_key(tables, i)->address);
}

static void put_symbol_name(struct firefox_tables *tables, size_t i)
{
	size_t size;
	const char *name =
		pk_dictionary_get_string(tables->shared->names, symbol_key(tables, i)->name, &size);

	put_number(tables, firefox_string(tables, name ? name : "", name ? size : 0));
}

static const struct column symbol_columns[] = {
	{"libIndex", put_symbol_object, NULL},
	{"address", put_symbol_address, NULL},
	{"name", put_symbol_name, NULL},
	{.name = "functionSize", .word = "null"},
	{.name = NULL},
};

/* ---- Objects: libs and resources ---- */

/* Returns the path of an object, or "" if the path is unknown. */
static const char *object_path(const struct firefox_tables *tables, size_t i, size_t *size)
{
	const char *path =
		pk_dictionary_get_string(tables->shared->names, used_object(tables, i)->path, size);

	*size = path ? *size : 0;
	return path ? path : "";
}

static const char *object_name(const struct firefox_tables *tables, size_t i, size_t *size)
{
	const char *path = object_path(tables, i, size), *slash = strrchr(path, '/');

	if (!slash || !slash[1])
		return path;
	*size -= (size_t)(slash + 1 - path);
	return slash + 1;
}

static void put_resource_name(struct firefox_tables *tables, size_t i)
{
	size_t size;
	const char *name = object_name(tables, i, &size);

	put_number(tables, firefox_string(tables, name, size));
}

static const struct column resource_columns[] = {
	{"name", put_resource_name, NULL},
	{.name = "host", .word = "null"},
	{.name = "type", .word = "1"},
	{.name = NULL},
};

/* Writes the first 16 bytes of the build-id as a GUID, and an age of 0. The first three numbers of
 * a GUID are little-endian. */
static void put_breakpad_id(struct json *json, const struct pk_dso *dso)
{
	static const uint8_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

	json_text(json, "breakpadId", "");
	json->out->size--;
	for (size_t i = 0; dso->build_id_size && i < sizeof(order); i++) {
		const uint8_t byte = order[i] < dso->build_id_size ? dso->build_id[order[i]] : 0;

		buffer_char(json->out, "0123456789ABCDEF"[byte >> 4]);
		buffer_char(json->out, "0123456789ABCDEF"[byte & 15]);
	}
	buffer_text(json->out, dso->build_id_size ? "0\"" : "\"");
}

static void put_lib(struct firefox_tables *tables, size_t i)
{
	const struct pk_dso *dso = used_object(tables, i);
	struct json *json = &tables->out->json;
	size_t name_size, path_size;
	const char *name = object_name(tables, i, &name_size);
	const char *path = object_path(tables, i, &path_size);

	json_open(json, NULL, '{');
	json_text(json, "arch", tables->machine);
	json_bytes(json, "name", name, name_size);
	json_bytes(json, "path", path, path_size);
	json_bytes(json, "debugName", name, name_size);
	json_bytes(json, "debugPath", path, path_size);
	put_breakpad_id(json, dso);
	if (dso->build_id_size)
		json_hex_bytes(json, "codeId", dso->build_id, dso->build_id_size);
	else
		json_word(json, "codeId", "null");
	json_close(json, '}');
}

/* ---- Sources and strings ---- */

static void put_source_file(struct firefox_tables *tables, size_t i)
{
	const uint32_t *string =
		(const void *)pk_texts_get(&tables->sources, (uint32_t)i + 1, NULL);

	put_number(tables, *string);
}

static const struct column source_columns[] = {
	{.name = "id", .word = "null"},
	{"filename", put_source_file, NULL},
	{.name = "startLine", .word = "1"},
	{.name = "startColumn", .word = "1"},
	{.name = "sourceMapURL", .word = "null"},
	{.name = "content", .word = "null"},
	{.name = NULL},
};

static void put_string(struct firefox_tables *tables, size_t i)
{
	size_t size;
	const char *text = pk_texts_get(&tables->shared->strings, (uint32_t)i + 1, &size);

	json_bytes(&tables->out->json, NULL, text, size);
}

void firefox_tables_write(struct firefox_tables *tables)
{
	const struct column libs = {"libs", put_lib, NULL};
	const struct column strings = {"stringArray", put_string, NULL};
	struct json *json = &tables->out->json;

	if (tables->shared->failed)
		return;
	put_column(tables, &libs, tables->shared->used_count);
	json_line(json);
	json_open(json, "shared", '{');
	buffer_char(json->out, '\n');
	put_stacks(tables);
	json_line(json);
	put_table(tables, "frameTable", tables->frames.count, frame_columns);
	json_line(json);
	put_table(tables, "funcTable", tables->shared->functions.count, function_columns);
	json_line(json);
	put_table(tables, "nativeSymbols", tables->symbols.count, symbol_columns);
	json_line(json);
	put_table(tables, "resourceTable", tables->shared->used_count, resource_columns);
	json_line(json);
	put_table(tables, "sources", tables->sources.count, source_columns);
	json_line(json);
	json_known(json, "'sourceLocationTable':{'length':0,'source':[],'line':[],'column':[]}");
	put_column(tables, &strings, tables->shared->strings.count);
	json_close(json, '}');
}

void firefox_tables_free(struct firefox_tables *tables)
{
	pk_texts_free(&tables->sources);
	pk_texts_free(&tables->frames);
	pk_texts_free(&tables->symbols);
	free(tables->stacks);
	free(tables->text.data);
}
