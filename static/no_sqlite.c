// SPDX-License-Identifier: BSD-2-Clause
/* Replaces pk-export/sqlite_store.c in static programs, which have no SQLite. No store can be
 * opened, so the other functions are never called. */
#include <stdlib.h>

#include "cli.h"
#include "sqlite_store.h"

struct store *store_open(const char *path, int *result)
{
	pk_error("%s: this static program has no SQLite: use pk-export of a package, or pk-export "
		 "rows and sqlite3",
		 path);
	*result = PK_EXIT_FAILED;
	return NULL;
}

void store_begin(struct store *store)
{
	(void)store;
	abort();
}

bool store_is_good(const struct store *store)
{
	(void)store;
	abort();
}

bool store_close(struct store *store, bool keep)
{
	(void)store;
	(void)keep;
	abort();
}

void store_run(struct store *store, const char *sql)
{
	(void)store;
	(void)sql;
	abort();
}

uint64_t store_number(struct store *store, const char *sql)
{
	(void)store;
	(void)sql;
	abort();
}

struct store_statement *store_prepare(struct store *store, const char *sql)
{
	(void)store;
	(void)sql;
	abort();
}

void store_statement_free(struct store_statement *statement)
{
	(void)statement;
	abort();
}

void store_bind_number(struct store_statement *statement, int index, uint64_t number)
{
	(void)statement;
	(void)index;
	(void)number;
	abort();
}

void store_bind_text(struct store_statement *statement, int index, const char *text, size_t size)
{
	(void)statement;
	(void)index;
	(void)text;
	(void)size;
	abort();
}

void store_bind_bytes(struct store_statement *statement, int index, const void *bytes, size_t size)
{
	(void)statement;
	(void)index;
	(void)bytes;
	(void)size;
	abort();
}

void store_clear(struct store_statement *statement)
{
	(void)statement;
	abort();
}

uint64_t store_execute(struct store_statement *statement)
{
	(void)statement;
	abort();
}
