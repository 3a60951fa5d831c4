// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "stream_symbols.h"
#include "vector.h"

/* An image that the stream has symbols for. */
struct pk_stream_image {
	struct pk_stream_image *next;
	uint32_t kind; /* enum pk_dso_kind */
	const char *path;
	const char *module; /* the name of a kernel module without brackets; NULL if it is not a
			     * module */
	struct pk_space *symbols; /* NULL if there are none so far */
	struct pk_table sources;  /* by address, items of struct pk_stream_source */
};

/* A symbol. The member image must be the first one, because pk_map.image points to it and is cast
 * to the symbol. */
struct pk_stream_symbol {
	struct pk_image image;
	const struct pk_stream_image *of;
	struct pk_stream_symbol *next;
};

/* The limit for the size of all definitions, in bytes. Further definitions are skipped. Each byte
 * of definitions needs at most about ten bytes of memory. */
#define BYTES_MAX ((uint64_t)256 << 20)

/* The key of an image consists of these bytes and the path. Each image has two keys. The first key
 * contains its build-id, which is all zero if it is unknown. The second key is for lookups without
 * a build-id. It has wildcard set, and its build-id is zero. If a lookup with a build-id finds
 * nothing, it is repeated with a build-id of zero. */
struct key {
	uint32_t kind, pid, wildcard;
	uint8_t build_id[PK_BUILD_ID_MAX];
};

/* ---- Images ---- */

enum pk_interpreted pk_interpreted_image(const char *path)
{
	if (!path || *path != '[')
		return PK_INTERPRETED_NONE;
	return !strcmp(path, PK_PYTHON_IMAGE) ? PK_INTERPRETED_PYTHON
	       : !strcmp(path, PK_RUBY_IMAGE) ? PK_INTERPRETED_RUBY
	       : !strcmp(path, PK_PHP_IMAGE)  ? PK_INTERPRETED_PHP
					      : PK_INTERPRETED_NONE;
}

/* Writes the bytes of a key to set->key without allocating memory. Returns their size. Returns 0 if
 * they do not fit, because then no image has this key. Zeros at the end of a build-id are not
 * significant (SPEC 3.6). */
static size_t fill_key(const struct pk_stream_symbols *set, const struct key *key, const char *path)
{
	const size_t length = strlen(path);

	if (set->key_capacity < sizeof(*key) + length)
		return 0;
	memcpy(set->key, key, sizeof(*key));
	memcpy(set->key + sizeof(*key), path, length);
	return sizeof(*key) + length;
}

static struct key key_of(uint32_t kind, uint32_t pid, const uint8_t *build_id, bool wildcard)
{
	struct key key = {.kind = kind, .pid = kind == PK_DSO_JIT ? pid : 0, .wildcard = wildcard};

	if (build_id)
		memcpy(key.build_id, build_id, PK_BUILD_ID_MAX);
	return key;
}

/* Returns the item of a key in set->by_key, or NULL if memory is exhausted. */
static struct pk_stream_image **slot_of(struct pk_stream_symbols *set, const struct key *key,
					const char *path)
{
	uint32_t number;

	if (pk_reserve(&set->key, &set->key_capacity, 0, sizeof(*key) + strlen(path), 1) != PK_OK)
		return NULL;
	number = pk_texts_add(&set->keys, set->key, fill_key(set, key, path));
	if (!number)
		return NULL;
	if (pk_extend(&set->by_key, &set->by_key_capacity, number) != PK_OK)
		return NULL;
	return &set->by_key[number];
}

static struct pk_stream_image *find_key(const struct pk_stream_symbols *set, const struct key *key,
					const char *path)
{
	const size_t size = fill_key(set, key, path);
	const uint32_t number = size ? pk_texts_find(&set->keys, set->key, size) : 0;

	return number < set->by_key_capacity ? set->by_key[number] : NULL;
}

static const struct pk_stream_image *find_image(const struct pk_stream_symbols *set,
						const struct pk_image *image)
{
	static const uint8_t none[PK_BUILD_ID_MAX];
	const struct pk_stream_image *found;
	struct key key = key_of(image->kind, image->pid, image->build_id, !image->build_id_size);

	found = find_key(set, &key, image->path);
	if (found || !image->build_id_size)
		return found;
	key = key_of(image->kind, image->pid, none, false);
	return find_key(set, &key, image->path);
}

static enum pk_status append_image(struct pk_stream_symbols *set, struct pk_stream_image *image)
{
	PK_TRY(pk_reserve(&set->images, &set->images_capacity, set->images_count, 1,
			  sizeof(*set->images)));
	set->images[set->images_count++] = image;
	return PK_OK;
}

/* Returns the name of a module without brackets, such as "ext4" for "[ext4]". Returns NULL if it is
 * not a module, if its path has no brackets, or if memory is exhausted. */
static const char *module_name(struct pk_stream_symbols *set, const struct pk_image_info *info)
{
	const size_t length = strlen(info->path);
	uint32_t name;

	if (info->kind != PK_DSO_MODULE || *info->path != '[' || length < 3)
		return NULL;
	name = pk_texts_add(&set->texts, info->path + 1, length - 2);
	return pk_texts_get(&set->texts, name, NULL);
}

static struct pk_stream_image *new_image(struct pk_stream_symbols *set,
					 const struct pk_image_info *info)
{
	struct pk_stream_image *image = calloc(1, sizeof(*image));
	uint32_t path = pk_texts_add(&set->texts, info->path, strlen(info->path));

	if (!image || !path) {
		free(image);
		return NULL;
	}
	image->kind = info->kind;
	image->module = module_name(set, info);
	image->path = pk_texts_get(&set->texts, path, NULL);
	image->next = set->all;
	set->all = image;
	return image;
}

/* Adds an image. Ids are consecutive, so the array has at most as many items as there are
 * definitions in the stream. Several ids can have the same content. */
static enum pk_status decode_image(struct pk_stream_symbols *set, const struct pk_record *record)
{
	struct pk_stream_image **slot, *image;
	struct pk_image_info info;
	struct key key;

	if (pk_image_info_decode(record, &info) != PK_OK ||
	    info.id != set->first_id + set->images_count + 1)
		return PK_CORRUPT;
	key = key_of(info.kind, info.pid, info.build_id, false);
	slot = slot_of(set, &key, info.path);
	if (!slot)
		return PK_NOMEM;
	if (!*slot)
		*slot = new_image(set, &info);
	image = *slot;
	if (!image)
		return PK_NOMEM;
	PK_TRY(append_image(set, image));
	key = key_of(info.kind, info.pid, NULL, true);
	slot = slot_of(set, &key, info.path);
	if (!slot)
		return PK_NOMEM;
	*slot = image;
	return PK_OK;
}

static struct pk_stream_image *image_by_id(const struct pk_stream_symbols *set, uint32_t id)
{
	uint32_t index = id - set->first_id - 1;

	return index < set->images_count ? set->images[index] : NULL;
}

/* ---- Symbols ---- */

static bool is_kernel(const struct pk_stream_image *image)
{
	return image->kind == PK_DSO_KERNEL || image->kind == PK_DSO_MODULE;
}

/* Returns the symbols of an image, sorted by address. The kernel and its modules have one common
 * space. */
static struct pk_space **space_of(struct pk_stream_symbols *set, struct pk_stream_image *image)
{
	struct pk_space **space = is_kernel(image) ? &set->kernel : &image->symbols;

	if (!*space)
		*space = pk_space_new(&set->serials);
	return *space ? space : NULL;
}

/* Makes a symbol. It is stored as an image that is mapped at the addresses of the symbol. The path
 * of this image is the name of the symbol. */
static struct pk_image *new_symbol(struct pk_stream_symbols *set, const struct pk_stream_image *of,
				   const struct pk_symbol_info *info)
{
	uint32_t name = pk_texts_add(&set->texts, info->name, info->name_size);
	struct pk_stream_symbol *symbol = name ? malloc(sizeof(*symbol)) : NULL;

	if (!symbol)
		return NULL;
	*symbol =
		(struct pk_stream_symbol){.image = {.kind = (enum pk_dso_kind)of->kind,
						    .path = pk_texts_get(&set->texts, name, NULL)},
					  .of = of,
					  .next = set->symbols};
	set->symbols = symbol;
	return &symbol->image;
}

static enum pk_status decode_symbol(struct pk_stream_symbols *set, struct pk_stream_image *image,
				    const struct pk_symbol_info *info)
{
	struct pk_map map = {.start = info->start, .end = info->start + info->size};
	struct pk_space **space = space_of(set, image);

	if (map.end <= map.start || !info->name_size)
		return PK_CORRUPT;
	map.image = space ? new_symbol(set, image, info) : NULL;
	return map.image && pk_space_map(space, &map) == PK_OK ? PK_OK : PK_NOMEM;
}

static enum pk_status decode_symbols(struct pk_stream_symbols *set, const struct pk_record *record)
{
	struct pk_offsite_list list;
	struct pk_symbol_info info;
	struct pk_stream_image *image;
	enum pk_status status, result = PK_OK;

	if (pk_offsite_entries(record, &list) != PK_OK)
		return PK_CORRUPT;
	image = image_by_id(set, list.image);
	if (!image)
		return PK_CORRUPT;
	while (!(status = pk_symbol_info_next(&list, &info))) {
		status = decode_symbol(set, image, &info);
		if (status == PK_NOMEM)
			return status;
		if (status)
			result = status;
	}
	return status == PK_END ? result : status;
}

/* ---- Sources ---- */

static enum pk_status add_source(struct pk_stream_symbols *set, struct pk_stream_source *source,
				 const struct pk_source_info *info)
{
	struct pk_stream_frame *frame = &source->frames[source->count];
	uint32_t function, file;

	*frame = (struct pk_stream_frame){.line = info->line,
					  .column = info->column,
					  .inlined = info->flags & PK_SOURCE_INLINED};
	function = pk_texts_add(&set->texts, info->function, info->function_size);
	file = pk_texts_add(&set->texts, info->file, info->file_size);
	if (!function || !file)
		return PK_NOMEM;
	frame->function = info->function_size ? pk_texts_get(&set->texts, function, NULL) : NULL;
	frame->file = info->file_size ? pk_texts_get(&set->texts, file, NULL) : NULL;
	source->count++;
	return PK_OK;
}

static enum pk_status decode_source(struct pk_stream_symbols *set, const struct pk_record *record)
{
	struct pk_stream_source *source, *old;
	struct pk_stream_image *image;
	struct pk_offsite_list list;
	struct pk_source_info info;
	enum pk_status status;
	struct pk_table *table;

	if (pk_offsite_entries(record, &list) != PK_OK || !list.left ||
	    list.left > PK_STREAM_FRAMES_MAX)
		return PK_CORRUPT;
	image = image_by_id(set, list.image);
	if (!image)
		return PK_CORRUPT;
	source = malloc(sizeof(*source) + list.left * sizeof(source->frames[0]));
	if (!source)
		return PK_NOMEM;
	source->count = 0;
	while (!(status = pk_source_info_next(&list, &info)))
		if ((status = add_source(set, source, &info)))
			break;
	table = is_kernel(image) ? &set->kernel_sources : &image->sources;
	old = pk_table_get(table, list.address);
	if (status == PK_END && !source->count)
		status = PK_CORRUPT;
	if (status != PK_END || pk_table_set(table, list.address, source) != PK_OK) {
		free(source);
		return status == PK_END ? PK_NOMEM : status;
	}
	free(old);
	return PK_OK;
}

/* ---- The set of symbols ---- */

void pk_stream_symbols_clear(struct pk_stream_symbols *set)
{
	const uint32_t ids = set->first_id + set->images_count;

	while (set->all) {
		struct pk_stream_image *next = set->all->next;

		pk_space_release(set->all->symbols);
		pk_table_free_all(&set->all->sources);
		free(set->all);
		set->all = next;
	}
	while (set->symbols) {
		struct pk_stream_symbol *next = set->symbols->next;

		free(set->symbols);
		set->symbols = next;
	}
	pk_space_release(set->kernel);
	pk_table_free_all(&set->kernel_sources);
	free(set->images);
	free(set->by_key);
	free(set->key);
	pk_texts_free(&set->keys);
	pk_texts_free(&set->texts);
	*set = (struct pk_stream_symbols){.first_id = ids};
}

enum pk_status pk_stream_symbols_record(struct pk_stream_symbols *set,
					const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);

	if (kind == PK_FORGET) {
		pk_stream_symbols_clear(set);
		return PK_OK;
	}
	if (kind < PK_IMAGE || kind > PK_SOURCE)
		return PK_OK;
	if (set->bytes + record->size > BYTES_MAX) {
		set->full = true;
		return PK_OK;
	}
	set->bytes += record->size;
	switch (kind) {
	case PK_IMAGE: return decode_image(set, record);
	case PK_SYMBOLS: return decode_symbols(set, record);
	default: return decode_source(set, record);
	}
}

bool pk_stream_symbols_find(const struct pk_stream_symbols *set, const struct pk_location *location,
			    struct pk_stream_place *place)
{
	const bool kernel = location->flags == PK_FRAME_KERNEL;
	const struct pk_stream_image *image = NULL;
	const struct pk_table *sources = &set->kernel_sources;
	const struct pk_space *space = set->kernel;
	uint64_t address = kernel ? location->ip : location->address;
	const struct pk_stream_symbol *symbol;
	const struct pk_map *map;

	*place = (struct pk_stream_place){.same = PK_RANGE_ALL};
	if (!set->images_count || (!kernel && !location->image))
		return false;
	place->same = pk_range_of_one(location->address);
	if (!kernel) {
		image = find_image(set, location->image);
		if (!image)
			return false;
		space = image->symbols;
		sources = &image->sources;
	}
	place->source = pk_table_get(sources, address);
	map = space ? pk_space_find(space, address) : NULL;
	if (!map)
		return false;
	symbol = (const struct pk_stream_symbol *)map->image;
	place->function = map->image->path;
	/* If another symbol covers the middle of this symbol, the map can be the part after that
	 * symbol. pgoff is the distance of the map from the start of the symbol. */
	place->symbol_start = map->start - map->pgoff + (location->address - address);
	place->symbol_end = map->end + (location->address - address);
	if (!sources->count)
		place->same = (struct pk_range){map->start + (location->address - address),
						place->symbol_end};
	place->module = symbol->of->module;
	return true;
}
