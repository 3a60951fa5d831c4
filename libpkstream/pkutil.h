/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKUTIL_H
#define PKUTIL_H

/* Small inline helpers of pk's own libraries; not part of the public interface. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hash.h"
#include "status.h"

#define PK_HOST_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

#define PK_ALIGN8(n) (((uint64_t)(n) + 7) & ~(uint64_t)7)

#define pk_likely(x)   __builtin_expect(!!(x), 1)
#define pk_unlikely(x) __builtin_expect(!!(x), 0)

/* Sums that do not fit into 64 bits are UINT64_MAX. */
static inline void pk_add_saturating(uint64_t *sum, uint64_t number)
{
	if (__builtin_add_overflow(*sum, number, sum))
		*sum = UINT64_MAX;
}

/* Decompresses zstd data that must have out_size bytes when decompressed. Returns false if they
 * have another number, if the data is damaged, or if memory is exhausted. In the last case only,
 * errno is ENOMEM. Defined in compress.c, not exported. */
bool pk_unzstd(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);
/* The decompressed size in the header of zstd data, or 0 if there is none, or the data is not
 * zstd. */
uint64_t pk_unzstd_size(const uint8_t *in, size_t in_size);

/* Writes all bytes. Waits for room even if the descriptor is non-blocking. Returns PK_IO with
 * errno. Defined in write_all.c, not exported. */
PK_MUST_CHECK enum pk_status pk_write_all(int fd, const void *data, size_t size);

/* Copies a struct between the caller's version and the library's version: the bytes of `to` beyond
 * from_size become 0. */
static inline void pk_copy_sized(void *to, size_t to_size, const void *from, size_t from_size)
{
	const size_t both = to_size < from_size ? to_size : from_size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, to_size - both);
}

#endif
