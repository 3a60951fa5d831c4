/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DATADIR_H
#define DATADIR_H

/* Directories of perf record --threads: a perf.data file, and one file for each ring. */

#include "pkstream.h"

struct pk_datadir;

/* Opens the directory of fd; fd stays the caller's. *data is its perf.data file, and is closed with
 * the directory. PK_CORRUPT: the directory has no such file; PK_IO: see errno. */
enum pk_status pk_datadir_open(int fd, struct pk_datadir **dir, int *data);
void pk_datadir_close(struct pk_datadir *dir);
/* Like pk_reader_next, for the reader whose input is *data: returns its records, then the records
 * of the other files, merged by time. */
enum pk_status pk_datadir_next(struct pk_datadir *dir, struct pk_reader *reader,
			       struct pk_record *record);
/* Reports that the current record's reader has failed: the whole directory fails at once. */
void pk_datadir_give_up(struct pk_datadir *dir, struct pk_reader *reader);
/* The reader of the current record, or NULL if it is the reader of *data. */
struct pk_reader *pk_datadir_current(const struct pk_datadir *dir);
/* The bytes that the readers of the other files hold. */
size_t pk_datadir_held(const struct pk_datadir *dir);
uint64_t pk_datadir_bad_records(const struct pk_datadir *dir);
uint64_t pk_datadir_unswapped_records(const struct pk_datadir *dir);

#endif
