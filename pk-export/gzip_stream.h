/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GZIP_STREAM_H
#define GZIP_STREAM_H

/* Compresses bytes in pieces to one gzip stream, without a time in it. */

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

struct gzip_stream;

/* NULL: out of memory. */
struct gzip_stream *gzip_stream_new(void);
void gzip_stream_free(struct gzip_stream *gzip);
/* Adds what is complete of the compressed stream to out; with last, all of it. */
void gzip_stream_add(struct gzip_stream *gzip, const void *data, size_t size, bool last,
		     struct buffer *out);

#endif
