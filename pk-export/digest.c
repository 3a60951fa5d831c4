// SPDX-License-Identifier: BSD-2-Clause
#include <nettle/sha2.h>
#include <stdlib.h>

#include "digest.h"

struct digest {
	struct sha256_ctx sha;
};

struct digest *digest_new(void)
{
	struct digest *digest = malloc(sizeof(*digest));

	if (digest)
		sha256_init(&digest->sha);
	return digest;
}

void digest_free(struct digest *digest)
{
	free(digest);
}

void digest_add(struct digest *digest, const void *data, size_t size)
{
	sha256_update(&digest->sha, size, data);
}

void digest_end(struct digest *digest, uint8_t bytes[DIGEST_SIZE])
{
	sha256_digest(&digest->sha, DIGEST_SIZE, bytes);
}
