// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "session.h"

struct pk_space {
	unsigned int refs;
	uint64_t serial;
	uint64_t *serials; /* where new serials come from */
	void *tree;	   /* of struct pk_map, tsearch(3), without overlaps */
};

uint64_t pk_map_address(const struct pk_map *map, uint64_t ip)
{
	switch (map->image->kind) {
	case PK_DSO_KERNEL:
	case PK_DSO_JIT:
	case PK_DSO_ANON:
	case PK_DSO_BPF: return ip;
	default: return ip - map->start + map->pgoff;
	}
}

/* Maps that overlap count as equal: a search finds any map that covers some of the range searched
 * for. */
static int compare(const void *left, const void *right)
{
	const struct pk_map *a = left, *b = right;

	if (a->end <= b->start)
		return -1;
	return a->start >= b->end;
}

struct pk_space *pk_space_new(uint64_t *serials)
{
	struct pk_space *space = calloc(1, sizeof(*space));

	if (!space)
		return NULL;
	space->refs = 1;
	space->serials = serials;
	space->serial = ++*serials;
	return space;
}

struct pk_space *pk_space_share(struct pk_space *space)
{
	space->refs++;
	return space;
}

void pk_space_release(struct pk_space *space)
{
	if (!space || --space->refs)
		return;
	tdestroy(space->tree, free);
	free(space);
}

uint64_t pk_space_serial(const struct pk_space *space)
{
	return space->serial;
}

const struct pk_map *pk_space_find(const struct pk_space *space, uint64_t ip)
{
	struct pk_map key = {.start = ip, .end = ip + 1};
	void *node;

	if (ip == UINT64_MAX)
		return NULL;
	node = tfind(&key, &space->tree, compare);
	return node ? *(struct pk_map *const *)node : NULL;
}

static bool insert(struct pk_space *space, const struct pk_map *map)
{
	struct pk_map *copy = malloc(sizeof(*copy));

	if (!copy)
		return false;
	*copy = *map;
	if (tsearch(copy, &space->tree, compare))
		return true;
	free(copy);
	return false;
}

struct clone {
	struct pk_space *space;
	bool failed;
};

static void clone_map(const void *node, VISIT visit, void *arg)
{
	struct clone *clone = arg;

	if ((visit == postorder || visit == leaf) && !clone->failed)
		clone->failed = !insert(clone->space, *(struct pk_map *const *)node);
}

/* Makes *space one that only its owner sees. */
static bool own(struct pk_space **space)
{
	struct clone clone = {.failed = false};

	if ((*space)->refs == 1) {
		(*space)->serial = ++*(*space)->serials;
		return true;
	}
	clone.space = pk_space_new((*space)->serials);
	if (!clone.space)
		return false;
	twalk_r((*space)->tree, clone_map, &clone);
	if (clone.failed) {
		pk_space_release(clone.space);
		return false;
	}
	pk_space_release(*space);
	*space = clone.space;
	return true;
}

/* Takes out one map that overlaps the range, and puts back what of it sticks out. */
static bool cut(struct pk_space *space, struct pk_map *old, uint64_t start, uint64_t end)
{
	struct pk_map before = *old, after = *old;
	bool done = true;

	tdelete(old, &space->tree, compare);
	free(old);
	if (before.start < start) {
		before.end = start;
		done = insert(space, &before);
	}
	if (after.end > end) {
		after.pgoff += end - after.start;
		after.start = end;
		done = insert(space, &after) && done;
	}
	return done;
}

static bool clear(struct pk_space *space, uint64_t start, uint64_t end)
{
	struct pk_map key = {.start = start, .end = end};
	void *node;

	while ((node = tfind(&key, &space->tree, compare)))
		if (!cut(space, *(struct pk_map **)node, start, end))
			return false;
	return true;
}

bool pk_space_map(struct pk_space **space, const struct pk_map *map)
{
	return own(space) && clear(*space, map->start, map->end) && insert(*space, map);
}

bool pk_space_unmap(struct pk_space **space, uint64_t start, uint64_t end)
{
	return own(space) && clear(*space, start, end);
}
