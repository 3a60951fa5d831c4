// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <unistd.h>

#include "pkprivate.h"
#include "status.h"
#include "trace_spool.h"

/* The head of a piece in the file. */
struct head {
	uint64_t next; /* place of the next piece of the list plus 1; 0 at the end of the list */
	uint64_t size, offset;
};

static enum pk_status write_at(const struct trace_spool *spool, const void *data, size_t size,
			       uint64_t at)
{
	const uint8_t *bytes = data;

	while (size) {
		const ssize_t n = pwrite(spool->fd, bytes, size, (off_t)at);

		if (n < 0 && errno != EINTR)
			return PK_IO;
		if (n <= 0)
			continue;
		bytes += n;
		at += (uint64_t)n;
		size -= (size_t)n;
	}
	return PK_OK;
}

static enum pk_status read_at(const struct trace_spool *spool, void *data, size_t size, uint64_t at)
{
	uint8_t *bytes = data;

	while (size) {
		const ssize_t n = pread(spool->fd, bytes, size, (off_t)at);

		if (n == 0)
			errno = EIO;
		if (n == 0 || (n < 0 && errno != EINTR))
			return PK_IO;
		if (n < 0)
			continue;
		bytes += n;
		at += (uint64_t)n;
		size -= (size_t)n;
	}
	return PK_OK;
}

static enum pk_status open_spool(struct trace_spool *spool)
{
	if (spool->fd < 0)
		spool->fd = pk_temporary_open();
	return spool->fd < 0 ? PK_IO : PK_OK;
}

/* Copies the payload to the end of the file, after a head of this size. */
static enum pk_status copy_payload(struct trace_spool *spool, struct pk_reader *reader, size_t head,
				   uint64_t *size)
{
	const uint8_t *data;
	size_t part;

	PK_TRY(open_spool(spool));
	*size = 0;
	while (pk_reader_payload(reader, &data, &part) == PK_OK && part) {
		PK_TRY(write_at(spool, data, part, spool->end + head + *size));
		*size += part;
	}
	return PK_OK;
}

enum pk_status trace_spool_write(struct trace_spool *spool, const uint8_t *data, size_t size)
{
	PK_TRY(open_spool(spool));
	PK_TRY(write_at(spool, data, size, spool->end));
	spool->end += size;
	return PK_OK;
}

enum pk_status trace_spool_append(struct trace_spool *spool, struct pk_reader *reader,
				  uint64_t *size)
{
	PK_TRY(copy_payload(spool, reader, 0, size));
	spool->end += *size;
	return PK_OK;
}

enum pk_status trace_spool_add(struct trace_spool *spool, struct trace_pieces *pieces,
			       struct pk_reader *reader, uint64_t offset)
{
	struct head head = {.offset = offset};
	const uint64_t place = spool->end + 1;

	PK_TRY(copy_payload(spool, reader, sizeof(head), &head.size));
	if (!head.size)
		return PK_OK;
	PK_TRY(write_at(spool, &head, sizeof(head), spool->end));
	if (pieces->last)
		PK_TRY(write_at(spool, &place, sizeof(place),
				pieces->last - 1 + offsetof(struct head, next)));
	else
		pieces->first = place;
	pieces->last = place;
	spool->end += sizeof(head) + head.size;
	return PK_OK;
}

enum pk_status trace_spool_next(struct trace_spool *spool, struct trace_pieces *pieces,
				struct trace_piece *piece)
{
	struct head head;

	if (!pieces->first)
		return PK_END;
	PK_TRY(read_at(spool, &head, sizeof(head), pieces->first - 1));
	*piece = (struct trace_piece){
		.offset = head.offset, .at = pieces->first - 1 + sizeof(head), .left = head.size};
	pieces->first = head.next;
	if (!pieces->first)
		pieces->last = 0;
	return PK_OK;
}

enum pk_status trace_spool_read(struct trace_spool *spool, struct trace_piece *piece, uint8_t *data,
				size_t size, size_t *got)
{
	*got = size < piece->left ? size : (size_t)piece->left;
	PK_TRY(read_at(spool, data, *got, piece->at));
	piece->at += *got;
	piece->left -= *got;
	return PK_OK;
}

void trace_spool_clear(struct trace_spool *spool)
{
	spool->end = 0;
	/* If this fails, the bytes stay in the file, and are overwritten. */
	if (spool->fd >= 0 && ftruncate(spool->fd, 0))
		return;
}

void trace_spool_free(struct trace_spool *spool)
{
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
}
