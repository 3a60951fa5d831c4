// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "keep.h"

static bool remove_one(struct cache *cache, const char *hex, uint64_t *removed)
{
	bool found;
	const bool good = cache_remove(cache, hex, &found);

	*removed += good && found;
	return good;
}

static bool report_removed(const char *operand, bool good, uint64_t removed)
{
	char number[32];

	if (good && !removed)
		pk_error("%s: is not in the cache", operand);
	else if (good)
		pk_info("%s: %s removed", operand, pk_number(number, removed));
	return good && removed;
}

/* An object, or a build-id as --list prints it. */
static bool remove_operand(struct cache *cache, const char *operand)
{
	char hex[PK_BUILD_ID_HEX];
	struct pk_build_id id = {0};
	uint64_t removed = 0;
	bool good;

	if (pk_build_id_of_file(operand, &id, NULL))
		pk_build_id_format(&id, hex);
	good = remove_one(cache, id.size ? hex : operand, &removed);
	return report_removed(operand, good, removed);
}

/* All builds of an object; NULL: of all objects. */
static bool purge(struct cache *cache, const struct build_id_list *listing, const char *operand)
{
	char *path = operand ? realpath(operand, NULL) : NULL;
	uint64_t removed = 0;
	bool good = true;

	for (size_t i = 0; i < listing->count && good; i++) {
		const struct listed *item = &listing->items[i];

		if (!operand || !strcmp(item->path, operand) || (path && !strcmp(item->path, path)))
			good = remove_one(cache, item->hex, &removed);
	}
	free(path);
	return operand ? report_removed(operand, good, removed) : good;
}

static bool purge_all(struct cache *cache, char *const *operands, int count, bool all)
{
	struct build_id_list listing = {0};
	bool good = cache_list(cache, &listing);

	if (good && all)
		good = purge(cache, &listing, NULL);
	else
		for (int i = 0; i < count; i++)
			good &= purge(cache, &listing, operands[i]);
	build_id_list_free(&listing);
	return good;
}

static int print_cache(const struct archive_options *options)
{
	struct build_id_list listing = {0};
	int result = pk_output_text(options->output);

	if (result)
		return result;
	result = cache_list(options->cache, &listing) ? PK_EXIT_OK : PK_EXIT_FAILED;
	build_id_list_print(&listing);
	build_id_list_free(&listing);
	return pk_finish(result);
}

int keep(const struct archive_options *options, char *const *operands, int count)
{
	bool good = true;

	if (options->mode == ARCHIVE_LIST)
		return print_cache(options);
	if (options->mode == ARCHIVE_PURGE)
		good = purge_all(options->cache, operands, count, options->all);
	else
		for (int i = 0; i < count; i++)
			good &= remove_operand(options->cache, operands[i]);
	return good ? PK_EXIT_OK : PK_EXIT_FAILED;
}
