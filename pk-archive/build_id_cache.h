/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BUILD_ID_CACHE_H
#define PK_BUILD_ID_CACHE_H

/*
 * perf's build-id cache, a folder in the layout of members.h. Names of members are relative, and
 * no symbolic link is followed on the way to one. A file appears under its name when it is
 * complete, with mode 0600; what is there already stays.
 */

#include "build_id_list.h"
#include "tar.h"

struct cache;

/* NULL after a message. create: makes the folder, if there is none. */
struct cache *cache_open(const char *folder, bool create);
void cache_free(struct cache *cache);

/* The same as those of tar.h, but that false comes after a message. */
bool cache_symlink(struct cache *cache, const char *name, const char *target);
bool cache_bytes(struct cache *cache, const char *name, const void *bytes, uint64_t size);
bool cache_file(struct cache *cache, const char *name, int fd, uint64_t size, bool *read,
		struct tar_unreadable *why);
/* Is the build-id there, under a path other than this relative one? */
bool cache_has_elsewhere(struct cache *cache, const char *hex, const char *path);
/* Adds what is in the cache. False: out of memory, or after a message. */
bool cache_list(struct cache *cache, struct build_id_list *listing);
/* Removes all files of a build-id, the links to them, and folders that are empty then. False after
 * a message; *found: there was one. */
bool cache_remove(struct cache *cache, const char *hex, bool *found);

#endif
