/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_KEYED_HASH_H
#define PK_FILTER_KEYED_HASH_H

/* SipHash-2-4 (Aumasson and Bernstein, 2012): who has not the key cannot tell what was hashed, not
 * even by hashing all that it may have been. */

#include <stddef.h>
#include <stdint.h>

struct hash_key {
	uint64_t low, high; /* of its 16 bytes, little-endian */
};

uint64_t keyed_hash(const struct hash_key *key, const void *data, size_t size);

#endif
