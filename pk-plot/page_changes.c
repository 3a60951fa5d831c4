// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "node_changes.h"
#include "page_changes.h"

/* The comparison needs the sums of at most this many slots. */
#define BLOCKS ROW_BLOCKS

/* A comparison of all functions of one event. Node 0 of the changes is the whole event. A function
 * has two nodes. */
struct comparing {
	const struct page_data *data;
	struct pk_texts functions;
	uint32_t *of_frame; /* the number of the function of each frame, from 1 on */
	uint32_t *seen; /* by function: the number of the last sum that was added to its total */
	uint32_t sums;	/* number of sums that were added */
	struct node_changes changes;
};

static size_t node_of_total(uint32_t function)
{
	return 2 * (size_t)function - 1;
}

static size_t node_of_self(uint32_t function)
{
	return 2 * (size_t)function;
}

/* Numbers the functions. Frames that the page shows as one function have the same number. */
static enum pk_status number_functions(struct comparing *comparing)
{
	const struct pk_texts *names = &comparing->data->tree->names;

	comparing->of_frame = calloc(names->count + (size_t)1, sizeof(*comparing->of_frame));
	if (!comparing->of_frame)
		return PK_NOMEM;
	for (uint32_t i = 1; i <= names->count; i++) {
		struct page_frame frame;

		memcpy(&frame, pk_texts_get(names, i, NULL), sizeof(frame));
		frame.flags &= PK_FRAME_TRUNCATED | PK_FRAME_COMM;
		comparing->of_frame[i] =
			pk_texts_add(&comparing->functions, (const char *)&frame, sizeof(frame));
		if (!comparing->of_frame[i])
			return PK_NOMEM;
	}
	comparing->seen = calloc(comparing->functions.count + (size_t)1, sizeof(*comparing->seen));
	return comparing->seen ? PK_OK : PK_NOMEM;
}

/* Adds a sum to all functions of its stack. */
static enum pk_status add_sum(struct comparing *comparing, unsigned int column,
			      const struct page_sum *sum, uint64_t slot)
{
	const struct pk_tree *tree = comparing->data->tree;
	const double weight = (double)sum->weight, samples = (double)sum->samples;
	struct node_sum added = {.time = slot * 1024, /* the blocks are then the slots */
				 .weight = sum->weight,
				 .squares = weight * weight / samples,
				 .samples = samples};
	uint32_t node = page_stack_of(comparing->data, sum->stack).node;
	uint32_t function = comparing->of_frame[tree->nodes[node].name];

	PK_TRY(pk_node_changes_add(&comparing->changes, column, &added));
	comparing->sums++;
	if (node) {
		added.node = node_of_self(function);
		PK_TRY(pk_node_changes_add(&comparing->changes, column, &added));
	}
	for (; node; node = tree->nodes[node].parent) {
		function = comparing->of_frame[tree->nodes[node].name];
		if (comparing->seen[function] == comparing->sums)
			continue;
		comparing->seen[function] = comparing->sums;
		added.node = node_of_total(function);
		PK_TRY(pk_node_changes_add(&comparing->changes, column, &added));
	}
	return PK_OK;
}

/* Adds all sums of an event. The rows of the sums are events. */
static enum pk_status add_sums(struct comparing *comparing, unsigned int column,
			       const struct page_sums *sums, uint32_t event)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct page_sum *sum = &sums->items[i];
		const uint64_t slot = sum->slot == PAGE_NO_TIME ? 0 : sum->slot - sums->first;

		if (sum->row == event)
			PK_TRY(add_sum(comparing, column, sum, slot));
	}
	return pk_row_blocks_end(&comparing->changes.blocks, column, 0);
}

static bool has_changed(const struct difference *difference)
{
	return difference->mark == DIFFERENCE_CHANGED;
}

static enum pk_status compare_event(struct comparing *comparing, const struct page_sums sides[2],
				    uint32_t event, uint8_t *marks)
{
	const size_t nodes = node_of_self(comparing->functions.count) + 1;
	struct difference *differences = NULL;
	enum pk_status status = add_sums(comparing, 0, &sides[0], event);

	status = status ?: add_sums(comparing, 1, &sides[1], event);
	if (status == PK_OK) {
		differences = pk_node_changes_make(&comparing->changes, nodes);
		status = differences ? PK_OK : PK_NOMEM;
	}
	for (uint32_t i = 1; differences && i <= comparing->data->tree->names.count; i++) {
		const uint32_t function = comparing->of_frame[i];

		if (has_changed(&differences[node_of_total(function)]))
			marks[i - 1] |= PAGE_CHANGED_TOTAL;
		if (has_changed(&differences[node_of_self(function)]))
			marks[i - 1] |= PAGE_CHANGED_SELF;
	}
	free(differences);
	pk_node_changes_free(&comparing->changes);
	comparing->changes = (struct node_changes){0};
	return status;
}

/* Copies sums with at most BLOCKS slots. `events` has the event of each row; if it is NULL, rows
 * are events. */
static enum pk_status copy_sums(struct page_sums *copy, const struct page_sums *sums,
				const uint32_t *events)
{
	*copy = (struct page_sums){.count = sums->count, .shift = sums->shift};
	copy->items = malloc((sums->count + 1) * sizeof(*copy->items));
	if (!copy->items)
		return PK_NOMEM;
	for (size_t i = 0; i < sums->count; i++) {
		copy->items[i] = sums->items[i];
		if (events)
			copy->items[i].row = events[sums->items[i].row];
	}
	return page_sums_finish(copy, BLOCKS);
}

uint8_t *page_changes(const struct page_data *data)
{
	const size_t frames = data->tree->names.count, events = data->events.count;
	struct comparing comparing = {.data = data};
	struct page_sums sides[2] = {0};
	uint32_t *of_row = page_events(data);
	uint8_t *marks = calloc(frames * events + 1, sizeof(*marks));
	enum pk_status status = of_row && marks ? number_functions(&comparing) : PK_NOMEM;

	status = status ?: copy_sums(&sides[0], &data->base_sums, NULL);
	status = status ?: copy_sums(&sides[1], &data->sums, of_row);
	for (uint32_t event = 1; event <= events && status == PK_OK; event++)
		status = compare_event(&comparing, sides, event, marks + (event - 1) * frames);
	free(sides[0].items);
	free(sides[1].items);
	free(of_row);
	free(comparing.of_frame);
	free(comparing.seen);
	pk_texts_free(&comparing.functions);
	if (status == PK_OK)
		return marks;
	free(marks);
	return NULL;
}
