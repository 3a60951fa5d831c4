// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "stat.h"

/* uncore_imc_0 and uncore_imc_1 are one to who has asked for uncore_imc. */
static void hide(struct stat_cells *cells)
{
	for (size_t i = 1; i < cells->events->count; i++) {
		const struct event *one = &cells->events->items[i - 1], *other = one + 1;

		cells->hidden[i] = one->pmu && other->pmu && strcmp(one->pmu, other->pmu) &&
				   !strcmp(one->name, other->name);
	}
}

bool stat_cells_init(struct stat_cells *cells, const struct event_list *events, enum stat_by by)
{
	size_t slots, results;

	cells->events = events;
	if (!stat_groups_init(&cells->groups, by, &cells->places))
		return false;
	slots = events->count * stat_slots(&cells->places) + 1;
	results = events->count * cells->groups.count + 1;
	cells->hidden = calloc(events->count + 1, sizeof(*cells->hidden));
	cells->now = calloc(slots, sizeof(*cells->now));
	cells->before = calloc(slots, sizeof(*cells->before));
	cells->counts = calloc(results, sizeof(*cells->counts));
	cells->sums = calloc(results, sizeof(*cells->sums));
	cells->moments = calloc(results, sizeof(*cells->moments));
	if (!cells->hidden || !cells->now || !cells->before || !cells->counts || !cells->sums ||
	    !cells->moments) {
		pk_no_memory();
		return false;
	}
	if (!cells->no_merge)
		hide(cells);
	return true;
}

void stat_cells_free(struct stat_cells *cells)
{
	stat_places_free(&cells->places);
	stat_groups_free(&cells->groups);
	free(cells->hidden);
	free(cells->now);
	free(cells->before);
	free(cells->counts);
	free(cells->sums);
	free(cells->moments);
	*cells = (struct stat_cells){0};
}

struct count *stat_cell(const struct stat_cells *cells, size_t event, size_t slot)
{
	return &cells->now[event * stat_slots(&cells->places) + slot];
}

static void scale(const struct stat_cells *cells, struct count *count)
{
	const double scaled = count_scaled(count);

	if (!cells->no_scale)
		count->value = scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
}

/* Of everything together the sum is scaled; else each counter by itself, as perf has it. */
static void add_up_event(struct stat_cells *cells, size_t event, bool since_last)
{
	const size_t groups = cells->groups.count, slots = stat_slots(&cells->places);
	struct count *counts = &cells->counts[event * groups];
	struct count *now = &cells->now[event * slots], *before = &cells->before[event * slots];

	memset(counts, 0, groups * sizeof(*counts));
	for (size_t slot = 0; slot < slots; slot++) {
		struct count count = now[slot];

		if (since_last && !cells->events->items[event].snapshot)
			count = count_since(&now[slot], &before[slot]);
		if (cells->groups.by != STAT_ALL)
			scale(cells, &count);
		count_add(&counts[cells->groups.of_slot[slot]], &count);
	}
	if (cells->groups.by == STAT_ALL)
		scale(cells, counts);
	if (since_last)
		memcpy(before, now, slots * sizeof(*before));
}

static void merge(struct stat_cells *cells, size_t event, size_t into)
{
	const size_t groups = cells->groups.count;
	struct count *from = &cells->counts[event * groups], *to = &cells->counts[into * groups];

	for (size_t i = 0; i < groups; i++) {
		count_add(&to[i], &from[i]);
		from[i] = (struct count){0};
	}
}

void stat_cells_add_up(struct stat_cells *cells, bool since_last)
{
	size_t shown = 0;

	for (size_t event = 0; event < cells->events->count; event++) {
		add_up_event(cells, event, since_last);
		if (cells->hidden[event])
			merge(cells, event, shown);
		else
			shown = event;
	}
}

void stat_cells_note_run(struct stat_cells *cells)
{
	const size_t results = cells->events->count * cells->groups.count;

	for (size_t i = 0; i < results; i++) {
		moments_add(&cells->moments[i], (double)cells->counts[i].value);
		count_add(&cells->sums[i], &cells->counts[i]);
	}
	cells->runs++;
}

void stat_cells_average(struct stat_cells *cells)
{
	const size_t results = cells->events->count * cells->groups.count;

	for (size_t i = 0; i < results && cells->runs; i++) {
		cells->counts[i].value = cells->sums[i].value / cells->runs;
		cells->counts[i].enabled = cells->sums[i].enabled / cells->runs;
		cells->counts[i].running = cells->sums[i].running / cells->runs;
	}
}

double stat_value(const struct stat_result *result, size_t event, size_t group)
{
	const size_t at = event * result->groups->count + group;

	return result->moments ? result->moments[at].mean : (double)result->counts[at].value;
}

bool stat_is_counted(const struct stat_result *result, size_t event, size_t group)
{
	const struct event *of = &result->events->items[event];
	const struct count *count = &result->counts[event * result->groups->count + group];

	return !of->error && (of->snapshot || (count->enabled && count->running));
}
