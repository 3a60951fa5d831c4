/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIASES_H
#define PK_FILTER_ALIASES_H

/* Names and addresses in the place of the real ones, the same for the same under one key. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alias_key.h"

struct aliases {
	struct hash_key key;
	uint64_t user, kernel; /* how far addresses are moved, in whole pages */
	/* Where aliases are noted, or may be NULL; with restore they are looked up in it, and all
	 * functions below do the opposite: they put in what an alias stands for, and leave what is
	 * none. */
	struct alias_key *names;
	bool restore;
};

/* Of a key of so many bytes, at least ALIASES_KEY_MIN. */
#define ALIASES_KEY_MIN 16
void aliases_init(struct aliases *aliases, const void *key, size_t size);
/* Of a key that was made before. */
void aliases_init_from(struct aliases *aliases, const struct hash_key *key);

#define ALIAS_SIZE 48

/*
 * For a comm, a path, a function, a file: 12 letters and digits, of a path behind a slash. What the
 * kernel itself calls things ("[vdso]", "//anon") stays. The result is in `alias`, or, with
 * restore, lasts as long as the names.
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
/* The same for an inode of one of several devices. The device becomes 0. */
uint64_t alias_file(const struct aliases *aliases, uint64_t inode, uint64_t *device);
/* Instead of what the offset of the kernel's map was, where a symbol was: nothing, since it tells
 * by how much addresses are moved. `address`: the map's in the anonymous recording. */
uint64_t alias_reference(const struct aliases *aliases, uint64_t address, uint64_t offset);
/* For an address in memory. Null pointers and markers of callchains stay. */
uint64_t alias_address(const struct aliases *aliases, uint64_t address);
/* By how much offsets in the file of that path are moved, in whole pages. */
uint64_t alias_offset(const struct aliases *aliases, const char *path, size_t size);

#endif
