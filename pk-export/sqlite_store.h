/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SQLITE_STORE_H
#define SQLITE_STORE_H

/* A database file of SQLite. All changes are one transaction: after a failure, or if the program is
 * killed, the file is as before. The first error is printed. Later calls then do nothing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;
struct store_statement;

/* Opens or creates a database file with mode 0600. Returns NULL after a message, and sets *result
 * to the exit status. */
struct store *store_open(const char *path, int *result);
/* Starts the transaction. Waits for those of other programs, a minute at most. */
void store_begin(struct store *store);
/* Returns false if an error was printed. */
bool store_is_good(const struct store *store);
/* Ends the transaction. If keep is false, or after an error, changes nothing. Then a file that did
 * not exist is removed. Frees the store. Its statements must have been freed. Returns false if an
 * error was printed. */
bool store_close(struct store *store, bool keep);
/* Executes one or several statements. */
void store_run(struct store *store, const char *sql);
/* The first column of the first row as a number, or 0 if there is none. */
uint64_t store_number(struct store *store, const char *sql);

/* Returns NULL after an error. The functions below accept that. */
struct store_statement *store_prepare(struct store *store, const char *sql);
void store_statement_free(struct store_statement *statement);
/* Values of parameters, from 1 on. Those that are not set are NULL. Numbers above INT64_MAX become
 * negative. Texts become valid UTF-8 without control characters. Bytes must stay valid until the
 * statement is executed. */
void store_bind_number(struct store_statement *statement, int index, uint64_t number);
void store_bind_text(struct store_statement *statement, int index, const char *text, size_t size);
void store_bind_bytes(struct store_statement *statement, int index, const void *bytes, size_t size);
/* Clears the parameters. */
void store_clear(struct store_statement *statement);
/* Executes the statement and clears its parameters. Returns the first column of the result as a
 * number, or the id of the row that it has inserted, or 0 if there is none. */
uint64_t store_execute(struct store_statement *statement);

#endif
