// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpuid.h"
#include "pkutil.h"
#include "pmu_table.h"

static const char head[] = "pk-events 1\n";

#define TEXT_MAX (64u << 20) /* in bytes; the largest text has less than 8 MiB */

bool pk_pmu_table_is(const char *data, size_t size)
{
	return size >= sizeof(head) - 1 && !memcmp(data, head, sizeof(head) - 1);
}

static enum pk_status decompress(const uint8_t *in, size_t in_size, char **text, size_t *text_size)
{
	const uint64_t size = pk_unzstd_size(in, in_size);

	if (!size || size > TEXT_MAX)
		return PK_CORRUPT;
	*text = malloc(size);
	if (!*text)
		return PK_NOMEM;
	*text_size = size;
	if (pk_unzstd(in, in_size, (uint8_t *)*text, size))
		return PK_OK;
	free(*text);
	*text = NULL;
	return errno == ENOMEM ? PK_NOMEM : PK_CORRUPT;
}

/* Returns true if the line is PATTERN <TAB> OFFSET <TAB> SIZE. Sets pattern to a copy, and the
 * numbers. */
static bool parse_line(const char *line, size_t length, char pattern[256], uint64_t numbers[2])
{
	char copy[320], *at = copy, *name, *end;

	if (length >= sizeof(copy))
		return false;
	memcpy(copy, line, length);
	copy[length] = '\0';
	name = strsep(&at, "\t");
	if (!at || strlen(name) >= 256)
		return false;
	numbers[0] = strtoull(at, &end, 10);
	if (end == at || *end != '\t')
		return false;
	at = end + 1;
	numbers[1] = strtoull(at, &end, 10);
	memcpy(pattern, name, strlen(name) + 1);
	return end != at && !*end;
}

enum pk_status pk_pmu_table_find(const char *data, size_t size, const char *cpuid, char **text,
				 size_t *text_size)
{
	const char *ends = memmem(data, size, "\n\n", 2), *line = data + sizeof(head) - 1, *next;
	uint64_t numbers[2], rest;
	char pattern[256];

	*text = NULL;
	if (!pk_pmu_table_is(data, size) || !ends)
		return PK_CORRUPT;
	rest = size - (uint64_t)(ends + 2 - data);
	for (; line <= ends; line = next + 1) {
		next = memchr(line, '\n', (size_t)(ends + 1 - line));
		if (!next || !parse_line(line, (size_t)(next - line), pattern, numbers) ||
		    numbers[0] > rest || numbers[1] > rest - numbers[0])
			return PK_CORRUPT;
		if (pk_cpuid_matches(pattern, cpuid))
			return decompress((const uint8_t *)ends + 2 + numbers[0], numbers[1], text,
					  text_size);
	}
	return PK_OK;
}
