// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "gzip_stream.h"

#define WINDOW_GZIP (MAX_WBITS + 16) /* a header and a trailer of gzip */
#define MEMORY	    8		     /* zlib's default */
#define ROOM	    ((size_t)64 << 10)
#define PIECE	    ((size_t)1 << 30) /* zlib counts in unsigned int */

struct gzip_stream {
	z_stream z;
};

struct gzip_stream *gzip_stream_new(void)
{
	struct gzip_stream *gzip = calloc(1, sizeof(*gzip));

	/* The fastest level: profiles consist of small numbers and repeated names, which higher
	 * levels make only a little smaller. */
	if (gzip && deflateInit2(&gzip->z, Z_BEST_SPEED, Z_DEFLATED, WINDOW_GZIP, MEMORY,
				 Z_DEFAULT_STRATEGY) == Z_OK)
		return gzip;
	free(gzip);
	return NULL;
}

void gzip_stream_free(struct gzip_stream *gzip)
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

void gzip_stream_add(struct gzip_stream *gzip, const void *data, size_t size, bool last,
		     struct buffer *out)
{
	const char *p = data;

	for (; size > PIECE; size -= PIECE, p += PIECE)
		add_piece(gzip, p, PIECE, Z_NO_FLUSH, out);
	add_piece(gzip, p, size, last ? Z_FINISH : Z_NO_FLUSH, out);
}
