// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "page_sums.h"
#include "vector.h"

static int compare(const void *left, const void *right)
{
	const struct page_sum *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

/* Sorts sums of the same slot. Does nothing if they are already sorted. */
static void sort_slot(struct page_sum *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (compare(&items[i - 1], &items[i]) > 0) {
			qsort(items, count, sizeof(*items), compare);
			return;
		}
	}
}

/* Sorts sums of the same row. Records come in the order of their times. So usually the slots are in
 * order, and only the sums within a slot must be sorted. */
static void sort_row(struct page_sum *items, size_t count)
{
	size_t start = 0;

	for (size_t i = 1; i < count; i++) {
		if (items[i].slot < items[i - 1].slot) {
			qsort(items, count, sizeof(*items), compare);
			return;
		}
	}
	for (size_t i = 1; i <= count; i++) {
		if (i < count && items[i].slot == items[start].slot)
			continue;
		sort_slot(items + start, i - start);
		start = i;
	}
}

/* Moves each item to the place that `place` has for it. The cycles of the permutation are followed
 * one after another, so that a second array is not needed. Changes `place`. */
static void move_to_places(struct page_sum *items, uint32_t *place, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		while (place[i] != i) {
			const uint32_t to = place[i];
			const struct page_sum item = items[to];

			items[to] = items[i];
			items[i] = item;
			place[i] = place[to];
			place[to] = to;
		}
	}
}

/* Sorts the sums by row. The sums of a row keep their order. Sets ends[row] to the index after the
 * last sum of the row. */
static enum pk_status sort_rows(struct page_sums *sums, size_t *ends, uint32_t rows)
{
	uint32_t *place = malloc((sums->count + 1) * sizeof(*place));
	size_t start = 0;

	if (!place)
		return PK_NOMEM;
	for (size_t i = 0; i < sums->count; i++)
		ends[sums->items[i].row]++;
	for (uint32_t row = 0; row < rows; row++) {
		const size_t count = ends[row];

		ends[row] = start;
		start += count;
	}
	for (size_t i = 0; i < sums->count; i++)
		place[i] = (uint32_t)ends[sums->items[i].row]++;
	move_to_places(sums->items, place, sums->count);
	free(place);
	return PK_OK;
}

static enum pk_status sort(struct page_sums *sums)
{
	enum pk_status status = PK_NOMEM;
	uint32_t rows = 0;
	size_t *ends, start = 0;

	for (size_t i = 0; i < sums->count; i++)
		if (sums->items[i].row >= rows)
			rows = sums->items[i].row + 1;
	ends = calloc((size_t)rows + 1, sizeof(*ends));
	if (ends)
		status = sort_rows(sums, ends, rows);
	for (uint32_t row = 0; row < rows && status == PK_OK; row++) {
		sort_row(sums->items + start, ends[row] - start);
		start = ends[row];
	}
	free(ends);
	return status;
}

/* Sorts the sums. Adds up the sums that have the same slot, row and stack. */
static enum pk_status join(struct page_sums *sums)
{
	size_t count = 0;

	PK_TRY(sort(sums));
	for (size_t i = 0; i < sums->count; i++) {
		struct page_sum *last = count ? &sums->items[count - 1] : NULL;

		if (last && !compare(last, &sums->items[i])) {
			pk_add_saturating(&last->weight, sums->items[i].weight);
			last->samples += sums->items[i].samples;
		} else {
			sums->items[count++] = sums->items[i];
		}
	}
	sums->count = count;
	return PK_OK;
}

/* With a shift of 63 bits, there are at most two slots. */
#define SHIFT_MOST 63

/* Makes slots 2^bits times as long, and joins the sums. */
static enum pk_status widen(struct page_sums *sums, unsigned int bits)
{
	for (size_t i = 0; bits && i < sums->count; i++)
		if (sums->items[i].slot != PAGE_NO_TIME)
			sums->items[i].slot >>= bits;
	sums->shift += bits;
	return join(sums);
}

/* Makes slots longer until there are at most `most` from the first to the last sum with a time, and
 * joins the sums. */
static enum pk_status limit_slots(struct page_sums *sums, uint64_t most)
{
	uint64_t first = PAGE_NO_TIME, last = 0;
	unsigned int bits = 0;

	for (size_t i = 0; i < sums->count; i++) {
		const uint64_t slot = sums->items[i].slot;

		first = slot < first ? slot : first;
		last = slot != PAGE_NO_TIME && slot > last ? slot : last;
	}
	while (first != PAGE_NO_TIME && (last >> bits) - (first >> bits) >= most)
		bits++;
	sums->first = first == PAGE_NO_TIME ? 0 : first >> bits;
	return widen(sums, bits);
}

static enum pk_status thin(struct page_sums *sums)
{
	PK_TRY(limit_slots(sums, sums->limit / 4));
	while (sums->count > sums->limit / 2 && sums->shift < SHIFT_MOST)
		PK_TRY(widen(sums, 1));
	while (sums->count > sums->limit / 2)
		sums->limit *= 2;
	return PK_OK;
}

enum pk_status page_sums_add(struct page_sums *sums, uint64_t time, uint32_t row, uint32_t stack,
			     uint64_t weight)
{
	if (!sums->limit)
		sums->limit = PAGE_SUMS_MOST;
	if (sums->count >= sums->limit)
		PK_TRY(thin(sums));
	PK_TRY(pk_vector_reserve(sums, 1));
	sums->items[sums->count++] = (struct page_sum){
		.slot = time == PAGE_NO_TIME ? time : time >> sums->shift,
		.row = row,
		.stack = stack,
		.weight = weight,
		.samples = 1,
	};
	return PK_OK;
}

enum pk_status page_sums_finish(struct page_sums *sums, uint64_t most)
{
	return limit_slots(sums, most);
}

enum pk_status page_sums_drop_times(struct page_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		sums->items[i].slot = PAGE_NO_TIME;
	return join(sums);
}
