/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache of symbol tables, which lasts longer than the program. It keeps the sorted symbols of ELF
 * files and of the running kernel. A second program that reads the same file maps the table instead
 * of reading, sorting and demangling the symbols again.
 *
 * The cache consists of two files in a folder of the user: `symbols` and `symbols.old`. A program
 * only appends tables to `symbols`. If `symbols` is large, the next program renames it to
 * `symbols.old` and starts an empty file. Tables of `symbols.old` that are still used are appended
 * to `symbols` again. So tables that nobody uses disappear, and the size of both files is limited.
 *
 * Programs look up files after they have entered a sandbox, in which they cannot create or rename
 * files. Therefore pk_symbol_cache_open() opens both files before, and there is not one file per
 * object. Several programs can use the cache at the same time.
 *
 * The files are only used if they and their folder belong to this user, and if no other user can
 * write to them. Their content is checked all the same: a table is used only if its checksum is
 * right, and each offset is checked before it is used.
 */
#ifndef PK_SYMBOL_CACHE_H
#define PK_SYMBOL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cached_table.h"

/* A file of the cache. */
struct pk_cache_file {
	int fd;
	char *bytes; /* the file as it was when it was opened, or NULL if there is no file */
	size_t size;
};

/* An open cache. */
struct pk_symbol_cache {
	struct pk_cache_file newer, older;
	bool writable; /* tables can be appended to `newer` */
	int error;     /* errno of the first append that failed, or 0 */
};

/* Opens the cache in `folder`, and creates it if it does not exist. `folder` is "" for no cache.
 * Call it before the program enters a sandbox. If the folder cannot be used, the cache is empty. */
void pk_symbol_cache_open(struct pk_symbol_cache *c, const char *folder);
/* Closes the cache. The tables that were loaded from it must not be used any more. */
void pk_symbol_cache_close(struct pk_symbol_cache *c);

/* Finds the table with this key. Sets `t`, which must be empty, to the table in the mapped file.
 * *extra is set to the bytes that were saved with the table. They have an address that is a
 * multiple of 8, and are valid until the cache is closed. Returns false if the cache does not have
 * the table. */
bool pk_symbol_cache_load(const struct pk_symbol_cache *c, const struct pk_cache_key *key,
			  struct pk_symtable *t, const void **extra, size_t *extra_size);
/* Appends a flattened table, if it is not in `newer` yet. The names that were already made to be
 * shown are saved in this form. A failure is noted in c->error. If another program is writing,
 * nothing is saved. */
void pk_symbol_cache_save(struct pk_symbol_cache *c, const struct pk_cache_key *key,
			  const struct pk_symtable *t, const void *extra, size_t extra_size);

#endif
