// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pprof_tables.h"
#include "protobuf.h"
#include "vector.h"

enum {
	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINES = 10,
};

enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2, LINE_COLUMN = 3 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

/* ---- Strings ---- */

uint64_t pprof_string(struct pprof_tables *tables, const char *text, size_t size)
{
	uint32_t number;

	tables->text.size = 0;
	buffer_valid(&tables->text, text, size, SIZE_MAX);
	tables->failed |= tables->text.failed;
	if (!tables->text.size)
		return 0;
	number = pk_texts_add(&tables->strings, tables->text.data, tables->text.size);
	tables->failed |= !number;
	return number;
}

/* The same for a string of the dictionary. */
static uint64_t string_of(struct pprof_tables *tables, uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(tables->locations->names, id, &size);

	return text ? pprof_string(tables, text, size) : 0;
}

static void write_strings(struct pprof_tables *tables)
{
	struct export_output *out = tables->out;
	size_t size;

	protobuf_bytes(&out->text, PROFILE_STRING, "", 0);
	for (uint32_t i = 1; i <= tables->strings.count; i++) {
		const char *text = pk_texts_get(&tables->strings, i, &size);

		protobuf_bytes(&out->text, PROFILE_STRING, text, size);
		output_part(out);
	}
}

/* ---- Functions ---- */

static void write_function(struct pprof_tables *tables, uint64_t number,
			   const struct pk_frame *frame)
{
	const uint64_t name = string_of(tables, frame->function);
	struct buffer *out = &tables->message;

	protobuf_number(out, FUNCTION_ID, number);
	protobuf_number(out, FUNCTION_NAME, name);
	protobuf_number(out, FUNCTION_SYSTEM_NAME, name);
	protobuf_number(out, FUNCTION_FILE, string_of(tables, frame->file));
	protobuf_message(&tables->out->text, PROFILE_FUNCTION, out);
	output_part(tables->out);
}

/* The number of the frame's function; a new one is written. */
static uint64_t function_of(struct pprof_tables *tables, const struct pk_frame *frame)
{
	const uint64_t key = (uint64_t)frame->function << 32 | frame->file;
	uint64_t number = pk_table_get_u64(&tables->functions, key);

	if (number)
		return number;
	number = tables->functions.count + 1;
	if (!pk_table_set_u64(&tables->functions, key, number))
		tables->failed = true;
	write_function(tables, number, frame);
	return number;
}

/* ---- Mappings ---- */

static void add_build_id(struct pprof_tables *tables, const struct pk_dso *dso)
{
	struct buffer *text = &tables->line;

	buffer_hex_bytes(text, dso->build_id, dso->build_id_size);
	protobuf_number(&tables->message, MAPPING_BUILD_ID,
			pprof_string(tables, text->data ? text->data : "", text->size));
	tables->failed |= text->failed;
	text->size = 0;
}

static void write_mapping(struct pprof_tables *tables, uint32_t id, const struct pk_dso *dso)
{
	const struct pprof_mapping *mapping = &tables->mappings[id];
	struct buffer *out = &tables->message;

	protobuf_number(out, MAPPING_ID, id);
	protobuf_number(out, MAPPING_START, mapping_range_start(&mapping->range, dso));
	protobuf_number(out, MAPPING_LIMIT, mapping_range_limit(&mapping->range));
	protobuf_number(out, MAPPING_FILE, string_of(tables, dso->path));
	add_build_id(tables, dso);
	protobuf_number(out, MAPPING_HAS_FUNCTIONS, mapping->has_functions);
	protobuf_number(out, MAPPING_HAS_FILES, mapping->has_files);
	protobuf_number(out, MAPPING_HAS_LINES, mapping->has_lines);
	protobuf_number(out, MAPPING_HAS_INLINES, mapping->has_inlines);
	protobuf_message(&tables->out->text, PROFILE_MAPPING, out);
	output_part(tables->out);
}

static bool is_library(const struct pprof_tables *tables, const struct pk_dso *dso)
{
	const char *path = pk_dictionary_get_string(tables->locations->names, dso->path, NULL);

	return path && strstr(path, ".so");
}

/* The place in the table: pprof shows the first mapping as the profiled program. */
static int rank_of(const struct pprof_tables *tables, const struct pk_dso *dso)
{
	if (dso->kind != PK_DSO_FILE)
		return 2;
	return is_library(tables, dso);
}

static void write_mappings(struct pprof_tables *tables)
{
	for (int rank = 0; rank <= 2; rank++) {
		for (uint32_t id = 0; id < tables->mappings_count; id++) {
			const struct pk_dso *dso =
				pk_dictionary_get_dso(tables->locations->names, id);

			if (dso && tables->mappings[id].range.used && rank_of(tables, dso) == rank)
				write_mapping(tables, id, dso);
		}
	}
}

static void note_mapping(struct pprof_tables *tables, const struct pk_frame *frame)
{
	struct pprof_mapping *mapping;

	if (!pk_extend(&tables->mappings, &tables->mappings_count, frame->dso)) {
		tables->failed = true;
		return;
	}
	mapping = &tables->mappings[frame->dso];
	mapping_range_add(&mapping->range, frame->address);
	mapping->has_functions |= frame->function != 0;
	mapping->has_files |= frame->file != 0;
	mapping->has_lines |= frame->line != 0;
	mapping->has_inlines |= (frame->flags & PK_FRAME_INLINED) != 0;
}

/* ---- Locations ---- */

static void add_line(struct pprof_tables *tables, const struct pk_frame *frame)
{
	if (!frame->function)
		return;
	protobuf_number(&tables->line, LINE_FUNCTION, function_of(tables, frame));
	protobuf_number(&tables->line, LINE_LINE, frame->line);
	protobuf_number(&tables->line, LINE_COLUMN, frame->column);
}

/* Functions that it refers to are written before it: a message cannot be inside of another one. */
static void write_location(struct pprof_tables *tables, uint32_t number)
{
	const struct pk_dictionary *names = tables->locations->names;
	struct buffer lines = {0};
	size_t count;
	const uint32_t *ids = locations_frames(tables->locations, number, &count);
	const struct pk_frame *outer = NULL;

	for (size_t i = 0; i < count; i++) {
		outer = pk_dictionary_get_frame(names, ids[i]);
		note_mapping(tables, outer);
		add_line(tables, outer);
		if (tables->line.size)
			protobuf_message(&lines, LOCATION_LINE, &tables->line);
	}
	protobuf_number(&tables->message, LOCATION_ID, number);
	protobuf_number(&tables->message, LOCATION_MAPPING, outer->dso);
	protobuf_number(&tables->message, LOCATION_ADDRESS, outer->address);
	buffer_add(&tables->message, lines.data, lines.size);
	tables->failed |= lines.failed;
	protobuf_message(&tables->out->text, PROFILE_LOCATION, &tables->message);
	output_part(tables->out);
	free(lines.data);
}

void pprof_tables_write(struct pprof_tables *tables)
{
	for (uint32_t i = 1; i <= tables->locations->runs.count; i++)
		write_location(tables, i);
	write_mappings(tables);
	write_strings(tables);
}

void pprof_tables_free(struct pprof_tables *tables)
{
	pk_texts_free(&tables->strings);
	pk_table_free(&tables->functions);
	free(tables->mappings);
	free(tables->text.data);
	free(tables->line.data);
	free(tables->message.data);
}
