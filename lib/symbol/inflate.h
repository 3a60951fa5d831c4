/* SPDX-License-Identifier: BSD-2-Clause */
/* Decompression of sections and files. Each function fills out completely or returns false;
 * exhausted memory is counted in the failures. */
#ifndef PK_INFLATE_H
#define PK_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

bool pk_inflate(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size,
		struct pk_failures *failures);

/* For data of unknown size; for free(). NULL: damaged, or more than max. */
uint8_t *pk_unxz(const uint8_t *in, size_t in_size, size_t max, size_t *out_size,
		 struct pk_failures *failures);

#endif
