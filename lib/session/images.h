/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_IMAGES_H
#define PK_IMAGES_H

#include "texts.h"
#include "session.h"

/* Images by path, kind, pid of JIT code, build-id, and inode. */
struct pk_images {
	struct pk_texts keys; /* the keys of images, as bytes */
	struct pk_image **list;
	uint32_t *before; /* index -> index of the previous image of the same path + 1; 0: none */
	size_t capacity, before_capacity;
	struct pk_texts paths;
	uint32_t *last; /* number of a path -> index of its last image + 1; 0: none */
	size_t last_capacity;
	struct pk_texts build_id_paths; /* of BUILD_ID records */
	struct pk_path_build_id {
		uint32_t size;
		uint8_t bytes[PK_BUILD_ID_MAX];
	} * build_ids; /* by the number of the path */
	size_t build_ids_capacity;
	/* For the BUILD_ID records of the kernel and its modules: numbers in build_id_paths, by the
	 * number of the short name ("[usbnet]"). */
	struct pk_texts kernel_names;
	uint32_t *kernel_paths;
	size_t kernel_paths_capacity;
	/* Paths of the kernel's images, by the number of a name that differs from the path. */
	struct pk_texts names;
	const char **named;
	size_t named_capacity;
};

/* Interns an image. Its fields are copied from *like, except index, the storage of path, name, and
 * the build-id of a BUILD_ID record. NULL: out of memory. */
struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like);
/* Sets the build-id of the images of this path that have none, now and later. For the kernel and
 * its modules it also sets the name of later images. False: out of memory. */
bool pk_images_set_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			    uint32_t size, bool kernel);
/* The path of the image of the kernel or of a module with this name; NULL: none. */
const char *pk_images_path_of_name(const struct pk_images *images, const char *name);
void pk_images_free(struct pk_images *images);
/* The kind of image for an executable user map with this file name. */
enum pk_dso_kind pk_image_kind(const char *name);

#endif
