// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "stat_records.h"

#define CPU_END 65535

/* ---- CPU_MAP ---- */

static int *list_of(const uint8_t *body, size_t size, size_t *count)
{
	const size_t n = pk_load_u16(body + 2);
	int *cpus = 4 + 2 * n <= size ? calloc(n + 1, sizeof(*cpus)) : NULL;

	for (size_t i = 0; cpus && i < n; i++) {
		const uint16_t cpu = pk_load_u16(body + 4 + 2 * i);

		cpus[i] = cpu == STAT_CPU_ANY ? -1 : cpu;
	}
	*count = n;
	return cpus;
}

/* Words of 4 or 8 bytes; these are aligned. */
static int *mask_of(const uint8_t *body, size_t size, size_t *count)
{
	const size_t words = pk_load_u16(body + 2), width = pk_load_u16(body + 4);
	const size_t at = width == 8 ? 10 : 6;
	size_t cpu = 0;
	int *cpus;

	if ((width != 4 && width != 8) || at + width * words > size)
		return NULL;
	cpus = calloc(8 * width * words + 1, sizeof(*cpus));
	for (size_t i = 0; cpus && i < words; i++) {
		const uint64_t bits = width == 8 ? pk_load_u64(body + at + 8 * i)
						 : pk_load_u32(body + at + 4 * i);

		for (size_t bit = 0; bit < 8 * width; bit++, cpu++)
			if (bits >> bit & 1 && cpu < CPU_END)
				cpus[(*count)++] = (int)cpu;
	}
	return cpus;
}

static int *range_of(const uint8_t *body, size_t *count)
{
	const int first = pk_load_u16(body + 4), last = pk_load_u16(body + 6);
	int *cpus;

	if (last < first)
		return NULL;
	cpus = calloc((size_t)(last - first) + 2, sizeof(*cpus));
	if (cpus && body[2])
		cpus[(*count)++] = -1;
	for (int cpu = first; cpus && cpu <= last; cpu++)
		cpus[(*count)++] = cpu;
	return cpus;
}

int *stat_cpus_of(const struct pk_record *record, size_t *count)
{
	const uint8_t *body = record->data + 8;
	const size_t size = record->size < 16 ? 0 : record->size - 8u;

	*count = 0;
	if (!size)
		return NULL;
	switch (pk_load_u16(body)) {
	case STAT_CPUS_LIST: return list_of(body, size, count);
	case STAT_CPUS_MASK: return mask_of(body, size, count);
	case STAT_CPUS_RANGE: return range_of(body, count);
	default: return NULL;
	}
}

/* ---- THREAD_MAP ---- */

struct stat_thread *stat_threads_of(const struct pk_record *record, size_t *count)
{
	struct stat_thread *threads;
	uint64_t n;

	*count = 0;
	if (record->size < 16)
		return NULL;
	n = pk_load_u64(record->data + 8);
	if (n > (record->size - 16u) / 24)
		return NULL;
	threads = calloc(n + 1, sizeof(*threads));
	for (uint64_t i = 0; threads && i < n; i++) {
		const uint8_t *p = record->data + 16 + 24 * i;

		threads[i].tid = (pid_t)pk_load_u64(p);
		memcpy(threads[i].comm, p + 8, 16);
		pk_harmless(threads[i].comm);
	}
	*count = n;
	return threads;
}
