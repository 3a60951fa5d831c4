// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cli.h"
#include "export_output.h"
#include "lookups.h"
#include "pkutil.h"

/* ---- gzip ---- */

#define WINDOW_GZIP (MAX_WBITS + 16) /* 16 means the header and trailer of gzip */
#define MEMORY	    8		     /* the default of zlib */
#define ROOM	    ((size_t)64 << 10)
#define PIECE	    ((size_t)1 << 30) /* in bytes; zlib has sizes of type unsigned int */

struct gzip_stream {
	z_stream z;
};

/* Returns NULL if memory is exhausted. */
static struct gzip_stream *gzip_stream_new(void)
{
	struct gzip_stream *gzip = calloc(1, sizeof(*gzip));

	/* The fastest level is used. Profiles consist of small numbers and repeated names, and
	 * higher levels make them only a little smaller. */
	if (gzip && deflateInit2(&gzip->z, Z_BEST_SPEED, Z_DEFLATED, WINDOW_GZIP, MEMORY,
				 Z_DEFAULT_STRATEGY) == Z_OK)
		return gzip;
	free(gzip);
	return NULL;
}

static void gzip_stream_free(struct gzip_stream *gzip)
{
	if (gzip)
		deflateEnd(&gzip->z);
	free(gzip);
}

static void add_piece(struct gzip_stream *gzip, const void *data, size_t size, int flush,
		      struct buffer *out)
{
	gzip->z.next_in = (Bytef *)data;
	gzip->z.avail_in = (uInt)size;
	do {
		char *room = buffer_room(out, ROOM);

		if (!room)
			return;
		gzip->z.next_out = (Bytef *)room;
		gzip->z.avail_out = (uInt)ROOM;
		deflate(&gzip->z, flush);
		buffer_end(out, (const char *)gzip->z.next_out);
	} while (!gzip->z.avail_out);
}

/* Compresses the data. Adds to out those compressed bytes that zlib has completed. If last is true,
 * adds all of them and ends the stream. */
static void gzip_stream_add(struct gzip_stream *gzip, const void *data, size_t size, bool last,
			    struct buffer *out)
{
	const char *p = data;

	for (; size > PIECE; size -= PIECE, p += PIECE)
		add_piece(gzip, p, PIECE, Z_NO_FLUSH, out);
	add_piece(gzip, p, size, last ? Z_FINISH : Z_NO_FLUSH, out);
}

/* ---- Output ---- */

static bool is_gzip_name(const char *path)
{
	const size_t size = path ? strlen(path) : 0;

	return size > 3 && !strcmp(path + size - 3, ".gz");
}

static int open_text(struct export_output *out, const char *path)
{
	const int result = pk_output_text(path);

	out->fd = STDOUT_FILENO;
	return result;
}

static int open_binary(struct export_output *out, const char *path, const char *next)
{
	out->fd = pk_output_open(path, next, PK_CREATE_REPLACE);
	return out->fd < 0 ? -out->fd : PK_EXIT_OK;
}

static int open_file(struct export_output *out, const char *path)
{
	out->fd = pk_create(path, PK_CREATE_REPLACE);
	return out->fd < 0 ? -out->fd : PK_EXIT_OK;
}

static int open_fd(struct export_output *out, enum output_kind kind, const char *path,
		   const char *next)
{
	switch (kind) {
	case OUTPUT_TEXT: return open_text(out, path);
	case OUTPUT_FILE: return open_file(out, path);
	default: return open_binary(out, path, next);
	}
}

int output_open(struct export_output *out, enum output_kind kind, const char *path,
		const char *next)
{
	const bool packed = kind == OUTPUT_GZIP || (kind != OUTPUT_FILE && is_gzip_name(path));
	int result = open_fd(out, kind, path, next);

	out->name = path ? path : "stdout";
	if (!result && packed) {
		out->gzip = gzip_stream_new();
		if (!out->gzip)
			result = pk_no_memory();
	}
	if (result)
		free(out->text.data);
	return result;
}

/* Reports a failure. Only the first failure is reported. */
static void fail(struct export_output *out)
{
	if (!out->failed && errno != EPIPE)
		pk_error("%s: %s", out->name, strerror(errno));
	out->failed = true;
	pk_outputs_drop();
}

static void write_bytes(struct export_output *out, bool last)
{
	const struct buffer *from = &out->text;

	if (out->gzip) {
		out->packed.size = 0;
		gzip_stream_add(out->gzip, out->text.data, out->text.size, last, &out->packed);
		from = &out->packed;
	}
	if (out->text.failed || from->failed) {
		errno = ENOMEM;
		fail(out);
	}
	if (!out->failed && from->size && pk_write_all(out->fd, from->data, from->size) != PK_OK)
		fail(out);
	out->text.size = 0;
}

void output_write(struct export_output *out)
{
	write_bytes(out, false);
}

int output_close(struct export_output *out, int result)
{
	write_bytes(out, true);
	if (out->fd != STDOUT_FILENO && close(out->fd))
		fail(out);
	gzip_stream_free(out->gzip);
	free(out->text.data);
	free(out->packed.data);
	if (out->failed && !result)
		result = PK_EXIT_FAILED;
	return out->fd == STDOUT_FILENO ? pk_finish(result) : result;
}
