// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "lookups.h"
#include "number.h"
#include "rows_tables.h"
#include "vector.h"

static const struct content_columns flat_stacks = {
	"stacks", 2, {{"stack", ROW_KEY, 0}, {"frames", ROW_KEYS, 0}}};

static void put_key(struct row_writer *writer, const char *name, const struct content_item *item)
{
	row_column(writer, name);
	if (item)
		row_key(writer, item->key);
	else
		row_none(writer);
}

static enum pk_status end_row(struct rows_tables *tables, unsigned int table)
{
	row_end(&tables->writers[table]);
	output_part(&tables->outputs[table]);
	return tables->outputs[table].text.failed ? PK_NOMEM : PK_OK;
}

/* Writes the column with the start of the hour to which the row belongs, if the table has it. */
static void put_hour(struct rows_tables *tables, struct row_writer *writer, uint64_t time)
{
	if (!tables->hours)
		return;
	row_column(writer, "time");
	row_number(writer, time - time % 3600);
}

static void put_values(struct rows_tables *tables, enum content_table table,
		       const struct content_row *row)
{
	const struct content_columns *columns = &content_tables[table];
	struct row_writer *writer = &tables->writers[table];

	for (unsigned int i = 0; i < columns->count; i++) {
		const struct content_value *value = &row->values[i];

		row_column(writer, columns->columns[i].name);
		switch (value->kind) {
		case CONTENT_NONE: row_none(writer); break;
		case CONTENT_NUMBER: row_number(writer, value->number); break;
		case CONTENT_TEXT: row_text(writer, value->text, value->size); break;
		case CONTENT_ITEM: row_key(writer, value->item->key); break;
		}
	}
}

/* Writes the row of a new item. With hours, put_frames() writes the rows of frames instead. */
static enum pk_status add_row(void *arg, enum content_table table, const struct content_row *row)
{
	struct rows_tables *tables = arg;

	if (table == CONTENT_FRAMES && tables->hours)
		return PK_OK;
	put_values(tables, table, row);
	return end_row(tables, table);
}

static enum pk_status put_frame(struct rows_tables *tables, const struct content_item *item,
				const struct pk_frame *frame, uint64_t time)
{
	struct content_row row;

	content_frame_row(&row, tables->samples->names, item,
			  content_keys_object(&tables->keys, frame->dso), frame);
	put_values(tables, CONTENT_FRAMES, &row);
	put_hour(tables, &tables->writers[CONTENT_FRAMES], time);
	return end_row(tables, CONTENT_FRAMES);
}

/* Limits for lists, in frames. An input can define a stack with thousands of frames in a few bytes.
 * If the lists so far have more than ITEMS_MIN frames, and more than ITEMS_AVERAGE frames on
 * average, long lists are left out. They are not cut, because a list that is cut would be another
 * stack with the same key. */
#define ITEMS_MIN     (UINT64_C(4) << 20)
#define ITEMS_AVERAGE UINT64_C(512)

/* Returns true if a stack or frame needs a new row, because its last row is for another hour. */
static bool is_new(const struct rows_tables *tables, uint32_t *last, uint64_t time)
{
	const uint32_t hour = tables->hours ? (uint32_t)(time / 3600) + 1 : 1;

	if (*last == hour)
		return false;
	*last = hour;
	return true;
}

/* Writes the rows of the frames in tables->frames, if they need rows. */
static enum pk_status put_frames(struct rows_tables *tables, uint64_t time)
{
	const struct pk_dictionary *names = tables->samples->names;

	for (size_t i = 0; i < tables->frames.count; i++) {
		const uint32_t id = tables->frames.ids[i];
		const struct content_item *item = content_keys_frame(&tables->keys, id);
		const struct pk_frame *frame = pk_dictionary_get_frame(names, id);

		PK_TRY(pk_extend(&tables->listed_frames, &tables->listed_frames_count,
				 item->number));
		if (is_new(tables, &tables->listed_frames[item->number], time))
			PK_TRY(put_frame(tables, item, frame, time));
	}
	return PK_OK;
}

/* Writes the row of a stack with the list of its frames, the outermost frame first. */
static enum pk_status put_list(struct rows_tables *tables, const struct content_item *key,
			       uint64_t time)
{
	struct row_writer *writer = &tables->writers[CONTENT_STACKS];
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
	put_hour(tables, writer, time);
	PK_TRY(end_row(tables, CONTENT_STACKS));
	return tables->hours ? put_frames(tables, time) : PK_OK;
}

/* Writes the row of a stack if it needs a row. */
static enum pk_status list(struct rows_tables *tables, const struct content_item *key,
			   uint32_t stack, uint64_t samples, uint64_t time)
{
	uint32_t last;

	PK_TRY(pk_extend(&tables->listed, &tables->listed_count, key->number));
	last = tables->listed[key->number];
	if (!is_new(tables, &tables->listed[key->number], time))
		return PK_OK;
	stack_frames_read(&tables->frames, tables->samples->names, NULL, stack);
	if (tables->frames.count <= ITEMS_AVERAGE ||
	    tables->list_items <= ITEMS_MIN + ITEMS_AVERAGE * tables->list_rows)
		return put_list(tables, key, time);
	tables->listed[key->number] = last;
	tables->omitted += samples;
	return PK_OK;
}

enum pk_status rows_tables_stack(struct rows_tables *tables, uint32_t stack, uint64_t samples,
				 uint64_t time)
{
	const struct content_item *key;
	bool failed = false;

	tables->keys.names = tables->samples->names;
	key = content_keys_stack(&tables->keys, stack, &failed);
	if (!failed)
		put_key(&tables->writers[TABLE_SAMPLES], "stack", key);
	if (failed)
		return PK_NOMEM;
	return !tables->flat || !key ? PK_OK : list(tables, key, stack, samples, time);
}

/* ---- Files ---- */

static void put_headings(struct rows_tables *tables, unsigned int table)
{
	struct row_writer *writer = &tables->writers[table];
	const struct content_columns *columns;

	if (table == TABLE_SAMPLES)
		return;
	columns = table == CONTENT_STACKS && tables->flat ? &flat_stacks : &content_tables[table];
	for (unsigned int i = 0; i < columns->count; i++)
		row_heading(writer, columns->columns[i].name, columns->columns[i].type);
	if (table != CONTENT_OBJECTS && tables->hours)
		row_heading(writer, "time", ROW_SECONDS);
	row_end(writer);
}

void rows_tables_schema(struct rows_tables *tables, struct buffer *out)
{
	for (unsigned int i = 0; i < CONTENT_TABLES; i++) {
		tables->writers[i] = (struct row_writer){
			.out = out, .format = ROW_SCHEMA, .no_null = tables->flat};
		buffer_text(out, content_tables[i].table);
		buffer_char(out, '(');
		put_headings(tables, i);
	}
}

static int open_table(struct rows_tables *tables, const char *folder, unsigned int table,
		      enum row_format format)
{
	static const char *const ends[] = {"tsv", "csv", "jsonl", "rowbinary", "rowbinary"};
	int result;

	if (asprintf(&tables->paths[table], "%s/%s.%s", folder,
		     table == TABLE_SAMPLES ? "samples" : content_tables[table].table,
		     ends[format]) < 0) {
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
	tables->keys =
		(struct content_keys){.add = add_row, .no_stacks = tables->flat, .arg = tables};
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
