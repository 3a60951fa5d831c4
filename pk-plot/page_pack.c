// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "page_data.h"
#include "vector.h"

/* The encoding starts with the size of the head as u32 (little-endian). Then follow the head as
 * JSON, and columns of numbers. Each byte of a number has 7 bits of it, and the lowest bits come
 * first. If a byte is 128 or more, another byte of the number follows. */

/* ---- The head ---- */

#define TEXT_MOST 4096 /* maximum length of a name in characters; longer names are cut */

/* Adds a text of the input as a JSON string. Harmful characters are replaced, as in all outputs of
 * pk. */
static void add_text(struct buffer *out, const char *text, size_t size)
{
	struct buffer valid = {0};

	buffer_valid(&valid, text, size, TEXT_MOST);
	buffer_quoted(out, valid.size ? valid.data : "", valid.size);
	out->failed |= valid.failed;
	free(valid.data);
}

static void add_member(struct buffer *out, const char *name, const char *text, size_t size)
{
	buffer_format(out, "\"%s\":", name);
	add_text(out, text ? text : "", size);
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
		add_text(out, text, size);
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
		add_text(out, text, size);
		buffer_text(out, ",");
		text = pk_texts_get(&data->units, unit, &size);
		add_text(out, text ? text : "", size);
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
		add_text(out, (const char *)text.data, text.size);
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
	char text[512] = "";

	if (!pk_losses_text(&data->tail.run->losses, text, sizeof(text)))
		*text = '\0';
	add_member(out, "losses", text, strlen(text));
}

static void add_head(struct buffer *out, const struct page_data *data, const char *title,
		     size_t stacks)
{
	const struct page_origin *origin = &data->origin;
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
		      (unsigned long long)(sums->count ? sums->items[0].slot : 0));
	add_number(out, "shift", sums->shift);
	add_number(out, "without_time", data->without_time);
	add_number(out, "without_stack", data->without_stack);
	add_number(out, "nodes", data->tree->count);
	add_number(out, "stacks", stacks);
	add_number(out, "sums", sums->count);
	add_events(out, data);
	add_rows(out, data);
	add_frames(out, data);
	add_texts(out, "strings", &data->strings);
	buffer_text(out, "\"version\":1}");
}

/* ---- Stacks ---- */

/* The nodes that are stacks of sums, sorted by their number of sums. The node with the most sums is
 * the first. So most sums refer to a node with a small index, which needs few bytes. */
struct ranks {
	struct rank {
		uint32_t node, sums;
	} * items;
	size_t count;
	uint32_t *of_node; /* index in items, by number of the node */
};

static int by_sums(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	if (a->sums != b->sums)
		return a->sums < b->sums ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static enum pk_status rank(struct ranks *ranks, const struct page_data *data)
{
	const size_t nodes = data->tree->count;

	ranks->items = calloc(nodes, sizeof(*ranks->items));
	ranks->of_node = calloc(nodes, sizeof(*ranks->of_node));
	if (!ranks->items || !ranks->of_node)
		return PK_NOMEM;
	for (size_t i = 0; i < nodes; i++)
		ranks->items[i].node = (uint32_t)i;
	for (size_t i = 0; i < data->sums.count; i++)
		ranks->items[data->sums.items[i].stack].sums++;
	qsort(ranks->items, nodes, sizeof(*ranks->items), by_sums);
	for (size_t i = 0; i < nodes && ranks->items[i].sums; i++) {
		ranks->of_node[ranks->items[i].node] = (uint32_t)i;
		ranks->count++;
	}
	return PK_OK;
}

static void ranks_free(struct ranks *ranks)
{
	free(ranks->items);
	free(ranks->of_node);
}

/* ---- Columns ---- */

static void add_varint(struct buffer *out, uint64_t value)
{
	char bytes[10];
	size_t size = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[size++] = (char)(value | 0x80);
	bytes[size++] = (char)value;
	buffer_add(out, bytes, size);
}

/* Adds two columns for all nodes except the root. The first has the difference between the number
 * of the node and the number of its parent. The second has the number of the frame, which starts at
 * 0. */
static void add_tree(struct buffer *out, const struct pk_tree *tree)
{
	for (size_t i = 1; i < tree->count; i++)
		add_varint(out, i - tree->nodes[i].parent);
	for (size_t i = 1; i < tree->count; i++)
		add_varint(out, tree->nodes[i].name - 1);
}

/* The column of slots has the difference between the slot of each sum and the slot of the previous
 * sum. Sums without time come last. The first of them has a difference of 2^32. */
#define DIFFERENCE_NO_TIME (UINT64_C(1) << 32)

static void add_slots(struct buffer *out, const struct page_sums *sums)
{
	uint64_t last = sums->count ? sums->items[0].slot : 0;

	for (size_t i = 0; i < sums->count; i++) {
		const uint64_t slot = sums->items[i].slot;

		if (slot == PAGE_NO_TIME && (!i || last != PAGE_NO_TIME))
			add_varint(out, DIFFERENCE_NO_TIME);
		else
			add_varint(out, slot - last);
		last = slot;
	}
}

/* Adds the row of each sum, starting at 0. If the previous sum has the same slot, adds the
 * difference between the two rows instead. */
static void add_sum_rows(struct buffer *out, const struct page_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct page_sum *sum = &sums->items[i];
		const bool same = i && sums->items[i - 1].slot == sum->slot;

		add_varint(out, sum->row - (same ? sums->items[i - 1].row : 1));
	}
}

/* Adds the weight of each sum plus one. Adds 0 if each sample of the sum has the same weight as a
 * sample of the previous sum of this event. */
static enum pk_status add_weights(struct buffer *out, const struct page_data *data)
{
	uint64_t *last = calloc(data->events.count + 1, sizeof(*last));
	uint32_t *events = calloc(pk_rows_count(&data->rows) + 1, sizeof(*events));
	const bool done = last && events;

	for (uint32_t row = 1; done && row <= pk_rows_count(&data->rows); row++) {
		const struct pk_bytes text = pk_rows_value(&data->rows, row, PAGE_EVENT).text;

		events[row] = pk_texts_find(&data->events, (const char *)text.data, text.size);
	}
	for (size_t i = 0; done && i < data->sums.count; i++) {
		const struct page_sum *sum = &data->sums.items[i];
		uint64_t *each = &last[events[sum->row]], same;

		if (!__builtin_mul_overflow(*each, sum->samples, &same) && same == sum->weight) {
			add_varint(out, 0);
			continue;
		}
		add_varint(out, sum->weight == UINT64_MAX ? sum->weight : sum->weight + 1);
		*each = sum->weight / sum->samples;
	}
	free(last);
	free(events);
	return done ? PK_OK : PK_NOMEM;
}

static void add_columns(struct buffer *out, const struct page_data *data, const struct ranks *ranks)
{
	const struct page_sums *sums = &data->sums;

	add_tree(out, data->tree);
	for (size_t i = 0; i < ranks->count; i++)
		add_varint(out, ranks->items[i].node);
	add_slots(out, sums);
	add_sum_rows(out, sums);
	for (size_t i = 0; i < sums->count; i++)
		add_varint(out, ranks->of_node[sums->items[i].stack]);
	for (size_t i = 0; i < sums->count; i++)
		add_varint(out, sums->items[i].samples);
	out->failed |= add_weights(out, data) != PK_OK;
}

/* ---- All ---- */

/* With up to FEW_SUMS samples, 2^20 slots make the times exact enough for all practical purposes.
 * With more samples, 2^14 slots are still more than the pixels of a screen, and the file is much
 * smaller. */
#define FEW_SUMS      65536
#define SLOTS_OF_FEW  (UINT64_C(1) << 20)
#define SLOTS_OF_MANY (UINT64_C(1) << 14)

void page_pack(struct page_data *data, const char *title, struct buffer *out)
{
	struct ranks ranks = {0};
	struct buffer head = {0};
	const bool few = data->samples <= FEW_SUMS;

	page_sums_finish(&data->sums, few ? SLOTS_OF_FEW : SLOTS_OF_MANY);
	if (rank(&ranks, data) != PK_OK) {
		out->failed = true;
	} else {
		add_head(&head, data, title, ranks.count);
		for (unsigned int i = 0; i < 4; i++)
			buffer_char(out, (char)(head.size >> 8 * i));
		buffer_add(out, head.data, head.size);
		out->failed |= head.failed;
		add_columns(out, data, &ranks);
	}
	free(head.data);
	ranks_free(&ranks);
}
