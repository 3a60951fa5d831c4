/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_IMAGES_H
#define PK_IMAGES_H

#include "address_space.h"
#include "texts.h"

/* The images of a session, found by kind, path, pid (only JIT and guests), build-id, device and
 * inode. */
struct pk_images {
	struct pk_texts keys; /* the keys of images, as bytes */
	struct pk_image **list;
	uint32_t *before; /* index -> index of the previous image of the same path + 1; 0: none */
	size_t capacity, before_capacity;
	struct pk_texts paths;
	uint32_t *last; /* number of a path -> index of its last image + 1; 0: none */
	size_t last_capacity;
	struct pk_texts build_id_paths; /* paths in BUILD_ID records */
	struct pk_path_build_id {
		uint32_t size;
		uint8_t bytes[PK_BUILD_ID_MAX];
	} * build_ids; /* by the number in build_id_paths */
	size_t build_ids_capacity;
	/* For the BUILD_ID records of the kernel and its modules: numbers in build_id_paths, by the
	 * number of the short name ("[usbnet]"). */
	struct pk_texts kernel_names;
	uint32_t *kernel_paths;
	size_t kernel_paths_capacity;
	/* Paths of images of the kernel and its modules, by the number of their name in names. */
	struct pk_texts names;
	const char **named;
	size_t named_capacity;
};

/* Returns the image with the kind, path, pid (only JIT and guests), build-id, device and inode of
 * *like. Creates it if there is none. A new image gets the fields of *like, but its own index, name
 * and copy of the path. If *like has no build-id, it gets that of a BUILD_ID record for the path.
 * NULL: out of memory. */
struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like);
/* Sets the build-id of all existing and later images of this path that have none, except JIT code.
 * Only the first call for a path counts. With `kernel`, the path is that of the kernel or a module.
 * Then it also becomes the name of later images. */
PK_MUST_CHECK enum pk_status pk_images_set_build_id(struct pk_images *images, const char *path,
						    const uint8_t *build_id, uint32_t size,
						    bool kernel);
/* The path of the image of the kernel or of a module with this name, or NULL if there is none. */
const char *pk_images_path_of_name(const struct pk_images *images, const char *name);
void pk_images_free(struct pk_images *images);
/* The kind of image for an executable user map with this file name. */
enum pk_dso_kind pk_image_kind(const char *name);

#endif
