// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datafile.h"
#include "pkprivate.h"
#include "reader.h"
#include "vector.h"

/* A directory has the files data.0, data.1 and so on. Each file has the records of one ring buffer
 * of the kernel, in time order. The file has no header, and it has its own compression stream. The
 * reader merges the files: the next record is always the earliest record of all files. So few
 * records are out of order. The files do not contain FINISHED_ROUND records, so pk generates these
 * (SPEC 7.1). */

#define FILES_MAX 65536
/* Limit in bytes for the input blocks of all files together. Each file needs at least
 * PK_BLOCK_SIZE_MIN (128 KiB), so the blocks need more than this limit if there are more than 256
 * files. */
#define BLOCKS_SIZE ((size_t)32 << 20)
#define ROUND_SIZE  ((size_t)8 << 20) /* bytes of records from one FINISHED_ROUND to the next */

/* One file data.N of a directory. */
struct ring_file {
	struct pk_datadir *dir;
	struct pk_reader *whole; /* the reader of the directory; errors are reported through its
				  * warn function */
	struct pk_reader *reader;
	unsigned int number;
	int fd;
	struct pk_record record; /* the next record of this file */
	uint64_t time;		 /* the latest time so far in this file, in ns */
};

/* A directory that is being read. */
struct pk_datadir {
	int fd, data;
	bool began; /* true after the first record of the file `data` was requested */
	struct ring_file *files;
	size_t count, capacity;
	struct ring_file **heap; /* heap of the files that have more records; the file with the
				  * earliest record is first */
	size_t waiting;
	struct ring_file *current; /* the file of the caller's current record */
	struct pk_pool pool;
	size_t since_round; /* bytes of records since the last FINISHED_ROUND */
	struct perf_header round;
	enum pk_status end; /* the status to return after the end of all files */
	char error[160];
};

/* ---- Names: only regular files in the directory itself ---- */

static int open_regular(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/* The name is "data." and a decimal number without leading zeros. */
static bool parse_name(const char *name, unsigned int *number)
{
	const char *digits = name + 5;
	size_t length;

	if (strncmp(name, "data.", 5))
		return false;
	length = strspn(digits, "0123456789");
	if (!length || length > 9 || digits[length] || (digits[0] == '0' && length > 1))
		return false;
	*number = (unsigned int)strtoul(digits, NULL, 10);
	return true;
}

static enum pk_status add_file(struct pk_datadir *dir, unsigned int number)
{
	if (dir->count == FILES_MAX)
		return PK_CORRUPT;
	PK_TRY(pk_reserve(&dir->files, &dir->capacity, dir->count, 1, sizeof(*dir->files)));
	dir->files[dir->count++] = (struct ring_file){.number = number, .fd = -1};
	return PK_OK;
}

static int by_number(const void *a, const void *b)
{
	const struct ring_file *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

static enum pk_status list_files(struct pk_datadir *dir)
{
	int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	enum pk_status status = PK_OK;
	const struct dirent *entry;
	unsigned int number;
	int error;

	if (!stream) {
		if (fd >= 0)
			close(fd);
		return PK_IO;
	}
	while (!status && (errno = 0, entry = readdir(stream)))
		if (parse_name(entry->d_name, &number))
			status = add_file(dir, number);
	if (!status && errno)
		status = PK_IO;
	error = errno;
	closedir(stream);
	errno = error; /* the caller uses errno for the error text */
	if (dir->count)
		qsort(dir->files, dir->count, sizeof(*dir->files), by_number);
	return status;
}

enum pk_status pk_datadir_open(int fd, struct pk_datadir **dir, int *data)
{
	struct pk_datadir *made = calloc(1, sizeof(*made));

	*dir = made;
	if (!made)
		return PK_NOMEM;
	*made = (struct pk_datadir){
		.fd = fd,
		.data = open_regular(fd, "data"),
		.round = {PERF_RECORD_FINISHED_ROUND, 0, sizeof(struct perf_header)},
		.end = PK_END};
	*data = made->data;
	if (made->data >= 0)
		return list_files(made);
	return errno == ENOENT || errno == ELOOP || errno == EINVAL ? PK_CORRUPT : PK_IO;
}

void pk_datadir_close(struct pk_datadir *dir)
{
	if (!dir)
		return;
	for (size_t i = 0; i < dir->count; i++) {
		if (dir->files[i].reader)
			pk_reader_free_one(dir->files[i].reader);
		if (dir->files[i].fd >= 0)
			close(dir->files[i].fd);
	}
	pk_pool_clear(&dir->pool);
	free(dir->files);
	free(dir->heap);
	if (dir->data >= 0)
		close(dir->data);
	free(dir);
}

/* ---- Errors: an error in one file does not stop the reading of the other files ---- */

static void complain(struct ring_file *file, const char *text)
{
	const struct pk_record none = {0};
	char line[256];

	snprintf(line, sizeof(line), "data.%u: %s", file->number, text);
	pk_reader_complain(file->whole, &none, line);
}

static void warned(void *arg, const struct pk_warning *warning)
{
	const struct ring_file *file = arg;
	const struct pk_record record = {.offset = warning->offset, .type = warning->type};
	char line[256];

	snprintf(line, sizeof(line), "data.%u: %s", file->number, warning->text);
	pk_reader_warn(file->whole, &record, line);
}

/* Saves the first failure. The reader returns it after it has read all files. Later failures are
 * only reported as warnings. */
static void note_failure(struct ring_file *file, enum pk_status status)
{
	struct pk_datadir *dir = file->dir;

	if (dir->end == PK_END) {
		dir->end = status;
		snprintf(dir->error, sizeof(dir->error), "data.%u: %s", file->number,
			 pk_reader_error(file->reader));
	} else {
		complain(file, pk_reader_error(file->reader));
	}
}

/* ---- Merging: a heap of files by the time of their next record ---- */

static bool is_before(const struct ring_file *a, const struct ring_file *b)
{
	return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void heap_down(struct pk_datadir *dir, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;
		struct ring_file *file = dir->heap[at];

		if (child + 1 < dir->waiting && is_before(dir->heap[child + 1], dir->heap[child]))
			child++;
		if (child >= dir->waiting || !is_before(dir->heap[child], file))
			return;
		dir->heap[at] = dir->heap[child];
		dir->heap[child] = file;
		at = child;
	}
}

/* Returns true if the file ends before the end of the next record's payload. */
static bool is_payload_cut(const struct ring_file *file)
{
	const struct pk_record *record = &file->record;
	struct stat st;

	if (!record->payload_size || fstat(file->fd, &st))
		return false;
	return record->payload_size > (uint64_t)st.st_size - (record->offset + record->size);
}

/* Moves to the next record of the file. Returns false if the file has no more records. */
static bool advance(struct ring_file *file)
{
	const struct pk_record *record = &file->record;
	enum pk_status status = pk_reader_next_one(file->reader, &file->record);
	const struct pk_event *event;
	uint64_t time;

	/* A record whose payload is incomplete is not returned. The caller could not continue after
	 * such a record, and the records of the other files would be lost. */
	if (!status && pk_unlikely(is_payload_cut(file)))
		status = pk_reader_fail_input(file->reader, PK_TRUNCATED);
	if (status) {
		if (status != PK_END)
			note_failure(file, status);
		return false;
	}
	if (record->type >= PERF_RECORD_USER_START)
		return true;
	event = pk_reader_event_of(file->reader, record);
	time = event ? pk_event_time(event, record) : PK_NO_TIME;
	if (time != PK_NO_TIME && time > file->time)
		file->time = time;
	return true;
}

static enum pk_status start_file(struct pk_datadir *dir, struct ring_file *file)
{
	struct pk_reader_options options = {.warn = warned, .arg = file};
	char name[24], text[160];
	enum pk_status status;

	snprintf(name, sizeof(name), "data.%u", file->number);
	options.fd = file->fd = open_regular(dir->fd, name);
	if (file->fd < 0) {
		snprintf(text, sizeof(text), "not read: %s",
			 errno == ELOOP || errno == EINVAL ? "not a regular file"
							   : strerror(errno));
		complain(file, text);
		return PK_OK;
	}
	status = pk_reader_new_part(file->whole, &dir->pool, &options, &file->reader);
	if (!status && advance(file))
		dir->heap[dir->waiting++] = file;
	return status;
}

static enum pk_status start_merge(struct pk_datadir *dir, struct pk_reader *reader)
{
	size_t size = dir->count ? BLOCKS_SIZE / dir->count : PK_BLOCK_SIZE;
	enum pk_status status = PK_OK;

	dir->began = true;
	dir->pool.block_size = size < PK_BLOCK_SIZE_MIN ? PK_BLOCK_SIZE_MIN
			       : size > PK_BLOCK_SIZE	? PK_BLOCK_SIZE
							: size;
	dir->heap = calloc(dir->count + 1, sizeof(struct ring_file *));
	if (!dir->heap)
		return PK_NOMEM;
	for (size_t i = 0; i < dir->count && !status; i++) {
		dir->files[i].dir = dir;
		dir->files[i].whole = reader;
		status = start_file(dir, &dir->files[i]);
	}
	for (size_t i = dir->waiting; i-- > 0;)
		heap_down(dir, i);
	return status;
}

static enum pk_status next_merged(struct pk_datadir *dir, struct pk_reader *reader,
				  struct pk_record *record)
{
	/* The record of the previous call stays valid until here. */
	if (dir->current) {
		dir->current = NULL;
		if (!advance(dir->heap[0]))
			dir->heap[0] = dir->heap[--dir->waiting];
		heap_down(dir, 0);
	}
	if (dir->since_round >= ROUND_SIZE) {
		dir->since_round = 0;
		*record = (struct pk_record){.data = (const uint8_t *)&dir->round,
					     .type = dir->round.type,
					     .size = dir->round.size};
		return PK_OK;
	}
	if (!dir->waiting) {
		reader->failed = dir->end;
		memcpy(reader->error, dir->error, sizeof(reader->error));
		return dir->end;
	}
	dir->current = dir->heap[0];
	*record = dir->current->record;
	dir->since_round += record->size;
	return PK_OK;
}

enum pk_status pk_datadir_next(struct pk_datadir *dir, struct pk_reader *reader,
			       struct pk_record *record)
{
	enum pk_status status;

	if (!dir->began) {
		status = pk_reader_next_one(reader, record);
		/* If the file `data` is cut, the other files are still read. */
		if (status != PK_END && status != PK_TRUNCATED)
			return status;
		if (!reader->began)
			return status;
		dir->end = status;
		memcpy(dir->error, reader->error, sizeof(dir->error));
		status = start_merge(dir, reader);
		if (status) {
			dir->waiting = 0;
			dir->end = pk_reader_fail(reader, status, NULL);
			memcpy(dir->error, reader->error, sizeof(dir->error));
		}
	}
	return next_merged(dir, reader, record);
}

void pk_datadir_give_up(struct pk_datadir *dir, struct pk_reader *reader)
{
	const struct ring_file *file = dir->current;

	if (file) {
		reader->failed = file->reader->failed;
		snprintf(reader->error, sizeof(reader->error), "data.%u: %s", file->number,
			 pk_reader_error(file->reader));
	}
	dir->end = reader->failed;
	memcpy(dir->error, reader->error, sizeof(dir->error));
	dir->began = true;
	dir->current = NULL;
	dir->waiting = 0;
}

struct pk_reader *pk_datadir_current(const struct pk_datadir *dir)
{
	return dir->current ? dir->current->reader : NULL;
}

size_t pk_datadir_held(const struct pk_datadir *dir)
{
	return dir->pool.used;
}

uint64_t pk_datadir_bad_records(const struct pk_datadir *dir)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < dir->count; i++)
		if (dir->files[i].reader)
			bad += dir->files[i].reader->bad;
	return bad;
}

uint64_t pk_datadir_unswapped_records(const struct pk_datadir *dir)
{
	uint64_t count = 0;

	for (size_t i = 0; i < dir->count; i++)
		if (dir->files[i].reader)
			count += dir->files[i].reader->unswapped;
	return count;
}
