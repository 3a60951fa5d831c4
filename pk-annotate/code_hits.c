// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "code_hits.h"
#include "texts.h"
#include "vector.h"

struct code_hits {
	const struct pk_places *places;
	struct pk_texts events_names;
	struct pk_table counts; /* struct hit_count; the key is the number of the event << 32 | the
				 * number of the place */
	struct event_totals {
		struct hit_count all, unplaced;
		size_t first, count; /* range of the event's cells in `cells` */
		uint32_t leader, position;
	} * totals; /* the index is the number of the event - 1 */
	uint32_t events;
	uint32_t members; /* number of events that have another leader */
	size_t events_capacity;
	struct pk_texts files;	    /* the names of source files */
	struct hit_source *sources; /* the index is the number of the place */
	size_t sources_capacity;
	struct inlined {
		uint32_t name;
		uint32_t at; /* the place; after code_hits_sort(), the function */
	} * inlined;	     /* code_hits_sort() sorts them, and removes duplicates */
	size_t inlined_count, inlined_capacity;
	uint32_t newest; /* the highest place of all calls of code_hits_is_new() */
	/* code_hits_sort() sets these members: */
	struct hit_cell *cells;
	size_t cells_count;
	uint32_t *functions; /* for each function, the number of one place in it */
	uint32_t functions_count;
};

struct code_hits *code_hits_new(const struct pk_places *places)
{
	struct code_hits *hits = calloc(1, sizeof(*hits));

	if (hits)
		hits->places = places;
	return hits;
}

void code_hits_free(struct code_hits *hits)
{
	if (!hits)
		return;
	pk_texts_free(&hits->events_names);
	pk_table_free_all(&hits->counts);
	pk_texts_free(&hits->files);
	free(hits->sources);
	free(hits->totals);
	free(hits->cells);
	free(hits->functions);
	free(hits->inlined);
	free(hits);
}

/* ---- Filling ---- */

uint32_t code_hits_event(struct code_hits *hits, const char *name)
{
	uint32_t event = pk_texts_add(&hits->events_names, name, strlen(name));

	if (!event || pk_extend(&hits->totals, &hits->events_capacity, event - 1) != PK_OK)
		return 0;
	if (event > hits->events) {
		hits->totals[event - 1].leader = event;
		hits->events = event;
	}
	return event;
}

void code_hits_set_leader(struct code_hits *hits, uint32_t event, uint32_t leader)
{
	struct event_totals *totals = &hits->totals[event - 1];

	totals->leader = leader;
	if (!totals->position && event != leader)
		totals->position = ++hits->members;
}

uint32_t code_hits_position(const struct code_hits *hits, uint32_t event)
{
	return hits->totals[event - 1].position;
}

uint32_t code_hits_leader(const struct code_hits *hits, uint32_t event)
{
	return hits->totals[event - 1].leader;
}

static void count(struct hit_count *to, uint64_t weight)
{
	to->samples++;
	to->weight += weight;
}

enum pk_status code_hits_add(struct code_hits *hits, uint32_t event, uint32_t place,
			     uint64_t weight)
{
	struct event_totals *totals = &hits->totals[event - 1];
	struct hit_count *cell;

	if (place) {
		cell = pk_table_get_or_add(&hits->counts, (uint64_t)event << 32 | place,
					   sizeof(*cell));
		if (!cell)
			return PK_NOMEM;
		count(cell, weight);
	} else {
		count(&totals->unplaced, weight);
	}
	count(&totals->all, weight);
	return PK_OK;
}

enum pk_status code_hits_set_source(struct code_hits *hits, uint32_t place, const char *name,
				    uint32_t line, uint32_t first)
{
	const uint32_t file = pk_texts_add(&hits->files, name, strlen(name));

	if (!file || pk_extend(&hits->sources, &hits->sources_capacity, place) != PK_OK)
		return PK_NOMEM;
	hits->sources[place] = (struct hit_source){file, line, first};
	return PK_OK;
}

bool code_hits_is_new(struct code_hits *hits, uint32_t place)
{
	const bool is_new = place > hits->newest;

	if (is_new)
		hits->newest = place;
	return is_new;
}

enum pk_status code_hits_add_inlined(struct code_hits *hits, uint32_t place, uint32_t name)
{
	PK_TRY(pk_reserve(&hits->inlined, &hits->inlined_capacity, hits->inlined_count, 1,
			  sizeof(*hits->inlined)));
	hits->inlined[hits->inlined_count++] = (struct inlined){name, place};
	return PK_OK;
}

/* ---- Sorting ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

struct numbered {
	struct pk_place is;
	uint32_t place;
};

static int compare_numbered(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;
	const struct pk_place_function *f = &a->is.function, *g = &b->is.function;
	int order = compare_numbers(f->object, g->object);

	order = order ? order : compare_numbers(f->start, g->start);
	order = order ? order : compare_numbers(a->is.name, b->is.name);
	return order ? order : compare_numbers(g->kernel, f->kernel);
}

/* Sorts and numbers the functions. number_of[place - 1] becomes the number of the function that
 * contains the place. */
static enum pk_status number_functions(struct code_hits *hits, uint32_t *number_of)
{
	const uint32_t count = pk_places_count(hits->places);
	struct numbered *list = malloc(((size_t)count + 1) * sizeof(*list));
	uint32_t n = 0;

	hits->functions = malloc(((size_t)count + 1) * sizeof(*hits->functions));
	if (!list || !hits->functions) {
		free(list);
		return PK_NOMEM;
	}
	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct numbered){pk_places_at(hits->places, i + 1), i + 1};
	qsort(list, count, sizeof(*list), compare_numbered);
	for (uint32_t i = 0; i < count; i++) {
		if (!i || compare_numbered(&list[i - 1], &list[i]))
			hits->functions[n++] = list[i].place;
		number_of[list[i].place - 1] = n - 1;
	}
	hits->functions_count = n;
	free(list);
	return PK_OK;
}

static int compare_cells(const void *left, const void *right)
{
	const struct hit_cell *a = left, *b = right;
	int order = compare_numbers(a->event, b->event);

	order = order ? order : compare_numbers(a->function, b->function);
	return order ? order : compare_numbers(a->address, b->address);
}

static enum pk_status gather_cells(struct code_hits *hits, const uint32_t *number_of)
{
	const struct pk_table_slot *slot;
	size_t n = 0, cursor = 0;

	hits->cells = malloc((hits->counts.count + 1) * sizeof(*hits->cells));
	if (!hits->cells)
		return PK_NOMEM;
	while ((slot = pk_table_next(&hits->counts, &cursor))) {
		const uint32_t place = (uint32_t)slot->key;
		const struct hit_count *count = (const void *)(uintptr_t)slot->value;

		hits->cells[n++] = (struct hit_cell){
			.event = (uint32_t)(slot->key >> 32),
			.function = number_of[place - 1],
			.address = pk_places_at(hits->places, place).address,
			.source = place < hits->sources_capacity ? hits->sources[place]
								 : (struct hit_source){0},
			.count = *count,
		};
	}
	pk_table_free_all(&hits->counts);
	qsort(hits->cells, n, sizeof(*hits->cells), compare_cells);
	hits->cells_count = n;
	return PK_OK;
}

static int compare_inlined(const void *left, const void *right)
{
	const struct inlined *a = left, *b = right;
	int order = compare_numbers(a->name, b->name);

	return order ? order : compare_numbers(a->at, b->at);
}

static void sort_inlined(struct code_hits *hits, const uint32_t *number_of)
{
	struct inlined *list = hits->inlined;
	size_t n = 0;

	for (size_t i = 0; i < hits->inlined_count; i++)
		list[i].at = number_of[list[i].at - 1];
	if (hits->inlined_count)
		qsort(list, hits->inlined_count, sizeof(*list), compare_inlined);
	for (size_t i = 0; i < hits->inlined_count; i++)
		if (!n || compare_inlined(&list[n - 1], &list[i]))
			list[n++] = list[i];
	hits->inlined_count = n;
}

enum pk_status code_hits_sort(struct code_hits *hits)
{
	const size_t count = pk_places_count(hits->places);
	uint32_t *number_of = malloc((count + 1) * sizeof(*number_of));
	enum pk_status status = number_of ? number_functions(hits, number_of) : PK_NOMEM;

	status = status ?: gather_cells(hits, number_of);
	if (status == PK_OK)
		sort_inlined(hits, number_of);
	free(number_of);
	for (size_t i = 0; status == PK_OK && i < hits->cells_count; i++) {
		struct event_totals *totals = &hits->totals[hits->cells[i].event - 1];

		if (!totals->count++)
			totals->first = i;
	}
	return status;
}

/* ---- Reading ---- */

uint32_t code_hits_events(const struct code_hits *hits)
{
	return hits->events;
}

const char *code_hits_event_name(const struct code_hits *hits, uint32_t event)
{
	return pk_texts_get(&hits->events_names, event, NULL);
}

struct hit_count code_hits_total(const struct code_hits *hits, uint32_t event)
{
	return hits->totals[event - 1].all;
}

struct hit_count code_hits_unplaced(const struct code_hits *hits, uint32_t event)
{
	return hits->totals[event - 1].unplaced;
}

const char *code_hits_file(const struct code_hits *hits, uint32_t file)
{
	return pk_texts_get(&hits->files, file, NULL);
}

struct pk_code_file code_hits_object(const struct code_hits *hits, uint32_t object)
{
	return pk_places_object_at(hits->places, object);
}

struct pk_place_function code_hits_function(const struct code_hits *hits, uint32_t function)
{
	return pk_places_at(hits->places, hits->functions[function]).function;
}

uint32_t code_hits_functions(const struct code_hits *hits)
{
	return hits->functions_count;
}

bool code_hits_has_inlined(const struct code_hits *hits, uint32_t function, uint32_t name)
{
	const struct inlined key = {name, function};

	return hits->inlined_count &&
	       bsearch(&key, hits->inlined, hits->inlined_count, sizeof(key), compare_inlined);
}

void code_hits_forget_inlined(struct code_hits *hits, uint32_t name)
{
	size_t n = 0;

	for (size_t i = 0; i < hits->inlined_count; i++)
		if (hits->inlined[i].name != name)
			hits->inlined[n++] = hits->inlined[i];
	hits->inlined_count = n;
}

const struct hit_cell *code_hits_cells(const struct code_hits *hits, uint32_t event, size_t *count)
{
	*count = hits->totals[event - 1].count;
	return hits->cells + hits->totals[event - 1].first;
}

const struct hit_cell *code_hits_cells_of(const struct code_hits *hits, uint32_t event,
					  uint32_t function, size_t *count)
{
	size_t all, low = 0, high, end;
	const struct hit_cell *cells = code_hits_cells(hits, event, &all);

	for (high = all; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (cells[middle].function < function)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < all && cells[end].function == function; end++)
		;
	*count = end - low;
	return cells + low;
}
