// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "stat_records.h"

/* The aggregations by number, for several versions of perf. New versions of perf inserted new
 * aggregations between the existing ones: die in 5.3, cache in 6.5, and cluster in 6.9. Only node
 * was added at the end, after "unset", in 5.5. STAT_ALL also stands for
 * clusters, as streams do not contain them. */
static const struct {
	int major, minor; /* the first version that uses these numbers */
	enum stat_by by[11];
} numbers[] = {
	{6,
	 9,
	 {STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_DIE, STAT_ALL, STAT_CACHE, STAT_CORE, STAT_THREAD,
	  STAT_ALL, STAT_NODE, STAT_ALL}},
	{6,
	 5,
	 {STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_DIE, STAT_CACHE, STAT_CORE, STAT_THREAD, STAT_ALL,
	  STAT_NODE, STAT_ALL, STAT_ALL}},
	{5,
	 3,
	 {STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_DIE, STAT_CORE, STAT_THREAD, STAT_ALL, STAT_NODE,
	  STAT_ALL, STAT_ALL, STAT_ALL}},
	{0,
	 0,
	 {STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_CORE, STAT_THREAD, STAT_ALL, STAT_ALL, STAT_ALL,
	  STAT_ALL, STAT_ALL, STAT_ALL}},
};

#define PERF_6_1 2

uint64_t stat_by_number(enum stat_by by)
{
	for (uint64_t i = 0; i < 8; i++)
		if (numbers[PERF_6_1].by[i] == by && (by != STAT_ALL || i == 1))
			return i;
	return 1;
}

enum stat_by stat_by_of_number(uint64_t number, const char *version)
{
	int major = 6, minor = 1;

	if (version && *version && sscanf(version, "%d.%d", &major, &minor) != 2) {
		major = 6;
		minor = 1;
	}
	if (number >= sizeof(numbers[0].by) / sizeof(numbers[0].by[0]))
		return STAT_ALL;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (major > numbers[i].major ||
		    (major == numbers[i].major && minor >= numbers[i].minor))
			return numbers[i].by[number];
	return STAT_ALL;
}

#define CPU_END 65535

/* ---- CPU_MAP ---- */

static int *list_of(const struct perf_cpus_list *list, size_t size, size_t *count)
{
	const bool whole = sizeof(*list) + list->nr * sizeof(list->cpu[0]) <= size;
	int *cpus = whole ? calloc(list->nr + 1u, sizeof(*cpus)) : NULL;

	for (size_t i = 0; cpus && i < list->nr; i++)
		cpus[i] = list->cpu[i] == STAT_CPU_ANY ? -1 : list->cpu[i];
	*count = list->nr;
	return cpus;
}

/* The mask has words of 4 or 8 bytes. The words are aligned. */
static int *mask_of(const struct perf_cpus_mask *mask, size_t size, size_t *count)
{
	const struct perf_cpus_mask64 *mask64 = (const void *)mask;
	const size_t words = mask->nr, width = mask->long_size;
	const size_t head = width == 8 ? sizeof(*mask64) : sizeof(*mask);
	size_t cpu = 0;
	int *cpus;

	if ((width != 4 && width != 8) || head + width * words > size)
		return NULL;
	cpus = calloc(8 * width * words + 1, sizeof(*cpus));
	for (size_t i = 0; cpus && i < words; i++) {
		const uint64_t bits = width == 8 ? mask64->words[i] : mask->words[i];

		for (size_t bit = 0; bit < 8 * width; bit++, cpu++)
			if (bits >> bit & 1 && cpu < CPU_END)
				cpus[(*count)++] = (int)cpu;
	}
	return cpus;
}

static int *range_of(const struct perf_cpus_range *range, size_t *count)
{
	const int first = range->first, last = range->last;
	int *cpus;

	if (last < first)
		return NULL;
	cpus = calloc((size_t)(last - first) + 2, sizeof(*cpus));
	if (cpus && range->any_cpu)
		cpus[(*count)++] = -1;
	for (int cpu = first; cpus && cpu <= last; cpu++)
		cpus[(*count)++] = cpu;
	return cpus;
}

int *stat_cpus_of(const struct pk_record *record, size_t *count)
{
	const struct perf_record_cpu_map *map = (const void *)record->data;
	const size_t size = record->size - sizeof(*map);
	const void *cpus = map->cpus;

	*count = 0;
	/* Records are padded to a multiple of 8 bytes. So each valid record is large enough for the
	 * fixed fields of each kind. */
	if (record->size < sizeof(*map) + sizeof(struct perf_cpus_range))
		return NULL;
	switch (((const struct perf_cpus_list *)cpus)->type) {
	case PERF_CPUS_LIST: return list_of(cpus, size, count);
	case PERF_CPUS_MASK: return mask_of(cpus, size, count);
	case PERF_CPUS_RANGE: return range_of(cpus, count);
	default: return NULL;
	}
}

/* ---- THREAD_MAP ---- */

struct stat_thread *stat_threads_of(const struct pk_record *record, size_t *count)
{
	const struct perf_record_thread_map *map = (const void *)record->data;
	struct stat_thread *threads;

	*count = 0;
	if (record->size < sizeof(*map) ||
	    map->nr > (record->size - sizeof(*map)) / sizeof(map->entries[0]))
		return NULL;
	threads = calloc(map->nr + 1, sizeof(*threads));
	for (uint64_t i = 0; threads && i < map->nr; i++) {
		threads[i].tid = (pid_t)map->entries[i].pid;
		memcpy(threads[i].comm, map->entries[i].comm, sizeof(map->entries[i].comm));
		pk_harmless(threads[i].comm);
	}
	*count = map->nr;
	return threads;
}
