/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HASH_H
#define PK_HASH_H

/* Hashes for tables in memory. With a secret from pk_secret(), the hash of the same bytes differs
 * between runs. */

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

/* A random number, so that the author of a stream cannot choose keys that collide. If the kernel
 * has no random numbers yet, a constant. */
static inline uint64_t pk_secret(void)
{
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) != sizeof(secret))
		secret = UINT64_C(0x2d358dccaa6c78a5);
	return secret;
}

/* A fast hash of bytes, built like wyhash: 128-bit products of 16 bytes at a time. Without the
 * secret, the author of the bytes could make one factor 0: then the product is 0, whatever the
 * other factor is. */
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
