// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffer.h"
#include "cli.h"
#include "lookups.h"
#include "sandbox.h"
#include "sqlite_store.h"

/* An open database file. */
struct store {
	sqlite3 *database;
	char *path;
	bool created; /* the file did not exist before */
	bool failed;
};

struct store_statement {
	struct store *store;
	sqlite3_stmt *sql;
	struct buffer text;
};

static void fail(struct store *store)
{
	if (!store->failed)
		pk_error("%s: %s", store->path, sqlite3_errmsg(store->database));
	store->failed = true;
}

/* The cache is large, because the indexes of keys grow at random places. */
static const char *const start = "PRAGMA cache_size = -131072;"
				 "PRAGMA temp_store = MEMORY;"
				 "PRAGMA trusted_schema = OFF;";

/* How long to wait, in milliseconds, while another program uses the database. */
#define BUSY_MS 60000

/* Returns the path for SQLite. "./" precedes it, so that a name like ":memory:" is the name of a
 * file. */
static char *path_of(const char *path)
{
	char *copy;

	return asprintf(&copy, "%s%s", *path == '/' ? "" : "./", path) < 0 ? NULL : copy;
}

static struct store *open_database(struct store *store, int *result)
{
	const int code = sqlite3_open_v2(store->path, &store->database,
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	sqlite3_busy_timeout(store->database, BUSY_MS);
	if (code == SQLITE_OK)
		store_run(store, start);
	else
		fail(store);
	if (!store->failed)
		return store;
	store_close(store, false);
	*result = PK_EXIT_FAILED;
	return NULL;
}

struct store *store_open(const char *path, int *result)
{
	struct stat st;
	const bool created = lstat(path, &st) && errno == ENOENT;
	const int fd = pk_create(path, PK_CREATE_APPEND);
	struct store *store;

	if (fd < 0) {
		*result = -fd;
		return NULL;
	}
	close(fd);
	pk_sandbox_folder_of(path);
	store = calloc(1, sizeof(*store));
	if (store) {
		store->created = created;
		store->path = path_of(path);
	}
	if (store && store->path)
		return open_database(store, result);
	free(store);
	if (created)
		unlink(path);
	*result = pk_no_memory();
	return NULL;
}

bool store_is_good(const struct store *store)
{
	return !store->failed;
}

bool store_close(struct store *store, bool keep)
{
	bool good;

	if (keep)
		store_run(store, "COMMIT");
	good = !store->failed;
	sqlite3_close(store->database); /* also rolls back an open transaction */
	if (store->created && !(keep && good))
		unlink(store->path);
	free(store->path);
	free(store);
	return good;
}

void store_begin(struct store *store)
{
	store_run(store, "BEGIN IMMEDIATE");
}

void store_run(struct store *store, const char *sql)
{
	if (!store->failed && sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(store);
}

uint64_t store_number(struct store *store, const char *sql)
{
	struct store_statement *statement = store_prepare(store, sql);
	const uint64_t number = store_execute(statement);

	store_statement_free(statement);
	return number;
}

/* ---- Statements ---- */

struct store_statement *store_prepare(struct store *store, const char *sql)
{
	struct store_statement *statement;

	if (store->failed)
		return NULL;
	statement = calloc(1, sizeof(*statement));
	if (!statement) {
		pk_no_memory();
		store->failed = true;
		return NULL;
	}
	statement->store = store;
	if (sqlite3_prepare_v2(store->database, sql, -1, &statement->sql, NULL) == SQLITE_OK)
		return statement;
	fail(store);
	store_statement_free(statement);
	return NULL;
}

void store_statement_free(struct store_statement *statement)
{
	if (!statement)
		return;
	sqlite3_finalize(statement->sql);
	free(statement->text.data);
	free(statement);
}

static void check(struct store_statement *statement, int code)
{
	if (code != SQLITE_OK)
		fail(statement->store);
}

void store_bind_number(struct store_statement *statement, int index, uint64_t number)
{
	if (statement)
		check(statement, sqlite3_bind_int64(statement->sql, index, (sqlite3_int64)number));
}

void store_bind_text(struct store_statement *statement, int index, const char *text, size_t size)
{
	struct buffer *valid;

	if (!statement)
		return;
	valid = &statement->text;
	valid->size = 0;
	buffer_valid(valid, text, size, SIZE_MAX);
	if (valid->failed)
		check(statement, SQLITE_NOMEM);
	else
		check(statement,
		      sqlite3_bind_text64(statement->sql, index, valid->size ? valid->data : "",
					  valid->size, SQLITE_TRANSIENT, SQLITE_UTF8));
}

void store_bind_bytes(struct store_statement *statement, int index, const void *bytes, size_t size)
{
	if (statement)
		check(statement,
		      sqlite3_bind_blob64(statement->sql, index, bytes, size, SQLITE_TRANSIENT));
}

void store_clear(struct store_statement *statement)
{
	if (statement)
		sqlite3_clear_bindings(statement->sql);
}

/* Returns the result of a statement. If an INSERT has inserted nothing, the result is 0: the last
 * id of the database would belong to another INSERT. */
static uint64_t result_of(struct store_statement *statement, int code, int before)
{
	sqlite3 *database = statement->store->database;

	if (code == SQLITE_ROW)
		return (uint64_t)sqlite3_column_int64(statement->sql, 0);
	if (code != SQLITE_DONE) {
		fail(statement->store);
		return 0;
	}
	return sqlite3_total_changes(database) != before
		       ? (uint64_t)sqlite3_last_insert_rowid(database)
		       : 0;
}

uint64_t store_execute(struct store_statement *statement)
{
	uint64_t result;
	int before;

	if (!statement || statement->store->failed)
		return 0;
	before = sqlite3_total_changes(statement->store->database);
	result = result_of(statement, sqlite3_step(statement->sql), before);
	sqlite3_reset(statement->sql);
	sqlite3_clear_bindings(statement->sql);
	return result;
}
