/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAFE_TEXT_H
#define PK_SAFE_TEXT_H

/* Makes text of the input safe for a terminal or a file that people read. Harmful are: control
 * bytes (C0, which includes newline and tab, and DEL), C1 controls as single bytes or in UTF-8, and
 * the characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069). All other
 * bytes are unchanged, valid UTF-8 or not. */

#include <stddef.h>

/* Replaces each byte of a harmful character by "?". In place, up to the NUL. */
void pk_harmless(char *text);
/* The same for `size` bytes, which may include NULs. */
void pk_harmless_bytes(char *text, size_t size);

/* The size in bytes of the UTF-8 character at the start of text, which has size bytes, at least
 * one. Returns 0 if the character is invalid (also if overlong or a surrogate), or does not end in
 * text. */
size_t pk_utf8_size(const char *text, size_t size);

/* Whether text, one UTF-8 character of size bytes or one invalid byte, is harmful. */
int pk_is_harmful(const char *text, size_t size);

/* Whether a spreadsheet would evaluate the text of a CSV cell as a formula: it starts with one of
 * = + - @, and is no number. With an apostrophe before it, it is text. */
int pk_is_formula(const char *text, size_t size);

#endif
