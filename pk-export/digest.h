/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_DIGEST_H
#define EXPORT_DIGEST_H

/* The hash SHA-256 (FIPS 180-4), calculated by the library nettle. */

#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 32

struct digest;

/* Returns NULL if memory is exhausted. */
struct digest *digest_new(void);
void digest_free(struct digest *digest);
void digest_add(struct digest *digest, const void *data, size_t size);
/* Sets `bytes` to the hash of all bytes that were added since the last call. Bytes that are added
 * later belong to the next hash. */
void digest_end(struct digest *digest, uint8_t bytes[DIGEST_SIZE]);

#endif
