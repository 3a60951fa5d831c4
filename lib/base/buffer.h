/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BUFFER_H
#define BUFFER_H

/* Bytes that grow. All zero is an empty one; the memory is its owner's to free. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buffer {
	char *data;
	size_t size, capacity;
	bool failed; /* out of memory: something is missing */
};

/* Room for size more bytes, which are the caller's to fill and to count with buffer_end. NULL: out
 * of memory. */
char *buffer_grow(struct buffer *buffer, size_t size);

static inline char *buffer_room(struct buffer *buffer, size_t size)
{
	if (__builtin_expect(buffer->capacity - buffer->size >= size, 1))
		return buffer->data + buffer->size;
	return buffer_grow(buffer, size);
}

/* What was written into the room ends at p. */
static inline void buffer_end(struct buffer *buffer, const char *p)
{
	buffer->size = (size_t)(p - buffer->data);
}

static inline void buffer_add(struct buffer *buffer, const void *data, size_t size)
{
	char *p = buffer_room(buffer, size);

	if (!p || !size)
		return;
	memcpy(p, data, size);
	buffer->size += size;
}

static inline void buffer_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

static inline void buffer_char(struct buffer *buffer, char c)
{
	buffer_add(buffer, &c, 1);
}

void buffer_decimal(struct buffer *buffer, uint64_t value, unsigned int width);
void buffer_signed(struct buffer *buffer, int64_t value, unsigned int width);
void buffer_hex(struct buffer *buffer, uint64_t value, unsigned int width);
void buffer_format(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Text of the input, without what could harm a terminal. */
void buffer_harmless(struct buffer *buffer, const char *text, size_t size);
/* In quotes, as JSON has strings; what is no UTF-8 becomes \ufffd. */
void buffer_quoted(struct buffer *buffer, const char *text, size_t size);

#endif
