/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DATADIR_H
#define DATADIR_H

/* Directories of perf record --threads: the perf.data file `data`, and `data.N` with the records of
 * ring N. */

#include "pkstream.h"

struct pk_datadir;

/* Opens the directory of fd; the caller closes fd. *data is the descriptor of its perf.data file,
 * which pk_datadir_close() closes. PK_CORRUPT: the directory has no such file; PK_IO: see errno.
 * *dir must be closed also after an error; NULL: nothing to close. */
enum pk_status pk_datadir_open(int fd, struct pk_datadir **dir, int *data);
void pk_datadir_close(struct pk_datadir *dir);
/* Like pk_reader_next, for the reader whose input is *data: returns its records, then the records
 * of the other files, merged by time, with a FINISHED_ROUND now and then. */
enum pk_status pk_datadir_next(struct pk_datadir *dir, struct pk_reader *reader,
			       struct pk_record *record);
/* Call it if reading the payload of the current record has failed: all later calls return this
 * error, and the other files are not read. */
void pk_datadir_give_up(struct pk_datadir *dir, struct pk_reader *reader);
/* The reader of the current record, or NULL if it is the reader of *data. */
struct pk_reader *pk_datadir_current(const struct pk_datadir *dir);
/* Bytes of memory in use for the input of the other files. */
size_t pk_datadir_held(const struct pk_datadir *dir);
/* The sums of the counters of the other files' readers. */
uint64_t pk_datadir_bad_records(const struct pk_datadir *dir);
uint64_t pk_datadir_unswapped_records(const struct pk_datadir *dir);

#endif
