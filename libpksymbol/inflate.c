// SPDX-License-Identifier: BSD-2-Clause
/* The only file that includes zlib. */
#include <limits.h>
#include <zlib.h>

#include "inflate.h"

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)in, .next_out = out};
	size_t in_left = in_size, out_left = out_size;
	int status;

	if (inflateInit(&z) != Z_OK)
		return false;
	do {
		const uInt in_now = in_left < UINT_MAX ? (uInt)in_left : UINT_MAX;
		const uInt out_now = out_left < UINT_MAX ? (uInt)out_left : UINT_MAX;

		z.avail_in = in_now;
		z.avail_out = out_now;
		status = inflate(&z, Z_NO_FLUSH);
		in_left -= in_now - z.avail_in;
		out_left -= out_now - z.avail_out;
		/* A linker may have put several compressed streams one behind the other. */
		if (status == Z_STREAM_END && out_left && in_left)
			status = inflateReset(&z);
	} while (status == Z_OK && in_left && out_left);
	inflateEnd(&z);
	return !out_left;
}
