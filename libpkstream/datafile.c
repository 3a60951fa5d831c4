// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datafile_internal.h"
#include "vector.h"

/*
 * A perf.data file is read as the stream that perf would have written in its place (SPEC, appendix
 * A): what its header tells becomes HEADER_ATTR, HEADER_FEATURE, TRACING_DATA and BUILD_ID records,
 * the data section follows as it is. All of it stays in the file's byte order, so that the reader
 * has one way to deal with both.
 */

bool pk_datafile_load(const struct pk_datafile *file, uint64_t offset, void *data, size_t size)
{
	uint8_t *at = data;

	errno = 0;
	if (offset > file->size || size > file->size - offset)
		return false;
	while (size) {
		ssize_t n = pread(file->fd, at, size, (off_t)(file->base + offset));

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = 0;
		if (n <= 0)
			return false;
		at += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

bool pk_datafile_has(const struct pk_datafile *file, const struct pk_section *section)
{
	return section->offset <= file->size && section->size <= file->size - section->offset;
}

void pk_datafile_complain(const struct pk_datafile *file, uint64_t offset, uint32_t type,
			  const char *text)
{
	file->warn(file->arg, file->base + offset, type, text);
}

void pk_datafile_complain_unread(const struct pk_datafile *file, uint64_t offset, uint32_t type,
				 const char *what)
{
	const int error = errno;
	char text[160];

	snprintf(text, sizeof(text), "%s cannot be read%s%s", what, error ? ": " : "",
		 error ? strerror(error) : "");
	pk_datafile_complain(file, offset, type, text);
}

void pk_datafile_note_end(struct pk_datafile *file, const struct pk_section *section)
{
	if (section->offset + section->size > file->end)
		file->end = section->offset + section->size;
}

/* ---- The stream, piece by piece ---- */

static void add_piece(struct pk_datafile *file, uint8_t *memory, uint64_t offset, uint64_t size)
{
	if (!pk_reserve(&file->pieces, &file->capacity, file->count, 1, sizeof(*file->pieces))) {
		free(memory);
		file->failed = true;
		return;
	}
	file->pieces[file->count++] = (struct pk_piece){memory, offset, size, 0};
}

uint8_t *pk_datafile_add(struct pk_datafile *file, size_t size)
{
	uint8_t *at;

	if (!file->head || file->head_capacity - file->head_size < size) {
		size_t capacity = 2 * (file->head_size + size) + 256;

		at = realloc(file->head, capacity);
		if (!at) {
			file->failed = true;
			return NULL;
		}
		file->head = at;
		file->head_capacity = capacity;
	}
	at = memset(file->head + file->head_size, 0, size);
	file->head_size += size;
	file->head_total += size;
	return at;
}

void pk_datafile_add_range(struct pk_datafile *file, const struct pk_section *range)
{
	if (file->head_size) {
		add_piece(file, file->head, 0, file->head_size);
		file->head = NULL;
		file->head_size = file->head_capacity = 0;
	}
	if (range->size)
		add_piece(file, NULL, range->offset, range->size);
}

/* ---- The whole file ---- */

static void find_data(struct pk_datafile *file, const uint8_t *header)
{
	file->data =
		(struct pk_section){pk_get_u64(file, header + 40), pk_get_u64(file, header + 48)};
	if (file->data.offset > file->size)
		file->data.offset = file->size;
	if (!file->data.size) {
		file->missing = "the recording was interrupted before its header was complete";
		file->data.size = file->size - file->data.offset;
	} else if (!pk_datafile_has(file, &file->data)) {
		file->missing = "the file is shorter than its header says";
		file->data.size = file->size - file->data.offset;
	}
	pk_datafile_note_end(file, &file->data);
}

/* What follows the file's own bytes is read on if another recording begins there. */
static void add_next(struct pk_datafile *file)
{
	uint8_t magic[8];
	uint64_t number;

	if (file->end >= file->size)
		return;
	if (!pk_datafile_load(file, file->end, magic, sizeof(magic))) {
		if (errno)
			pk_datafile_complain_unread(file, file->end, 0,
						    "what follows the recording");
		return;
	}
	number = pk_load_u64(magic);
	if (number == PERF_MAGIC2 || number == __builtin_bswap64(PERF_MAGIC2))
		add_piece(file, NULL, file->end, file->size - file->end);
}

static enum pk_status parse(struct pk_datafile *file)
{
	uint8_t header[PERF_FILE_HEADER_SIZE] = {0}, *start;
	enum pk_status status;
	uint64_t header_size;

	if (!pk_datafile_load(file, 0, header, PK_DATAFILE_HEADER_OLD))
		return errno ? PK_IO : PK_TRUNCATED;
	file->swapped = pk_load_u64(header) != PERF_MAGIC2;
	header_size = pk_get_u64(file, header + 8);
	if (header_size == PERF_FILE_HEADER_SIZE &&
	    !pk_datafile_load(file, 0, header, PERF_FILE_HEADER_SIZE))
		return errno ? PK_IO : PK_TRUNCATED;
	file->end = header_size;
	file->ids_left = file->features_left = file->size;
	find_data(file, header);
	start = pk_datafile_add(file, PERF_PIPE_HEADER_SIZE);
	if (!start)
		return PK_NOMEM;
	pk_store_u64(start, pk_file_u64(file, PERF_MAGIC2));
	pk_store_u64(start + 8, pk_file_u64(file, PERF_PIPE_HEADER_SIZE));
	status = pk_datafile_add_events(
		file,
		&(struct pk_section){pk_get_u64(file, header + 24), pk_get_u64(file, header + 32)},
		pk_get_u64(file, header + 16));
	if (status)
		return status;
	if (!file->missing)
		pk_datafile_add_features(file, header + PK_DATAFILE_HEADER_OLD);
	pk_datafile_add_range(file, &file->data);
	add_next(file);
	return file->failed ? PK_NOMEM : PK_OK;
}

enum pk_status pk_datafile_open(int fd, bool spool, uint64_t base, pk_datafile_warn warn, void *arg,
				struct pk_datafile **result)
{
	struct pk_datafile *file = calloc(1, sizeof(*file));
	enum pk_status status;
	struct stat st;

	*result = file;
	if (!file)
		return PK_NOMEM;
	*file = (struct pk_datafile){
		.fd = fd, .spool = spool, .base = base, .warn = warn, .arg = arg};
	if (fstat(fd, &st))
		return PK_IO;
	file->size = (uint64_t)st.st_size > base ? (uint64_t)st.st_size - base : 0;
	status = parse(file);
	return status;
}

void pk_datafile_close(struct pk_datafile *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->count; i++)
		free(file->pieces[i].memory);
	free(file->pieces);
	free(file->head);
	free(file->events);
	if (file->spool)
		close(file->fd);
	free(file);
}

ssize_t pk_datafile_read(void *arg, void *buf, size_t size)
{
	struct pk_datafile *file = arg;
	struct pk_piece *piece;
	ssize_t n;

	while (file->next < file->count &&
	       file->pieces[file->next].used == file->pieces[file->next].size)
		file->next++;
	if (file->next == file->count || !size)
		return 0;
	piece = &file->pieces[file->next];
	if (size > piece->size - piece->used)
		size = (size_t)(piece->size - piece->used);
	if (piece->memory) {
		memcpy(buf, piece->memory + piece->used, size);
		n = (ssize_t)size;
	} else {
		n = pread(file->fd, buf, size, (off_t)(file->base + piece->offset + piece->used));
	}
	if (n > 0)
		piece->used += (uint64_t)n;
	return n;
}

bool pk_datafile_take_fd(struct pk_datafile *file, int *fd)
{
	bool spool = file->spool;

	*fd = file->fd;
	file->spool = false;
	return spool;
}

uint64_t pk_datafile_directory(const struct pk_datafile *file)
{
	return file->directory;
}

const char *pk_datafile_missing(const struct pk_datafile *file)
{
	return file->missing;
}

uint64_t pk_datafile_offset(const struct pk_datafile *file, uint64_t offset)
{
	uint64_t head = file->head_total, data = file->data.size;

	if (offset < head)
		return file->base;
	if (offset - head < data)
		return file->base + file->data.offset + (offset - head);
	return file->base + file->end + (offset - head - data);
}

bool pk_datafile_is_data(const struct pk_datafile *file, uint64_t offset)
{
	return offset >= file->head_total && offset - file->head_total < file->data.size;
}
