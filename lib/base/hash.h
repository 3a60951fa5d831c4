/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HASH_H
#define PK_HASH_H

/* Hashes for tables in memory. They differ between runs, and are never written to a file. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

static inline uint64_t pk_mix64(uint64_t a, uint64_t b)
{
	__uint128_t product = (__uint128_t)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A random number, so that the author of a stream cannot choose keys that collide. */
static inline uint64_t pk_secret(void)
{
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) != sizeof(secret))
		secret = UINT64_C(0x2d358dccaa6c78a5);
	return secret;
}

/* A fast hash of bytes, built like wyhash: 128-bit products of 16 bytes at a time. The secret
 * prevents the author of the bytes from choosing a factor of 0, which would cancel the other
 * factor. */
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
