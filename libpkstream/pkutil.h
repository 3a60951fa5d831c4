/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKUTIL_H
#define PKUTIL_H

/* Small inline helpers that pk's own libraries share; not part of the public interface. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#define PK_ALIGN8(n) (((uint64_t)(n) + 7) & ~(uint64_t)7)

#define pk_likely(x)   __builtin_expect(!!(x), 1)
#define pk_unlikely(x) __builtin_expect(!!(x), 0)

static inline uint64_t pk_mix64(uint64_t a, uint64_t b)
{
	__uint128_t product = (__uint128_t)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of one table's own: who makes up a stream must not know where its keys will be. */
static inline uint64_t pk_secret(void)
{
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) != sizeof(secret))
		secret = UINT64_C(0x2d358dccaa6c78a5);
	return secret;
}

/* A fast hash of bytes for in-memory tables, wyhash's construction: 128-bit products of 16 bytes at
 * a time. Without a secret it would be easy to have a factor of 0, which forgets the other one. */
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

/* Fills out completely with what in, one zstd frame, stands for; else false. Hidden, in compress.c,
 * which alone knows the library. */
bool pk_unzstd(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size);

/* A power of two that is at least n and at least 16. */
static inline size_t pk_pow2_above(size_t n)
{
	size_t size = 16;

	while (size < n)
		size *= 2;
	return size;
}

#endif
