/* SPDX-License-Identifier: BSD-2-Clause */
/* Decompresses sections and files in the formats of zlib, gzip and xz, and compresses bytes.
 * pk_inflate() returns false if the data is damaged, or if it does not fill `out` completely.
 * Failed allocations are counted in `failures`. */
#ifndef PK_INFLATE_H
#define PK_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
		struct pk_failures *failures);

/* Decompress a file whose decompressed size is unknown. A gzip file must have only one member. The
 * caller frees the result. They return NULL if the file is damaged, or if the result would have
 * more than `limit` bytes. They also return NULL if decoding needs more than 80 MiB, or if memory
 * is exhausted. */
uint8_t *pk_gunzip(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		   struct pk_failures *failures);
uint8_t *pk_unxz(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		 struct pk_failures *failures);

/* Compresses to a raw deflate stream (RFC 1951), without a header. The caller frees the result.
 * Returns NULL if memory is exhausted, which is counted in `failures`. */
uint8_t *pk_deflate(const uint8_t *in, size_t in_size, size_t *out_size,
		    struct pk_failures *failures);

#endif
