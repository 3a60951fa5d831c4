/* SPDX-License-Identifier: BSD-2-Clause */
/* The form of a symbol table in a file of the cache. See symbol_cache.h. */
#ifndef PK_CACHED_TABLE_H
#define PK_CACHED_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symtable.h"

/* Identifies the content of a table: what it was made from, and the version of the code that made
 * it. Two keys are equal if their bytes are equal. */
struct pk_cache_key {
	size_t size; /* 0 if the table is not kept in the cache */
	uint8_t bytes[248];
};

/* Starts a key. `kind` says what is in the table. */
void pk_cache_key_start(struct pk_cache_key *key, const char *kind);
/* Adds bytes to the key. If there is no room for them, the key becomes empty, and stays empty. */
void pk_cache_key_add(struct pk_cache_key *key, const void *bytes, size_t size);

/* The parts of a table, in this order. The first three are padded to a multiple of 8 bytes. */
enum pk_table_part {
	PK_PART_KEY,
	PK_PART_EXTRA, /* additional bytes of the user of the cache */
	PK_PART_ENTRIES,
	PK_PART_NAMES,
	PK_PART_SHOWN, /* names in the form in which they are shown; their offsets continue those of
			* PK_PART_NAMES */
	PK_PARTS,
};

/* The start of a table. The parts, padding and a checksum of 8 bytes follow. */
struct pk_cached_start {
	uint64_t sizes[PK_PARTS]; /* in bytes, without the padding */
	uint64_t spent;		  /* what was spent of the budget for names */
};

/* The greatest size of a table in bytes. */
#define PK_CACHED_TABLE_MAX ((uint64_t)32 << 20)

/* Reads a table. Sets `t`, which must be empty, to the entries and names in `bytes`, whose address
 * must be a multiple of 8. The entries are changed later, see pk_symtable_name(). *extra is set to
 * the additional bytes, whose address is also a multiple of 8. Returns false if the table has
 * another key, or is damaged. */
bool pk_cached_table_read(char *bytes, uint64_t size, const struct pk_cache_key *key,
			  struct pk_symtable *t, const void **extra, size_t *extra_size);
/* Returns the checksum of a table of `size` bytes, which belongs into its last 8 bytes. `size` must
 * be a multiple of 8. */
uint64_t pk_cached_table_sum(const char *bytes, uint64_t size);

/* A table that is written. `start` is set by pk_table_copy_start(). */
struct pk_table_copy {
	struct pk_cached_start start;
	const struct pk_cache_key *key;
	const struct pk_symtable *table;
	const void *extra;
};

/* Prepares a table for writing. The key, the table and the additional bytes must stay valid and
 * unchanged. Returns false if the table is too large. */
bool pk_table_copy_start(struct pk_table_copy *copy, const struct pk_cache_key *key,
			 const struct pk_symtable *t, const void *extra, size_t extra_size);
uint64_t pk_table_copy_size(const struct pk_table_copy *copy);
/* Writes the table at the current position of the file. Names that were already made to be shown
 * are written in this form. Returns PK_IO and sets errno if this fails, and PK_NOMEM if memory is
 * exhausted. */
PK_MUST_CHECK enum pk_status pk_table_copy_write(const struct pk_table_copy *copy, int fd);

#endif
