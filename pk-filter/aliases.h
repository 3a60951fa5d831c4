/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIASES_H
#define PK_FILTER_ALIASES_H

/* Replaces names and addresses by aliases. With the same key, equal names have equal aliases. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alias_key.h"

struct aliases {
	struct hash_key key;
	uint64_t user, kernel; /* The distances by which user and kernel addresses are moved, in
				* bytes. They are multiples of the page size. */
	/* Stores each alias with its original. It may be NULL if restore is false. If restore is
	 * true, the functions below do the reverse: they replace aliases by the originals, which
	 * they find here. They do not change values that are not aliases. */
	struct alias_key *names;
	bool restore;
};

/* Initializes from a secret key of at least ALIASES_KEY_MIN bytes. */
#define ALIASES_KEY_MIN 16
void aliases_init(struct aliases *aliases, const void *key, size_t size);
/* Initializes from the hash key of an earlier run. */
void aliases_init_from(struct aliases *aliases, const struct hash_key *key);

#define ALIAS_SIZE 48

/* Returns true if all bytes of the text are in the set. The text needs no NUL. */
bool alias_consists_of(const char *text, size_t size, const char *set);
/* Returns the alias of a comm, a path, a function or a file. It is 12 letters and digits. For a
 * path, a slash precedes them. Brackets, " (deleted)" after a path, and prefixes such as "[anon:"
 * and "/memfd:" are kept. Names that are the same on all machines ("[vdso]", "//anon") are not
 * changed. The result is in the array `alias`. With restore, the result is valid as long as
 * aliases->names. */
const char *alias_of(const struct aliases *aliases, const char *name, size_t size,
		     char alias[ALIAS_SIZE]);
/* Returns the alias of an event's name. Names of counters and of the kernel's own tracepoints are
 * not changed. */
const char *alias_of_event(const struct aliases *aliases, const char *name, char alias[ALIAS_SIZE]);
/* Replaces a build-id in place. */
void alias_build_id(const struct aliases *aliases, uint8_t *build_id, size_t size);
/* Returns the alias of an identifying number, such as an inode. The alias of 0 is 0. */
uint64_t alias_number(const struct aliases *aliases, uint64_t number);
/* Returns the alias of a file's inode. *device is the device of the file, and is set to 0. With
 * restore, returns the original inode, and sets *device to the original device. */
uint64_t alias_file(const struct aliases *aliases, uint64_t inode, uint64_t *device);
/* Returns the replacement of the offset of the kernel's map. This offset is the address of a
 * symbol, so it would show by how much addresses are moved. Therefore the result is 0. With
 * restore, returns the original offset. `address` is the address of the map in the anonymous
 * recording. */
uint64_t alias_reference(const struct aliases *aliases, uint64_t address, uint64_t offset);
/* Moves an address in memory. Addresses in the first page, and markers of callchains, are not
 * changed. */
uint64_t alias_address(const struct aliases *aliases, uint64_t address);
/* Returns the number of bytes that must be added to offsets in the file with that path. It is a
 * multiple of the page size. */
uint64_t alias_offset(const struct aliases *aliases, const char *path, size_t size);

#endif
