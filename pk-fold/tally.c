// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "tally.h"

static bool add_direct(struct tally *tally, uint32_t stack, uint64_t weight)
{
	if (pk_unlikely(stack >= tally->direct_count)) {
		uint32_t count = stack < UINT32_MAX / 2 - 1024 ? 2 * stack + 1024 : UINT32_MAX;
		uint64_t *grown = realloc(tally->direct, count * sizeof(*grown));

		if (!grown)
			return false;
		memset(grown + tally->direct_count, 0,
		       (count - tally->direct_count) * sizeof(*grown));
		tally->direct = grown;
		tally->direct_count = count;
	}
	tally->direct[stack] += weight;
	return true;
}

static uint32_t *find(const struct tally *tally, uint32_t group, uint32_t stack)
{
	size_t mask = tally->slots_capacity - 1;
	size_t i = pk_mix64(((uint64_t)group << 32 | stack) ^ tally->secret,
			    UINT64_C(0xe7037ed1a0b428db)) &
		   mask;

	for (; tally->slots[i]; i = (i + 1) & mask) {
		const struct cell *cell = &tally->cells[tally->slots[i] - 1];

		if (cell->group == group && cell->stack == stack)
			break;
	}
	return &tally->slots[i];
}

static bool grow(struct tally *tally)
{
	size_t capacity = tally->slots_capacity ? 2 * tally->slots_capacity : 1024;
	struct cell *cells = realloc(tally->cells, capacity / 2 * sizeof(*cells));

	if (!cells)
		return false;
	tally->cells = cells;
	free(tally->slots);
	tally->slots = calloc(capacity, sizeof(*tally->slots));
	tally->slots_capacity = tally->slots ? capacity : 0;
	tally->cells_capacity = tally->slots_capacity / 2;
	if (!tally->slots)
		return false;
	if (!tally->secret)
		tally->secret = pk_secret();
	for (size_t i = 0; i < tally->cells_count; i++)
		*find(tally, cells[i].group, cells[i].stack) = (uint32_t)i + 1;
	return true;
}

bool tally_add_new(struct tally *tally, uint32_t group, uint32_t stack, uint64_t weight)
{
	uint32_t *slot;

	if (!group)
		return add_direct(tally, stack, weight);
	if (tally->cells_count >= tally->cells_capacity &&
	    (tally->cells_count >= UINT32_MAX / 2 || !grow(tally)))
		return false;
	slot = find(tally, group, stack);
	if (!*slot) {
		tally->cells[tally->cells_count++] = (struct cell){group, stack, 0};
		*slot = (uint32_t)tally->cells_count;
	}
	tally->cells[*slot - 1].weight += weight;
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;
	int order = (a->group > b->group) - (a->group < b->group);

	return order ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

struct cell *tally_take(struct tally *tally, size_t *count)
{
	size_t n = tally->cells_count;
	struct cell *cells;

	for (uint32_t i = 0; i < tally->direct_count; i++)
		n += tally->direct[i] != 0;
	cells = malloc((n + 1) * sizeof(*cells));
	if (!cells)
		return NULL;
	n = 0;
	for (uint32_t i = 0; i < tally->direct_count; i++)
		if (tally->direct[i])
			cells[n++] = (struct cell){0, i, tally->direct[i]};
	if (tally->direct_count)
		memset(tally->direct, 0, tally->direct_count * sizeof(*tally->direct));
	if (tally->cells_count) {
		memcpy(cells + n, tally->cells, tally->cells_count * sizeof(*cells));
		qsort(cells + n, tally->cells_count, sizeof(*cells), compare);
		memset(tally->slots, 0, tally->slots_capacity * sizeof(*tally->slots));
	}
	*count = n + tally->cells_count;
	tally->cells_count = 0;
	return cells;
}

void tally_free(struct tally *tally)
{
	free(tally->direct);
	free(tally->cells);
	free(tally->slots);
	*tally = (struct tally){0};
}
