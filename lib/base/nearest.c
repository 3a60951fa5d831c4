// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"

enum { NAME_MAX_SIZE = 63 }; /* longer names are not compared */

static size_t least(size_t a, size_t b, size_t c)
{
	size_t result = a < b ? a : b;

	return result < c ? result : c;
}

/* Returns the number of changes that make b from a. A change inserts, removes or replaces a letter,
 * or swaps two letters that are neighbours. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][NAME_MAX_SIZE + 1], *before = rows[0], *last = rows[1], *row = rows[2],
					   *free;
	const size_t size = strlen(b);

	for (size_t j = 0; j <= size; j++)
		last[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		row[0] = i;
		for (size_t j = 1; j <= size; j++) {
			const bool same = a[i - 1] == b[j - 1];

			row[j] = least(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		free = before;
		before = last;
		last = row;
		row = free;
	}
	return last[size];
}

void pk_nearest_try(struct pk_nearest *nearest, const char *name)
{
	const size_t size = strlen(nearest->wanted);
	size_t found;

	if (size > NAME_MAX_SIZE || strlen(name) > NAME_MAX_SIZE)
		return;
	found = distance(nearest->wanted, name);
	if (found > (size + 1) / 3 || (nearest->name && found >= nearest->distance))
		return;
	nearest->name = name;
	nearest->distance = found;
}

const char *pk_nearest_hint(struct pk_nearest *nearest)
{
	if (!nearest->name || !nearest->distance)
		return "";
	snprintf(nearest->hint, sizeof(nearest->hint), "; %s?", nearest->name);
	return nearest->hint;
}
