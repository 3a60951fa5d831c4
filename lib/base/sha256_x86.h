/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SHA256_X86_H
#define PK_SHA256_X86_H

/* SHA-256 with the SHA instructions of x86 processors, which are some ten times faster. */

#include <stdbool.h>
#include <stdint.h>

/* Whether this processor has the instructions. Always false on other machines. */
bool pk_sha256_x86_usable(void);
/* Adds a block of 64 bytes to the state. constants: the 64 words of FIPS 180-4. */
void pk_sha256_x86_block(uint32_t state[8], const uint8_t *block, const uint32_t constants[64]);

#endif
