/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BUILD_ID_CACHE_H
#define PK_BUILD_ID_CACHE_H

/* perf's build-id cache. It is a folder whose layout members.h describes. The names of members are
 * relative paths. Symbolic links in these paths are not followed. A file gets its final name when
 * it is complete. Its mode is 0600. An existing file is kept if it has the same size, and is
 * otherwise replaced. An existing link is kept unless its target does not exist. */

#include "build_id.h"
#include "tar.h"

/* ---- Lists of build-ids ---- */

/* Objects with their build-ids. They come from recordings or from the build-id cache. */

struct build_id_list {
	struct listed {
		char hex[PK_BUILD_ID_HEX]; /* the build-id in hexadecimal digits; "" if the object
					    * has no build-id */
		char *path;
	} * items;
	size_t count, capacity;
};

/* Copies both texts. */
PK_MUST_CHECK enum pk_status build_id_list_add(struct build_id_list *listing, const char *hex,
					       const char *path);
/* Prints the list to stdout, like perf buildid-list. The list is sorted by path, and each object is
 * printed once. */
void build_id_list_print(struct build_id_list *listing);
void build_id_list_free(struct build_id_list *listing);

/* ---- The cache ---- */

struct cache;

/* Opens the cache. If create is true, creates the folder if it does not exist. Returns NULL if this
 * failed, after an error message. */
struct cache *cache_open(const char *folder, bool create);
void cache_free(struct cache *cache);

/* These functions add members like the functions of tar.h. On failure, they print an error message
 * and return another status than PK_OK. */
PK_MUST_CHECK enum pk_status cache_symlink(struct cache *cache, const char *name,
					   const char *target);
PK_MUST_CHECK enum pk_status cache_bytes(struct cache *cache, const char *name, const void *bytes,
					 uint64_t size);
PK_MUST_CHECK enum pk_status cache_file(struct cache *cache, const char *name, int fd,
					uint64_t size, bool *read, struct tar_unreadable *why);
/* Returns true if the cache contains the build-id under another path than `path`. `path` is
 * relative. */
bool cache_has_elsewhere(struct cache *cache, const char *hex, const char *path);
/* Adds the objects of the cache to the list. Returns PK_FAILED if something failed, after an error
 * message. */
PK_MUST_CHECK enum pk_status cache_list(struct cache *cache, struct build_id_list *listing);
/* Removes all files of a build-id and the links to them. Also removes folders that become empty.
 * Sets *found to true if the cache contained the build-id. Returns another status than PK_OK if
 * something failed, after an error message. */
PK_MUST_CHECK enum pk_status cache_remove(struct cache *cache, const char *hex, bool *found);

#endif
