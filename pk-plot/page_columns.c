// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "page_data.h"
#include "table.h"

/* The columns of numbers of a page while they are encoded. */
struct columns {
	struct buffer *out;
	const struct page_data *data;
	const struct pk_tree *tree;
	uint32_t *nodes; /* for each node of the page, its index in the tree; the root is node 0 of
			  * the page */
	uint32_t *rank;	 /* for each stack, its number among the stacks that have sums */
	struct entry {
		uint32_t rank, sum; /* `sum` is an index in page_sums.items */
	} * entries;		    /* the sums by row, slot and rank */
};

/* Appends a number. Each byte has 7 bits of the number, the lowest bits first. If a byte is 128 or
 * more, another byte follows. */
static void add_varint(struct buffer *out, uint64_t value)
{
	char bytes[10];
	size_t size = 0;

	if (value < 0x80) {
		buffer_char(out, (char)value);
		return;
	}
	for (; value >= 0x80; value >>= 7)
		bytes[size++] = (char)(value | 0x80);
	bytes[size++] = (char)value;
	buffer_add(out, bytes, size);
}

/* ---- The tree ---- */

/* Numbers the nodes of the page so that each node comes directly before all nodes below it. Writes
 * for each node, except the root, the number of steps that lead from the previous node up to the
 * parent of this node. */
static void add_parents(struct columns *columns)
{
	const struct pk_tree_node *nodes = columns->tree->nodes;
	uint32_t at = 0, steps;

	for (uint32_t count = 1;; count++) {
		steps = 0;
		if (nodes[at].first) {
			at = nodes[at].first;
		} else {
			for (steps = 1; at && !nodes[at].next; steps++)
				at = nodes[at].parent;
			if (!at)
				return;
			at = nodes[at].next;
		}
		add_varint(columns->out, steps);
		columns->nodes[count] = at;
	}
}

/* Writes the frame of each node, except the root. A frame numbers the frames that it calls, from 1.
 * If the caller's frame has called this frame at an earlier node, writes the number of the call.
 * Otherwise, writes 0 and then the frame. */
static enum pk_status add_frames(struct columns *columns)
{
	const struct pk_tree *tree = columns->tree;
	uint32_t *called = calloc(tree->names.count + 1, sizeof(*called));
	struct pk_table calls = {0};
	enum pk_status status = called ? PK_OK : PK_NOMEM;

	for (size_t i = 1; i < tree->count && status == PK_OK; i++) {
		const struct pk_tree_node *node = &tree->nodes[columns->nodes[i]];
		const uint32_t caller = tree->nodes[node->parent].name;
		const uint64_t key = (uint64_t)caller << 32 | node->name;
		const uint64_t known = pk_table_get_u64(&calls, key);

		add_varint(columns->out, known);
		if (known)
			continue;
		add_varint(columns->out, node->name - 1);
		status = pk_table_set_u64(&calls, key, ++called[caller]);
	}
	pk_table_free(&calls);
	free(called);
	return status;
}

/* ---- Stacks ---- */

#define CLASSES 33

/* Returns the class of a stack that has `sums` sums. Stacks with the most sums have class 0. `sums`
 * must not be 0. */
static unsigned int class_of(uint32_t sums)
{
	return (unsigned int)__builtin_clz(sums);
}

/* Sorts the stacks by the number of their node in the page, and then by their number. */
static enum pk_status sort_stacks(const struct columns *columns, uint32_t *order)
{
	const size_t nodes = columns->tree->count, count = page_stacks(columns->data);
	uint32_t *page_node = calloc(nodes, sizeof(*page_node));
	uint32_t *starts = calloc(nodes + 1, sizeof(*starts));
	const bool done = page_node && starts;

	for (uint32_t i = 0; done && i < nodes; i++)
		page_node[columns->nodes[i]] = i;
	for (uint32_t i = 0; done && i < count; i++)
		starts[page_node[page_stack_of(columns->data, i).node] + 1]++;
	for (size_t i = 0; done && i < nodes; i++)
		starts[i + 1] += starts[i];
	for (uint32_t i = 0; done && i < count; i++)
		order[starts[page_node[page_stack_of(columns->data, i).node]]++] = i;
	for (size_t i = 0; done && i < count; i++)
		columns->rank[i] = page_node[page_stack_of(columns->data, (uint32_t)i).node];
	free(page_node);
	free(starts);
	return done ? PK_OK : PK_NOMEM;
}

/* A stack that has sums. */
struct listed {
	uint32_t stack, node; /* `node` is a node of the page */
};

/* Ranks the stacks that have sums, by their class and then by their number in the page. `order` has
 * the stacks in the order of their nodes, and columns->rank has these nodes. Sets *stacks to the
 * number of the ranked stacks, and listed[rank] to the stack. */
static void rank(struct columns *columns, const uint32_t *counts, const uint32_t *order,
		 struct listed *listed, size_t *stacks)
{
	const size_t count = page_stacks(columns->data);
	uint32_t starts[CLASSES + 1] = {0};

	for (size_t i = 0; i < count; i++)
		if (counts[i])
			starts[class_of(counts[i]) + 1]++;
	for (unsigned int class = 0; class < CLASSES; class ++)
		starts[class + 1] += starts[class];
	*stacks = starts[CLASSES];
	for (size_t i = 0; i < count; i++) {
		const uint32_t stack = order[i];
		uint32_t place;

		if (!counts[stack])
			continue;
		place = starts[class_of(counts[stack])]++;
		listed[place] = (struct listed){stack, columns->rank[stack]};
		columns->rank[stack] = place;
	}
}

/* Writes the node of each stack, as the difference to the node of the previous stack, modulo the
 * number of nodes. If there is code, then also writes the row of code of each stack. */
static void write_stacks(struct columns *columns, const struct listed *listed, size_t stacks)
{
	const size_t nodes = columns->tree->count;
	uint32_t last = 0;

	for (size_t i = 0; i < stacks; i++) {
		const uint32_t node = listed[i].node;

		add_varint(columns->out, node < last ? node + nodes - last : node - last);
		last = node;
	}
	for (size_t i = 0; columns->data->code.rows && i < stacks; i++)
		add_varint(columns->out, page_stack_of(columns->data, listed[i].stack).place);
}

/* Ranks the stacks, and writes them. Stacks with the most sums come first, so that most sums have
 * small numbers. Stacks belong to the same class if their numbers of sums have the same number of
 * bits. */
static enum pk_status add_stacks(struct columns *columns, size_t *stacks)
{
	const struct page_sums *sums = &columns->data->sums, *base = &columns->data->base_sums;
	const size_t count = page_stacks(columns->data);
	uint32_t *counts = calloc(count, sizeof(*counts));
	uint32_t *order = calloc(count, sizeof(*order));
	struct listed *listed = calloc(count, sizeof(*listed));
	enum pk_status status = PK_NOMEM;

	if (counts && order && listed)
		status = sort_stacks(columns, order);
	for (size_t i = 0; status == PK_OK && i < sums->count; i++)
		counts[sums->items[i].stack]++;
	for (size_t i = 0; status == PK_OK && i < base->count; i++)
		counts[base->items[i].stack]++;
	if (status == PK_OK) {
		rank(columns, counts, order, listed, stacks);
		write_stacks(columns, listed, *stacks);
	}
	free(counts);
	free(order);
	free(listed);
	return status;
}

/* ---- Sums ---- */

static int by_rank(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Sorts the sums of the same row and slot by rank. Before, they are sorted by their nodes. */
static void sort_cells(struct columns *columns)
{
	const struct page_sums *sums = &columns->data->sums;
	struct entry *entries = columns->entries;

	for (size_t i = 0; i < sums->count; i++)
		entries[i] = (struct entry){columns->rank[sums->items[i].stack], (uint32_t)i};
	for (size_t start = 0, i = 1; i <= sums->count; i++) {
		const struct page_sum *first = &sums->items[start], *sum = &sums->items[i];

		if (i < sums->count && sum->slot == first->slot && sum->row == first->row)
			continue;
		if (i - start > 1)
			qsort(entries + start, i - start, sizeof(*entries), by_rank);
		start = i;
	}
}

/* Writes the number of sums of each row. */
static void add_rows(struct columns *columns)
{
	const struct page_sums *sums = &columns->data->sums;
	const uint32_t rows = pk_rows_count(&columns->data->rows);
	size_t i = 0;

	for (uint32_t row = 1; row <= rows; row++) {
		const size_t start = i;

		while (i < sums->count && sums->items[i].row == row)
			i++;
		add_varint(columns->out, i - start);
	}
}

/* A difference of slots with a special meaning: this sum, and all later sums of the row, have no
 * time. */
#define DIFFERENCE_NO_TIME (UINT64_C(1) << 32)

/* Writes the slot of each sum, as the difference to the slot of the previous sum of the row. */
static void add_slots(struct columns *columns)
{
	const struct page_sums *sums = &columns->data->sums;
	uint64_t last = sums->first;

	for (size_t i = 0; i < sums->count; i++) {
		const uint64_t slot = sums->items[i].slot;

		if (i && sums->items[i].row != sums->items[i - 1].row)
			last = sums->first;
		add_varint(columns->out,
			   slot != last && slot == PAGE_NO_TIME ? DIFFERENCE_NO_TIME : slot - last);
		last = slot;
	}
}

/* Writes the rank of the stack of each sum. For the first sum of a slot, it is the rank plus 1, or
 * 0 if the previous sum of the row has the same stack. For other sums, it is the difference to the
 * rank of the previous sum, minus 1. */
static void add_sum_stacks(struct columns *columns)
{
	const struct page_sum *items = columns->data->sums.items, *last = NULL;
	const size_t count = columns->data->sums.count;
	uint32_t rank = 0;

	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = &columns->entries[i];
		const struct page_sum *sum = &items[entry->sum];
		const bool same_row = last && last->row == sum->row;

		if (same_row && last->slot == sum->slot)
			add_varint(columns->out, entry->rank - rank - 1);
		else
			add_varint(columns->out,
				   same_row && rank == entry->rank ? 0 : (uint64_t)entry->rank + 1);
		rank = entry->rank;
		last = sum;
	}
}

/* Writes the weight of each sum plus 1. But writes 0 if the sum has the same weight for each sample
 * as the last sum of the same event whose weight was written. UINT64_MAX is a sum that did not fit
 * into 64 bits. It is written like the weight below it, because the script rounds both to the same
 * number. */
static enum pk_status add_weights(struct columns *columns)
{
	const struct page_data *data = columns->data;
	uint64_t *last = calloc(data->events.count + 1, sizeof(*last));
	uint32_t *events = page_events(data);
	const bool done = last && events;

	for (size_t i = 0; done && i < data->sums.count; i++) {
		const struct page_sum *sum = &data->sums.items[columns->entries[i].sum];
		uint64_t *each = &last[events[sum->row]], same;

		if (!__builtin_mul_overflow(*each, sum->samples, &same) && same == sum->weight) {
			add_varint(columns->out, 0);
			continue;
		}
		add_varint(columns->out, sum->weight == UINT64_MAX ? sum->weight : sum->weight + 1);
		*each = sum->weight / sum->samples;
	}
	free(last);
	free(events);
	return done ? PK_OK : PK_NOMEM;
}

/* Writes four numbers for each sum of the base: event, rank of the stack, samples, weight. */
static void add_base(struct columns *columns)
{
	const struct page_sums *base = &columns->data->base_sums;

	for (size_t i = 0; i < base->count; i++) {
		add_varint(columns->out, base->items[i].row);
		add_varint(columns->out, columns->rank[base->items[i].stack]);
		add_varint(columns->out, base->items[i].samples);
		add_varint(columns->out, base->items[i].weight);
	}
}

/* Writes five numbers for each mark: the difference to the row of the previous mark, the start, the
 * length, the number of the name, and the number of spans. The start is the difference to the
 * previous mark of the row, or to the first mark of all. For a mark of several spans, there is a
 * sixth number, the sum of the times of these spans. */
static void add_marks(struct columns *columns)
{
	const struct pieces *pieces = &columns->data->marks.pieces;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->items[i], *last = i ? piece - 1 : NULL;
		const bool same_row = last && last->lane == piece->lane;

		add_varint(columns->out, piece->lane - (last ? last->lane : 0));
		add_varint(columns->out, piece->start - (same_row ? last->start : pieces->first));
		add_varint(columns->out, piece->end - piece->start);
		add_varint(columns->out, piece->name);
		add_varint(columns->out, piece->count);
		if (piece->count > 1)
			add_varint(columns->out, piece->time);
	}
}

/* Writes a number for each event and frame: what has changed (page_changes.h). */
static void add_changes(struct columns *columns)
{
	const struct page_data *data = columns->data;
	const size_t count =
		data->changes ? data->events.count * (size_t)data->tree->names.count : 0;

	for (size_t i = 0; i < count; i++)
		add_varint(columns->out, data->changes[i]);
}

static enum pk_status add_all(struct columns *columns, size_t *stacks)
{
	add_parents(columns);
	PK_TRY(add_frames(columns));
	PK_TRY(add_stacks(columns, stacks));
	sort_cells(columns);
	add_rows(columns);
	add_slots(columns);
	add_sum_stacks(columns);
	for (size_t i = 0; i < columns->data->sums.count; i++)
		add_varint(columns->out,
			   columns->data->sums.items[columns->entries[i].sum].samples);
	PK_TRY(add_weights(columns));
	add_base(columns);
	add_marks(columns);
	add_changes(columns);
	return PK_OK;
}

enum pk_status page_columns_add(struct buffer *out, const struct page_data *data, size_t *stacks)
{
	const size_t nodes = data->tree->count;
	struct columns columns = {
		.out = out,
		.data = data,
		.tree = data->tree,
		.nodes = calloc(nodes, sizeof(*columns.nodes)),
		.rank = calloc(page_stacks(data), sizeof(*columns.rank)),
		.entries = calloc(data->sums.count + 1, sizeof(*columns.entries)),
	};
	enum pk_status status = PK_NOMEM;

	if (columns.nodes && columns.rank && columns.entries)
		status = add_all(&columns, stacks);
	free(columns.nodes);
	free(columns.rank);
	free(columns.entries);
	return status;
}
