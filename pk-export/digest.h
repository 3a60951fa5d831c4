/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_DIGEST_H
#define EXPORT_DIGEST_H

/* SHA-256 (FIPS 180-4), by nettle. */

#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 32

struct digest;

/* NULL: out of memory. */
struct digest *digest_new(void);
void digest_free(struct digest *digest);
void digest_add(struct digest *digest, const void *data, size_t size);
/* The digest of all bytes that were added. The next byte that is added starts another one. */
void digest_end(struct digest *digest, uint8_t bytes[DIGEST_SIZE]);

#endif
