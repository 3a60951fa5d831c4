/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_IMAGES_H
#define PK_IMAGES_H

#include "texts.h"
#include "session.h"

/* Images by path, kind, pid of JIT code, build-id, and inode. */
struct pk_images {
	struct pk_texts keys; /* what identifies an image, as bytes */
	struct pk_image **list;
	uint32_t *before; /* by index: that of the one before it of the same path + 1; 0: none */
	size_t capacity, before_capacity;
	struct pk_texts paths;
	uint32_t *last; /* by path's number: the index of its last image + 1; 0: none */
	size_t last_capacity;
	struct pk_texts build_id_paths; /* of BUILD_ID records */
	struct pk_path_build_id {
		uint32_t size;
		uint8_t bytes[PK_BUILD_ID_MAX];
	} * build_ids; /* of those, by number */
	size_t build_ids_capacity;
	/* Of BUILD_ID records of the kernel and its modules, their numbers in build_id_paths, by
	 * the number of the short name: "[usbnet]". */
	struct pk_texts kernel_names;
	uint32_t *kernel_paths;
	size_t kernel_paths_capacity;
	/* Paths of images of the kernel, by the number of the name that is not the path. */
	struct pk_texts names;
	const char **named;
	size_t named_capacity;
};

/* Interns; the fields but index, path's storage, name, and the build-id of a BUILD_ID record are
 * those of *like. NULL: out of memory. */
struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like);
/* A build-id for the images of this path that have none, now and later; of the kernel or of one of
 * its modules also the name of images that follow. False: out of memory. */
bool pk_images_set_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			    uint32_t size, bool kernel);
/* The path of the kernel's image, or of a module's, that has this name; NULL: there is none. */
const char *pk_images_path_of_name(const struct pk_images *images, const char *name);
void pk_images_free(struct pk_images *images);
/* What kind of image an executable user map of this file name is. */
enum pk_dso_kind pk_image_kind(const char *name);

#endif
