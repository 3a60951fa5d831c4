// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "images.h"
#include "module_name.h"
#include "session.h"
#include "vector.h"

/* The key of an image consists of these bytes and the path. Equal images have equal keys. */
struct key {
	uint32_t kind, pid, build_id_size, major,
		minor; /* `minor` and `major` are the device. GUEST is added to `kind` for images of
			  guests. */
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint64_t inode;
};

/* Returns the key of an image, which the caller frees, or NULL if memory is exhausted. Sets *size
 * to its size in bytes. */
static char *make_key(const struct pk_image *like, size_t *size)
{
	enum { GUEST = 1 << 8 };
	struct key key = {.kind = like->kind | (like->guest ? GUEST : 0),
			  .pid = like->kind == PK_DSO_JIT || like->guest ? like->pid : 0,
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

/* Returns the number of a path, or 0 if memory is exhausted. */
static uint32_t add_path(struct pk_images *images, const char *path)
{
	uint32_t number = pk_texts_add(&images->paths, path, strlen(path));

	return number && pk_extend(&images->last, &images->last_capacity, number) == PK_OK ? number
											   : 0;
}

/* ---- Names of the kernel and its modules ---- */

#define KERNEL_NAME "[kernel.kallsyms]"

/* Returns a short name, which is stored in *texts. For a module such as
 * "/lib/modules/.../nf-nat.ko", it is "[nf_nat]". For any other path, it is the file name. Returns
 * NULL if memory is exhausted. */
static const char *short_name(struct pk_texts *texts, const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	char name[1 + NAME_MAX + 1] = "[";
	size_t size = strlen(file);
	uint32_t number;

	if (pk_module_name(file, name + 1, sizeof(name) - 1)) {
		file = name;
		size = strlen(name);
		name[size++] = ']';
	}
	number = pk_texts_add(texts, file, size);
	return number ? pk_texts_get(texts, number, NULL) : NULL;
}

/* Returns the number in build_id_paths of the path of the kernel or a module with this short name.
 * Returns 0 if it has no BUILD_ID record. */
static uint32_t kernel_path(const struct pk_images *images, const char *name)
{
	uint32_t number = pk_texts_find(&images->kernel_names, name, strlen(name));

	return number ? images->kernel_paths[number] : 0;
}

static bool is_of_kernel(const struct pk_image *image)
{
	return image->kind == PK_DSO_KERNEL || image->kind == PK_DSO_MODULE;
}

/* Sets image->name. image->path must already be set. */
static enum pk_status set_name(struct pk_images *images, struct pk_image *image)
{
	uint32_t number;

	image->name = image->path;
	if (!is_of_kernel(image))
		return PK_OK;
	image->name = short_name(&images->names, image->path);
	if (!image->name)
		return PK_NOMEM;
	/* The image of a guest keeps its short name. BUILD_ID records of guests are ignored. */
	if (image->guest)
		return PK_OK;
	number = kernel_path(images, image->name);
	if (number)
		image->name = pk_texts_get(&images->build_id_paths, number, NULL);
	number = pk_texts_add(&images->names, image->name, strlen(image->name));
	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_extend(&images->named, &images->named_capacity, number));
	images->named[number] = image->path;
	return PK_OK;
}

/* Stores the path of a BUILD_ID record for the kernel or a module, unless an earlier record has
 * stored one. A path that does not belong to a module belongs to the kernel. */
static enum pk_status add_kernel_path(struct pk_images *images, const char *path,
				      uint32_t path_number)
{
	const char *name = short_name(&images->names, path);
	uint32_t number;

	if (!name)
		return PK_NOMEM;
	if (*name != '[')
		name = KERNEL_NAME;
	number = pk_texts_add(&images->kernel_names, name, strlen(name));
	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_extend(&images->kernel_paths, &images->kernel_paths_capacity, number));
	if (!images->kernel_paths[number])
		images->kernel_paths[number] = path_number;
	return PK_OK;
}

const char *pk_images_path_of_name(const struct pk_images *images, const char *name)
{
	uint32_t number = pk_texts_find(&images->names, name, strlen(name));

	return number < images->named_capacity ? images->named[number] : NULL;
}

/* ---- Build-ids ---- */

/* If the image has no build-id, copies the build-id from the BUILD_ID record for its path. For the
 * kernel and its modules, the record can have the name of the image in place of the path. JIT code
 * and guests get no build-id. */
static void set_path_build_id(const struct pk_images *images, struct pk_image *image)
{
	uint32_t number = pk_texts_find(&images->build_id_paths, image->path, strlen(image->path));

	if (!number && is_of_kernel(image))
		number = pk_texts_find(&images->build_id_paths, image->name, strlen(image->name));
	if (!number || image->build_id_size || image->kind == PK_DSO_JIT || image->guest)
		return;
	image->build_id_size = images->build_ids[number].size;
	memcpy(image->build_id, images->build_ids[number].bytes, PK_BUILD_ID_MAX);
}

struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like)
{
	const uint32_t number = intern(images, like), index = number - 1;
	struct pk_image *image;
	uint32_t path;

	if (!number || pk_extend(&images->list, &images->capacity, index) != PK_OK ||
	    pk_extend(&images->before, &images->before_capacity, index) != PK_OK)
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
	if (set_name(images, image) != PK_OK) {
		free(image);
		return NULL;
	}
	set_path_build_id(images, image);
	images->list[index] = image;
	images->before[index] = images->last[path];
	images->last[path] = number;
	return image;
}

static enum pk_status add_build_id(struct pk_images *images, const char *path,
				   const uint8_t *build_id, uint32_t size, bool kernel)
{
	uint32_t number = pk_texts_add(&images->build_id_paths, path, strlen(path));

	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_extend(&images->build_ids, &images->build_ids_capacity, number));
	images->build_ids[number] = (struct pk_path_build_id){.size = size};
	memcpy(images->build_ids[number].bytes, build_id, size);
	return kernel ? add_kernel_path(images, path, number) : PK_OK;
}

enum pk_status pk_images_set_build_id(struct pk_images *images, const char *path,
				      const uint8_t *build_id, uint32_t size, bool kernel)
{
	const size_t length = strlen(path);
	uint32_t number;

	if (pk_texts_find(&images->build_id_paths, path, length))
		return PK_OK; /* only the first record for a path is used */
	PK_TRY(add_build_id(images, path, build_id, size, kernel));
	number = pk_texts_find(&images->paths, path, length);
	if (number >= images->last_capacity)
		return PK_OK;
	for (number = images->last[number]; number; number = images->before[number - 1])
		set_path_build_id(images, images->list[number - 1]);
	return PK_OK;
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
	pk_texts_free(&images->kernel_names);
	free(images->kernel_paths);
	pk_texts_free(&images->names);
	free(images->named);
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

enum pk_dso_kind pk_image_kind(const char *name)
{
	static const char *const jit[] = {"//anon",  "/dev/zero", "/anon_hugepage", "[anon:",
					  "/memfd:", "[heap]",	  "[stack",	    "/SYSV"};

	if (pk_starts_with(name, "[vdso"))
		return PK_DSO_VDSO;
	for (size_t i = 0; i < sizeof(jit) / sizeof(jit[0]); i++)
		if (pk_starts_with(name, jit[i]))
			return PK_DSO_JIT;
	if (*name != '/')
		return *name ? PK_DSO_ANON : PK_DSO_JIT;
	return pk_starts_with(name, "//") ? PK_DSO_ANON : PK_DSO_FILE;
}
