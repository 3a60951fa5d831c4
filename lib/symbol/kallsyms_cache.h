/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache for the symbols of the running kernel. The kernel needs about 18 ms to generate the text
 * of /proc/kallsyms, and parsing the text takes longer. A copy contains the sorted table of the
 * symbols. It is mapped, so that a program reads only the parts that it uses. A copy is valid for
 * one boot, one list of modules and one user. An invalid copy is ignored. Several programs may use
 * the cache at the same time.
 */
#ifndef PK_KALLSYMS_CACHE_H
#define PK_KALLSYMS_CACHE_H

#include "kallsyms.h"

/* Where the copy for the running kernel is, and its key. */
struct pk_kallsyms_cache {
	char path[4096]; /* path of the file with the copy; "" if there is no cache */
	uint64_t key;
	int fd; /* descriptor of the file to which the copy is written; -1 if no file is open for
		 * writing */
};

/* Sets the path and the key that a valid copy has. The copy need not exist. `folder` is the folder
 * of the cache, or "" for no cache. Returns false if there is no folder, if the boot cannot be
 * identified, or if the path is too long. */
bool pk_kallsyms_cache_find(struct pk_kallsyms_cache *c, const char *folder);
/* If there is no copy, creates and opens the file for it, and removes copies that are older than 7
 * days. Call it before the program enters a sandbox, because in a sandbox no file can be opened for
 * writing. Failures are ignored. */
void pk_kallsyms_cache_prepare(struct pk_kallsyms_cache *c);
/* Returns whether a copy can be written now. */
bool pk_kallsyms_cache_is_prepared(const struct pk_kallsyms_cache *c);
/* Maps the copy. *k must be empty. Returns false if there is no valid copy. */
bool pk_kallsyms_cache_load(const struct pk_kallsyms_cache *c, struct pk_kallsyms *k);
/* Writes a table to the copy, if the copy was prepared. Failures are ignored. */
void pk_kallsyms_cache_save(struct pk_kallsyms_cache *c, const struct pk_kallsyms *k);
void pk_kallsyms_cache_close(struct pk_kallsyms_cache *c);

#endif
