// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "stat_cells.h"
#include "student.h"

/* ---- Counts, and the moments of several runs ---- */

double count_scaled(const struct count *count)
{
	if (!count->running || count->running == count->enabled)
		return (double)count->value;
	return (double)count->value * (double)count->enabled / (double)count->running;
}

struct count count_since(const struct count *now, const struct count *before)
{
	return (struct count){now->value - before->value, now->enabled - before->enabled,
			      now->running - before->running, 0};
}

void count_add(struct count *sum, const struct count *count)
{
	sum->value += count->value;
	sum->enabled += count->enabled;
	sum->running += count->running;
	sum->counters += count->counters;
}

/* This is Welford's algorithm. It loses no precision if the mean is much larger than the deviation.
 */
void moments_add(struct moments *moments, double value)
{
	double delta = value - moments->mean;

	moments->n++;
	moments->mean += delta / (double)moments->n;
	moments->squares += delta * (value - moments->mean);
}

double moments_deviation(const struct moments *moments)
{
	if (moments->n < 2)
		return 0;
	return sqrt(moments->squares / (double)(moments->n - 1) / (double)moments->n);
}

double moments_interval(const struct moments *moments, double percent)
{
	const double deviation = moments_deviation(moments);

	if (!(percent > 0) || !(deviation > 0))
		return deviation;
	return deviation * pk_student_quantile(1 - percent / 100, (double)moments->n - 1);
}

/* ---- Places ---- */

static void name_thread(struct stat_thread *thread, pid_t tid)
{
	const pid_t pid = tid > 0 ? pk_procfs_process_of(tid, pk_lookups()) : -1;

	thread->tid = tid;
	if (pid < 0 ||
	    !pk_procfs_thread_comm(pid, tid, thread->comm, sizeof(thread->comm), pk_lookups()))
		memcpy(thread->comm, "?", 2);
	pk_harmless(thread->comm);
}

enum pk_status stat_places_init(struct stat_places *places, const struct targets *targets)
{
	const size_t cpus = targets->cpus_count, threads = targets->tids_count;

	places->cpus = calloc(cpus + 1, sizeof(*places->cpus));
	places->places = calloc(cpus + 1, sizeof(*places->places));
	places->threads = calloc(threads + 1, sizeof(*places->threads));
	if (!places->cpus || !places->places || !places->threads) {
		pk_no_memory();
		return PK_NOMEM;
	}
	places->threads_count = threads;
	for (size_t i = 0; i < cpus; i++) {
		if (!targets->chosen[i])
			continue;
		if (targets->cpus[i] >= 0)
			places->places[places->cpus_count] = topology_here(targets->cpus[i]);
		places->cpus[places->cpus_count++] = targets->cpus[i];
	}
	for (size_t i = 0; i < threads; i++)
		name_thread(&places->threads[i], targets->tids[i]);
	return PK_OK;
}

void stat_places_free(struct stat_places *places)
{
	free(places->cpus);
	free(places->places);
	free(places->threads);
	*places = (struct stat_places){0};
}

/* ---- Groups ---- */

/* A CPU, and the numbers by which its group differs from other groups. Groups are sorted by key[0],
 * then by key[1], and so on. */
struct member {
	int key[4];
	size_t cpu; /* index in places->cpus */
};

/* Sets the level of the cache of a CPU, and the lowest CPU that shares it. As in perf, both are -1
 * if the CPU has no cache of this level. */
static void set_cache(int key[2], int level, const struct cpu_place *place)
{
	const int last = topology_last_cache(place);

	level = level ? level : last;
	key[0] = level && place->caches[level - 1] ? level : -1;
	key[1] = key[0] > 0 ? place->caches[level - 1] - 1 : -1;
}

static void set_key(struct member *member, enum stat_by by, const struct stat_places *places)
{
	const struct cpu_place *place = &places->places[member->cpu];
	int *key = member->key;

	if (by == STAT_CPU) {
		key[0] = places->cpus[member->cpu];
	} else if (by == STAT_NODE) {
		key[0] = place->node;
	} else {
		key[0] = place->socket;
		key[1] = by == STAT_SOCKET ? 0 : place->die;
	}
	if (by == STAT_CORE)
		key[2] = place->core;
	else if (by == STAT_CLUSTER)
		key[2] = place->cluster;
	else if (by == STAT_CACHE)
		set_cache(&key[2], places->cache_level, place);
}

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	for (size_t i = 0; i < 4; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Returns the number of blanks that fill a number up to `width` characters. */
static int rest(int width, int number)
{
	const int used = snprintf(NULL, 0, "%d", number);

	return used < width ? width - used : 0;
}

static void name_cpus(struct stat_group *group, enum stat_by by, const int key[4])
{
	const size_t size = sizeof(group->name);

	switch (by) {
	case STAT_CPU:
		snprintf(group->name, size, "CPU%d", key[0]);
		snprintf(group->number, size, "%d", key[0]);
		group->behind = rest(7, key[0]);
		return;
	case STAT_CORE:
		snprintf(group->name, size, "S%d-D%d-C%d", key[0], key[1], key[2]);
		group->behind = rest(8, key[2]);
		break;
	case STAT_CLUSTER:
		snprintf(group->name, size, "S%d-D%d-CLS%d", key[0], key[1], key[2]);
		group->behind = rest(11, key[2]);
		break;
	case STAT_CACHE:
		snprintf(group->name, size, "S%d-D%d-L%d-ID%d", key[0], key[1], key[2], key[3]);
		group->behind = rest(11, key[3]);
		break;
	case STAT_DIE:
		snprintf(group->name, size, "S%d-D%d", key[0], key[1]);
		group->behind = rest(8, key[1]);
		break;
	default:
		snprintf(group->name, size, "%c%d", by == STAT_NODE ? 'N' : 'S', key[0]);
		group->behind = rest(5, key[0]);
		break;
	}
	memcpy(group->number, group->name, size);
}

static void set_slots(struct stat_groups *groups, const struct stat_places *places, size_t cpu,
		      size_t group)
{
	for (size_t thread = 0; thread < places->threads_count; thread++)
		groups->of_slot[cpu * places->threads_count + thread] = group;
}

static enum pk_status group_cpus(struct stat_groups *groups, const struct stat_places *places)
{
	struct member *members = calloc(places->cpus_count + 1, sizeof(*members));

	if (!members) {
		pk_no_memory();
		return PK_NOMEM;
	}
	for (size_t i = 0; i < places->cpus_count; i++) {
		members[i].cpu = i;
		set_key(&members[i], groups->by, places);
	}
	qsort(members, places->cpus_count, sizeof(*members), by_key);
	for (size_t i = 0; i < places->cpus_count; i++) {
		if (!i || memcmp(members[i].key, members[i - 1].key, sizeof(members[i].key)))
			name_cpus(&groups->items[groups->count++], groups->by, members[i].key);
		groups->items[groups->count - 1].cpus++;
		set_slots(groups, places, members[i].cpu, groups->count - 1);
	}
	free(members);
	return PK_OK;
}

static void group_threads(struct stat_groups *groups, const struct stat_places *places)
{
	for (size_t i = 0; i < places->threads_count; i++) {
		struct stat_group *group = &groups->items[groups->count++];
		const struct stat_thread *thread = &places->threads[i];

		snprintf(group->name, sizeof(group->name), "%s-%d", thread->comm, (int)thread->tid);
		memcpy(group->number, group->name, sizeof(group->name));
		group->ahead = (int)strlen(thread->comm) < 16 ? 16 - (int)strlen(thread->comm) : 0;
		group->behind = rest(8, (int)thread->tid);
	}
	for (size_t slot = 0; slot < stat_slots(places); slot++)
		groups->of_slot[slot] = slot % places->threads_count;
}

enum pk_status stat_groups_init(struct stat_groups *groups, enum stat_by by,
				const struct stat_places *places)
{
	enum pk_status status = PK_OK;

	*groups = (struct stat_groups){.by = by};
	groups->items =
		calloc(places->cpus_count + places->threads_count + 1, sizeof(*groups->items));
	groups->of_slot = calloc(stat_slots(places) + 1, sizeof(*groups->of_slot));
	if (!groups->items || !groups->of_slot) {
		pk_no_memory();
		return PK_NOMEM;
	}
	if (by == STAT_ALL)
		groups->count = 1;
	else if (by == STAT_THREAD)
		group_threads(groups, places);
	else
		status = group_cpus(groups, places);
	return status;
}

void stat_groups_free(struct stat_groups *groups)
{
	free(groups->items);
	free(groups->of_slot);
	*groups = (struct stat_groups){0};
}

/* ---- Cells ---- */

/* Hides the events whose counts are added to the event before them. For example, the event
 * uncore_imc/x/ is opened on uncore_imc_0 and uncore_imc_1, but is printed as one event. */
static void hide(struct stat_cells *cells)
{
	for (size_t i = 1; i < cells->events->count; i++) {
		const struct event *one = &cells->events->items[i - 1], *other = one + 1;

		cells->hidden[i] = one->pmu && other->pmu && strcmp(one->pmu, other->pmu) &&
				   !strcmp(one->name, other->name);
	}
}

enum pk_status stat_cells_init(struct stat_cells *cells, const struct event_list *events,
			       enum stat_by by)
{
	size_t slots, results;

	cells->events = events;
	PK_TRY(stat_groups_init(&cells->groups, by, &cells->places));
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
		return PK_NOMEM;
	}
	if (!cells->no_merge)
		hide(cells);
	return PK_OK;
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

/* Adds up the counters of an event, as perf does. With STAT_ALL, the sum is scaled. Otherwise each
 * counter is scaled before it is added. */
static void add_up_event(struct stat_cells *cells, size_t event, bool since_last)
{
	const size_t groups = cells->groups.count, slots = stat_slots(&cells->places);
	struct count *counts = &cells->counts[event * groups];
	struct count *now = &cells->now[event * slots], *before = &cells->before[event * slots];

	memset(counts, 0, groups * sizeof(*counts));
	for (size_t slot = 0; slot < slots; slot++) {
		struct count count = now[slot];

		if (since_last && !cells->events->items[event].stat.snapshot)
			count = count_since(&now[slot], &before[slot]);
		count.counters = count.enabled != 0;
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
		cells->counts[i].counters = cells->sums[i].counters / cells->runs;
	}
}

/* ---- Results ---- */

double stat_value(const struct stat_result *result, size_t event, size_t group)
{
	const size_t at = event * result->groups->count + group;

	return result->moments ? result->moments[at].mean : (double)result->counts[at].value;
}

bool stat_is_counted(const struct stat_result *result, size_t event, size_t group)
{
	const struct event *of = &result->events->items[event];
	const struct count *count = &result->counts[event * result->groups->count + group];

	return !of->opened.error && (of->stat.snapshot || (count->enabled && count->running));
}

bool stat_has_cgroups(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].cgroup)
			return true;
	return false;
}

bool stat_adds_cpus(enum stat_by by)
{
	return by >= STAT_CORE && by <= STAT_NODE;
}

bool event_is_clock(const struct event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}
