/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NUMBER_H
#define PK_NUMBER_H

/* Numbers, sizes and times as command lines have them. */

#include <stdbool.h>
#include <stdint.h>

/* Decimal, or hexadecimal behind 0x. These three take whole strings only; false on anything else or
 * overflow. */
bool pk_parse_u64(const char *text, uint64_t *value);
/* With a suffix k, M, G, T (powers of 1024), or B. */
bool pk_parse_size(const char *text, uint64_t *bytes);
/* 30s, 100ms, 5us, 10ns, 2m, 1h, 1d, 1.5s; a bare number is seconds. */
bool pk_parse_time(const char *text, uint64_t *ns);

/* 1234567 as "1,234,567" into a buffer of at least 32 bytes, which is returned. */
char *pk_number(char *buffer, uint64_t value);

#endif
