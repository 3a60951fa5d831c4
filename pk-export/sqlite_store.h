/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SQLITE_STORE_H
#define SQLITE_STORE_H

/* A database file of SQLite. All changes are one transaction. So after a failure, or if the program
 * is killed, the file is unchanged. The first error is printed, and later calls then do nothing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;
struct store_statement;

/* Opens a database file, or creates it with mode 0600. After an error message, returns NULL and
 * sets *result to the exit status. */
struct store *store_open(const char *path, int *result);
/* Starts the transaction. Waits at most one minute for the transactions of other programs. */
void store_begin(struct store *store);
/* Returns false if an error was printed. */
bool store_is_good(const struct store *store);
/* Ends the transaction and frees the store. The statements of the store must have been freed
 * before. If keep is false, or after an error, nothing is changed, and a file that did not exist
 * before is removed. Returns false if an error was printed. */
bool store_close(struct store *store, bool keep);
/* Executes one or several statements. */
void store_run(struct store *store, const char *sql);
/* Returns the first column of the first row as a number. Returns 0 if there is no row. */
uint64_t store_number(struct store *store, const char *sql);

/* Returns NULL after an error. The functions below do nothing if the statement is NULL. */
struct store_statement *store_prepare(struct store *store, const char *sql);
void store_statement_free(struct store_statement *statement);
/* These functions set the value of a parameter. The first parameter is number 1. A parameter that
 * is not set is NULL. Numbers above INT64_MAX become negative. Texts become valid UTF-8 without
 * control characters. Bytes must stay valid until the statement is executed. */
void store_bind_number(struct store_statement *statement, int index, uint64_t number);
void store_bind_text(struct store_statement *statement, int index, const char *text, size_t size);
void store_bind_bytes(struct store_statement *statement, int index, const void *bytes, size_t size);
/* Sets all parameters to NULL. */
void store_clear(struct store_statement *statement);
/* Executes the statement and clears its parameters. Returns the first column of the result as a
 * number, or the id of the row that was inserted. Returns 0 if there is neither. */
uint64_t store_execute(struct store_statement *statement);

#endif
