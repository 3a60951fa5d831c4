// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_id_list.h"
#include "safe_text.h"
#include "vector.h"

bool build_id_list_add(struct build_id_list *listing, const char *hex, const char *path)
{
	struct listed *item;

	if (!pk_vector_reserve(listing, 1))
		return false;
	item = &listing->items[listing->count];
	item->path = strdup(path);
	if (!item->path)
		return false;
	snprintf(item->hex, sizeof(item->hex), "%s", hex);
	listing->count++;
	return true;
}

static int by_path(const void *a, const void *b)
{
	const struct listed *one = a, *other = b;
	const int order = strcmp(one->path, other->path);

	return order ? order : strcmp(one->hex, other->hex);
}

void build_id_list_print(struct build_id_list *listing)
{
	if (listing->count)
		qsort(listing->items, listing->count, sizeof(*listing->items), by_path);
	for (size_t i = 0; i < listing->count; i++) {
		struct listed *item = &listing->items[i];

		if (i + 1 < listing->count && !by_path(item, item + 1))
			continue;
		pk_harmless(item->path);
		printf("%-*s %s\n", PK_BUILD_ID_HEX - 1, item->hex, item->path);
	}
}

void build_id_list_free(struct build_id_list *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->items[i].path);
	free(listing->items);
	*listing = (struct build_id_list){0};
}
