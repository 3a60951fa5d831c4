/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_SQLITE_SCHEMA_H
#define EXPORT_SQLITE_SCHEMA_H

/* The SQL of the tables, indexes and views of a store (docs/exports.md). It has no effect on a
 * database that has them. */

#include "buffer.h"
#include "content_tables.h"

#define SQLITE_SCHEMA_VERSION 2 /* PRAGMA user_version */

void sqlite_tables(struct buffer *sql);
/* Indexes and views. Indexes are faster to make after the first recording. */
void sqlite_indexes(struct buffer *sql);
/* The INSERT of a row of a table of content, with a parameter for each column. */
void sqlite_insert(struct buffer *sql, enum content_table table);

/* The end of an INSERT that adds sums to those of the row with the same primary key. Sums that do
 * not fit into 63 bits stay at the largest number. */
#define SQLITE_ADD_SUMS                                                                            \
	" ON CONFLICT DO UPDATE SET samples = samples + excluded.samples,"                         \
	" weight = min(weight + excluded.weight, 9223372036854775807)"

#endif
