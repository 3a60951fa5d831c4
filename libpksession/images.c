// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "session_internal.h"

/* What two equal images have in common, as bytes to intern: these, then the path. */
struct key {
	uint32_t kind, pid, build_id_size;
	uint8_t build_id[PK_BUILD_ID_MAX];
};

#define KEY_SIZE_MAX (sizeof(struct key) + 65536)

static uint32_t intern(struct pk_images *images, const struct pk_image *like)
{
	struct key key = {
		like->kind, like->kind == PK_DSO_JIT ? like->pid : 0, like->build_id_size, {0}};
	size_t length = strlen(like->path);
	uint32_t number;
	char *bytes;

	if (length > KEY_SIZE_MAX - sizeof(key))
		return UINT32_MAX;
	bytes = malloc(sizeof(key) + length);
	if (!bytes)
		return UINT32_MAX;
	memcpy(key.build_id, like->build_id, PK_BUILD_ID_MAX);
	memcpy(bytes, &key, sizeof(key));
	memcpy(bytes + sizeof(key), like->path, length);
	number = pk_names_add(&images->keys, bytes, sizeof(key) + length);
	free(bytes);
	return number;
}

static bool grow(struct pk_images *images)
{
	struct pk_image **list;
	uint32_t capacity = images->keys.capacity;

	if (images->capacity >= capacity)
		return true;
	list = realloc(images->list, capacity * sizeof(*list));
	if (!list)
		return false;
	memset(list + images->capacity, 0, (capacity - images->capacity) * sizeof(*list));
	images->list = list;
	images->capacity = capacity;
	return true;
}

struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like)
{
	uint32_t number = intern(images, like), path;
	struct pk_image *image;

	if (number == UINT32_MAX || !grow(images))
		return NULL;
	if (images->list[number])
		return images->list[number];
	path = pk_names_add(&images->paths, like->path, strlen(like->path));
	image = path == UINT32_MAX ? NULL : malloc(sizeof(*image));
	if (!image)
		return NULL;
	*image = *like;
	image->index = number;
	image->path = images->paths.texts[path];
	images->list[number] = image;
	return image;
}

void pk_images_set_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			    uint32_t size)
{
	for (uint32_t i = 0; i < images->keys.count; i++) {
		struct pk_image *image = images->list[i];

		if (!image || image->build_id_size || strcmp(image->path, path))
			continue;
		image->build_id_size = size;
		memcpy(image->build_id, build_id, size);
	}
}

void pk_images_free(struct pk_images *images)
{
	for (uint32_t i = 0; i < images->capacity; i++)
		free(images->list[i]);
	free(images->list);
	pk_names_free(&images->keys);
	pk_names_free(&images->paths);
}

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

enum pk_dso_kind pk_image_kind(const char *name)
{
	static const char *const jit[] = {"//anon",  "/dev/zero", "/anon_hugepage", "[anon:",
					  "/memfd:", "[heap]",	  "[stack",	    "/SYSV"};

	if (begins(name, "[vdso"))
		return PK_DSO_VDSO;
	for (size_t i = 0; i < sizeof(jit) / sizeof(jit[0]); i++)
		if (begins(name, jit[i]))
			return PK_DSO_JIT;
	if (*name != '/')
		return *name ? PK_DSO_ANON : PK_DSO_JIT;
	return begins(name, "//") ? PK_DSO_ANON : PK_DSO_FILE;
}
