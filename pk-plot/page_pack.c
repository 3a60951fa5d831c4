// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inflate.h"
#include "page_changes.h"
#include "page_data.h"
#include "page_text.h"

/* Encodes the data of a page. The encoding is the size of the head (u32, little-endian), the head
 * as JSON, and the columns of numbers (page_columns.c). Everything is then compressed. */

/* ---- The head ---- */

static void add_member(struct buffer *out, const char *name, const char *text, size_t size)
{
	buffer_format(out, "\"%s\":", name);
	page_text_add(out, text ? text : "", size);
	buffer_text(out, ",\n");
}

static void add_number(struct buffer *out, const char *name, uint64_t value)
{
	buffer_format(out, "\"%s\":%llu,\n", name, (unsigned long long)value);
}

static void add_texts(struct buffer *out, const char *name, const struct pk_texts *texts)
{
	buffer_format(out, "\"%s\":[", name);
	for (uint32_t i = 1; i <= texts->count; i++) {
		size_t size;
		const char *text = pk_texts_get(texts, i, &size);

		buffer_text(out, i > 1 ? ",\n" : "");
		page_text_add(out, text, size);
	}
	buffer_text(out, "],\n");
}

/* Adds the names of the events, each with the unit of its weights. */
static void add_events(struct buffer *out, const struct page_data *data)
{
	buffer_text(out, "\"events\":[");
	for (uint32_t i = 1; i <= data->events.count; i++) {
		const uint32_t unit = i < data->unit_of_count ? data->unit_of[i] : 0;
		size_t size;
		const char *text = pk_texts_get(&data->events, i, &size);

		buffer_text(out, i > 1 ? ",\n[" : "[");
		page_text_add(out, text, size);
		buffer_text(out, ",");
		text = pk_texts_get(&data->units, unit, &size);
		page_text_add(out, text ? text : "", size);
		buffer_text(out, "]");
	}
	buffer_text(out, "],\n");
}

static void add_value(struct buffer *out, const struct page_data *data, uint32_t row,
		      unsigned int column)
{
	const struct pk_row_value value = pk_rows_value(&data->rows, row, column);
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;

	if (value.kind == PK_VALUE_NONE) {
		buffer_text(out, "null");
		return;
	}
	text = pk_row_value_text(&value, number);
	if (column == PAGE_EVENT)
		buffer_decimal(out,
			       pk_texts_find(&data->events, (const char *)text.data, text.size), 0);
	else if (column == PAGE_COMM)
		page_text_add(out, (const char *)text.data, text.size);
	else
		buffer_add(out, text.data, text.size);
}

/* Adds the values of each row, one after another. The event is given by its number. */
static void add_rows(struct buffer *out, const struct page_data *data)
{
	const uint32_t count = pk_rows_count(&data->rows);

	buffer_text(out, "\"rows\":[");
	for (uint32_t row = 1; row <= count; row++) {
		for (unsigned int column = 0; column < PAGE_COLUMNS; column++) {
			buffer_text(out, column ? "," : row > 1 ? ",\n" : "");
			add_value(out, data, row, column);
		}
	}
	buffer_text(out, "],\n");
}

/* Adds the function, object and flags of each frame, one after another. */
static void add_frames(struct buffer *out, const struct page_data *data)
{
	const struct pk_texts *names = &data->tree->names;

	buffer_text(out, "\"frames\":[");
	for (uint32_t i = 1; i <= names->count; i++) {
		struct page_frame frame;

		memcpy(&frame, pk_texts_get(names, i, NULL), sizeof(frame));
		buffer_format(out, "%s%u,%u,%u", i > 1 ? "," : "", frame.function, frame.object,
			      frame.flags);
	}
	buffer_text(out, "],\n");
}

static void add_losses(struct buffer *out, const struct page_data *data)
{
	const char *damage = "the input is cut or damaged";
	const struct pk_run *run = data->tail.run;
	char losses[512], text[600];
	const bool any = pk_losses_text(&run->losses, losses, sizeof(losses));

	snprintf(text, sizeof(text), "%s%s%s", any ? losses : "",
		 any && run->input.damaged ? "; " : "", run->input.damaged ? damage : "");
	add_member(out, "losses", text, strlen(text));
}

static void add_head(struct buffer *out, const struct page_data *data, const char *title,
		     size_t stacks)
{
	const struct plot_origin *origin = &data->origin;
	const struct page_sums *sums = &data->sums;

	buffer_text(out, "{");
	add_member(out, "title", title, strlen(title));
	add_member(out, "command", origin->command.data, origin->command.size);
	add_member(out, "host", origin->host.data, origin->host.size);
	add_member(out, "system", origin->system.data, origin->system.size);
	add_losses(out, data);
	/* These numbers are strings, because a time can be greater than the largest exact number of
	 * JavaScript. */
	buffer_format(out, "\"first\":\"%llu\",\"last\":\"%llu\",\"slot\":\"%llu\",\n",
		      (unsigned long long)data->first, (unsigned long long)data->last,
		      (unsigned long long)sums->first);
	add_number(out, "shift", sums->shift);
	add_number(out, "without_time", data->without_time);
	add_number(out, "without_stack", data->without_stack);
	add_number(out, "nodes", data->tree->count);
	add_number(out, "stacks", stacks);
	add_number(out, "sums", sums->count);
	add_member(out, "base", data->base, data->base ? strlen(data->base) : 0);
	add_number(out, "base_sums", data->base_sums.count);
	add_events(out, data);
	add_rows(out, data);
	add_frames(out, data);
	add_number(out, "code_rows", data->code.rows);
	add_number(out, "marks", data->marks.pieces.count);
	buffer_format(out, "\"marks_start\":\"%llu\",\n",
		      (unsigned long long)data->marks.pieces.first);
	buffer_text(out, "\"code\":[");
	buffer_add(out, data->code.text.data, data->code.text.size);
	buffer_text(out, "],\n");
	add_texts(out, "mark_names", &data->marks.names);
	add_texts(out, "strings", &data->strings);
	buffer_text(out, "\"version\":1}");
}

/* ---- All ---- */

/* Maximum numbers of slots. Few samples have up to 2^20 slots, so that their times are practically
 * exact. More samples have at most 2^14 slots, which is more than the pixels of a screen. Even more
 * samples have at most 2^12 slots. If their columns are large, there are at most 2^10 slots. */
#define SLOTS_OF_FEW   (UINT64_C(1) << 20) /* if there are at most 65,536 samples */
#define SLOTS_OF_MANY  (UINT64_C(1) << 14) /* if there are at most 524,288 samples */
#define SLOTS_OF_MORE  (UINT64_C(1) << 12)
#define SLOTS_OF_LARGE (UINT64_C(1) << 10) /* if the columns exceed LARGE */
#define LARGE	       4000000		   /* in bytes, before they are compressed */

/* Compresses the head and the columns. */
static uint8_t *pack(const struct page_data *data, const char *title, const struct buffer *columns,
		     size_t stacks, size_t *size)
{
	struct buffer head = {0}, out = {0};
	struct pk_failures failures = {0};
	uint8_t *packed = NULL;

	add_head(&head, data, title, stacks);
	for (unsigned int i = 0; i < 4; i++)
		buffer_char(&out, (char)(head.size >> 8 * i));
	buffer_add(&out, head.data, head.size);
	buffer_add(&out, columns->data, columns->size);
	if (!head.failed && !columns->failed && !out.failed)
		packed = pk_deflate((const uint8_t *)out.data, out.size, size, &failures);
	free(head.data);
	free(out.data);
	return packed;
}

static enum pk_status finish_code(struct page_data *data)
{
	uint32_t *events;
	enum pk_status status;

	if (!data->code.most)
		return PK_OK;
	events = page_events(data);
	status = events ? page_code_finish(&data->code, &data->tail, &data->sums, &data->base_sums,
					   events)
			: PK_NOMEM;
	free(events);
	return status;
}

/* Compares the functions with those of the base. After this, the times of the base are not needed.
 */
static enum pk_status finish_base(struct page_data *data)
{
	if (!data->base)
		return PK_OK;
	data->changes = page_changes(data);
	return data->changes ? page_sums_drop_times(&data->base_sums) : PK_NOMEM;
}

uint8_t *page_pack(struct page_data *data, const char *title, size_t *size)
{
	const uint64_t slots = data->samples <= 65536	 ? SLOTS_OF_FEW
			       : data->samples <= 524288 ? SLOTS_OF_MANY
							 : SLOTS_OF_MORE;
	struct buffer columns = {0};
	enum pk_status status = finish_code(data);
	uint8_t *packed = NULL;
	size_t stacks = 0;

	page_marks_finish(&data->marks);
	if (status == PK_OK)
		status = finish_base(data);
	if (status == PK_OK)
		status = page_sums_finish(&data->sums, slots);
	if (status == PK_OK)
		status = page_columns_add(&columns, data, &stacks);
	if (status == PK_OK && columns.size > LARGE) {
		columns.size = 0;
		status = page_sums_finish(&data->sums, SLOTS_OF_LARGE);
		if (status == PK_OK)
			status = page_columns_add(&columns, data, &stacks);
	}
	if (status == PK_OK)
		packed = pack(data, title, &columns, stacks, size);
	free(columns.data);
	return packed;
}
