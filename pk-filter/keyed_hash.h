/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_KEYED_HASH_H
#define PK_FILTER_KEYED_HASH_H

/* SipHash-2-4 (Aumasson and Bernstein, 2012): without the key, nobody can find the hashed data, not
 * even by hashing all possible values. */

#include <stddef.h>
#include <stdint.h>

struct hash_key {
	uint64_t low, high; /* the 16 bytes of the key, little-endian */
};

uint64_t keyed_hash(const struct hash_key *key, const void *data, size_t size);

#endif
