// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "node_changes.h"
#include "vector.h"

/* The first length of a block in ns. It is doubled after each ROW_BLOCKS blocks, so that the number
 * of blocks grows with the logarithm of the time. */
#define WIDTH_FIRST (UINT64_C(1) << 20)

/* The number of a row. Each node has one row for each side. */
static uint32_t row_of(size_t node, unsigned int column)
{
	return (uint32_t)(PK_TREE_COLUMNS * node + column + 1);
}

void pk_node_changes_count(struct node_changes *changes, uint64_t time, uint64_t weight)
{
	if (!changes->width) {
		changes->width = WIDTH_FIRST;
		changes->start = time;
		changes->end = time + changes->width;
	}
	changes->block_samples++;
	changes->block_weight += (double)weight;
	changes->block_squares += (double)weight * (double)weight;
}

enum pk_status pk_node_changes_add(struct node_changes *changes, unsigned int column,
				   const struct node_sum *sum)
{
	const struct row_sample sample = {.row = row_of(sum->node, column),
					  .event = 1,
					  .time = sum->time,
					  .weight = sum->weight,
					  .squares = sum->squares,
					  .has_time = true,
					  .summary = sum->node > 0};

	PK_TRY(pk_extend(&changes->samples, &changes->samples_count, sum->node));
	changes->samples[sum->node] += sum->samples;
	if (!sum->node)
		changes->side_samples[column] += sum->samples;
	return pk_row_blocks_add(&changes->blocks, column, &sample);
}

/* Adds what the nodes got in the current block. */
static enum pk_status add_nodes(struct node_changes *changes, const uint64_t *totals, size_t count,
				unsigned int column)
{
	const double grain = changes->block_squares / changes->block_weight;
	uint64_t *before;

	PK_TRY(pk_extend(&changes->before, &changes->before_count, PK_TREE_COLUMNS * count));
	before = changes->before;
	for (size_t i = 0; i < count; i++) {
		const size_t at = PK_TREE_COLUMNS * i + column;
		const uint64_t weight = totals[i] - before[at];
		const struct node_sum sum = {.node = i,
					     .time = changes->start,
					     .weight = weight,
					     .squares = (double)weight * grain,
					     .samples = (double)weight / changes->block_weight *
							changes->block_samples};

		if (!weight)
			continue;
		before[at] = totals[i];
		PK_TRY(pk_node_changes_add(changes, column, &sum));
	}
	return PK_OK;
}

enum pk_status pk_node_changes_end_block(struct node_changes *changes, const struct pk_tree *tree,
					 unsigned int column)
{
	enum pk_status status = PK_OK;

	if (changes->block_weight > 0) {
		uint64_t *totals = pk_tree_totals(tree, column);

		status = totals ? add_nodes(changes, totals, tree->count, column) : PK_NOMEM;
		free(totals);
	}
	changes->block_samples = changes->block_weight = changes->block_squares = 0;
	if (++changes->ended == ROW_BLOCKS) {
		changes->ended = 0;
		changes->width *= 2;
	}
	changes->start = changes->end;
	changes->end += changes->width;
	return status;
}

enum pk_status pk_node_changes_end(struct node_changes *changes, const struct pk_tree *tree,
				   unsigned int column)
{
	PK_TRY(pk_node_changes_end_block(changes, tree, column));
	PK_TRY(pk_row_blocks_end(&changes->blocks, column, 0));
	changes->width = 0;
	changes->ended = 0;
	return PK_OK;
}

/* Calls pk_rate_side_add(), or if `spread` is true pk_rate_side_spread(), for all nodes in all
 * recordings of a side. Parts are sorted by recording, then by row. */
static void each_part(const struct node_changes *changes, const struct row_event *event,
		      unsigned int side, struct pk_rate_side *sides, size_t nodes, bool spread)
{
	const struct row_blocks *blocks = &changes->blocks;
	size_t at = 0, recordings = 0;

	for (size_t i = 0; i < blocks->recordings_count; i++)
		recordings += blocks->recordings[i].side == side;
	for (uint32_t i = 0; i < blocks->recordings_count; i++) {
		while (at < blocks->parts_count && blocks->parts[at].recording < i)
			at++;
		for (size_t node = 0; node < nodes && blocks->recordings[i].side == side; node++) {
			struct pk_rate_part part = {.unit = event->units[i]};

			if (at < blocks->parts_count && blocks->parts[at].recording == i &&
			    blocks->parts[at].row == row_of(node, side)) {
				part.weight = blocks->parts[at].weight;
				part.blocks = blocks->parts[at++].variance;
			}
			if (spread)
				pk_rate_side_spread(&sides[node], &part, recordings);
			else
				pk_rate_side_add(&sides[node], &part);
		}
	}
}

static void make_side(const struct node_changes *changes, const struct row_event *event,
		      unsigned int side, struct pk_rate_side *sides, size_t nodes)
{
	for (size_t i = 0; i < nodes; i++) {
		const uint32_t row = row_of(i, side);

		if (row < changes->blocks.squares_capacity)
			sides[i].squares = changes->blocks.squares[row];
		sides[i].all_squares = event->squares[side];
	}
	each_part(changes, event, side, sides, nodes, false);
	each_part(changes, event, side, sides, nodes, true);
}

struct difference *pk_node_changes_make(const struct node_changes *changes, size_t nodes)
{
	const struct row_event *event = pk_row_blocks_event(&changes->blocks, 1);
	const double *count = changes->side_samples;
	struct difference *results = calloc(nodes, sizeof(*results));
	struct pk_rate_side *sides = calloc(nodes, 2 * sizeof(*sides));
	struct difference_row *rows = calloc(nodes, sizeof(*rows));
	const struct difference_table table = {.rows = rows,
					       .count = nodes,
					       .is_share = true,
					       .samples =
						       count[0] > count[1] ? count[0] : count[1]};
	const struct difference_options options = DIFFERENCE_OPTIONS;
	enum pk_status status = results && sides && rows ? PK_OK : PK_NOMEM;

	for (size_t i = 0; i < nodes && status == PK_OK; i++)
		results[i] = DIFFERENCE_UNTESTED;
	if (status == PK_OK && event && count[0] > 0 && count[1] > 0) {
		make_side(changes, event, 0, sides, nodes);
		make_side(changes, event, 1, sides + nodes, nodes);
		for (size_t i = 0; i < nodes; i++) {
			pk_rate_change_measure(&rows[i].change, &sides[i], &sides[nodes + i], true);
			if (i < changes->samples_count)
				rows[i].samples = (uint64_t)round(changes->samples[i]);
		}
		status = pk_differences_decide(&table, &options, results);
	}
	free(sides);
	free(rows);
	if (status == PK_OK)
		return results;
	free(results);
	return NULL;
}

void pk_node_changes_free(struct node_changes *changes)
{
	pk_row_blocks_free(&changes->blocks);
	free(changes->before);
	free(changes->samples);
}
