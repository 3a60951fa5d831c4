/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_IMAGES_H
#define PK_IMAGES_H

#include "address_space.h"
#include "texts.h"

/* The images of a session. They are found by kind, path, pid (only for JIT code and guests),
 * build-id, device and inode. */
struct pk_images {
	struct pk_texts keys; /* the keys of images, as bytes */
	struct pk_image **list;
	uint32_t *before; /* by index of the image: the index of the previous image with the same
			   * path, plus 1; 0 if there is none */
	size_t capacity, before_capacity;
	struct pk_texts paths;
	uint32_t *last; /* by number of the path in `paths`: the index of the last image with this
			 * path, plus 1; 0 if none */
	size_t last_capacity;
	struct pk_texts build_id_paths; /* the paths in BUILD_ID records */
	struct pk_path_build_id {
		uint32_t size;
		uint8_t bytes[PK_BUILD_ID_MAX];
	} * build_ids; /* by number of the path in build_id_paths */
	size_t build_ids_capacity;
	/* For BUILD_ID records of the kernel and its modules: the short names such as "[usbnet]",
	 * and, by number of the short name, the number of the path in build_id_paths. */
	struct pk_texts kernel_names;
	uint32_t *kernel_paths;
	size_t kernel_paths_capacity;
	/* The names of images of the kernel and its modules, and, by number of the name, the path
	 * of the image. */
	struct pk_texts names;
	const char **named;
	size_t named_capacity;
};

/* Returns the image with the kind, path, pid (only for JIT code and guests), build-id, device and
 * inode of *like. Creates it if it does not exist. A new image gets the members of *like, except
 * that it has a new index, a name and a copy of the path. If *like has no build-id, the image gets
 * the build-id of a BUILD_ID record for the path. Returns NULL if memory is exhausted. */
struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like);
/* Sets the build-id of a path. All existing and later images with this path get it, except JIT code
 * and images that already have a build-id. Only the first call for a path has an effect. `kernel`
 * means that the path is the path of the kernel or a module. In this case, the path also becomes
 * the name of later images. */
PK_MUST_CHECK enum pk_status pk_images_set_build_id(struct pk_images *images, const char *path,
						    const uint8_t *build_id, uint32_t size,
						    bool kernel);
/* Returns the path of the image of the kernel or of a module with this name, or NULL if there is
 * none. */
const char *pk_images_path_of_name(const struct pk_images *images, const char *name);
void pk_images_free(struct pk_images *images);
/* Returns the kind of image for an executable user map with this file name. */
enum pk_dso_kind pk_image_kind(const char *name);

#endif
