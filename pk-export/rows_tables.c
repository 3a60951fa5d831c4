// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "lookups.h"
#include "number.h"
#include "rows_tables.h"
#include "vector.h"

static const char *const table_names[TABLES] = {"samples", "stacks", "frames", "objects"};
static const struct heading {
	const char *name;
	enum row_type type;
} headings[TABLES][10] = {
	[TABLE_STACKS] = {{"stack", ROW_KEY},
			  {"parent", ROW_ANY_KEY},
			  {"frame", ROW_KEY},
			  {"depth", ROW_NUMBER}},
	[TABLE_FRAMES] = {{"frame", ROW_KEY},
			  {"object", ROW_ANY_KEY},
			  {"function", ROW_ANY_TEXT},
			  {"file", ROW_ANY_TEXT},
			  {"line", ROW_ANY_NUMBER},
			  {"address", ROW_ANY_NUMBER},
			  {"mode", ROW_TEXT},
			  {"inlined", ROW_NUMBER}},
	[TABLE_OBJECTS] = {{"object", ROW_KEY},
			   {"path", ROW_ANY_TEXT},
			   {"build_id", ROW_ANY_TEXT},
			   {"kind", ROW_NUMBER}},
};
static const struct heading flat_stacks[] = {
	{"stack", ROW_KEY}, {"frames", ROW_KEYS}, {NULL, ROW_TEXT}};

static void put_hex(struct row_writer *writer, const char *name, const void *data, size_t size)
{
	struct buffer hex = {0};

	row_column(writer, name);
	buffer_hex_bytes(&hex, data, size);
	if (size)
		row_text(writer, hex.data ? hex.data : "", hex.size);
	else
		row_none(writer);
	writer->out->failed |= hex.failed;
	free(hex.data);
}

static void put_key(struct row_writer *writer, const char *name, const struct content_item *item)
{
	row_column(writer, name);
	if (item)
		row_key(writer, item->key);
	else
		row_none(writer);
}

/* The text is NULL if there is none. */
static void put_text(struct row_writer *writer, const char *name, const char *text, size_t size)
{
	row_column(writer, name);
	if (text)
		row_text(writer, text, size);
	else
		row_none(writer);
}

static void put_string(struct rows_tables *tables, struct row_writer *writer, const char *name,
		       uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(tables->samples->names, id, &size);

	put_text(writer, name, text, size);
}

static bool end_row(struct rows_tables *tables, enum rows_table table)
{
	row_end(&tables->writers[table]);
	output_part(&tables->outputs[table]);
	return !tables->outputs[table].text.failed;
}

static bool add_object(void *arg, const struct content_item *object, const struct pk_dso *dso)
{
	struct rows_tables *tables = arg;
	struct row_writer *writer = &tables->writers[TABLE_OBJECTS];
	size_t size;
	const char *path = content_path(&tables->keys, dso, &size);

	put_key(writer, "object", object);
	put_text(writer, "path", path, size);
	put_hex(writer, "build_id", dso->build_id, dso->build_id_size);
	row_column(writer, "kind");
	row_number(writer, dso->kind);
	return end_row(tables, TABLE_OBJECTS);
}

static void put_place(struct rows_tables *tables, struct row_writer *writer,
		      const struct pk_frame *frame)
{
	const bool address = !frame->function;

	put_string(tables, writer, "function", address ? 0 : frame->function);
	put_string(tables, writer, "file", address ? 0 : frame->file);
	row_column(writer, "line");
	if (!address && frame->line)
		row_number(writer, frame->line);
	else
		row_none(writer);
	row_column(writer, "address");
	if (address)
		row_number(writer, frame->address);
	else
		row_none(writer);
}

/* The columns of --levels, with the start of the time that the row is for. */
static void put_level(struct rows_tables *tables, struct row_writer *writer, unsigned int level,
		      uint64_t start)
{
	if (!tables->levels)
		return;
	row_column(writer, "level");
	row_number(writer, level);
	row_column(writer, "time");
	row_number(writer, start);
}

static bool put_frame(struct rows_tables *tables, const struct content_item *item,
		      const struct content_item *object, const struct pk_frame *frame,
		      unsigned int level, uint64_t start)
{
	struct row_writer *writer = &tables->writers[TABLE_FRAMES];
	const char *mode = content_mode(frame);

	put_key(writer, "frame", item);
	put_key(writer, "object", object);
	put_place(tables, writer, frame);
	row_column(writer, "mode");
	row_text(writer, mode, strlen(mode));
	row_column(writer, "inlined");
	row_number(writer, (frame->flags & PK_FRAME_INLINED) != 0);
	put_level(tables, writer, level, start);
	return end_row(tables, TABLE_FRAMES);
}

/* With levels, frames are written with the stacks of samples. */
static bool add_frame(void *arg, const struct content_item *item, const struct content_item *object,
		      const struct pk_frame *frame)
{
	struct rows_tables *tables = arg;

	return tables->levels || put_frame(tables, item, object, frame, 0, 0);
}

static bool add_stack(void *arg, const struct content_item *stack,
		      const struct content_item *parent, const struct content_item *frame)
{
	struct rows_tables *tables = arg;
	struct row_writer *writer = &tables->writers[TABLE_STACKS];

	put_key(writer, "stack", stack);
	put_key(writer, "parent", parent);
	put_key(writer, "frame", frame);
	row_column(writer, "depth");
	row_number(writer, stack->depth);
	return end_row(tables, TABLE_STACKS);
}

/* A few bytes can define a stack with thousands of frames. If the lists so far have more than
 * ITEMS_MIN frames, and more than ITEMS_AVERAGE on average, long ones are left out: a list that is
 * cut would be another stack with the same key. */
#define ITEMS_MIN     (UINT64_C(4) << 20)
#define ITEMS_AVERAGE UINT64_C(512)

/* Whether a stack or frame needs a row for a sample. Sets the start of the time that this row is
 * for. The rows of level 1 and above are for an hour, and for each level only if those of the hour
 * have none above. Rows of level 0 are for a day, and only if that day has none. */
static bool is_new(struct listing *last, const struct rows_for *row, uint64_t *start)
{
	const uint32_t hour = (uint32_t)(row->time / 3600);

	if (last->level && (row->level ? last->hour == hour && last->level > row->level
				       : last->hour / 24 == hour / 24))
		return false;
	*last = (struct listing){hour, (uint8_t)(1 + row->level)};
	*start = UINT64_C(3600) * (row->level ? hour : hour - hour % 24);
	return true;
}

/* The rows of the frames of the stack that is in tables->frames. False: out of memory. */
static bool put_frames(struct rows_tables *tables, const struct rows_for *row)
{
	const struct pk_dictionary *names = tables->samples->names;
	uint64_t start;

	for (size_t i = 0; i < tables->frames.count; i++) {
		const uint32_t id = tables->frames.ids[i];
		const struct content_item *item = content_keys_frame(&tables->keys, id);
		const struct pk_frame *frame = pk_dictionary_get_frame(names, id);

		if (!pk_extend(&tables->listed_frames, &tables->listed_frames_count, item->number))
			return false;
		if (is_new(&tables->listed_frames[item->number], row, &start) &&
		    !put_frame(tables, item, content_keys_object(&tables->keys, frame->dso), frame,
			       row->level, start))
			return false;
	}
	return true;
}

/* The frames of a stack, outermost first. False: out of memory. */
static bool put_list(struct rows_tables *tables, const struct content_item *key,
		     const struct rows_for *row, uint64_t start)
{
	struct row_writer *writer = &tables->writers[TABLE_STACKS];
	const struct stack_frames *frames = &tables->frames;

	tables->list_rows++;
	tables->list_items += frames->count;
	put_key(writer, "stack", key);
	row_column(writer, "frames");
	row_list_begin(writer, frames->count);
	for (size_t i = frames->count; i; i--)
		row_list_key(writer, content_keys_frame(&tables->keys, frames->ids[i - 1])->key,
			     i == frames->count);
	row_list_end(writer);
	put_level(tables, writer, row->level, start);
	return end_row(tables, TABLE_STACKS) && (!tables->levels || put_frames(tables, row));
}

/* The row of a stack, if it needs one. False: out of memory. */
static bool list(struct rows_tables *tables, const struct content_item *key, uint32_t stack,
		 const struct rows_for *row)
{
	struct listing last;
	uint64_t start;

	if (!pk_extend(&tables->listed, &tables->listed_count, key->number))
		return false;
	last = tables->listed[key->number];
	if (!is_new(&tables->listed[key->number], row, &start))
		return true;
	stack_frames_read(&tables->frames, tables->samples->names, NULL, stack);
	if (tables->frames.count <= ITEMS_AVERAGE ||
	    tables->list_items <= ITEMS_MIN + ITEMS_AVERAGE * tables->list_rows)
		return put_list(tables, key, row, start);
	tables->listed[key->number] = last;
	tables->omitted += row->samples;
	return true;
}

bool rows_tables_stack(struct rows_tables *tables, uint32_t stack, const struct rows_for *row)
{
	const struct content_item *key;
	bool failed = false;

	tables->keys.names = tables->samples->names;
	key = content_keys_stack(&tables->keys, stack, &failed);
	if (!failed)
		put_key(&tables->writers[TABLE_SAMPLES], "stack", key);
	return !failed && (!tables->flat || !key || list(tables, key, stack, row));
}

/* ---- Files ---- */

static void put_headings(struct rows_tables *tables, enum rows_table table)
{
	const struct heading *heading;

	if (table == TABLE_SAMPLES)
		return;
	heading = table == TABLE_STACKS && tables->flat ? flat_stacks : headings[table];
	for (; heading->name; heading++)
		row_heading(&tables->writers[table], heading->name, heading->type);
	if ((table == TABLE_STACKS || table == TABLE_FRAMES) && tables->levels) {
		row_heading(&tables->writers[table], "level", ROW_NUMBER);
		row_heading(&tables->writers[table], "time", ROW_SECONDS);
	}
	row_end(&tables->writers[table]);
}

static int open_table(struct rows_tables *tables, const char *folder, enum rows_table table,
		      enum row_format format)
{
	static const char *const ends[] = {"tsv", "csv", "jsonl", "rowbinary", "rowbinary"};
	int result;

	if (asprintf(&tables->paths[table], "%s/%s.%s", folder, table_names[table], ends[format]) <
	    0) {
		tables->paths[table] = NULL;
		return pk_no_memory();
	}
	result = output_open(&tables->outputs[table], OUTPUT_FILE, tables->paths[table], NULL);
	if (result)
		return result;
	tables->opened++;
	tables->writers[table] = (struct row_writer){
		.out = &tables->outputs[table].text, .format = format, .no_null = tables->flat};
	put_headings(tables, table);
	return PK_EXIT_OK;
}

int rows_tables_open(struct rows_tables *tables, const char *folder, enum row_format format,
		     const struct export_samples *samples)
{
	int result = PK_EXIT_OK;

	tables->samples = samples;
	tables->keys = (struct content_keys){.object = add_object,
					     .frame = add_frame,
					     .stack = tables->flat ? NULL : add_stack,
					     .arg = tables};
	for (unsigned int i = 0; i < TABLES && !result; i++)
		result = open_table(tables, folder, i, format);
	return result;
}

int rows_tables_close(struct rows_tables *tables, int result)
{
	char number[32];

	if (tables->omitted)
		pk_warn("%s samples have long stacks, which are not in the table of stacks",
			pk_number(number, tables->omitted));
	for (unsigned int i = 0; i < tables->opened; i++)
		result = output_close(&tables->outputs[i], result);
	for (unsigned int i = 0; i < TABLES; i++) {
		row_free(&tables->writers[i]);
		free(tables->paths[i]);
	}
	content_keys_free(&tables->keys);
	free(tables->listed);
	free(tables->listed_frames);
	return result;
}
