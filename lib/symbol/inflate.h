/* SPDX-License-Identifier: BSD-2-Clause */
/* Decompression of sections and files: zlib's format, gzip and xz. pk_inflate() returns false if
 * the data is damaged or does not fill out completely. Exhausted memory is counted in failures. */
#ifndef PK_INFLATE_H
#define PK_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
		struct pk_failures *failures);

/* For files whose decompressed size is unknown; the result is for free(). NULL: damaged, more than
 * limit bytes, more than 80 MiB needed to decode it, or out of memory. gzip: one member. */
uint8_t *pk_gunzip(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		   struct pk_failures *failures);
uint8_t *pk_unxz(const uint8_t *in, size_t in_size, uint64_t limit, size_t *out_size,
		 struct pk_failures *failures);

#endif
