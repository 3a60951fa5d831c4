// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "heat.h"
#include "texts.h"
#include "session.h"
#include "vector.h"

struct object_key {
	uint32_t path; /* text */
	uint32_t kind; /* enum pk_dso_kind */
	uint32_t build_id_size;
	uint8_t build_id[PK_BUILD_ID_MAX];
};

struct place_key {
	uint64_t address, start; /* of the function */
	uint32_t object, function, kernel, unused;
};

struct heat {
	struct pk_texts events_names;
	struct pk_texts texts;	 /* paths of objects and names of functions */
	struct pk_texts objects; /* each a struct object_key */
	struct pk_texts places;	 /* each a struct place_key */
	struct pk_table counts;	 /* by event and place */
	struct event_totals {
		struct heat_count all, unplaced;
		size_t first, count; /* of its cells */
		uint32_t leader;
	} * totals; /* by event - 1 */
	uint32_t events;
	size_t events_capacity;
	/* settled: */
	struct heat_cell *cells;
	size_t cells_count;
	uint32_t *functions; /* a place in each */
	uint32_t functions_count;
};

struct heat *heat_new(void)
{
	return calloc(1, sizeof(struct heat));
}

void heat_free(struct heat *heat)
{
	if (!heat)
		return;
	pk_texts_free(&heat->events_names);
	pk_texts_free(&heat->texts);
	pk_texts_free(&heat->objects);
	pk_texts_free(&heat->places);
	pk_table_free_all(&heat->counts);
	free(heat->totals);
	free(heat->cells);
	free(heat->functions);
	free(heat);
}

/* ---- Filling ---- */

uint32_t heat_event(struct heat *heat, const char *name)
{
	uint32_t event = pk_texts_add(&heat->events_names, name, strlen(name));

	if (!event || !pk_extend(&heat->totals, &heat->events_capacity, event - 1))
		return 0;
	if (event > heat->events) {
		heat->totals[event - 1].leader = event;
		heat->events = event;
	}
	return event;
}

void heat_set_leader(struct heat *heat, uint32_t event, uint32_t leader)
{
	heat->totals[event - 1].leader = leader;
}

uint32_t heat_leader(const struct heat *heat, uint32_t event)
{
	return heat->totals[event - 1].leader;
}

uint32_t heat_object(struct heat *heat, const struct heat_object *object)
{
	struct object_key key = {.kind = object->kind, .build_id_size = object->build_id.size};

	key.path = pk_texts_add(&heat->texts, object->path, strlen(object->path));
	memcpy(key.build_id, object->build_id.bytes, key.build_id_size);
	return key.path ? pk_texts_add(&heat->objects, (const char *)&key, sizeof(key)) : 0;
}

uint32_t heat_place(struct heat *heat, const struct heat_function *function, uint64_t address)
{
	struct place_key key = {.object = function->object,
				.kernel = function->kernel,
				.address = address,
				.start = function->start};

	key.function = pk_texts_add(&heat->texts, function->name, strlen(function->name));
	return key.function ? pk_texts_add(&heat->places, (const char *)&key, sizeof(key)) : 0;
}

static struct place_key place_at(const struct heat *heat, uint32_t place)
{
	struct place_key key;

	memcpy(&key, pk_texts_get(&heat->places, place, NULL), sizeof(key));
	return key;
}

static void count(struct heat_count *to, uint64_t weight)
{
	to->samples++;
	to->weight += weight;
}

bool heat_add(struct heat *heat, uint32_t event, uint32_t place, uint64_t weight)
{
	struct heat_count *cell =
		pk_table_get_or_add(&heat->counts, (uint64_t)event << 32 | place, sizeof(*cell));

	if (!cell)
		return false;
	count(cell, weight);
	count(&heat->totals[event - 1].all, weight);
	return true;
}

void heat_add_unplaced(struct heat *heat, uint32_t event, uint64_t weight)
{
	count(&heat->totals[event - 1].all, weight);
	count(&heat->totals[event - 1].unplaced, weight);
}

/* ---- Putting it in order ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_functions(const struct place_key *a, const struct place_key *b)
{
	int order = compare_numbers(a->object, b->object);

	order = order ? order : compare_numbers(a->start, b->start);
	order = order ? order : compare_numbers(a->function, b->function);
	return order ? order : compare_numbers(b->kernel, a->kernel);
}

struct numbered {
	struct place_key key;
	uint32_t place;
};

static int compare_numbered(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;

	return compare_functions(&a->key, &b->key);
}

/* Numbers the functions; number_of[place - 1]. */
static bool number_functions(struct heat *heat, uint32_t *number_of)
{
	const size_t count = heat->places.count;
	struct numbered *list = malloc((count + 1) * sizeof(*list));
	uint32_t n = 0;

	heat->functions = malloc((count + 1) * sizeof(*heat->functions));
	if (!list || !heat->functions) {
		free(list);
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct numbered){place_at(heat, i + 1), i + 1};
	qsort(list, count, sizeof(*list), compare_numbered);
	for (uint32_t i = 0; i < count; i++) {
		if (!i || compare_numbered(&list[i - 1], &list[i]))
			heat->functions[n++] = list[i].place;
		number_of[list[i].place - 1] = n - 1;
	}
	heat->functions_count = n;
	free(list);
	return true;
}

static int compare_cells(const void *left, const void *right)
{
	const struct heat_cell *a = left, *b = right;
	int order = compare_numbers(a->event, b->event);

	order = order ? order : compare_numbers(a->function, b->function);
	return order ? order : compare_numbers(a->address, b->address);
}

static bool gather_cells(struct heat *heat, const uint32_t *number_of)
{
	const struct pk_table_slot *slot;
	size_t n = 0, cursor = 0;

	heat->cells = malloc((heat->counts.count + 1) * sizeof(*heat->cells));
	if (!heat->cells)
		return false;
	while ((slot = pk_table_next(&heat->counts, &cursor))) {
		const uint32_t place = (uint32_t)slot->key;
		const struct heat_count *count = (const void *)(uintptr_t)slot->value;

		heat->cells[n++] = (struct heat_cell){
			.event = (uint32_t)(slot->key >> 32),
			.function = number_of[place - 1],
			.address = place_at(heat, place).address,
			.count = *count,
		};
	}
	pk_table_free_all(&heat->counts);
	qsort(heat->cells, n, sizeof(*heat->cells), compare_cells);
	heat->cells_count = n;
	return true;
}

bool heat_settle(struct heat *heat)
{
	const size_t count = heat->places.count;
	uint32_t *number_of = malloc((count + 1) * sizeof(*number_of));
	bool done = number_of && number_functions(heat, number_of) && gather_cells(heat, number_of);

	free(number_of);
	for (size_t i = 0; done && i < heat->cells_count; i++) {
		struct event_totals *totals = &heat->totals[heat->cells[i].event - 1];

		if (!totals->count++)
			totals->first = i;
	}
	return done;
}

/* ---- Reading ---- */

uint32_t heat_events(const struct heat *heat)
{
	return heat->events;
}

const char *heat_event_name(const struct heat *heat, uint32_t event)
{
	return pk_texts_get(&heat->events_names, event, NULL);
}

struct heat_count heat_event_total(const struct heat *heat, uint32_t event)
{
	return heat->totals[event - 1].all;
}

struct heat_count heat_event_unplaced(const struct heat *heat, uint32_t event)
{
	return heat->totals[event - 1].unplaced;
}

struct heat_object heat_object_at(const struct heat *heat, uint32_t object)
{
	struct heat_object result;
	struct object_key key;

	memcpy(&key, pk_texts_get(&heat->objects, object, NULL), sizeof(key));
	result = (struct heat_object){.kind = key.kind,
				      .path = pk_texts_get(&heat->texts, key.path, NULL),
				      .build_id.size = (uint8_t)key.build_id_size};
	memcpy(result.build_id.bytes, key.build_id, sizeof(key.build_id));
	return result;
}

struct heat_function heat_function_at(const struct heat *heat, uint32_t function)
{
	const struct place_key key = place_at(heat, heat->functions[function]);

	return (struct heat_function){
		.number = function,
		.object = key.object,
		.kernel = key.kernel,
		.start = key.start,
		.name = pk_texts_get(&heat->texts, key.function, NULL),
	};
}

const struct heat_cell *heat_cells(const struct heat *heat, uint32_t event, size_t *count)
{
	*count = heat->totals[event - 1].count;
	return heat->cells + heat->totals[event - 1].first;
}

const struct heat_cell *heat_cells_of(const struct heat *heat, uint32_t event, uint32_t function,
				      size_t *count)
{
	size_t all, low = 0, high, end;
	const struct heat_cell *cells = heat_cells(heat, event, &all);

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
