// SPDX-License-Identifier: BSD-2-Clause
/* The format pprof: profile.proto of https://github.com/google/pprof, compressed with gzip. Its
 * fields can come in any order: samples are written first, then the tables that they refer to. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "paths.h"
#include "protobuf.h"
#include "texts.h"
#include "vector.h"

/* ---- Tables ---- */

/* The tables of a pprof profile that its samples refer to: mappings, locations, functions and
 * strings. Numbers of mappings are ids of objects. */

/* ---- Locations ---- */

/* Stacks as lists of locations: a location is an address, with the functions that are inlined
 * there. Locations have numbers, from 1 on. */

struct locations {
	const struct pk_dictionary *names; /* set by the caller */
	struct pk_allowance *allowance;	   /* the same: what the lists may cost */
	struct pk_texts runs;		   /* the frames of each location */
	/* Private to the locations: */
	uint32_t *of_frames; /* by id of the frame: the location with this frame alone, or 0 */
	size_t of_frames_count;
};

struct location_list {
	uint32_t numbers[PK_PATH_DEPTH_MAX]; /* the leaf first */
	unsigned int count;
	bool cut; /* the stack has more callers */
};

/* ---- Tables ---- */

/* The numbers of a Profile's fields, in profile.proto of pprof. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DROP_FRAMES = 7,
	PROFILE_KEEP_FRAMES = 8,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_TYPE = 14,
};

struct pprof_tables {
	struct export_output *out;   /* set by the caller */
	struct locations *locations; /* likewise */
	struct pk_texts strings;
	bool failed; /* out of memory */
	/* Private to the tables: */
	struct buffer text, line, message;
	struct pprof_mapping {
		struct mapping_range range;
		bool has_functions, has_files, has_lines, has_inlines;
	} * mappings; /* by id of the object */
	size_t mappings_count;
	struct pk_table functions; /* number, by the ids of its name and file */
};

/* ---- Locations ---- */

/* 0: out of memory. */
static uint32_t add_run(struct locations *locations, const uint32_t *frames, size_t count)
{
	uint32_t *number;

	if (count > 1)
		return pk_texts_add(&locations->runs, (const char *)frames,
				    count * sizeof(*frames));
	if (!pk_extend(&locations->of_frames, &locations->of_frames_count, frames[0]))
		return 0;
	number = &locations->of_frames[frames[0]];
	if (!*number)
		*number = pk_texts_add(&locations->runs, (const char *)frames, sizeof(*frames));
	return *number;
}

static bool add_location(struct locations *locations, struct location_list *list,
			 const uint32_t *frames, size_t count)
{
	const uint32_t number = add_run(locations, frames, count);

	list->numbers[list->count++] = number;
	return number;
}

/* Finds the locations of a stack; of an undefined one, or of a frame that is undefined, there are
 * none. False: out of memory. */
static bool locations_of(struct locations *locations, uint32_t id, struct location_list *list)
{
	struct pk_stack_walk walk = pk_stack_walk(locations->names, id);
	uint32_t frames[LOCATION_MAX];
	size_t count;

	list->count = 0;
	list->cut = false;
	while ((count = stack_frames_location(&walk, frames))) {
		list->cut = list->count == PK_PATH_DEPTH_MAX ||
			    (!pk_allowance_spend(locations->allowance, PK_COST_STEP) &&
			     list->count >= PK_STACK_SHORT);
		if (list->cut)
			return true;
		for (size_t i = 1; i < count; i++)
			pk_allowance_spend(locations->allowance, PK_COST_STEP);
		if (!add_location(locations, list, frames, count))
			return false;
	}
	return true;
}

/* The ids of the frames of a location, innermost first. All but the last are inlined. */
static const uint32_t *locations_frames(const struct locations *locations, uint32_t number,
					size_t *count)
{
	const char *frames = pk_texts_get(&locations->runs, number, count);

	*count = frames ? *count / sizeof(uint32_t) : 0;
	return (const void *)frames;
}

static void locations_free(struct locations *locations)
{
	pk_texts_free(&locations->runs);
	free(locations->of_frames);
}

/* ---- Tables ---- */

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

/* The index of a text in the table of strings. */
static uint64_t pprof_string(struct pprof_tables *tables, const char *text, size_t size)
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

/* Writes the tables; after that, no more strings can be added. */
static void pprof_tables_write(struct pprof_tables *tables)
{
	for (uint32_t i = 1; i <= tables->locations->runs.count; i++)
		write_location(tables, i);
	write_mappings(tables);
	write_strings(tables);
}

static void pprof_tables_free(struct pprof_tables *tables)
{
	pk_texts_free(&tables->strings);
	pk_table_free(&tables->functions);
	free(tables->mappings);
	free(tables->text.data);
	free(tables->line.data);
	free(tables->message.data);
}

/* ---- Samples ---- */

enum { TYPE_NAME = 1, TYPE_UNIT = 2 };					  /* ValueType */
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };	  /* Sample */
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 }; /* Label */

struct pprof {
	struct exporter base;
	const char *drop_frames; /* options: regular expressions of functions, or NULL */
	const char *keep_frames;
	struct locations locations;
	struct location_list list;
	struct pprof_tables tables;
	struct buffer message, part;
	struct buffer labels; /* of labels_row, as fields of a sample */
	uint32_t labels_row;
	uint64_t values[VALUES_MAX];	 /* of one sample */
	uint64_t keys[PK_GROUP_COLUMNS]; /* strings: the names of labels */
};

static uint64_t add_string(struct pprof *p, const char *text)
{
	return pprof_string(&p->tables, text, strlen(text));
}

/* ---- Types ---- */

static void write_type(struct pprof *p, unsigned int field, const struct value_type *type)
{
	protobuf_number(&p->message, TYPE_NAME, add_string(p, type->name));
	protobuf_number(&p->message, TYPE_UNIT, add_string(p, type->unit));
	protobuf_message(&p->base.out.text, field, &p->message);
}

static void write_types(struct pprof *p)
{
	value_types_init(&p->base.types, &p->base.samples);
	for (unsigned int i = 0; i < p->base.types.count; i++)
		write_type(p, PROFILE_SAMPLE_TYPE, &p->base.types.types[i]);
}

/* Those of the first event. */
static void write_period(struct pprof *p)
{
	const struct value_type *type = &p->base.types.types[p->base.types.count > 1];

	protobuf_number(&p->base.out.text, PROFILE_DEFAULT_TYPE, add_string(p, type->name));
	if (p->base.types.count == 1)
		return;
	write_type(p, PROFILE_PERIOD_TYPE, type);
	protobuf_number(&p->base.out.text, PROFILE_PERIOD,
			value_types_period(p->base.samples.series));
}

/* ---- Samples ---- */

static void add_label(struct pprof *p, uint64_t key, struct pk_row_value value)
{
	const struct pk_texts *texts = &p->base.samples.rows.texts;
	size_t size;
	const char *text;

	protobuf_number(&p->part, LABEL_KEY, key);
	if (value.kind == PK_VALUE_TEXT) {
		text = pk_texts_get(texts, (uint32_t)value.number, &size);
		protobuf_number(&p->part, LABEL_TEXT, pprof_string(&p->tables, text, size));
	} else {
		protobuf_number(&p->part, LABEL_NUMBER, value.number);
	}
	if (value.kind == PK_VALUE_TIME || value.kind == PK_VALUE_DURATION)
		protobuf_number(&p->part, LABEL_UNIT, add_string(p, "nanoseconds"));
	protobuf_message(&p->labels, SAMPLE_LABEL, &p->part);
}

static void add_labels(struct pprof *p, uint32_t row)
{
	const struct pk_rows *rows = &p->base.samples.rows;

	if (row != p->labels_row) {
		p->labels.size = 0;
		for (unsigned int i = 0; i < rows->columns_count; i++) {
			const struct pk_row_value value = pk_rows_value(rows, row, i);

			if (value.kind != PK_VALUE_NONE)
				add_label(p, p->keys[i], value);
		}
		p->labels_row = row;
		p->base.failed |= p->labels.failed;
	}
	buffer_add(&p->message, p->labels.data, p->labels.size);
}

static void write_sample(struct pprof *p, const struct cell *cell)
{
	p->base.failed |= !locations_of(&p->locations, cell->stack, &p->list);
	p->base.cut += p->list.cut ? p->values[0] : 0;
	for (unsigned int i = 0; i < p->list.count; i++)
		protobuf_varint(&p->part, p->list.numbers[i]);
	protobuf_message(&p->message, SAMPLE_LOCATIONS, &p->part);
	for (unsigned int i = 0; i < p->base.types.count; i++)
		protobuf_varint(&p->part, p->values[i]);
	protobuf_message(&p->message, SAMPLE_VALUES, &p->part);
	add_labels(p, cell->row);
	protobuf_message(&p->base.out.text, PROFILE_SAMPLE, &p->message);
	output_part(&p->base.out);
}

/* Cells that differ only in their series are one sample. */
static void write_samples(struct pprof *p)
{
	const struct cell *cell = p->base.cells.items, *const end = cell + p->base.cells.count,
			  *first;

	while (cell < end) {
		first = cell;
		cell = value_types_sum(&p->base.types, first, end, p->values);
		if (p->values[0])
			write_sample(p, first);
	}
}

/* ---- All ---- */

static void write_times(struct pprof *p)
{
	const struct export_samples *samples = &p->base.samples;

	if (samples->first && samples->wall_offset)
		protobuf_number(&p->base.out.text, PROFILE_TIME,
				samples->first + samples->wall_offset);
	protobuf_number(&p->base.out.text, PROFILE_DURATION, samples->last - samples->first);
}

static void write_frame_options(struct pprof *p)
{
	if (p->drop_frames)
		protobuf_number(&p->base.out.text, PROFILE_DROP_FRAMES,
				add_string(p, p->drop_frames));
	if (p->keep_frames)
		protobuf_number(&p->base.out.text, PROFILE_KEEP_FRAMES,
				add_string(p, p->keep_frames));
}

static void write_profile(void *format)
{
	struct pprof *p = format;

	p->locations.names = p->base.samples.names;
	p->locations.allowance = &p->base.samples.allowance;
	p->tables.locations = &p->locations;
	p->tables.out = &p->base.out;
	for (unsigned int i = 0; i < p->base.samples.rows.columns_count; i++)
		p->keys[i] = add_string(p, samples_label(&p->base.samples, i));
	write_types(p);
	write_period(p);
	write_times(p);
	write_frame_options(p);
	cells_sort(&p->base.cells);
	write_samples(p);
	pprof_tables_write(&p->tables);
	p->base.failed |= p->tables.failed;
}

static int end(void *format, int result)
{
	struct pprof *p = format;

	locations_free(&p->locations);
	pprof_tables_free(&p->tables);
	free(p->message.data);
	free(p->part.data);
	free(p->labels.data);
	return result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct pprof, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profile"),
	{0, "by", "FIELD,...", PK_CALL, "labels of samples (default: comm,pid,tid,cpu); none",
	 AT(base.options.tail), .parse = pk_set_by},
	PK_ALSO(0, "label", "FIELD,...", "by"),
	{0, "drop-frames", "REGEX", PK_TEXT, "functions that pprof hides, with their callees",
	 AT(drop_frames)},
	{0, "keep-frames", "REGEX", PK_TEXT, "exceptions from --drop-frames", AT(keep_frames)},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_pprof = {
	.name = "pprof",
	.description = "profile for go tool pprof, Pyroscope, Parca, Grafana",
	.by = "comm,pid,tid,cpu",
	.command = {.usage = "Usage: pk-export pprof [OPTION...] [FILE...]\n\n"
			     "Writes a profile of pprof, compressed with gzip.\n",
		    .options = rows,
		    .examples = "  pk-record -F 999 -g -- ./app | pk-symbolize --lines | pk-export "
				"pprof -o app.pb.gz\n"
				"  pk-export pprof -o app.pb.gz app.pk && go tool pprof -http=: "
				"app.pb.gz\n"},
	.size = sizeof(struct pprof),
	.output = OUTPUT_GZIP,
	.next = "go tool pprof",
	.sample = export_sum,
	.write = write_profile,
	.end = end,
};
