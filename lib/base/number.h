/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NUMBER_H
#define PK_NUMBER_H

/* Parses numbers, sizes, times and lists in arguments of command lines. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses a decimal number, or a hexadecimal number after 0x. All functions in this file parse the
 * whole text. They return false if the text is malformed or the number is too large. */
bool pk_parse_u64(const char *text, uint64_t *value);
/* Parses a decimal number, which can have a fraction, and a unit. The units are B, k, K, kB, KB,
 * KiB, M, MB, MiB, G, GB, GiB and T. All of them are powers of 1024. A number without a unit is in
 * bytes. */
bool pk_parse_size(const char *text, uint64_t *bytes);
/* Parses a time such as 30s, 100ms, 5us, 10ns, 2m (minutes), 1h, 1d or 1.5s. A number without a
 * unit is in seconds. */
bool pk_parse_time(const char *text, uint64_t *ns);

/* Parses a decimal number from 0 to 100, which can have a fraction. */
bool pk_parse_percent(const char *text, double *percent);

/* Finds the next word of a list with commas, and sets *word and *size. Moves *list to the text
 * after the word and its comma. After the last word, *list is NULL. Returns false if there is no
 * word left. The list "" has one word, which is empty. */
bool pk_next_word(const char **list, const char **word, size_t *size);
/* Parses a list of ranges such as "0-3,8", and calls `each` for every range. For 8, the range is
 * from 8 to 8. If `each` returns false, stops and returns false. Also returns false if the list is
 * malformed, or if a number is greater than `max`. */
bool pk_parse_ranges(const char *text, uint64_t max,
		     bool (*each)(void *arg, uint64_t first, uint64_t last), void *arg);

/* Writes the number with a comma after each group of three digits: "1,234,567". The buffer has at
 * least 32 bytes. Returns the buffer. */
char *pk_number(char *buffer, uint64_t value);

#endif
