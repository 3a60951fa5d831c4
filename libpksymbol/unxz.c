// SPDX-License-Identifier: BSD-2-Clause
/* The only file that includes liblzma. */
#include <lzma.h>
#include <stdlib.h>

#include "inflate.h"

/* What xz itself needs for its highest preset, and a little more. */
#define MEMORY_MAX ((uint64_t)80 << 20)

static uint8_t *grow(uint8_t *out, size_t *room, size_t max)
{
	const size_t wanted = *room < max / 2 ? *room * 2 : max;
	uint8_t *more = wanted > *room ? realloc(out, wanted) : NULL;

	if (!more) {
		free(out);
		return NULL;
	}
	*room = wanted;
	return more;
}

uint8_t *pk_unxz(const uint8_t *in, size_t in_size, size_t max, size_t *out_size)
{
	size_t room = in_size < max / 4 ? in_size * 4 + 64 : max;
	lzma_stream z = LZMA_STREAM_INIT;
	uint8_t *out = malloc(room);
	lzma_ret status = LZMA_OK;

	if (!out || lzma_stream_decoder(&z, MEMORY_MAX, 0) != LZMA_OK) {
		free(out);
		return NULL;
	}
	z.next_in = in;
	z.avail_in = in_size;
	while (out && status == LZMA_OK) {
		z.next_out = out + z.total_out;
		z.avail_out = room - z.total_out;
		status = lzma_code(&z, LZMA_FINISH);
		if (status == LZMA_OK && !z.avail_out)
			out = grow(out, &room, max);
	}
	*out_size = z.total_out;
	lzma_end(&z);
	if (out && status != LZMA_STREAM_END) {
		free(out);
		return NULL;
	}
	return out;
}
