/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_SQLITE_SCHEMA_H
#define EXPORT_SQLITE_SCHEMA_H

/* The SQL that creates the tables, indexes and views of a store (docs/exports.md). It does not
 * change a database that already has them. */

#include "buffer.h"
#include "content_tables.h"

#define SQLITE_SCHEMA_VERSION 2 /* value of PRAGMA user_version */

void sqlite_tables(struct buffer *sql);
/* Adds the SQL for indexes and views. It is executed after the first recording was added, because
 * indexes are then created faster. */
void sqlite_indexes(struct buffer *sql);
/* Adds the INSERT for a row of a table of content. It has a parameter for each column. */
void sqlite_insert(struct buffer *sql, enum content_table table);

/* The end of an INSERT. If there is a row with the same primary key, the sums are added to the sums
 * of that row. Sums of weights that do not fit into 63 bits become the largest number. */
#define SQLITE_ADD_SUMS                                                                            \
	" ON CONFLICT DO UPDATE SET samples = samples + excluded.samples,"                         \
	" weight = min(weight + excluded.weight, 9223372036854775807)"

#endif
