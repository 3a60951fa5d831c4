// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pkprivate.h"
#include "records.h"

#define BUFFER_SIZE ((size_t)256 << 10)
/* Buffers of at least this size in bytes are written without a copy. */
#define DIRECT_SIZE ((size_t)64 << 10)
#define PIPE_SIZE   (1 << 20)

/* A writer, and its buffer. */
struct pk_writer {
	struct pk_writer_options options;
	enum pk_status (*write_lent)(void *arg, const void *data, size_t size);
	const uint8_t *lent; /* lent bytes, which are written after the bytes in the buffer */
	size_t lent_size;
	size_t used;
	uint64_t records, samples, size;
	enum pk_status failed;
	int error_number;
	char error[128];
	uint8_t buffer[BUFFER_SIZE];
};

enum pk_status pk_writer_new_sized(const struct pk_writer_options *options, size_t options_size,
				   struct pk_writer **writer)
{
	*writer = malloc(sizeof(**writer));
	if (!*writer)
		return PK_NOMEM;
	memset(*writer, 0, offsetof(struct pk_writer, buffer));
	pk_copy_sized(&(*writer)->options, sizeof((*writer)->options), options, options_size);
	if (!(*writer)->options.write)
		fcntl((*writer)->options.fd, F_SETPIPE_SZ, PIPE_SIZE);
	return PK_OK;
}

void pk_writer_on_lent(struct pk_writer *writer,
		       enum pk_status (*write_lent)(void *arg, const void *data, size_t size))
{
	writer->write_lent = write_lent;
}

void pk_writer_free(struct pk_writer *writer)
{
	free(writer);
}

static void fail(struct pk_writer *writer)
{
	writer->failed = PK_IO;
	writer->error_number = errno;
	snprintf(writer->error, sizeof(writer->error), "cannot write: %s", strerror(errno));
}

static enum pk_status write_out(struct pk_writer *writer, const uint8_t *data, size_t size)
{
	const struct pk_writer_options *options = &writer->options;

	if (!options->write && !writer->failed && pk_write_all(options->fd, data, size) != PK_OK)
		fail(writer);
	while (options->write && size && !writer->failed) {
		ssize_t n = options->write(options->arg, data, size);

		if (n >= 0) {
			data += n;
			size -= (size_t)n;
		} else if (errno != EINTR) {
			fail(writer);
		}
	}
	return writer->failed;
}

static enum pk_status flush_buffer(struct pk_writer *writer)
{
	size_t used = writer->used;

	writer->used = 0;
	return write_out(writer, writer->buffer, used);
}

/* Copies the bytes into the buffer if they are less than DIRECT_SIZE. Otherwise writes them
 * directly. */
static void put(struct pk_writer *writer, const uint8_t *data, size_t size)
{
	if (size < DIRECT_SIZE && writer->used + size > BUFFER_SIZE)
		flush_buffer(writer);
	if (size < DIRECT_SIZE) {
		memcpy(writer->buffer + writer->used, data, size);
		writer->used += size;
		return;
	}
	flush_buffer(writer);
	write_out(writer, data, size);
}

enum pk_status pk_writer_settle(struct pk_writer *writer)
{
	const struct pk_writer_options *options = &writer->options;
	size_t size = writer->lent_size;

	writer->lent_size = 0;
	if (size < DIRECT_SIZE || !writer->write_lent) {
		if (size)
			put(writer, writer->lent, size);
	} else if (flush_buffer(writer) == PK_OK &&
		   writer->write_lent(options->arg, writer->lent, size) != PK_OK) {
		fail(writer);
	}
	return writer->failed;
}

enum pk_status pk_writer_flush(struct pk_writer *writer)
{
	pk_writer_settle(writer);
	return flush_buffer(writer);
}

static void count(struct pk_writer *writer, uint32_t type)
{
	writer->records++;
	writer->samples += type == PERF_RECORD_SAMPLE;
}

/* Returns space for size bytes in the buffer. size is at most UINT16_MAX. Returns NULL if the
 * writer has failed. */
static uint8_t *make_room(struct pk_writer *writer, size_t size)
{
	uint8_t *at;

	if (pk_unlikely(writer->lent_size))
		pk_writer_settle(writer);
	if (pk_unlikely(writer->used + size > BUFFER_SIZE))
		flush_buffer(writer);
	if (pk_unlikely(writer->failed))
		return NULL;
	at = writer->buffer + writer->used;
	writer->used += size;
	writer->size += size;
	return at;
}

enum pk_status pk_writer_header(struct pk_writer *writer)
{
	uint8_t *at = make_room(writer, PERF_PIPE_HEADER_SIZE);

	if (!at)
		return writer->failed;
	pk_store_u64(at, PERF_MAGIC2);
	pk_store_u64(at + 8, PERF_PIPE_HEADER_SIZE);
	writer->records = writer->samples = 0;
	return PK_OK;
}

enum pk_status pk_writer_record(struct pk_writer *writer, const void *data, size_t size)
{
	uint8_t *at = make_room(writer, size);

	if (!at)
		return writer->failed;
	memcpy(at, data, size);
	count(writer, pk_load_u32(data));
	return PK_OK;
}

static uint8_t *start_record(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size)
{
	struct perf_header *header;
	uint8_t *at;

	assert(size <= UINT16_MAX);
	at = make_room(writer, size);
	if (!at)
		return NULL;
	header = (struct perf_header *)at;
	*header = (struct perf_header){type, misc, (uint16_t)size};
	count(writer, type);
	return at;
}

uint8_t *pk_writer_append(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size)
{
	return start_record(writer, type, misc, size);
}

void *pk_definition_write(struct pk_writer *writer, enum pk_definition kind, size_t size)
{
	const size_t padded = PK_ALIGN8(size);
	struct pk_definition_head *head;

	head = (void *)start_record(writer, PERF_RECORD_EVENT_UPDATE, 0, padded);
	if (!head)
		return NULL;
	pk_store_u64((uint8_t *)head + padded - sizeof(uint64_t), 0);
	head->subtype = PK_SUBTYPE_BASE | kind;
	head->id = 0;
	return head;
}

enum pk_status pk_writer_bytes(struct pk_writer *writer, const void *data, size_t size,
			       uint64_t records, uint64_t samples)
{
	pk_writer_settle(writer);
	writer->records += records;
	writer->samples += samples;
	writer->size += size;
	if (size)
		put(writer, data, size);
	return writer->failed;
}

enum pk_status pk_writer_lend(struct pk_writer *writer, const void *data, size_t size,
			      uint64_t records, uint64_t samples)
{
	if (pk_unlikely(!writer->lent_size || writer->lent + writer->lent_size != data)) {
		pk_writer_settle(writer);
		writer->lent = data;
	}
	writer->lent_size += size;
	writer->records += records;
	writer->samples += samples;
	writer->size += size;
	return writer->failed;
}

enum pk_status pk_writer_fail(struct pk_writer *writer, enum pk_status status, const char *text)
{
	pk_writer_flush(writer);
	writer->failed = status;
	snprintf(writer->error, sizeof(writer->error), "%s", text);
	return status;
}

uint64_t pk_writer_records(const struct pk_writer *writer)
{
	return writer->records;
}

uint64_t pk_writer_samples(const struct pk_writer *writer)
{
	return writer->samples;
}

uint64_t pk_writer_size(const struct pk_writer *writer)
{
	return writer->size;
}

enum pk_status pk_writer_status(const struct pk_writer *writer)
{
	return writer->failed;
}

const char *pk_writer_error(const struct pk_writer *writer)
{
	return writer->error;
}

int pk_writer_errno(const struct pk_writer *writer)
{
	return writer->error_number;
}
