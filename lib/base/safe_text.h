/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAFE_TEXT_H
#define PK_SAFE_TEXT_H

/* Makes text of the input safe for a terminal or a file that people read. Harmful are: control
 * bytes (C0, DEL), C1 controls as single bytes or in UTF-8, and the characters that change the
 * direction of text (U+202A to U+202E, U+2066 to U+2069). All other bytes are unchanged, valid
 * UTF-8 or not. */

#include <stddef.h>

/* Replaces each harmful byte by "?". In place, up to the NUL. */
void pk_harmless(char *text);
/* The same for `size` bytes, which may include NULs. */
void pk_harmless_bytes(char *text, size_t size);

/* The size of the UTF-8 character at text, at most size; 0: invalid. Overlong forms and surrogates
 * are invalid. */
size_t pk_utf8_size(const char *text, size_t size);

/* Whether these size bytes, one UTF-8 character or one invalid byte, are harmful. */
int pk_is_harmful(const char *text, size_t size);

#endif
