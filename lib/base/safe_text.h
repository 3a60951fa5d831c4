/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAFE_TEXT_H
#define PK_SAFE_TEXT_H

/*
 * Text of the input on its way to a terminal or a file that people read. These cannot pass: control
 * bytes (C0, DEL), C1 controls as single bytes or in UTF-8, and the characters that change the
 * direction of text (U+202A to U+202E, U+2066 to U+2069). Other bytes pass, valid UTF-8 or not.
 */

#include <stddef.h>

/* Replaces each byte of what cannot pass by "?". In place, up to the NUL. */
void pk_harmless(char *text);
/* The same for `size` bytes, a NUL among them. */
void pk_harmless_bytes(char *text, size_t size);

/* How many bytes the UTF-8 character at text has, at most size; 0 if it is none. Overlong forms and
 * surrogates are none. */
size_t pk_utf8_size(const char *text, size_t size);

/* Whether these size bytes, one UTF-8 character or one byte that is none, cannot pass. */
int pk_is_harmful(const char *text, size_t size);

#endif
