/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BUILD_ID_CACHE_H
#define PK_BUILD_ID_CACHE_H

/* perf's build-id cache, a folder in the layout of members.h. Names of members are relative. No
 * symbolic link is followed in their paths. A file gets its name when it is complete, and has mode
 * 0600. Existing files of the same size are kept, others are replaced. Existing links are kept
 * unless they are dangling. */

#include "build_id.h"
#include "tar.h"

/* ---- Lists of build-ids ---- */

/* Objects and their build-ids, from recordings or from the build-id cache. */

struct build_id_list {
	struct listed {
		char hex[PK_BUILD_ID_HEX]; /* "": none */
		char *path;
	} * items;
	size_t count, capacity;
};

/* Copies both texts. */
PK_MUST_CHECK enum pk_status build_id_list_add(struct build_id_list *listing, const char *hex,
					       const char *path);
/* Prints the list to stdout, like perf buildid-list: sorted by path, each object once. */
void build_id_list_print(struct build_id_list *listing);
void build_id_list_free(struct build_id_list *listing);

/* ---- The cache ---- */

struct cache;

/* Returns NULL after a message. With create, creates the folder if it does not exist. */
struct cache *cache_open(const char *folder, bool create);
void cache_free(struct cache *cache);

/* The same as the functions of tar.h, except that false is returned after a message. */
PK_MUST_CHECK enum pk_status cache_symlink(struct cache *cache, const char *name,
					   const char *target);
PK_MUST_CHECK enum pk_status cache_bytes(struct cache *cache, const char *name, const void *bytes,
					 uint64_t size);
PK_MUST_CHECK enum pk_status cache_file(struct cache *cache, const char *name, int fd,
					uint64_t size, bool *read, struct tar_unreadable *why);
/* True if the cache contains the build-id under another path than `path`, which is relative. */
bool cache_has_elsewhere(struct cache *cache, const char *hex, const char *path);
/* Adds the objects of the cache to the list. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status cache_list(struct cache *cache, struct build_id_list *listing);
/* Removes all files of a build-id, the links to them, and folders that become empty. Sets *found if
 * the cache contained the build-id. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status cache_remove(struct cache *cache, const char *hex, bool *found);

#endif
