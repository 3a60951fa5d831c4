// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "session_internal.h"

/* What two equal images have in common, as bytes to intern: these, then the path. */
struct key {
	uint32_t kind, pid, build_id_size;
	uint8_t build_id[PK_BUILD_ID_MAX];
};

/* The key in memory to be freed, or NULL; *size is its size. */
static char *make_key(const struct pk_image *like, size_t *size)
{
	struct key key = {
		like->kind, like->kind == PK_DSO_JIT ? like->pid : 0, like->build_id_size, {0}};
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
	uint32_t number = UINT32_MAX;
	size_t size;
	char *bytes = make_key(like, &size);

	if (bytes)
		number = pk_names_add(&images->keys, bytes, size);
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

/* A build-id that a record told of the path goes with it from then on. */
static void use_told(const struct pk_images *images, struct pk_image *image)
{
	uint32_t number = pk_names_find(&images->told, image->path, strlen(image->path));

	if (number == UINT32_MAX || image->build_id_size || image->kind == PK_DSO_JIT)
		return;
	image->build_id_size = images->build_ids[number].size;
	memcpy(image->build_id, images->build_ids[number].bytes, PK_BUILD_ID_MAX);
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
	use_told(images, image);
	images->list[number] = image;
	return image;
}

static bool tell(struct pk_images *images, const char *path, const uint8_t *build_id, uint32_t size)
{
	uint32_t count = images->told.count;
	uint32_t number = pk_names_add(&images->told, path, strlen(path));

	if (number == UINT32_MAX)
		return false;
	if (images->build_ids_capacity < images->told.capacity) {
		uint32_t capacity = images->told.capacity;
		struct pk_build_id_told *grown =
			realloc(images->build_ids, capacity * sizeof(*grown));

		if (!grown)
			return false;
		images->build_ids = grown;
		images->build_ids_capacity = capacity;
	}
	if (number < count)
		return true; /* the first one counts */
	images->build_ids[number] = (struct pk_build_id_told){.size = size};
	memcpy(images->build_ids[number].bytes, build_id, size);
	return true;
}

bool pk_images_set_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			    uint32_t size)
{
	if (!tell(images, path, build_id, size))
		return false;
	for (int kind = PK_DSO_UNKNOWN; kind <= PK_DSO_ANON; kind++) {
		const struct pk_image like = {.kind = (enum pk_dso_kind)kind, .path = path};
		size_t key_size;
		char *key = make_key(&like, &key_size);
		uint32_t number;

		if (!key)
			return false;
		number = pk_names_find(&images->keys, key, key_size);
		free(key);
		if (number < images->capacity && images->list[number])
			use_told(images, images->list[number]);
	}
	return true;
}

void pk_images_free(struct pk_images *images)
{
	for (uint32_t i = 0; i < images->capacity; i++)
		free(images->list[i]);
	free(images->list);
	pk_names_free(&images->keys);
	pk_names_free(&images->paths);
	pk_names_free(&images->told);
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
