// SPDX-License-Identifier: BSD-2-Clause
/* The format pprof. It is profile.proto of https://github.com/google/pprof, compressed with gzip.
 * The fields of a profile can have any order. Samples are written first, and then the tables to
 * which they refer. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "paths.h"
#include "protobuf.h"
#include "texts.h"
#include "vector.h"

/* ---- Tables ---- */

/* The locations of a stack. Samples refer to locations, and these refer to mappings and functions.
 * The number of a mapping is the id of its object. */

/* The locations of a stack. */
struct location_list {
	uint32_t numbers[PK_PATH_DEPTH_MAX]; /* numbers of the locations; the innermost location is
					      * first */
	unsigned int count;
	bool cut; /* the stack has more callers than fit into `numbers` */
};

/* The numbers of the fields of a message Profile in pprof's profile.proto. */
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

struct pprof {
	struct exporter base;
	const char *drop_frames; /* arguments of options: regular expressions for names of
				    functions; NULL if they are not given */
	const char *keep_frames;
	struct location_list list;
	struct buffer message, part, lines;
	struct buffer labels; /* labels of the row labels_row, encoded as fields of a sample */
	uint32_t labels_row;
	uint64_t values[VALUES_MAX];	 /* values of the current sample */
	uint64_t keys[PK_GROUP_COLUMNS]; /* for each column, the number of the string with the name
					  * of the label */
};

/* ---- Locations ---- */

/* Finds the locations of a stack. Undefined stacks and undefined frames have no locations. */
static void find_locations(struct pprof *p, uint32_t stack)
{
	struct pk_allowance *allowance = &p->base.samples.allowance;
	struct location_list *list = &p->list;
	struct pk_stack_walk walk = pk_stack_walk(p->base.tables.names, stack);
	uint32_t frames[LOCATION_MAX];
	size_t count;

	list->count = 0;
	list->cut = false;
	while ((count = stack_frames_location(&walk, frames))) {
		list->cut = list->count == PK_PATH_DEPTH_MAX ||
			    (!pk_allowance_spend(allowance, PK_COST_STEP) &&
			     list->count >= PK_STACK_SHORT);
		if (list->cut)
			return;
		for (size_t i = 1; i < count; i++)
			pk_allowance_spend(allowance, PK_COST_STEP);
		list->numbers[list->count++] = profile_location(&p->base.tables, frames, count);
	}
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

static void write_strings(struct pprof *p)
{
	const struct pk_texts *strings = &p->base.tables.strings;
	size_t size;

	protobuf_bytes(&p->base.out.text, PROFILE_STRING, "", 0);
	for (uint32_t i = 1; i <= strings->count; i++) {
		const char *text = pk_texts_get(strings, i, &size);

		protobuf_bytes(&p->base.out.text, PROFILE_STRING, text, size);
		output_part(&p->base.out);
	}
}

/* Writes the bytes of p->message as a field of the profile. */
static void write_message(struct pprof *p, unsigned int field)
{
	protobuf_message(&p->base.out.text, field, &p->message);
	output_part(&p->base.out);
}

/* ---- Functions ---- */

/* Returns the number of the frame's function. If the function is new, writes it. */
static uint32_t function_of(struct pprof *p, const struct pk_frame *frame)
{
	const struct profile_function key = {.name = frame->function, .file = frame->file};
	struct profile_tables *tables = &p->base.tables;
	const size_t before = tables->functions.count;
	const uint32_t number = profile_function(tables, &key);
	uint32_t name;

	if (tables->functions.count == before)
		return number;
	name = profile_string_of(tables, frame->function);
	protobuf_number(&p->message, FUNCTION_ID, number);
	protobuf_number(&p->message, FUNCTION_NAME, name);
	protobuf_number(&p->message, FUNCTION_SYSTEM_NAME, name);
	protobuf_number(&p->message, FUNCTION_FILE, profile_string_of(tables, frame->file));
	write_message(p, PROFILE_FUNCTION);
	return number;
}

/* ---- Mappings ---- */

static uint32_t build_id_of(struct pprof *p, const struct pk_dso *dso)
{
	struct buffer hex = {0};
	uint32_t number;

	buffer_hex_bytes(&hex, dso->build_id, dso->build_id_size);
	number = profile_string(&p->base.tables, hex.data ? hex.data : "", hex.size);
	p->base.failed |= hex.failed;
	free(hex.data);
	return number;
}

static void write_mapping(struct pprof *p, uint32_t id, const struct pk_dso *dso)
{
	const struct profile_object *object = &p->base.tables.objects[id];
	struct buffer *out = &p->message;

	protobuf_number(out, MAPPING_ID, id);
	protobuf_number(out, MAPPING_START, profile_object_start(object, dso));
	protobuf_number(out, MAPPING_LIMIT, profile_object_limit(object));
	protobuf_number(out, MAPPING_FILE, profile_string_of(&p->base.tables, dso->path));
	protobuf_number(out, MAPPING_BUILD_ID, build_id_of(p, dso));
	protobuf_number(out, MAPPING_HAS_FUNCTIONS, object->has_functions);
	protobuf_number(out, MAPPING_HAS_FILES, object->has_files);
	protobuf_number(out, MAPPING_HAS_LINES, object->has_lines);
	protobuf_number(out, MAPPING_HAS_INLINES, object->has_inlines);
	write_message(p, PROFILE_MAPPING);
}

/* Returns the rank of a mapping in the table of mappings. pprof shows the first mapping as the
 * profiled program, so programs come first. */
static int rank_of(const struct pprof *p, const struct pk_dso *dso)
{
	const char *path = pk_dictionary_get_string(p->base.tables.names, dso->path, NULL);

	if (dso->kind != PK_DSO_FILE)
		return 2;
	return path && strstr(path, ".so");
}

static void write_mappings(struct pprof *p)
{
	const struct profile_tables *tables = &p->base.tables;

	for (int rank = 0; rank <= 2; rank++)
		for (uint32_t id = 0; id < tables->objects_count; id++) {
			const struct pk_dso *dso = pk_dictionary_get_dso(tables->names, id);

			if (tables->objects[id].number && rank_of(p, dso) == rank)
				write_mapping(p, id, dso);
		}
}

static void note_mapping(struct pprof *p, const struct pk_frame *frame)
{
	struct profile_object *object = profile_object(&p->base.tables, frame->dso);

	if (!object)
		return;
	profile_object_add(object, frame->address);
	object->has_functions |= frame->function != 0;
	object->has_files |= frame->file != 0;
	object->has_lines |= frame->line != 0;
	object->has_inlines |= (frame->flags & PK_FRAME_INLINED) != 0;
}

/* ---- Locations ---- */

static void add_line(struct pprof *p, const struct pk_frame *frame)
{
	if (!frame->function)
		return;
	protobuf_number(&p->part, LINE_FUNCTION, function_of(p, frame));
	protobuf_number(&p->part, LINE_LINE, frame->line);
	protobuf_number(&p->part, LINE_COLUMN, frame->column);
	if (p->part.size)
		protobuf_message(&p->lines, LOCATION_LINE, &p->part);
}

/* Writes a location. The functions to which it refers are written first, because a message cannot
 * be written inside another one. */
static void write_location(struct pprof *p, uint32_t number)
{
	size_t count;
	const uint32_t *ids = profile_location_frames(&p->base.tables, number, &count);
	const struct pk_frame *outer = NULL;

	p->lines.size = 0;
	for (size_t i = 0; i < count; i++) {
		outer = pk_dictionary_get_frame(p->base.tables.names, ids[i]);
		note_mapping(p, outer);
		add_line(p, outer);
	}
	protobuf_number(&p->message, LOCATION_ID, number);
	protobuf_number(&p->message, LOCATION_MAPPING, outer->dso);
	protobuf_number(&p->message, LOCATION_ADDRESS, outer->address);
	buffer_add(&p->message, p->lines.data, p->lines.size);
	write_message(p, PROFILE_LOCATION);
}

/* Writes all tables. No strings can be added after this. */
static void write_tables(struct pprof *p)
{
	for (uint32_t i = 1; i <= p->base.tables.locations.count; i++)
		write_location(p, i);
	write_mappings(p);
	write_strings(p);
}

/* ---- Samples ---- */

enum { TYPE_NAME = 1, TYPE_UNIT = 2 };					  /* fields of ValueType */
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };	  /* fields of Sample */
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 }; /* fields of Label */

static uint64_t add_string(struct pprof *p, const char *text)
{
	return profile_string(&p->base.tables, text, strlen(text));
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

/* Writes the type and the period of the first event as those of the profile. */
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
		protobuf_number(&p->part, LABEL_TEXT, profile_string(&p->base.tables, text, size));
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
	find_locations(p, cell->stack);
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

/* Writes all samples. Cells that differ only in their series are written as one sample. */
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

/* ---- The profile ---- */

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

	for (unsigned int i = 0; i < p->base.samples.rows.columns_count; i++)
		p->keys[i] = add_string(p, samples_label(&p->base.samples, i));
	write_types(p);
	write_period(p);
	write_times(p);
	write_frame_options(p);
	cells_sort(&p->base.cells);
	write_samples(p);
	write_tables(p);
	p->base.failed |= p->message.failed || p->part.failed || p->lines.failed;
}

static int end(void *format, int result)
{
	struct pprof *p = format;

	free(p->message.data);
	free(p->part.data);
	free(p->lines.data);
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
