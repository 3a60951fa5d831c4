// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "images.h"
#include "vector.h"

/* The key of an image: these bytes, then the path. Equal images have equal keys. */
struct key {
	uint32_t kind, pid, build_id_size, major, minor;
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint64_t inode;
};

/* Returns the key, to be freed, or NULL; *size is its size. */
static char *make_key(const struct pk_image *like, size_t *size)
{
	struct key key = {.kind = like->kind,
			  .pid = like->kind == PK_DSO_JIT ? like->pid : 0,
			  .build_id_size = like->build_id_size,
			  .major = like->major,
			  .minor = like->minor,
			  .inode = like->inode};
	size_t length = strlen(like->path);
	char *bytes = malloc(sizeof(key) + length);

	if (!bytes)
		return NULL;
	memcpy(key.build_id, like->build_id, PK_BUILD_ID_MAX);
	memcpy(bytes, &key, sizeof(key));
	memcpy(bytes + sizeof(key), like->path, length);
	*size = sizeof(key) + length;
	return bytes;
}

static uint32_t intern(struct pk_images *images, const struct pk_image *like)
{
	uint32_t number = 0;
	size_t size;
	char *bytes = make_key(like, &size);

	if (bytes)
		number = pk_texts_add(&images->keys, bytes, size);
	free(bytes);
	return number;
}

/* The path's number; 0: out of memory. */
static uint32_t add_path(struct pk_images *images, const char *path)
{
	uint32_t number = pk_texts_add(&images->paths, path, strlen(path));

	return number && pk_extend(&images->last, &images->last_capacity, number) ? number : 0;
}

/* After a BUILD_ID record for a path, the images of the path have that build-id. */
static void set_path_build_id(const struct pk_images *images, struct pk_image *image)
{
	uint32_t number = pk_texts_find(&images->build_id_paths, image->path, strlen(image->path));

	if (!number || image->build_id_size || image->kind == PK_DSO_JIT)
		return;
	image->build_id_size = images->build_ids[number].size;
	memcpy(image->build_id, images->build_ids[number].bytes, PK_BUILD_ID_MAX);
}

struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like)
{
	const uint32_t number = intern(images, like), index = number - 1;
	struct pk_image *image;
	uint32_t path;

	if (!number || !pk_extend(&images->list, &images->capacity, index) ||
	    !pk_extend(&images->before, &images->before_capacity, index))
		return NULL;
	if (images->list[index])
		return images->list[index];
	path = add_path(images, like->path);
	image = path ? malloc(sizeof(*image)) : NULL;
	if (!image)
		return NULL;
	*image = *like;
	image->index = index;
	image->path = pk_texts_get(&images->paths, path, NULL);
	set_path_build_id(images, image);
	images->list[index] = image;
	images->before[index] = images->last[path];
	images->last[path] = number;
	return image;
}

static bool add_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			 uint32_t size)
{
	uint32_t number = pk_texts_add(&images->build_id_paths, path, strlen(path));

	if (!number || !pk_extend(&images->build_ids, &images->build_ids_capacity, number))
		return false;
	images->build_ids[number] = (struct pk_path_build_id){.size = size};
	memcpy(images->build_ids[number].bytes, build_id, size);
	return true;
}

bool pk_images_set_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			    uint32_t size)
{
	const size_t length = strlen(path);
	uint32_t number;

	if (pk_texts_find(&images->build_id_paths, path, length))
		return true; /* the first one counts */
	if (!add_build_id(images, path, build_id, size))
		return false;
	number = pk_texts_find(&images->paths, path, length);
	if (number >= images->last_capacity)
		return true;
	for (number = images->last[number]; number; number = images->before[number - 1])
		set_path_build_id(images, images->list[number - 1]);
	return true;
}

void pk_images_free(struct pk_images *images)
{
	for (size_t i = 0; i < images->capacity; i++)
		free(images->list[i]);
	free(images->list);
	free(images->before);
	free(images->last);
	pk_texts_free(&images->keys);
	pk_texts_free(&images->paths);
	pk_texts_free(&images->build_id_paths);
	free(images->build_ids);
}

bool pk_is_jitdump(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t digits;

	if (!slash || strncmp(slash, "/jit-", 5))
		return false;
	digits = strspn(slash + 5, "0123456789");
	return digits && !strcmp(slash + 5 + digits, ".dump");
}

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

enum pk_dso_kind pk_image_kind(const char *name)
{
	static const char *const jit[] = {"//anon",  "/dev/zero", "/anon_hugepage", "[anon:",
					  "/memfd:", "[heap]",	  "[stack",	    "/SYSV"};

	if (starts_with(name, "[vdso"))
		return PK_DSO_VDSO;
	for (size_t i = 0; i < sizeof(jit) / sizeof(jit[0]); i++)
		if (starts_with(name, jit[i]))
			return PK_DSO_JIT;
	if (*name != '/')
		return *name ? PK_DSO_ANON : PK_DSO_JIT;
	return starts_with(name, "//") ? PK_DSO_ANON : PK_DSO_FILE;
}
