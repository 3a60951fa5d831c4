/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data files, read as streams. */
#ifndef DATAFILE_H
#define DATAFILE_H

#include "pkstream.h"

struct pk_datadir;

/* Opens the directory of fd. The caller closes fd. *data is the descriptor of its perf.data file,
 * which pk_datadir_close() closes. Returns PK_CORRUPT if the directory has no such file, and PK_IO
 * with errno if the call failed. *dir must be closed also after an error. It is NULL if there is
 * nothing to close. */
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

struct pk_datafile;

/* Called for an item of the file that is skipped. offset is in fd. type is the type of the record
 * that the item would become. */
typedef void (*pk_datafile_warn)(void *arg, uint64_t offset, uint32_t type, const char *text);

/* Opens the file whose header is at offset base of fd. fd must be seekable. With spool, fd is a
 * temporary copy of the input, and pk_datafile_close() closes it. After an error, the caller must
 * close *result, too, unless it is NULL. */
enum pk_status pk_datafile_open(int fd, bool spool, uint64_t base, pk_datafile_warn warn, void *arg,
				struct pk_datafile **result);
void pk_datafile_close(struct pk_datafile *file);
/* Like read(2): returns the bytes of the stream that stands for the file, then those of another
 * recording that follows the file in fd. */
ssize_t pk_datafile_read(void *file, void *buf, size_t size);
/* Sets *fd. Returns true if it is a spool, and now the caller closes it. */
bool pk_datafile_release_fd(struct pk_datafile *file, int *fd);
/* The version in the feature DIR_FORMAT if the file belongs to a directory of perf record
 * --threads, otherwise 0. */
uint64_t pk_datafile_directory(const struct pk_datafile *file);
/* The reason why the file is incomplete, or NULL. */
const char *pk_datafile_missing(const struct pk_datafile *file);
/* The offset in fd for an offset in the stream. Records that were made from the header have the
 * offset of the header. */
uint64_t pk_datafile_offset(const struct pk_datafile *file, uint64_t offset);
/* True if the byte at this offset of the stream is from the data section. */
bool pk_datafile_is_data(const struct pk_datafile *file, uint64_t offset);

#endif
