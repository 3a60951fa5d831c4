// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sha256.h"
#include "sha256_x86.h"

#define BLOCK	     64
#define LENGTH_BYTES 8

static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t turn(uint32_t x, unsigned int bits)
{
	return x >> bits | x << (32 - bits);
}

static uint32_t load_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void fill_schedule(uint32_t w[64], const uint8_t *block)
{
	for (unsigned int i = 0; i < 16; i++)
		w[i] = load_be32(block + 4 * (size_t)i);
	for (unsigned int i = 16; i < 64; i++) {
		const uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
		       (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

/* One of 64 rounds: changes d and h. The caller renames the variables instead of moving them. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
	do {                                                                                       \
		const uint32_t one = (h) + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +              \
				     (((e) & (f)) ^ (~(e) & (g))) + constants[i] + w[i];           \
		(d) += one;                                                                        \
		(h) = one + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +                             \
		      (((a) & (b)) ^ ((a) & (c)) ^ ((b) & (c)));                                   \
	} while (0)

static void add_block(struct pk_sha256 *sha, const uint8_t *block)
{
	uint32_t w[64], v[8];

	if (sha->fast) {
		pk_sha256_x86_block(sha->state, block, constants);
		return;
	}
	fill_schedule(w, block);
	memcpy(v, sha->state, sizeof(v));
	for (unsigned int i = 0; i < 64; i += 8) {
		ROUND(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], i);
		ROUND(v[7], v[0], v[1], v[2], v[3], v[4], v[5], v[6], i + 1);
		ROUND(v[6], v[7], v[0], v[1], v[2], v[3], v[4], v[5], i + 2);
		ROUND(v[5], v[6], v[7], v[0], v[1], v[2], v[3], v[4], i + 3);
		ROUND(v[4], v[5], v[6], v[7], v[0], v[1], v[2], v[3], i + 4);
		ROUND(v[3], v[4], v[5], v[6], v[7], v[0], v[1], v[2], i + 5);
		ROUND(v[2], v[3], v[4], v[5], v[6], v[7], v[0], v[1], i + 6);
		ROUND(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[0], i + 7);
	}
	for (unsigned int i = 0; i < 8; i++)
		sha->state[i] += v[i];
}

void pk_sha256_init(struct pk_sha256 *sha)
{
	static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	memcpy(sha->state, start, sizeof(start));
	sha->size = 0;
	sha->fast = false;
}

void pk_sha256_init_fast(struct pk_sha256 *sha)
{
	pk_sha256_init(sha);
	sha->fast = pk_sha256_x86_usable();
}

void pk_sha256_add(struct pk_sha256 *sha, const void *data, size_t size)
{
	const uint8_t *p = data;
	size_t used = sha->size % BLOCK, part;

	sha->size += size;
	while (size) {
		if (!used && size >= BLOCK) {
			add_block(sha, p);
			p += BLOCK;
			size -= BLOCK;
			continue;
		}
		part = size < BLOCK - used ? size : BLOCK - used;
		memcpy(sha->block + used, p, part);
		p += part;
		size -= part;
		used = (used + part) % BLOCK;
		if (!used)
			add_block(sha, sha->block);
	}
}

void pk_sha256_end(struct pk_sha256 *sha, uint8_t digest[PK_SHA256_SIZE])
{
	static const uint8_t zeros[BLOCK];
	const uint64_t bits = sha->size * 8;
	uint8_t length[LENGTH_BYTES];
	size_t used;

	for (unsigned int i = 0; i < LENGTH_BYTES; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	pk_sha256_add(sha, "\x80", 1);
	used = sha->size % BLOCK;
	pk_sha256_add(sha, zeros, (2 * BLOCK - LENGTH_BYTES - used) % BLOCK);
	pk_sha256_add(sha, length, sizeof(length));
	for (unsigned int i = 0; i < PK_SHA256_SIZE; i++)
		digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}
