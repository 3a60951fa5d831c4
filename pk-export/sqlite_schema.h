/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SQLITE_SCHEMA_H
#define SQLITE_SCHEMA_H

/* The tables, indexes and views of a database (docs/exports.md). Each text is SQL that has no
 * effect on a database which has these already. */

#define SQLITE_SCHEMA_VERSION 1 /* PRAGMA user_version */

extern const char sqlite_tables[], sqlite_indexes[], sqlite_views[];

#endif
