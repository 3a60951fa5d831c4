// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "renames.h"
#include "vector.h"

/* Only this many functions of a side are compared, those with the largest weights. */
#define CANDIDATES_MOST 1000
/* At least this part of the callers, and of the callees, must be the same. */
#define SAME_LEAST 0.5
/* The shares of the two functions differ at most by this factor. */
#define FACTOR_MOST 2

/* A caller or callee of a candidate. */
struct neighbour {
	uint32_t candidate, function;
	bool is_callee;
	double part; /* of the weight of all callers, or of all callees */
};

/* The functions that exist on one side only. */
struct candidates {
	struct candidate {
		uint32_t function;
		double share;
		size_t first, end; /* its neighbours */
		/* The best candidate of the other side, and how well it and the second best fit. */
		size_t best;
		double fits, second;
	} * items;
	size_t count, capacity;
	struct pk_table numbers; /* by function: the index in `items`, plus 1 */
	struct {
		struct neighbour *items;
		size_t count, capacity;
	} neighbours;
};

/* ---- Calls ---- */

static enum pk_status add_weight(struct pk_table *table, uint64_t key, uint64_t weight)
{
	return pk_table_set_u64(table, key, pk_table_get_u64(table, key) + weight);
}

static bool is_repeated(const uint32_t *stack, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (stack[i] == stack[at])
			return true;
	return false;
}

enum pk_status pk_renames_add(struct renames *renames, unsigned int side, const uint32_t *stack,
			      size_t count, uint64_t weight)
{
	renames->totals[side] += (double)weight;
	for (size_t i = 0; i < count; i++) {
		const uint64_t caller = i + 1 < count ? stack[i + 1] : 0, callee = stack[i];

		PK_TRY(add_weight(&renames->calls[side], caller << 32 | callee, weight));
		if (!is_repeated(stack, i))
			PK_TRY(add_weight(&renames->functions[side], callee, weight));
	}
	return PK_OK;
}

void pk_renames_free(struct renames *renames)
{
	for (unsigned int side = 0; side < 2; side++) {
		pk_table_free(&renames->calls[side]);
		pk_table_free(&renames->functions[side]);
	}
}

/* ---- Candidates ---- */

static int compare_shares(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	return (a->function > b->function) - (a->function < b->function);
}

static int compare_neighbours(const void *left, const void *right)
{
	const struct neighbour *a = left, *b = right;

	if (a->candidate != b->candidate)
		return a->candidate < b->candidate ? -1 : 1;
	if (a->is_callee != b->is_callee)
		return a->is_callee ? 1 : -1;
	return (a->function > b->function) - (a->function < b->function);
}

static enum pk_status find_candidates(const struct renames *renames, unsigned int side,
				      struct candidates *candidates)
{
	const struct pk_table_slot *slot;
	size_t cursor = 0;

	while ((slot = pk_table_next(&renames->functions[side], &cursor))) {
		if (pk_table_get_u64(&renames->functions[!side], slot->key))
			continue;
		PK_TRY(pk_vector_reserve(candidates, 1));
		candidates->items[candidates->count++] =
			(struct candidate){.function = (uint32_t)slot->key,
					   .share = (double)slot->value / renames->totals[side]};
	}
	if (candidates->count)
		qsort(candidates->items, candidates->count, sizeof(*candidates->items),
		      compare_shares);
	if (candidates->count > CANDIDATES_MOST)
		candidates->count = CANDIDATES_MOST;
	for (size_t i = 0; i < candidates->count; i++)
		PK_TRY(pk_table_set_u64(&candidates->numbers, candidates->items[i].function,
					i + 1));
	return PK_OK;
}

static enum pk_status add_neighbour(struct candidates *candidates, uint64_t of, uint64_t function,
				    bool is_callee, double weight)
{
	const uint64_t number = of ? pk_table_get_u64(&candidates->numbers, of) : 0;

	if (!number)
		return PK_OK;
	PK_TRY(pk_vector_reserve(&candidates->neighbours, 1));
	candidates->neighbours.items[candidates->neighbours.count++] = (struct neighbour){
		(uint32_t)number - 1, function == of ? UINT32_MAX : (uint32_t)function, is_callee,
		weight};
	return PK_OK;
}

/* Makes parts of the weights of neighbours[first..end), which are all callers or all callees. */
static void make_parts(struct neighbour *neighbours, size_t first, size_t end)
{
	double sum = 0;

	for (size_t i = first; i < end; i++)
		sum += neighbours[i].part;
	for (size_t i = first; i < end; i++)
		neighbours[i].part /= sum;
}

/* Finds the callers and callees of all candidates. A recursive call has the function UINT32_MAX. */
static enum pk_status find_neighbours(const struct renames *renames, unsigned int side,
				      struct candidates *candidates)
{
	const struct pk_table_slot *slot;
	struct neighbour *items;
	size_t cursor = 0, first = 0;

	while ((slot = pk_table_next(&renames->calls[side], &cursor))) {
		const uint64_t caller = slot->key >> 32, callee = slot->key & UINT32_MAX;

		PK_TRY(add_neighbour(candidates, caller, callee, true, (double)slot->value));
		PK_TRY(add_neighbour(candidates, callee, caller, false, (double)slot->value));
	}
	items = candidates->neighbours.items;
	if (items)
		qsort(items, candidates->neighbours.count, sizeof(*items), compare_neighbours);
	for (size_t i = 1; i <= candidates->neighbours.count; i++) {
		if (i < candidates->neighbours.count &&
		    items[i].candidate == items[first].candidate &&
		    items[i].is_callee == items[first].is_callee)
			continue;
		make_parts(items, first, i);
		if (!items[first].is_callee)
			candidates->items[items[first].candidate].first = first;
		candidates->items[items[first].candidate].end = i;
		first = i;
	}
	return PK_OK;
}

/* ---- Pairs ---- */

/* Calculates the parts that are the same. */
static struct rename compare_pair(const struct candidates sides[2], const struct candidate *old,
				  const struct candidate *new)
{
	const struct neighbour *a = sides[0].neighbours.items + old->first;
	const struct neighbour *b = sides[1].neighbours.items + new->first;
	const struct neighbour *a_end = sides[0].neighbours.items + old->end;
	const struct neighbour *b_end = sides[1].neighbours.items + new->end;
	struct rename rename = {.from = old->function, .to = new->function};

	while (a < a_end && b < b_end) {
		const int64_t order = ((int64_t)a->is_callee << 32 | a->function) -
				      ((int64_t)b->is_callee << 32 | b->function);

		if (!order)
			*(a->is_callee ? &rename.callees : &rename.callers) +=
				fmin(a->part, b->part);
		a += order <= 0;
		b += order >= 0;
	}
	return rename;
}

/* Notes how well candidate number `other` of the other side fits. */
static void note_fit(struct candidate *candidate, size_t other, double fits)
{
	if (fits > candidate->fits) {
		candidate->second = candidate->fits;
		candidate->fits = fits;
		candidate->best = other;
	} else if (fits > candidate->second) {
		candidate->second = fits;
	}
}

static void compare_all(struct candidates sides[2])
{
	for (size_t i = 0; i < sides[0].count; i++) {
		for (size_t j = 0; j < sides[1].count; j++) {
			struct candidate *old = &sides[0].items[i], *new = &sides[1].items[j];
			struct rename pair;

			if (old->share > FACTOR_MOST * new->share ||
			    new->share > FACTOR_MOST * old->share)
				continue;
			pair = compare_pair(sides, old, new);
			if (pair.callers < SAME_LEAST || pair.callees < SAME_LEAST)
				continue;
			note_fit(old, j, pair.callers + pair.callees);
			note_fit(new, i, pair.callers + pair.callees);
		}
	}
}

/* Two candidates are the same function if each of them fits best, and no other one as well. */
static enum pk_status collect(const struct candidates sides[2], struct rename **found,
			      size_t *count)
{
	*found = calloc(sides[0].count + 1, sizeof(**found));
	if (!*found)
		return PK_NOMEM;
	for (size_t i = 0; i < sides[0].count; i++) {
		const struct candidate *old = &sides[0].items[i];
		const struct candidate *new =
			old->fits > old->second ? &sides[1].items[old->best] : NULL;

		if (new &&new->best == i &&new->fits > new->second)
			(*found)[(*count)++] = compare_pair(sides, old, new);
	}
	return PK_OK;
}

enum pk_status pk_renames_find(const struct renames *renames, struct rename **found, size_t *count)
{
	struct candidates sides[2] = {0};
	enum pk_status status = PK_OK;

	*found = NULL;
	*count = 0;
	for (unsigned int side = 0; side < 2; side++) {
		status = status ?: find_candidates(renames, side, &sides[side]);
		status = status ?: find_neighbours(renames, side, &sides[side]);
	}
	if (status == PK_OK) {
		compare_all(sides);
		status = collect(sides, found, count);
	}
	for (unsigned int side = 0; side < 2; side++) {
		free(sides[side].items);
		free(sides[side].neighbours.items);
		pk_table_free(&sides[side].numbers);
	}
	return status;
}
