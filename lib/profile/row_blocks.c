// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "row_blocks.h"
#include "vector.h"

/* The first length of a block in ns. It is doubled until the recording has at most ROW_BLOCKS
 * blocks. */
#define WIDTH_LEAST 1024

/* The weight of a row in a block. The cells of a row are a list, the latest block first. */
struct row_cell {
	uint32_t row, event; /* `event` is the index in row_blocks.events */
	uint32_t before; /* the index of the row's next earlier cell, plus 1; 0 if there is none */
	uint32_t block;
	double weight;
};

/* ---- Samples ---- */

const struct row_event *pk_row_blocks_event(const struct row_blocks *blocks, uint32_t event)
{
	const uint64_t number = pk_table_get_u64(&blocks->event_numbers, event + UINT64_C(1));

	return number ? &blocks->events[number - 1] : NULL;
}

/* Returns the index of an event, plus 1, or 0 if memory is exhausted. */
static uint32_t event_number(struct row_blocks *blocks, const struct row_sample *sample)
{
	const uint64_t key = sample->event + UINT64_C(1);
	const uint64_t number = pk_table_get_u64(&blocks->event_numbers, key);

	if (number)
		return (uint32_t)number;
	if (pk_reserve(&blocks->events, &blocks->events_capacity, blocks->events_count, 1,
		       sizeof(*blocks->events)) != PK_OK ||
	    pk_table_set_u64(&blocks->event_numbers, key, blocks->events_count + UINT64_C(1)) !=
		    PK_OK)
		return 0;
	blocks->events[blocks->events_count++] =
		(struct row_event){.event = sample->event, .method = sample->method};
	return (uint32_t)blocks->events_count;
}

/* Adds a weight to a block of a row. The list of a row is sorted, the latest block first. Samples
 * are nearly in order of time, so that the search is short. */
static enum pk_status add_to_cell(struct row_blocks *blocks, const struct row_cell *cell)
{
	uint32_t *link;

	PK_TRY(pk_extend(&blocks->last, &blocks->last_capacity, cell->row));
	if (blocks->cells_count >= UINT32_MAX)
		return PK_NOMEM;
	PK_TRY(pk_reserve(&blocks->cells, &blocks->cells_capacity, blocks->cells_count, 1,
			  sizeof(*blocks->cells)));
	link = &blocks->last[cell->row];
	while (*link && blocks->cells[*link - 1].block > cell->block)
		link = &blocks->cells[*link - 1].before;
	if (*link && blocks->cells[*link - 1].block == cell->block) {
		blocks->cells[*link - 1].weight += cell->weight;
		return PK_OK;
	}
	blocks->cells[blocks->cells_count] = *cell;
	blocks->cells[blocks->cells_count].before = *link;
	*link = (uint32_t)++blocks->cells_count;
	return PK_OK;
}

/* Makes blocks 1 << shift times as long. This never needs more memory. */
static enum pk_status join_blocks(struct row_blocks *blocks, unsigned int shift)
{
	const size_t count = blocks->cells_count;
	const unsigned int joined = shift < 6 ? shift : 6; /* 1 << 6 is ROW_BLOCKS */

	for (size_t i = 0; i < blocks->events_count; i++) {
		double *sums = blocks->events[i].blocks;

		for (unsigned int from = 0; from < ROW_BLOCKS; from++) {
			const double sum = sums[from];

			sums[from] = 0;
			sums[from >> joined] += sum;
		}
	}
	for (size_t i = 0; i < count; i++)
		blocks->last[blocks->cells[i].row] = 0;
	blocks->cells_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct row_cell cell = blocks->cells[i];

		cell.block >>= joined;
		PK_TRY(add_to_cell(blocks, &cell));
	}
	blocks->width <<= shift;
	return PK_OK;
}

/* Sets *block to the block of a time. A sample that is older than the first sample belongs to the
 * first block. */
static enum pk_status find_block(struct row_blocks *blocks, uint64_t time, uint32_t *block)
{
	unsigned int shift = 0;
	uint64_t at;

	if (!blocks->width) {
		blocks->width = WIDTH_LEAST;
		blocks->start = blocks->end = time;
	}
	at = time > blocks->start ? (time - blocks->start) / blocks->width : 0;
	while (at >> shift >= ROW_BLOCKS)
		shift++;
	if (shift)
		PK_TRY(join_blocks(blocks, shift));
	blocks->end = time > blocks->end ? time : blocks->end;
	*block = (uint32_t)(at >> shift);
	return PK_OK;
}

enum pk_status pk_row_blocks_add(struct row_blocks *blocks, unsigned int side,
				 const struct row_sample *sample)
{
	const uint32_t number = event_number(blocks, sample);
	struct row_cell cell = {
		.row = sample->row, .event = number - 1, .weight = (double)sample->weight};
	struct row_event *event;

	if (!number)
		return PK_NOMEM;
	PK_TRY(find_block(blocks, sample->has_time ? sample->time : blocks->untimed++,
			  &cell.block));
	PK_TRY(add_to_cell(blocks, &cell));
	PK_TRY(pk_extend(&blocks->squares, &blocks->squares_capacity, sample->row));
	blocks->squares[sample->row] += sample->squares;
	if (sample->summary)
		return PK_OK;
	event = &blocks->events[number - 1];
	event->mixed |= event->method != sample->method;
	event->blocks[cell.block] += cell.weight;
	PK_TRY(pk_extend(&event->squares, &event->squares_capacity, side));
	event->squares[side] += sample->squares;
	return PK_OK;
}

/* ---- Recordings ---- */

/* Sets units[] to the units of the blocks, and returns their sum. `kept` is the part of the samples
 * that was not lost. Weights are too small by this factor, and so are the units. This is not needed
 * if the unit is also a weight. */
static double make_units(const struct row_blocks *blocks, const struct row_event *event,
			 unsigned int count, double kept, double units[ROW_BLOCKS])
{
	const struct row_event *per = pk_row_blocks_event(blocks, blocks->unit_event);
	double sum = 0;

	for (unsigned int i = 0; i < count; i++) {
		const uint64_t before = i * blocks->width, length = blocks->end - blocks->start;

		switch (blocks->unit) {
		case ROW_UNIT_SHARE: units[i] = event->blocks[i]; break;
		case ROW_UNIT_EVENT: units[i] = per ? per->blocks[i] : 0; break;
		case ROW_UNIT_RUN: units[i] = kept / count; break;
		case ROW_UNIT_SECOND:
			units[i] = (double)(i + 1 < count ? blocks->width : length - before) *
				   kept / 1e9;
			break;
		}
		sum += units[i];
	}
	return sum;
}

/* Adds the part of a row whose newest cell is cells[at - 1]. */
static enum pk_status add_part(struct row_blocks *blocks, uint32_t row, unsigned int count,
			       const double (*units)[ROW_BLOCKS])
{
	double weights[ROW_BLOCKS] = {0};
	struct row_part part = {.row = row, .recording = (uint32_t)blocks->recordings_count};
	uint32_t event = 0;

	for (uint32_t at = blocks->last[row]; at; at = blocks->cells[at - 1].before) {
		const struct row_cell *cell = &blocks->cells[at - 1];

		weights[cell->block] = cell->weight;
		part.weight += cell->weight;
		event = cell->event;
	}
	part.variance = pk_block_variance(weights, units[event], count);
	PK_TRY(pk_reserve(&blocks->parts, &blocks->parts_capacity, blocks->parts_count, 1,
			  sizeof(*blocks->parts)));
	blocks->parts[blocks->parts_count++] = part;
	return PK_OK;
}

static enum pk_status add_parts(struct row_blocks *blocks, double kept, double (*units)[ROW_BLOCKS])
{
	const size_t recording = blocks->recordings_count;
	const unsigned int count =
		(unsigned int)((blocks->end - blocks->start) / blocks->width) + 1;

	for (size_t i = 0; i < blocks->events_count; i++) {
		struct row_event *event = &blocks->events[i];
		double sum = 0;

		PK_TRY(pk_extend(&event->units, &event->units_capacity, recording));
		for (unsigned int j = 0; j < count; j++)
			sum += event->blocks[j];
		if (sum > 0)
			event->units[recording] = make_units(blocks, event, count, kept, units[i]);
	}
	for (size_t i = 0; i < blocks->events_count; i++)
		memset(blocks->events[i].blocks, 0, sizeof(blocks->events[i].blocks));
	for (uint32_t row = 0; row < blocks->last_capacity; row++)
		if (blocks->last[row])
			PK_TRY(add_part(blocks, row, count, units));
	return PK_OK;
}

enum pk_status pk_row_blocks_end(struct row_blocks *blocks, unsigned int side, double lost)
{
	double(*units)[ROW_BLOCKS];
	enum pk_status status;

	if (!blocks->width)
		return PK_OK;
	PK_TRY(pk_reserve(&blocks->recordings, &blocks->recordings_capacity,
			  blocks->recordings_count, 1, sizeof(*blocks->recordings)));
	units = calloc(blocks->events_count, sizeof(*units));
	status = units ? add_parts(blocks, 1 - lost, units) : PK_NOMEM;
	free(units);
	blocks->recordings[blocks->recordings_count++] = (struct row_recording){side, lost};
	if (blocks->last_capacity)
		memset(blocks->last, 0, blocks->last_capacity * sizeof(*blocks->last));
	blocks->cells_count = 0;
	blocks->width = 0;
	return status;
}

void pk_row_blocks_free(struct row_blocks *blocks)
{
	for (size_t i = 0; i < blocks->events_count; i++) {
		free(blocks->events[i].units);
		free(blocks->events[i].squares);
	}
	free(blocks->recordings);
	free(blocks->parts);
	free(blocks->events);
	free(blocks->squares);
	free(blocks->cells);
	free(blocks->last);
	pk_table_free(&blocks->event_numbers);
}
