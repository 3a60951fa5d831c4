// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "stat_records.h"

/*
 * perf has put new ones between the old ones: die in 5.3, node in 5.5 (at the end), cache in 6.5,
 * cluster in 6.9. "unset" stands before node.
 */
static const struct {
	int major, minor; /* the first version */
	enum stat_by by[11];
} numbers[] = {
	{6,
	 9,
	 {STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_DIE, STAT_ALL, STAT_ALL, STAT_CORE, STAT_THREAD,
	  STAT_ALL, STAT_NODE, STAT_ALL}},
	{6,
	 5,
	 {STAT_CPU, STAT_ALL, STAT_SOCKET, STAT_DIE, STAT_ALL, STAT_CORE, STAT_THREAD, STAT_ALL,
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
