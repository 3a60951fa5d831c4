/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SHA256_H
#define PK_SHA256_H

/* SHA-256 (FIPS 180-4). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PK_SHA256_SIZE 32

struct pk_sha256 {
	uint32_t state[8];
	uint64_t size; /* bytes so far */
	bool fast;     /* the processor has instructions for it */
	uint8_t block[64];
};

void pk_sha256_init(struct pk_sha256 *sha);
/* The same, but uses instructions of the processor if it has them. To ask the processor takes
 * microseconds: for many short digests, copy the initialized struct. */
void pk_sha256_init_fast(struct pk_sha256 *sha);
void pk_sha256_add(struct pk_sha256 *sha, const void *data, size_t size);
/* The digest of all bytes; init() starts again. */
void pk_sha256_end(struct pk_sha256 *sha, uint8_t digest[PK_SHA256_SIZE]);

#endif
