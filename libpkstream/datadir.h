/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DATADIR_H
#define DATADIR_H

/* Directories of perf record --threads: a perf.data file and, beside it, records of each ring. */

#include "pkstream.h"

struct pk_datadir;

/*
 * The directory behind fd, which stays the caller's. *data is its perf.data file, closed with the
 * directory. PK_CORRUPT: it has none; PK_IO: errno says.
 */
enum pk_status pk_datadir_open(int fd, struct pk_datadir **dir, int *data);
void pk_datadir_close(struct pk_datadir *dir);
/* As pk_reader_next, for the reader whose input the file of *data is: its records, then those of
 * the other files, merged by time. */
enum pk_status pk_datadir_next(struct pk_datadir *dir, struct pk_reader *reader,
			       struct pk_record *record);
/* The current record's reader has failed and so the whole does, at once. */
void pk_datadir_give_up(struct pk_datadir *dir, struct pk_reader *reader);
/* The reader that the current record is in, or NULL for the one of *data. */
struct pk_reader *pk_datadir_current(const struct pk_datadir *dir);
/* Of the files beside data. */
size_t pk_datadir_held(const struct pk_datadir *dir);
uint64_t pk_datadir_bad_records(const struct pk_datadir *dir);
uint64_t pk_datadir_unswapped_records(const struct pk_datadir *dir);

#endif
