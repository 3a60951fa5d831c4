/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHARACTERS_H
#define PK_CHARACTERS_H

/* Tests for the characters of names and numbers. In all locales, only ASCII characters are
 * accepted. */

#include <stdbool.h>
#include <string.h>

static inline bool pk_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns true if a name in C can start with this character. */
static inline bool pk_starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool pk_is_of_name(char c)
{
	return pk_starts_name(c) || pk_is_digit(c);
}

static inline bool pk_starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

#endif
