/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BUFFER_H
#define BUFFER_H

/* A growing buffer of bytes. A struct of all zero bytes is an empty buffer; free(data) frees it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buffer {
	char *data;
	size_t size, capacity;
	bool failed; /* true if memory was exhausted; some bytes are then missing */
};

/* buffer_room() returns a pointer to space for `size` more bytes at the end of the content. The
 * caller writes into the space, and then calls buffer_end(). `size` must not be 0. Returns NULL if
 * memory is exhausted. buffer_grow() is the slow path of buffer_room(). */
char *buffer_grow(struct buffer *buffer, size_t size);

static inline char *buffer_room(struct buffer *buffer, size_t size)
{
	if (__builtin_expect(buffer->capacity - buffer->size >= size, 1))
		return buffer->data + buffer->size;
	return buffer_grow(buffer, size);
}

/* Sets the end of the content to p. The caller passes the address after the last byte that it
 * wrote. */
static inline void buffer_end(struct buffer *buffer, const char *p)
{
	buffer->size = (size_t)(p - buffer->data);
}

static inline void buffer_add(struct buffer *buffer, const void *data, size_t size)
{
	char *p = size ? buffer_room(buffer, size) : NULL;

	if (!p)
		return;
	memcpy(p, data, size);
	buffer->size += size;
}

/* Ends the content with a NUL byte and returns it. The caller frees it. Returns NULL if memory was
 * exhausted; the content is then freed. */
char *buffer_take(struct buffer *buffer);

static inline void buffer_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

static inline void buffer_char(struct buffer *buffer, char c)
{
	buffer_add(buffer, &c, 1);
}

/* Each of these functions adds a number. If the number has fewer than `width` characters, blanks
 * are added before the number. `width` is at most DIGITS_MAX (digits.h). */
void buffer_decimal(struct buffer *buffer, uint64_t value, unsigned int width);
void buffer_signed(struct buffer *buffer, int64_t value, unsigned int width);
void buffer_hex(struct buffer *buffer, uint64_t value, unsigned int width);
/* Adds two hexadecimal digits for each byte. */
void buffer_hex_bytes(struct buffer *buffer, const void *data, size_t size);
/* Adds a text that is formatted like with printf(). A text that is longer than 511 bytes is cut. */
void buffer_format(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds the shortest text from which strtod() reads the same number. */
void buffer_real(struct buffer *buffer, double value);
/* Adds text that comes from the input. Each byte of a character that could harm a terminal becomes
 * "?" (safe_text.h). */
void buffer_harmless(struct buffer *buffer, const char *text, size_t size);
/* Adds text that comes from the input, as valid UTF-8. Each invalid byte becomes "?". Each
 * character that could harm a terminal also becomes a single "?". If the text has more than `most`
 * characters, the text is cut, and "..." is added. */
void buffer_valid(struct buffer *buffer, const char *text, size_t size, size_t most);
/* Adds the text as a JSON string, in quotes. Each byte that is not valid UTF-8 becomes \ufffd.
 * Characters that could harm a terminal are escaped. */
void buffer_quoted(struct buffer *buffer, const char *text, size_t size);

#endif
