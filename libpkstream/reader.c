// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "pkprivate.h"
#include "reader.h"
#include "records.h"
#include "swap.h"

enum pk_status pk_reader_new_sized(const struct pk_reader_options *options, size_t options_size,
				   struct pk_reader **reader)
{
	struct pk_reader_options own;

	pk_copy_sized(&own, sizeof(own), options, options_size);
	return pk_reader_new_one(&own, NULL, reader);
}

void pk_reader_on_expire(struct pk_reader *reader, void (*expire)(void *arg))
{
	reader->input.expire = expire;
	reader->input.expire_arg = reader->input.options.arg;
}

bool pk_reader_is_empty(const struct pk_reader *reader)
{
	return !reader->began && !reader->input.offset && reader->input.begin == reader->input.end;
}

void pk_reader_map(struct pk_reader *reader)
{
	reader->input.maps = true;
}

void pk_reader_free(struct pk_reader *reader)
{
	if (!reader)
		return;
	pk_datadir_close(reader->dir);
	pk_reader_free_one(reader);
}

const struct pk_events *pk_reader_events(const struct pk_reader *reader)
{
	return reader->events;
}

enum pk_status pk_reader_name_event(struct pk_reader *reader, const struct pk_event *event,
				    const char *name)
{
	return pk_events_name(reader->events, event, name);
}

enum pk_status pk_reader_derive_event(struct pk_reader *reader, const struct perf_attr *attr,
				      uint64_t id, const char *name)
{
	return pk_events_derive(reader->events, attr, id, name);
}

bool pk_reader_swapped(const struct pk_reader *reader)
{
	return reader->swapped;
}

bool pk_reader_verbatim(const struct pk_reader *reader)
{
	return !reader->swapped && !reader->file && !reader->dir && !reader->input.raw;
}

uint64_t pk_reader_bad_records(const struct pk_reader *reader)
{
	return reader->bad + (reader->dir ? pk_datadir_bad_records(reader->dir) : 0);
}

uint64_t pk_reader_unswapped_records(const struct pk_reader *reader)
{
	return reader->unswapped + (reader->dir ? pk_datadir_unswapped_records(reader->dir) : 0);
}

uint64_t pk_reader_failed_at(const struct pk_reader *reader)
{
	return reader->failed_at;
}

enum pk_status pk_reader_payload(struct pk_reader *reader, const uint8_t **data, size_t *size)
{
	enum pk_status status = pk_reader_payload_one(pk_reader_current(reader), data, size);

	if (status && reader->dir)
		pk_datadir_give_up(reader->dir, reader);
	return status;
}

/* If the input is a directory, opens the file `data` of the directory. */
static enum pk_status enter_directory(struct pk_reader *reader)
{
	struct pk_input *input = &reader->input;
	enum pk_status status;
	struct stat st;
	int fd;

	if (input->read || fstat(input->options.fd, &st) || !S_ISDIR(st.st_mode))
		return PK_OK;
	status = pk_datadir_open(input->options.fd, &reader->dir, &fd);
	if (status == PK_CORRUPT)
		return pk_reader_fail(reader, status,
				      "a directory without a recording's file data");
	if (status == PK_IO)
		input->error = errno;
	if (status)
		return pk_reader_fail_input(reader, status);
	input->options.fd = fd;
	input->is_pipe = false;
	return PK_OK;
}

static enum pk_status next(struct pk_reader *reader, struct pk_record *record)
{
	if (pk_unlikely(!reader->began && !reader->failed && !reader->dir)) {
		enum pk_status status = enter_directory(reader);

		if (status)
			return status;
	}
	if (pk_unlikely(reader->dir))
		return pk_datadir_next(reader->dir, reader, record);
	return pk_reader_next_one(reader, record);
}

enum pk_status pk_reader_next_sized(struct pk_reader *reader, struct pk_record *record,
				    size_t record_size)
{
	struct pk_record own;
	enum pk_status status;

	if (pk_likely(record_size == sizeof(own)))
		return next(reader, record);
	status = next(reader, &own);
	if (!status)
		pk_copy_sized(record, record_size, &own, sizeof(own));
	return status;
}
