// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <libdeflate.h>
#include <lzma.h>
#include <stdlib.h>

#include "inflate.h"
#include "vector.h"

/* ---- Deflate, with libdeflate, which needs half the time of zlib ---- */

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
		struct pk_failures *failures)
{
	struct libdeflate_decompressor *d = pk_need(failures, libdeflate_alloc_decompressor());
	enum libdeflate_result result = LIBDEFLATE_SUCCESS;

	/* A linker can concatenate several compressed streams. */
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

/* The last four bytes of a gzip file are the size of its data modulo 2^32. */
uint8_t *pk_gunzip(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		   struct pk_failures *failures)
{
	const uint8_t *end = in + in_size;
	const uint32_t size = in_size < 18
				      ? 0
				      : end[-4] | (uint32_t)end[-3] << 8 | (uint32_t)end[-2] << 16 |
						(uint32_t)end[-1] << 24;
	struct libdeflate_decompressor *d;
	uint8_t *out;
	bool good;

	if (!size || size > limit)
		return NULL;
	d = pk_need(failures, libdeflate_alloc_decompressor());
	out = d ? pk_need(failures, malloc(size)) : NULL;
	good = out &&
	       libdeflate_gzip_decompress(d, in, in_size, out, size, NULL) == LIBDEFLATE_SUCCESS;
	libdeflate_free_decompressor(d);
	if (!good) {
		free(out);
		return NULL;
	}
	*out_size = size;
	return out;
}

/* The default level of zlib. Higher levels make profiles only a little smaller. */
#define LEVEL 6

uint8_t *pk_deflate(const uint8_t *in, size_t in_size, size_t *out_size,
		    struct pk_failures *failures)
{
	struct libdeflate_compressor *c = pk_need(failures, libdeflate_alloc_compressor(LEVEL));
	const size_t room = c ? libdeflate_deflate_compress_bound(c, in_size) : 0;
	uint8_t *out = room ? pk_need(failures, malloc(room)) : NULL;

	*out_size = out ? libdeflate_deflate_compress(c, in, in_size, out, room) : 0;
	libdeflate_free_compressor(c);
	return out;
}

/* ---- XZ, with liblzma ---- */

/* In bytes. The highest preset of xz needs a little less. */
#define MEMORY_MAX ((uint64_t)80 << 20)

/* Enlarges the buffer. Returns false if it has `max` bytes already, or if memory is exhausted. */
static bool grow(uint8_t **out, size_t *room, size_t max, struct pk_failures *failures)
{
	return *room < max && pk_need_room(failures, pk_reserve(out, room, *room, 1, 1)) == PK_OK;
}

uint8_t *pk_unxz(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		 struct pk_failures *failures)
{
	const size_t max = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
	size_t room = in_size < max / 4 ? in_size * 4 + 64 : max;
	lzma_stream z = LZMA_STREAM_INIT;
	uint8_t *out = pk_need(failures, malloc(room));
	lzma_ret status;

	if (!out)
		return NULL;
	status = lzma_stream_decoder(&z, MEMORY_MAX, 0);
	z.next_in = in;
	z.avail_in = in_size;
	while (status == LZMA_OK) {
		z.next_out = out + z.total_out;
		z.avail_out = (room < max ? room : max) - z.total_out;
		status = lzma_code(&z, LZMA_FINISH);
		if (status == LZMA_OK && !z.avail_out && !grow(&out, &room, max, failures))
			break;
	}
	*out_size = z.total_out;
	lzma_end(&z);
	if (status == LZMA_MEM_ERROR)
		pk_failed(failures, NULL, ENOMEM);
	if (status != LZMA_STREAM_END) {
		free(out);
		return NULL;
	}
	return out;
}
