/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIASES_H
#define PK_FILTER_ALIASES_H

/* Names and addresses in the place of the real ones, the same for the same under one key. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keyed_hash.h"

struct aliases {
	struct hash_key key;
	uint64_t user, kernel; /* how far addresses are moved, in whole pages */
};

/* Of a key of so many bytes, at least ALIASES_KEY_MIN. */
#define ALIASES_KEY_MIN 16
void aliases_init(struct aliases *aliases, const void *key, size_t size);

#define ALIAS_SIZE 48

/*
 * For a comm, a path, a function, a file: 12 letters and digits, of a path behind a slash. What the
 * kernel itself calls things ("[vdso]", "//anon") stays.
 */
const char *alias_of(const struct aliases *aliases, const char *name, size_t size,
		     char alias[ALIAS_SIZE]);
/* For the name of an event: those of counters and of the kernel's own tracepoints stay, and are
 * returned themselves. */
const char *alias_of_event(const struct aliases *aliases, const char *name, char alias[ALIAS_SIZE]);
/* For a build-id, in place. */
void alias_build_id(const struct aliases *aliases, uint8_t *build_id, size_t size);
/* For a number that names something: an inode. 0 stays. */
uint64_t alias_number(const struct aliases *aliases, uint64_t number);
/* For an address in memory. Null pointers and markers of callchains stay. */
uint64_t alias_address(const struct aliases *aliases, uint64_t address);
/* By how much offsets in the file of that path are moved, in whole pages. */
uint64_t alias_offset(const struct aliases *aliases, const char *path, size_t size);

#endif
