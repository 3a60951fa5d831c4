// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "texts.h"
#include "vector.h"

struct pk_histogram {
	const struct pk_places *places;
	struct pk_texts events_names;
	struct pk_table counts; /* struct pk_count by event << 32 | place */
	struct event_totals {
		struct pk_count all, unplaced;
		size_t first, count; /* range of its cells */
		uint32_t leader;
	} * totals; /* by event - 1 */
	uint32_t events;
	size_t events_capacity;
	/* Set by pk_histogram_sort(): */
	struct pk_histogram_cell *cells;
	size_t cells_count;
	uint32_t *functions; /* for each function, the number of one of its places */
	uint32_t functions_count;
};

struct pk_histogram *pk_histogram_new(const struct pk_places *places)
{
	struct pk_histogram *histogram = calloc(1, sizeof(*histogram));

	if (histogram)
		histogram->places = places;
	return histogram;
}

void pk_histogram_free(struct pk_histogram *histogram)
{
	if (!histogram)
		return;
	pk_texts_free(&histogram->events_names);
	pk_table_free_all(&histogram->counts);
	free(histogram->totals);
	free(histogram->cells);
	free(histogram->functions);
	free(histogram);
}

/* ---- Filling ---- */

uint32_t pk_histogram_event(struct pk_histogram *histogram, const char *name)
{
	uint32_t event = pk_texts_add(&histogram->events_names, name, strlen(name));

	if (!event || !pk_extend(&histogram->totals, &histogram->events_capacity, event - 1))
		return 0;
	if (event > histogram->events) {
		histogram->totals[event - 1].leader = event;
		histogram->events = event;
	}
	return event;
}

void pk_histogram_set_leader(struct pk_histogram *histogram, uint32_t event, uint32_t leader)
{
	histogram->totals[event - 1].leader = leader;
}

uint32_t pk_histogram_leader(const struct pk_histogram *histogram, uint32_t event)
{
	return histogram->totals[event - 1].leader;
}

static void count(struct pk_count *to, uint64_t weight)
{
	to->samples++;
	to->weight += weight;
}

bool pk_histogram_add(struct pk_histogram *histogram, uint32_t event, uint32_t place,
		      uint64_t weight)
{
	struct event_totals *totals = &histogram->totals[event - 1];
	struct pk_count *cell;

	if (place) {
		cell = pk_table_get_or_add(&histogram->counts, (uint64_t)event << 32 | place,
					   sizeof(*cell));
		if (!cell)
			return false;
		count(cell, weight);
	} else {
		count(&totals->unplaced, weight);
	}
	count(&totals->all, weight);
	return true;
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

/* Sorts the functions; number_of[place - 1] becomes the number of the place's function. */
static bool number_functions(struct pk_histogram *histogram, uint32_t *number_of)
{
	const uint32_t count = pk_places_count(histogram->places);
	struct numbered *list = malloc(((size_t)count + 1) * sizeof(*list));
	uint32_t n = 0;

	histogram->functions = malloc(((size_t)count + 1) * sizeof(*histogram->functions));
	if (!list || !histogram->functions) {
		free(list);
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct numbered){pk_places_at(histogram->places, i + 1), i + 1};
	qsort(list, count, sizeof(*list), compare_numbered);
	for (uint32_t i = 0; i < count; i++) {
		if (!i || compare_numbered(&list[i - 1], &list[i]))
			histogram->functions[n++] = list[i].place;
		number_of[list[i].place - 1] = n - 1;
	}
	histogram->functions_count = n;
	free(list);
	return true;
}

static int compare_cells(const void *left, const void *right)
{
	const struct pk_histogram_cell *a = left, *b = right;
	int order = compare_numbers(a->event, b->event);

	order = order ? order : compare_numbers(a->function, b->function);
	return order ? order : compare_numbers(a->address, b->address);
}

static bool gather_cells(struct pk_histogram *histogram, const uint32_t *number_of)
{
	const struct pk_table_slot *slot;
	size_t n = 0, cursor = 0;

	histogram->cells = malloc((histogram->counts.count + 1) * sizeof(*histogram->cells));
	if (!histogram->cells)
		return false;
	while ((slot = pk_table_next(&histogram->counts, &cursor))) {
		const uint32_t place = (uint32_t)slot->key;
		const struct pk_count *count = (const void *)(uintptr_t)slot->value;

		histogram->cells[n++] = (struct pk_histogram_cell){
			.event = (uint32_t)(slot->key >> 32),
			.function = number_of[place - 1],
			.address = pk_places_at(histogram->places, place).address,
			.count = *count,
		};
	}
	pk_table_free_all(&histogram->counts);
	qsort(histogram->cells, n, sizeof(*histogram->cells), compare_cells);
	histogram->cells_count = n;
	return true;
}

bool pk_histogram_sort(struct pk_histogram *histogram)
{
	const size_t count = pk_places_count(histogram->places);
	uint32_t *number_of = malloc((count + 1) * sizeof(*number_of));
	bool done = number_of && number_functions(histogram, number_of) &&
		    gather_cells(histogram, number_of);

	free(number_of);
	for (size_t i = 0; done && i < histogram->cells_count; i++) {
		struct event_totals *totals = &histogram->totals[histogram->cells[i].event - 1];

		if (!totals->count++)
			totals->first = i;
	}
	return done;
}

/* ---- Reading ---- */

uint32_t pk_histogram_events(const struct pk_histogram *histogram)
{
	return histogram->events;
}

const char *pk_histogram_event_name(const struct pk_histogram *histogram, uint32_t event)
{
	return pk_texts_get(&histogram->events_names, event, NULL);
}

struct pk_count pk_histogram_total(const struct pk_histogram *histogram, uint32_t event)
{
	return histogram->totals[event - 1].all;
}

struct pk_count pk_histogram_unplaced(const struct pk_histogram *histogram, uint32_t event)
{
	return histogram->totals[event - 1].unplaced;
}

struct pk_code_file pk_histogram_object(const struct pk_histogram *histogram, uint32_t object)
{
	return pk_places_object_at(histogram->places, object);
}

struct pk_place_function pk_histogram_function(const struct pk_histogram *histogram,
					       uint32_t function)
{
	return pk_places_at(histogram->places, histogram->functions[function]).function;
}

const struct pk_histogram_cell *pk_histogram_cells(const struct pk_histogram *histogram,
						   uint32_t event, size_t *count)
{
	*count = histogram->totals[event - 1].count;
	return histogram->cells + histogram->totals[event - 1].first;
}

const struct pk_histogram_cell *pk_histogram_cells_of(const struct pk_histogram *histogram,
						      uint32_t event, uint32_t function,
						      size_t *count)
{
	size_t all, low = 0, high, end;
	const struct pk_histogram_cell *cells = pk_histogram_cells(histogram, event, &all);

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
