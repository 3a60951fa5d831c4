// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cpu_list.h"
#include "number.h"
#include "vector.h"

bool pk_cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last),
		   void *arg)
{
	return pk_parse_ranges(text, CPU_MAX - 1, each, arg);
}

struct array {
	int *items;
	size_t count, capacity;
};

static bool append(void *arg, uint64_t first, uint64_t last)
{
	struct array *array = arg;
	const size_t more = (size_t)(last - first + 1);

	/* A list can repeat CPUs: without this limit, it could need any amount of memory. */
	if (array->count + more > CPU_MAX || !pk_vector_reserve(array, more))
		return false;
	for (uint64_t cpu = first; cpu <= last; cpu++)
		array->items[array->count++] = (int)cpu;
	return true;
}

bool pk_cpu_list_parse(const char *text, int **cpus, size_t *count)
{
	struct array array = {0};
	const bool ok = pk_cpu_ranges(text, append, &array);

	if (!ok) {
		free(array.items);
		array = (struct array){0};
	}
	*cpus = array.items;
	*count = array.count;
	return ok;
}
