/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIASES_H
#define PK_FILTER_ALIASES_H

/* Replacement of names and addresses: equal inputs get equal results under one key. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alias_key.h"

struct aliases {
	struct hash_key key;
	uint64_t user, kernel; /* the distances in bytes by which addresses are moved, multiples of
				* the page size */
	/* Stores each alias and its original. May be NULL. With restore, the functions below do the
	 * reverse: they look up aliases here and return the originals. Values that are no aliases
	 * are unchanged. */
	struct alias_key *names;
	bool restore;
};

/* Initializes from a key of at least ALIASES_KEY_MIN bytes. */
#define ALIASES_KEY_MIN 16
void aliases_init(struct aliases *aliases, const void *key, size_t size);
/* Initializes from the hash key of an earlier run. */
void aliases_init_from(struct aliases *aliases, const struct hash_key *key);

#define ALIAS_SIZE 48

/* True if all bytes of the text, which needs no NUL, are in the set. */
bool alias_consists_of(const char *text, size_t size, const char *set);
/* The alias of a comm, a path, a function or a file: 12 letters and digits, for a path after a
 * slash. Brackets, " (deleted)" after a path, and prefixes such as "[anon:" and "/memfd:" are kept.
 * Names that are the same on all machines ("[vdso]", "//anon") are unchanged. The result is in
 * `alias` or, with restore, valid as long as `names`. */
const char *alias_of(const struct aliases *aliases, const char *name, size_t size,
		     char alias[ALIAS_SIZE]);
/* The alias of an event's name. Names of counters and of the kernel's own tracepoints are returned
 * unchanged. */
const char *alias_of_event(const struct aliases *aliases, const char *name, char alias[ALIAS_SIZE]);
/* Replaces a build-id in place. */
void alias_build_id(const struct aliases *aliases, uint8_t *build_id, size_t size);
/* The alias of an identifying number, such as an inode. 0 is unchanged. */
uint64_t alias_number(const struct aliases *aliases, uint64_t number);
/* The same for the inode of a file on a device. Sets *device to 0, or with restore to the
 * original. */
uint64_t alias_file(const struct aliases *aliases, uint64_t inode, uint64_t *device);
/* The replacement of the offset of the kernel's map, which is the address of a symbol: always 0,
 * because the offset would show by how much addresses are moved. With restore, the original.
 * `address`: the address of the map in the anonymous recording. */
uint64_t alias_reference(const struct aliases *aliases, uint64_t address, uint64_t offset);
/* Moves an address in memory. Addresses in the first page and markers of callchains are unchanged.
 */
uint64_t alias_address(const struct aliases *aliases, uint64_t address);
/* The distance in bytes, a multiple of the page size, to add to offsets in the file with that path.
 */
uint64_t alias_offset(const struct aliases *aliases, const char *path, size_t size);

#endif
