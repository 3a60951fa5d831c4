// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "event_tables.h"
#include "perf_data_file.h"
#include "pkutil.h"

#define FEATURES_SIZE_MAX ((uint64_t)256 << 20)
/* If the disk is full, at most so many bytes of complete records are lost. */
#define FLUSH_SIZE ((uint64_t)128 << 10)

/* ---- Opening and closing ---- */

static int refuse(const char *name)
{
	return pk_usage_error("%s is not a file: a perf.data file can only be written with -o FILE "
			      "or > FILE",
			      name);
}

/* Sets base. The output must not be a pipe, a terminal or the like, nor a file to which each write
 * appends. PK_EXIT_OK, or an exit status after a message. */
static int find_base(struct perf_data_file *file)
{
	const int flags = fcntl(file->fd, F_GETFL);

	file->base = lseek(file->fd, 0, SEEK_CUR);
	if ((file->base < 0 && errno == ESPIPE) || (flags >= 0 && flags & O_APPEND))
		return refuse(file->name);
	if (flags >= 0 && file->base >= 0)
		return PK_EXIT_OK;
	pk_error("%s: %s", file->name, strerror(errno));
	return PK_EXIT_FAILED;
}

int perf_data_file_open(struct perf_data_file *file, const char *path)
{
	const bool standard = !path || !strcmp(path, "-");
	struct pk_writer_options options = {.fd = -1};
	int result;

	file->name = standard ? "stdout" : path;
	/* pk_output_open() would advise to use a pipe. */
	if (standard && isatty(STDOUT_FILENO))
		return refuse(file->name);
	options.fd = file->fd = pk_output_open(path, "", PK_CREATE_LIVE);
	if (file->fd < 0)
		return -file->fd;
	result = find_base(file);
	if (!result && pk_writer_new(&options, &file->writer)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	if (result)
		close(file->fd);
	return result;
}

bool perf_data_file_close(struct perf_data_file *file)
{
	/* Some file systems report a full disk only at close. */
	const bool closed = !close(file->fd);

	if (!closed)
		pk_error("%s: %s", file->name, strerror(errno));
	pk_writer_free(file->writer);
	for (int id = 0; id < PERF_DATA_FEATURES; id++)
		free(file->features[id].data);
	return closed;
}

/* ---- Features ---- */

bool perf_data_file_has(const struct perf_data_file *file, unsigned int id)
{
	return file->header.features[id / 64] >> id % 64 & 1;
}

enum pk_status perf_data_file_feature(struct perf_data_file *file, uint64_t id, const void *data,
				      size_t size)
{
	if (!id || id >= PERF_DATA_FEATURES || size > FEATURES_SIZE_MAX - file->features_size)
		return PK_UNSUPPORTED;
	buffer_add(&file->features[id], data, size);
	if (file->features[id].failed)
		return PK_NOMEM;
	file->features_size += size;
	file->header.features[id / 64] |= UINT64_C(1) << id % 64;
	return PK_OK;
}

void perf_data_file_drop(struct perf_data_file *file, uint64_t id)
{
	if (id >= PERF_DATA_FEATURES)
		return;
	file->features_size -= file->features[id].size;
	file->features[id].size = 0;
	file->header.features[id / 64] &= ~(UINT64_C(1) << id % 64);
}

/* ---- The file ---- */

enum pk_status perf_data_file_start(struct perf_data_file *file, const struct pk_events *events)
{
	struct perf_file_header header = {.magic = PERF_MAGIC2, .size = sizeof(header)};
	struct buffer table = {0};

	if (file->started)
		return pk_writer_status(file->writer);
	add_events_table(&table, sizeof(header), events, &header);
	if (table.failed) {
		free(table.data);
		return PK_NOMEM;
	}
	header.data.offset = sizeof(header) + table.size;
	file->started = true;
	file->events = pk_events_count(events);
	/* The features are at the end, where perf does not look for them if data.size is 0. */
	pk_writer_bytes(file->writer, &header, sizeof(header), 0, 0);
	pk_writer_bytes(file->writer, table.data, table.size, 0, 0);
	free(table.data);
	memcpy(header.features, file->header.features, sizeof(header.features));
	file->header = header;
	return pk_writer_status(file->writer);
}

enum pk_status perf_data_file_flush(struct perf_data_file *file, uint64_t payload_size)
{
	const uint64_t size = pk_writer_size(file->writer);

	if (size - file->whole < FLUSH_SIZE && payload_size < FLUSH_SIZE)
		return pk_writer_status(file->writer);
	if (!pk_writer_flush(file->writer))
		file->whole = size;
	return pk_writer_status(file->writer);
}

static bool write_at(const struct perf_data_file *file, uint64_t offset, const void *data,
		     size_t size)
{
	return lseek(file->fd, file->base + (off_t)offset, SEEK_SET) >= 0 &&
	       pk_write_all(file->fd, data, size);
}

/* Writes what follows the data. False with errno. */
static bool write_tail(struct perf_data_file *file, const struct pk_events *events)
{
	struct perf_file_section sections[PERF_DATA_FEATURES] = {0};
	struct buffer table = {0};
	uint64_t at = file->whole;
	size_t count = 0;
	bool written = true;

	for (unsigned int id = 0; id < PERF_DATA_FEATURES; id++)
		count += perf_data_file_has(file, id);
	at += count * sizeof(*sections);
	count = 0;
	for (unsigned int id = 0; id < PERF_DATA_FEATURES && written; id++) {
		const struct buffer *content = &file->features[id];

		if (!perf_data_file_has(file, id))
			continue;
		sections[count++] = (struct perf_file_section){at, content->size};
		written = write_at(file, at, content->data, content->size);
		at += content->size;
	}
	written = written && write_at(file, file->whole, sections, count * sizeof(*sections));
	if (written && file->events != pk_events_count(events)) {
		at = PK_ALIGN8(at);
		add_events_table(&table, at, events, &file->header);
		errno = ENOMEM;
		written = !table.failed && write_at(file, at, table.data, table.size);
		at += table.size;
	}
	free(table.data);
	/* What a program writes next to the same descriptor follows the file. */
	return written && lseek(file->fd, file->base + (off_t)at, SEEK_SET) >= 0;
}

/* Removes what was written after the last complete record. If that fails, the header does not refer
 * to these bytes. */
static void truncate_data(const struct perf_data_file *file)
{
	if (ftruncate(file->fd, file->base + (off_t)file->whole))
		return;
}

static bool write_header(const struct perf_data_file *file)
{
	const off_t end = lseek(file->fd, 0, SEEK_CUR);

	return write_at(file, 0, &file->header, sizeof(file->header)) && end >= 0 &&
	       lseek(file->fd, end, SEEK_SET) >= 0;
}

bool perf_data_file_finish(struct perf_data_file *file, const struct pk_events *events)
{
	struct perf_file_header header;
	const enum pk_status status = perf_data_file_start(file, events);
	bool written = !status;

	if (!file->started) {
		pk_error("%s", pk_status_text(status));
		return false;
	}
	/* perf takes a data.size of 0 for an interrupted recording. */
	if (written && pk_writer_size(file->writer) == file->header.data.offset)
		pk_writer_append(file->writer, PERF_RECORD_FINISHED_ROUND, 0,
				 sizeof(struct perf_header));
	if (!pk_writer_flush(file->writer)) {
		file->whole = pk_writer_size(file->writer);
	} else {
		truncate_data(file);
		written = false;
	}
	if (file->whole <= file->header.data.offset)
		return false;
	file->header.data.size = file->whole - file->header.data.offset;
	header = file->header;
	if (!write_tail(file, events)) {
		if (written)
			pk_error("%s: %s", file->name, strerror(errno));
		truncate_data(file);
		written = false;
		memset(header.features, 0, sizeof(header.features));
		file->header = header;
	}
	if (write_header(file))
		return written;
	if (written)
		pk_error("%s: %s", file->name, strerror(errno));
	return false;
}
