// SPDX-License-Identifier: BSD-2-Clause
/* The only file that includes libdeflate, which takes half of zlib's time. */
#include <libdeflate.h>

#include "inflate.h"

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
		struct pk_failures *failures)
{
	struct libdeflate_decompressor *d = pk_need(failures, libdeflate_alloc_decompressor());
	enum libdeflate_result result = LIBDEFLATE_SUCCESS;

	/* A linker may have put several compressed streams one behind the other. */
	while (d && result == LIBDEFLATE_SUCCESS && in_size && out_size) {
		size_t taken = 0, made = 0;

		result =
			libdeflate_zlib_decompress_ex(d, in, in_size, out, out_size, &taken, &made);
		if (result == LIBDEFLATE_SUCCESS) {
			in += taken;
			in_size -= taken;
			out += made;
			out_size -= made;
		}
	}
	libdeflate_free_decompressor(d);
	return d && !out_size;
}
