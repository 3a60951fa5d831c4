/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKUTIL_H
#define PKUTIL_H

/* Small inline functions for pk's own libraries. They are not part of the public interface. */

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

/* Adds number to *sum. If the result does not fit into 64 bits, *sum becomes UINT64_MAX. */
static inline void pk_add_saturating(uint64_t *sum, uint64_t number)
{
	if (__builtin_add_overflow(*sum, number, sum))
		*sum = UINT64_MAX;
}

/* Decompresses zstd data. The decompressed data must have exactly out_size bytes. Returns false if
 * they have another size, if the data is damaged, or if memory is exhausted. errno is ENOMEM only
 * if memory is exhausted. Defined in compress.c, and not exported. */
bool pk_unzstd(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);
/* Returns the decompressed size from the header of zstd data. Returns 0 if the header has no size,
 * or if the data is not zstd data. */
uint64_t pk_unzstd_size(const uint8_t *in, size_t in_size);

/* Writes all bytes. If the descriptor is non-blocking, waits until it has room. Returns PK_IO with
 * errno on failure. Defined in write_all.c, and not exported. */
PK_MUST_CHECK enum pk_status pk_write_all(int fd, const void *data, size_t size);

/* Copies a struct between the caller's version and the library's version. Bytes of `to` beyond
 * from_size become 0. */
static inline void pk_copy_sized(void *to, size_t to_size, const void *from, size_t from_size)
{
	const size_t both = to_size < from_size ? to_size : from_size;

	memcpy(to, from, both);
	memset((char *)to + both, 0, to_size - both);
}

#endif
