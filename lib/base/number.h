/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NUMBER_H
#define PK_NUMBER_H

/* Numbers, sizes, times and lists in arguments of command lines. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, or hexadecimal after 0x. The functions parse the whole text. Returns false if it is
 * malformed, or the number is too large. */
bool pk_parse_u64(const char *text, uint64_t *value);
/* A decimal number, also with a fraction, and a unit. The units are B, k, K, kB, KB, KiB, M, MB,
 * MiB, G, GB, GiB and T. They all are powers of 1024. A number without a unit is in bytes. */
bool pk_parse_size(const char *text, uint64_t *bytes);
/* Parses 30s, 100ms, 5us, 10ns, 2m (minutes), 1h, 1d, 1.5s. A number without a unit is in
 * seconds. */
bool pk_parse_time(const char *text, uint64_t *ns);

/* A decimal number from 0 to 100, also with a fraction. */
bool pk_parse_percent(const char *text, double *percent);

/* Finds the next word of a list with commas: sets *word and *size, and moves *list after it, which
 * is NULL after the last word. Returns false if there is no word left. The list "" has one word,
 * which is empty. */
bool pk_next_word(const char **list, const char **word, size_t *size);
/* Calls each for every range of a list such as "0-3,8" (0 to 3, then 8 to 8). Stops and returns
 * false if each returns false. Also returns false if the list is malformed, or has a number above
 * `max`. */
bool pk_parse_ranges(const char *text, uint64_t max,
		     bool (*each)(void *arg, uint64_t first, uint64_t last), void *arg);

/* Writes 1234567 as "1,234,567" into a buffer of at least 32 bytes, and returns it. */
char *pk_number(char *buffer, uint64_t value);

#endif
