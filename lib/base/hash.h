/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HASH_H
#define PK_HASH_H

/* Hash functions for tables in memory. If the caller passes a secret from pk_secret(), the same
 * bytes have different hashes in different runs. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "wide.h"

static inline uint64_t pk_mix64(uint64_t a, uint64_t b)
{
	const struct pk_wide product = pk_wide_product(a, b);

	return product.low ^ (uint64_t)product.high;
}

/* Returns a random number. With this number in the hash, the author of a stream cannot choose keys
 * that collide. If the kernel has no random numbers yet, returns a constant. */
static inline uint64_t pk_secret(void)
{
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) != sizeof(secret))
		secret = UINT64_C(0x2d358dccaa6c78a5);
	return secret;
}

/* A fast hash of bytes, similar to wyhash. It computes a 128-bit product for each 16 bytes. The
 * secret is part of the factors. Without the secret, the author of the bytes could make a factor 0.
 * The product would then be 0 for any value of the other factor. */
static inline uint64_t pk_hash(const void *data, size_t size, uint64_t secret)
{
	const uint64_t k0 = UINT64_C(0xa0761d6478bd642f), k1 = UINT64_C(0xe7037ed1a0b428db);
	const uint8_t *p = data;
	uint64_t a = 0, b = 0, hash = secret ^ k0;
	size_t left;

	for (left = size; left >= 16; left -= 16, p += 16) {
		memcpy(&a, p, 8);
		memcpy(&b, p + 8, 8);
		hash = pk_mix64(a ^ secret, b ^ hash);
	}
	a = b = 0;
	if (left >= 8) {
		memcpy(&a, p, 8);
		p += 8;
		left -= 8;
	}
	memcpy(&b, p, left);
	return pk_mix64(k1 ^ size, pk_mix64(a ^ secret, b ^ hash));
}

#endif
