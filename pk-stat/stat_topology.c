// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "pkstream.h"
#include "procfs.h"
#include "stat_topology.h"
#include "vector.h"

#define SYSFS "/sys/devices/system/"

/* ---- The running machine ---- */

static int read_id(int cpu, const char *what)
{
	char path[128];

	snprintf(path, sizeof(path), SYSFS "cpu/cpu%d/topology/%s", cpu, what);
	return (int)pk_procfs_read_number(path, 0, pk_lookups());
}

/* Returns the NUMA node of a CPU, which sysfs has as a link in the directory of the CPU. Returns 0
 * if it is unknown. */
static int node_of(int cpu)
{
	char path[128];
	const struct dirent *entry = NULL;
	int node = 0;
	DIR *dir;

	snprintf(path, sizeof(path), SYSFS "cpu/cpu%d", cpu);
	dir = opendir(path);
	while (dir && (errno = 0, entry = readdir(dir)))
		if (sscanf(entry->d_name, "node%d", &node) == 1)
			break;
	if (!dir || (!entry && errno))
		pk_lookup_failed(path);
	if (dir)
		closedir(dir);
	return node;
}

int topology_last_cache(const struct cpu_place *place)
{
	int level = CACHE_LEVELS;

	while (level > 0 && !place->caches[level - 1])
		level--;
	return level;
}

static bool take_first(void *arg, uint64_t first, uint64_t last)
{
	int *cpu = arg;

	(void)last;
	if (*cpu < 0 || first < (uint64_t)*cpu)
		*cpu = (int)first;
	return true;
}

/* Sets the caches of a CPU. sysfs has a directory for each of them: two of level 1, and one of each
 * higher level. */
static void read_caches(int cpu, struct cpu_place *place)
{
	char path[128], text[4096];

	for (int index = 0; index < 2 * CACHE_LEVELS; index++) {
		int level, first = -1;

		snprintf(path, sizeof(path), SYSFS "cpu/cpu%d/cache/index%d/level", cpu, index);
		level = (int)pk_procfs_read_number(path, 0, pk_lookups());
		if (level < 1 || level > CACHE_LEVELS)
			return;
		snprintf(path, sizeof(path), SYSFS "cpu/cpu%d/cache/index%d/shared_cpu_list", cpu,
			 index);
		if (pk_procfs_read_line(path, text, sizeof(text), pk_lookups()) &&
		    pk_cpu_ranges(text, take_first, &first) && first >= 0)
			place->caches[level - 1] = first + 1;
	}
}

struct cpu_place topology_here(int cpu)
{
	const int die = read_id(cpu, "die_id");
	struct cpu_place place = {
		.socket = read_id(cpu, "physical_package_id"),
		.die = die < 0 ? 0 : die,
		.core = read_id(cpu, "core_id"),
		.node = node_of(cpu),
		.cluster = read_id(cpu, "cluster_id"),
	};

	read_caches(cpu, &place);
	return place;
}

struct place_set {
	enum topology_level level;
	struct cpu_place places[1024];
	size_t count;
};

static bool same(enum topology_level level, const struct cpu_place *a, const struct cpu_place *b)
{
	return a->socket == b->socket && (level == TOPOLOGY_SOCKET || a->die == b->die) &&
	       (level != TOPOLOGY_CORE || a->core == b->core);
}

static bool add_places(void *arg, uint64_t first, uint64_t last)
{
	struct place_set *set = arg;

	for (uint64_t cpu = first; cpu <= last; cpu++) {
		const struct cpu_place place = topology_here((int)cpu);
		bool known = false;

		for (size_t i = 0; i < set->count && !known; i++)
			known = same(set->level, &place, &set->places[i]);
		if (!known && set->count < sizeof(set->places) / sizeof(*set->places))
			set->places[set->count++] = place;
	}
	return true;
}

size_t topology_count(enum topology_level level)
{
	struct place_set set = {.level = level};
	char text[4096];

	if (!pk_procfs_read_line(SYSFS "cpu/online", text, sizeof(text), pk_lookups()) ||
	    !pk_cpu_ranges(text, add_places, &set))
		return 1;
	return set.count;
}

/* ---- Features ---- */

/* The bytes of a feature that have not been read yet. */
struct content {
	const uint8_t *at;
	size_t left;
};

static bool read_u32(struct content *content, uint32_t *value)
{
	if (content->left < 4)
		return false;
	*value = pk_load_u32(content->at);
	content->at += 4;
	content->left -= 4;
	return true;
}

/* Reads a u32 with the size, and then a text and its padding. Returns NULL if the text does not fit
 * into the feature, or has no NUL. */
static const char *read_string(struct content *content)
{
	const char *text;
	uint32_t size;

	if (!read_u32(content, &size) || size > content->left || !size ||
	    !memchr(content->at, 0, size))
		return NULL;
	text = (const char *)content->at;
	content->at += size;
	content->left -= size;
	return text;
}

/* Makes room for at least `count` CPUs. Returns an error if `count` is more than CPU_MAX, or if
 * memory is exhausted. */
static enum pk_status hold(struct topology *topology, size_t count)
{
	const size_t more = count > topology->count ? count - topology->count : 0;
	struct cpu_place *places;

	if (!more)
		return PK_OK;
	if (count > CPU_MAX)
		return PK_NOMEM;
	PK_TRY(pk_reserve(&topology->places, &topology->capacity, topology->count, more,
			  sizeof(*places)));
	places = topology->places;
	memset(places + topology->count, 0, more * sizeof(*places));
	topology->count = count;
	return PK_OK;
}

/* Reads CPU_TOPOLOGY. It has two lists of siblings, and { core, socket } of each CPU. In newer
 * streams, a list of the CPUs of each die follows, and { die } of each CPU. */
static void from_cpu_topology(struct topology *topology, struct content *content, size_t cpus)
{
	uint32_t lists, core, socket, die;

	for (int kind = 0; kind < 2; kind++) {
		if (!read_u32(content, &lists))
			return;
		while (lists--)
			if (!read_string(content))
				return;
	}
	for (size_t i = 0; i < cpus; i++) {
		if (!read_u32(content, &core) || !read_u32(content, &socket) ||
		    hold(topology, i + 1) != PK_OK)
			return;
		topology->places[i].core = (int)core;
		topology->places[i].socket = (int)socket;
	}
	/* Here follow the list of the CPUs of each die, and the die of each CPU. */
	if (!read_u32(content, &lists))
		return;
	while (lists--)
		if (!read_string(content))
			return;
	for (size_t i = 0; i < cpus && read_u32(content, &die); i++)
		topology->places[i].die = (int)die;
}

struct node_cpus {
	struct topology *topology;
	int node;
	uint64_t left; /* limit for the number of CPUs of the remaining nodes */
};

static bool set_node(void *arg, uint64_t first, uint64_t last)
{
	struct node_cpus *node = arg;

	if (last - first >= node->left || hold(node->topology, last + 1) != PK_OK)
		return false;
	node->left -= last - first + 1;
	for (uint64_t cpu = first; cpu <= last; cpu++)
		node->topology->places[cpu].node = node->node;
	return true;
}

/* Reads NUMA_TOPOLOGY. Each node has its number, the total and the free memory as u64, and a list
 * of CPUs. */
static void from_numa_topology(struct topology *topology, struct content *content)
{
	struct node_cpus node = {topology, 0, CPU_MAX};
	uint32_t nodes, number;
	const char *cpus;

	if (!read_u32(content, &nodes))
		return;
	while (nodes--) {
		if (!read_u32(content, &number) || content->left < 16)
			return;
		node.node = (int)number;
		content->at += 16;
		content->left -= 16;
		cpus = read_string(content);
		if (!cpus || !pk_cpu_ranges(cpus, set_node, &node))
			return;
	}
}

/* A cache of the feature CACHE. */
struct shared_cache {
	struct topology *topology;
	uint32_t level;
	int first;     /* 1 + the first CPU that shares it; 0 before the first one */
	uint64_t left; /* limit for the number of CPUs of the remaining caches */
};

static bool share_cache(void *arg, uint64_t first, uint64_t last)
{
	struct shared_cache *cache = arg;

	if (last >= cache->topology->count || last - first >= cache->left)
		return false;
	cache->left -= last - first + 1;
	if (!cache->first)
		cache->first = (int)first + 1;
	for (uint64_t cpu = first; cpu <= last; cpu++)
		cache->topology->places[cpu].caches[cache->level - 1] = cache->first;
	return true;
}

/* Reads CACHE. Each cache has its level, three numbers, its type, its size, and a list of the CPUs
 * that share it. */
static void from_caches(struct topology *topology, struct content *content)
{
	struct shared_cache cache = {.topology = topology, .left = 2 * CACHE_LEVELS * CPU_MAX};
	uint32_t version, caches, ignored;

	if (!read_u32(content, &version) || version != 1 || !read_u32(content, &caches))
		return;
	while (caches--) {
		const char *cpus = NULL;

		cache.first = 0;
		if (!read_u32(content, &cache.level) || !read_u32(content, &ignored) ||
		    !read_u32(content, &ignored) || !read_u32(content, &ignored))
			return;
		for (int text = 0; text < 3; text++) {
			cpus = read_string(content);
			if (!cpus)
				return;
		}
		if (cache.level >= 1 && cache.level <= CACHE_LEVELS &&
		    !pk_cpu_ranges(cpus, share_cache, &cache))
			return;
	}
}

void topology_from_feature(struct topology *topology, uint32_t feature, const uint8_t *data,
			   size_t size)
{
	struct content content = {data, size};
	uint32_t available;

	if (feature == PERF_FEATURE_NUMA_TOPOLOGY)
		from_numa_topology(topology, &content);
	/* NRCPUS comes before CPU_TOPOLOGY and CACHE, which do not contain the number of CPUs. */
	else if (feature == PERF_FEATURE_NRCPUS && read_u32(&content, &available))
		hold(topology, available);
	else if (feature == PERF_FEATURE_CPU_TOPOLOGY)
		from_cpu_topology(topology, &content, topology->count);
	else if (feature == PERF_FEATURE_CACHE)
		from_caches(topology, &content);
}

struct cpu_place topology_place(const struct topology *topology, int cpu)
{
	if (cpu >= 0 && (size_t)cpu < topology->count)
		return topology->places[cpu];
	return (struct cpu_place){0};
}

void topology_free(struct topology *topology)
{
	free(topology->places);
	*topology = (struct topology){0};
}
