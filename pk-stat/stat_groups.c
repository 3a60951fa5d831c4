// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "stat.h"

/* One CPU on its way into a group: what makes groups different, in the order of their names. */
struct member {
	int key[3];
	size_t cpu; /* index */
};

static void set_key(struct member *member, enum stat_by by, int cpu, const struct cpu_place *place)
{
	int *key = member->key;

	switch (by) {
	case STAT_CPU: key[0] = cpu; break;
	case STAT_NODE: key[0] = place->node; break;
	case STAT_CORE: key[2] = place->core; /* fallthrough */
	case STAT_DIE: key[1] = place->die;   /* fallthrough */
	case STAT_SOCKET: key[0] = place->socket; break;
	default: break;
	}
}

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	for (size_t i = 0; i < 3; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* What is left of a width behind a number. */
static int rest(int width, int number)
{
	const int used = snprintf(NULL, 0, "%d", number);

	return used < width ? width - used : 0;
}

static void name_cpus(struct stat_group *group, enum stat_by by, const int key[3])
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

static bool group_cpus(struct stat_groups *groups, const struct stat_places *places)
{
	struct member *members = calloc(places->cpus_count + 1, sizeof(*members));

	if (!members) {
		pk_no_memory();
		return false;
	}
	for (size_t i = 0; i < places->cpus_count; i++) {
		members[i].cpu = i;
		set_key(&members[i], groups->by, places->cpus[i], &places->places[i]);
	}
	qsort(members, places->cpus_count, sizeof(*members), by_key);
	for (size_t i = 0; i < places->cpus_count; i++) {
		if (!i || memcmp(members[i].key, members[i - 1].key, sizeof(members[i].key)))
			name_cpus(&groups->items[groups->count++], groups->by, members[i].key);
		groups->items[groups->count - 1].cpus++;
		set_slots(groups, places, members[i].cpu, groups->count - 1);
	}
	free(members);
	return true;
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

bool stat_groups_init(struct stat_groups *groups, enum stat_by by, const struct stat_places *places)
{
	bool ok = true;

	*groups = (struct stat_groups){.by = by};
	groups->items =
		calloc(places->cpus_count + places->threads_count + 1, sizeof(*groups->items));
	groups->of_slot = calloc(stat_slots(places) + 1, sizeof(*groups->of_slot));
	if (!groups->items || !groups->of_slot) {
		pk_no_memory();
		return false;
	}
	if (by == STAT_ALL)
		groups->count = 1;
	else if (by == STAT_THREAD)
		group_threads(groups, places);
	else
		ok = group_cpus(groups, places);
	return ok;
}

void stat_groups_free(struct stat_groups *groups)
{
	free(groups->items);
	free(groups->of_slot);
	*groups = (struct stat_groups){0};
}
