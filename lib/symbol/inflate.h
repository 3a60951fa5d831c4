/* SPDX-License-Identifier: BSD-2-Clause */
/* Decompression of sections and files: zlib's format, gzip and xz; compression of bytes.
 * pk_inflate() returns false if the data is damaged or does not fill out completely. Exhausted
 * memory is counted in failures. */
#ifndef PK_INFLATE_H
#define PK_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
		struct pk_failures *failures);

/* Decompresses a file whose decompressed size is unknown. A file of gzip has one member. The result
 * is for free(). Returns NULL if the file is damaged, if more than limit bytes result, if decoding
 * needs more than 80 MiB, or if memory is exhausted. */
uint8_t *pk_gunzip(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		   struct pk_failures *failures);
uint8_t *pk_unxz(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		 struct pk_failures *failures);

/* Compresses to a raw deflate stream (RFC 1951), without a header. The result is for free(). NULL:
 * out of memory, which is counted in failures. */
uint8_t *pk_deflate(const uint8_t *in, size_t in_size, size_t *out_size,
		    struct pk_failures *failures);

#endif
