/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIASES_H
#define PK_FILTER_ALIASES_H

/* Replacement of names and addresses: equal inputs get equal results under one key. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keyed_hash.h"

struct aliases {
	struct hash_key key;
	uint64_t user, kernel; /* the distance by which addresses are moved, in whole pages */
};

/* Initializes from a key of at least ALIASES_KEY_MIN bytes. */
#define ALIASES_KEY_MIN 16
void aliases_init(struct aliases *aliases, const void *key, size_t size);

#define ALIAS_SIZE 48

/* The alias of a comm, a path, a function or a file: 12 letters and digits; for a path, after a
 * slash. Names from the kernel ("[vdso]", "//anon") are unchanged. */
const char *alias_of(const struct aliases *aliases, const char *name, size_t size,
		     char alias[ALIAS_SIZE]);
/* The alias of an event's name. Names of counters and of the kernel's own tracepoints are returned
 * unchanged. */
const char *alias_of_event(const struct aliases *aliases, const char *name, char alias[ALIAS_SIZE]);
/* Replaces a build-id in place. */
void alias_build_id(const struct aliases *aliases, uint8_t *build_id, size_t size);
/* The alias of an identifying number, such as an inode. 0 is unchanged. */
uint64_t alias_number(const struct aliases *aliases, uint64_t number);
/* The moved address in memory. Null pointers and markers of callchains are unchanged. */
uint64_t alias_address(const struct aliases *aliases, uint64_t address);
/* The distance by which offsets in the file of that path are moved, in whole pages. */
uint64_t alias_offset(const struct aliases *aliases, const char *path, size_t size);

#endif
