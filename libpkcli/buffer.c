// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "cli.h"
#include "digits.h"

char *buffer_grow(struct buffer *buffer, size_t size)
{
	size_t capacity = buffer->capacity ? buffer->capacity : 4096;
	char *data;

	while (capacity - buffer->size < size && capacity < SIZE_MAX / 2)
		capacity *= 2;
	data = capacity - buffer->size < size ? NULL : realloc(buffer->data, capacity);
	if (!data) {
		buffer->failed = true;
		return NULL;
	}
	buffer->data = data;
	buffer->capacity = capacity;
	return data + buffer->size;
}

void buffer_decimal(struct buffer *buffer, uint64_t value, unsigned int width)
{
	char *p = buffer_room(buffer, DIGITS_MAX);

	if (p)
		buffer_end(buffer, digits_decimal(p, value, width));
}

void buffer_signed(struct buffer *buffer, int64_t value, unsigned int width)
{
	char *p = buffer_room(buffer, DIGITS_MAX);

	if (p)
		buffer_end(buffer, digits_signed(p, value, width));
}

void buffer_hex(struct buffer *buffer, uint64_t value, unsigned int width)
{
	char *p = buffer_room(buffer, DIGITS_MAX);

	if (p)
		buffer_end(buffer, digits_hex(p, value, width));
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
	char text[512];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	buffer_add(buffer, text, size < (int)sizeof(text) ? (size_t)size : sizeof(text) - 1);
}

void buffer_harmless(struct buffer *buffer, const char *text, size_t size)
{
	char *p = buffer_room(buffer, size + 1);
	bool plain = true;

	if (!p)
		return;
	for (size_t i = 0; i < size; i++) {
		p[i] = text[i] ? text[i] : '?';
		plain &= p[i] >= ' ' && p[i] < 0x7f;
	}
	p[size] = '\0';
	if (!plain)
		pk_harmless(p);
	buffer->size += size;
}

/* How many bytes the UTF-8 character at text has; 0 if it is none. */
static size_t utf8_size(const unsigned char *text, size_t size)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t count = *text < 0x80   ? 1
		       : *text < 0xc2 ? 0
		       : *text < 0xe0 ? 2
		       : *text < 0xf0 ? 3
				      : 4;
	uint32_t code = count > 1 ? *text & (0xffu >> (count + 1)) : *text;

	if (!count || count > size)
		return 0;
	for (size_t i = 1; i < count; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < least[count] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return count;
}

static void add_escaped(struct buffer *buffer, unsigned char c)
{
	switch (c) {
	case '"': buffer_text(buffer, "\\\""); break;
	case '\\': buffer_text(buffer, "\\\\"); break;
	case '\n': buffer_text(buffer, "\\n"); break;
	case '\t': buffer_text(buffer, "\\t"); break;
	default: buffer_format(buffer, "\\u%04x", c); break;
	}
}

void buffer_quoted(struct buffer *buffer, const char *text, size_t size)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + size;
	size_t count;

	buffer_char(buffer, '"');
	for (; p < end; p += count ? count : 1) {
		count = utf8_size(p, (size_t)(end - p));
		if (!count)
			buffer_text(buffer, "\\ufffd");
		else if (count == 1 && (*p < ' ' || *p == '"' || *p == '\\' || *p == 0x7f))
			add_escaped(buffer, *p);
		else if (count == 2 && *p == 0xc2 && p[1] < 0xa0)
			add_escaped(buffer, p[1]);
		else
			buffer_add(buffer, p, count);
	}
	buffer_char(buffer, '"');
}
