// SPDX-License-Identifier: BSD-2-Clause
/* The only file that includes liblzma. */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "inflate.h"

/* What xz itself needs for its highest preset, and a little more. */
#define MEMORY_MAX ((uint64_t)80 << 20)

static uint8_t *grow(uint8_t *out, size_t *room, size_t max, struct pk_failures *failures)
{
	const size_t wanted = *room < max / 2 ? *room * 2 : max;
	uint8_t *more = wanted > *room ? pk_need(failures, realloc(out, wanted)) : NULL;

	if (!more) {
		free(out);
		return NULL;
	}
	*room = wanted;
	return more;
}

uint8_t *pk_unxz(const uint8_t *in, size_t in_size, size_t max, size_t *out_size,
		 struct pk_failures *failures)
{
	size_t room = in_size < max / 4 ? in_size * 4 + 64 : max;
	lzma_stream z = LZMA_STREAM_INIT;
	uint8_t *out = pk_need(failures, malloc(room));
	lzma_ret status;

	if (!out)
		return NULL;
	status = lzma_stream_decoder(&z, MEMORY_MAX, 0);
	z.next_in = in;
	z.avail_in = in_size;
	while (out && status == LZMA_OK) {
		z.next_out = out + z.total_out;
		z.avail_out = room - z.total_out;
		status = lzma_code(&z, LZMA_FINISH);
		if (status == LZMA_OK && !z.avail_out)
			out = grow(out, &room, max, failures);
	}
	*out_size = z.total_out;
	lzma_end(&z);
	if (status == LZMA_MEM_ERROR)
		pk_failed(failures, NULL, ENOMEM);
	if (out && status != LZMA_STREAM_END) {
		free(out);
		return NULL;
	}
	return out;
}
