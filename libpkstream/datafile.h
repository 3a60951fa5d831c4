/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads perf.data files, and directories of such files, as streams. */
#ifndef DATAFILE_H
#define DATAFILE_H

#include "pkstream.h"

/* ---- Magic ---- */

/* Returns true if the 8 bytes at `start` are a magic of perf: PERFILE2 in one of the byte orders,
 * or PERFFILE, which perf wrote before Linux 3.4. */
bool pk_is_magic(const uint8_t *start);
/* Returns true if the 16 bytes at `start`, a magic and the size of a header, have the other byte
 * order than this machine. */
bool pk_start_is_swapped(const uint8_t *start);

/* ---- Directories ---- */

struct pk_datadir;

/* Opens the recording in the directory fd. The caller closes fd. *data is set to the descriptor of
 * the file `data` in the directory, which pk_datadir_close() closes. Returns PK_CORRUPT if the
 * directory has no such file, and PK_IO with errno if a system call failed. The caller must close
 * *dir also after an error. *dir is NULL if there is nothing to close. */
enum pk_status pk_datadir_open(int fd, struct pk_datadir **dir, int *data);
void pk_datadir_close(struct pk_datadir *dir);
/* Like pk_reader_next, for a directory. reader is the reader of the file `data`. First returns the
 * records of that file, then the records of the other files, merged by time. Now and then, returns
 * a FINISHED_ROUND. */
enum pk_status pk_datadir_next(struct pk_datadir *dir, struct pk_reader *reader,
			       struct pk_record *record);
/* Must be called if the payload of the current record could not be read. After this call,
 * pk_datadir_next() returns this error, and does not read the other files. */
void pk_datadir_give_up(struct pk_datadir *dir, struct pk_reader *reader);
/* The reader of the file from which the current record comes. NULL if that is the file `data`. */
struct pk_reader *pk_datadir_current(const struct pk_datadir *dir);
/* The memory in use for the input of the other files, in bytes. */
size_t pk_datadir_held(const struct pk_datadir *dir);
/* These functions return the sum of a counter over the readers of the other files. */
uint64_t pk_datadir_bad_records(const struct pk_datadir *dir);
uint64_t pk_datadir_unswapped_records(const struct pk_datadir *dir);

struct pk_datafile;

/* This function is called for an item of the file that is skipped. offset is the item's offset in
 * fd. type is the type of the record that the item would have become. */
typedef void (*pk_datafile_warn)(void *arg, uint64_t offset, uint32_t type, const char *text);

/* Opens the file whose header is at offset base of fd. fd must be seekable. If spool is true, fd is
 * a temporary copy of the input, and pk_datafile_close() closes fd. After an error, the caller must
 * close *result unless it is NULL. */
enum pk_status pk_datafile_open(int fd, bool spool, uint64_t base, pk_datafile_warn warn, void *arg,
				struct pk_datafile **result);
void pk_datafile_close(struct pk_datafile *file);
/* Like read(2). Returns the bytes of the stream that stands for the file. After the end of the
 * file, returns the bytes of another recording if one follows in fd. */
ssize_t pk_datafile_read(void *file, void *buf, size_t size);
/* Sets *fd to the file's descriptor. Returns true if the descriptor is a temporary copy. From then
 * on, the caller must close it. */
bool pk_datafile_release_fd(struct pk_datafile *file, int *fd);
/* The version in the feature DIR_FORMAT if the file belongs to a directory of perf record
 * --threads. Otherwise 0. */
uint64_t pk_datafile_directory(const struct pk_datafile *file);
/* The reason why the file is incomplete, or NULL if it is complete. */
const char *pk_datafile_missing(const struct pk_datafile *file);
/* Converts an offset in the stream to an offset in fd. For records that were made from the header,
 * the result is the offset of the header. */
uint64_t pk_datafile_offset(const struct pk_datafile *file, uint64_t offset);
/* Returns true if the byte at this offset of the stream comes from the data section. */
bool pk_datafile_is_data(const struct pk_datafile *file, uint64_t offset);

#endif
