// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"
#include "number.h"
#include "vector.h"

bool cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last), void *arg)
{
	char item[64], *dash;
	uint64_t first, last;

	for (;; text++) {
		const size_t size = strcspn(text, ",");

		if (size >= sizeof(item))
			return false;
		memcpy(item, text, size);
		item[size] = '\0';
		dash = strchr(item, '-');
		if (dash)
			*dash++ = '\0';
		if (!pk_parse_u64(item, &first) || !pk_parse_u64(dash ? dash : item, &last) ||
		    first > last || last >= CPU_MAX || !each(arg, first, last))
			return false;
		text += size;
		if (!*text)
			return true;
	}
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

bool cpu_list_parse(const char *text, int **cpus, size_t *count)
{
	struct array array = {0};
	const bool ok = cpu_ranges(text, append, &array);

	if (!ok) {
		free(array.items);
		array = (struct array){0};
	}
	*cpus = array.items;
	*count = array.count;
	return ok;
}
