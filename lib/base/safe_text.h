/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAFE_TEXT_H
#define PK_SAFE_TEXT_H

/* Makes text of the input safe for a terminal, and for a file that people read. These characters
 * are harmful:
 *
 *   - control bytes (C0, which includes newline and tab, and DEL)
 *   - C1 controls, as single bytes or in UTF-8
 *   - the characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069)
 *
 * All other bytes stay unchanged, even if they are not valid UTF-8. */

#include <stddef.h>

/* Replaces each byte of a harmful character by "?". The text ends with a NUL and is changed in
 * place. */
void pk_harmless(char *text);
/* Like pk_harmless(), for `size` bytes, which can include NULs. */
void pk_harmless_bytes(char *text, size_t size);

/* Returns the size in bytes of the UTF-8 character at the start of text. `size` is the size of
 * text, and is at least 1. Returns 0 if the character is invalid, overlong or a surrogate, or if
 * the text ends inside the character. */
size_t pk_utf8_size(const char *text, size_t size);

/* Returns true if the text is harmful. The text is one UTF-8 character of `size` bytes, or one
 * invalid byte. */
int pk_is_harmful(const char *text, size_t size);

/* Returns true if a spreadsheet program would evaluate the text of a CSV cell as a formula. Such a
 * text starts with = + - or @, and is not a number. If the writer puts an apostrophe before the
 * text, the program does not evaluate it. */
int pk_is_formula(const char *text, size_t size);

#endif
