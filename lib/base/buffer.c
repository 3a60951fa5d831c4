// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "digits.h"
#include "safe_text.h"

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

char *buffer_take(struct buffer *buffer)
{
	buffer_add(buffer, "", 1);
	if (!buffer->failed)
		return buffer->data;
	free(buffer->data);
	return NULL;
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

void buffer_hex_bytes(struct buffer *buffer, const void *data, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size; i++) {
		buffer_char(buffer, digits[bytes[i] >> 4]);
		buffer_char(buffer, digits[bytes[i] & 15]);
	}
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

/* Returns true if all characters are printable ASCII characters. The loop checks eight bytes at a
 * time. In each byte it sets the highest bit of `bad` if the byte is not printable. The first term
 * sets the bit if the byte is less than a blank. The second term sets the bit if the byte is DEL.
 * The third term sets the bit if the byte is not ASCII. A carry or a borrow into another byte can
 * come only from a byte that is not printable, so the result is right. */
static bool is_plain(const char *text, size_t size)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t bad = 0, word;
	size_t i = 0;

	for (; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		bad |= (word - ' ' * each) | (word + each) | word;
	}
	for (; i < size; i++)
		bad |= text[i] >= ' ' && text[i] < 0x7f ? 0 : 0x80;
	return !(bad & 0x80 * each);
}

void buffer_real(struct buffer *buffer, double value)
{
	char text[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	buffer_text(buffer, text);
}

void buffer_harmless(struct buffer *buffer, const char *text, size_t size)
{
	char *p = size ? buffer_room(buffer, size) : NULL;

	if (!p)
		return;
	memcpy(p, text, size);
	if (!is_plain(text, size))
		pk_harmless_bytes(p, size);
	buffer->size += size;
}

void buffer_valid(struct buffer *buffer, const char *text, size_t size, size_t most)
{
	size_t plain = 0;

	while (plain < size && plain < most && text[plain] >= ' ' && text[plain] <= '~')
		plain++;
	buffer_add(buffer, text, plain);
	for (size_t i = plain, count = plain; i < size; count++) {
		const size_t length = pk_utf8_size(text + i, size - i);

		if (count == most) {
			buffer_text(buffer, "...");
			break;
		}
		if (!length || pk_is_harmful(text + i, length))
			buffer_char(buffer, '?');
		else
			buffer_add(buffer, text + i, length);
		i += length ? length : 1;
	}
}

/* Adds a JSON escape for one UTF-8 character, which has 1, 2 or 3 bytes. */
static void add_escaped(struct buffer *buffer, const char *text, size_t size)
{
	const unsigned char *p = (const unsigned char *)text;

	switch (*p) {
	case '"': buffer_text(buffer, "\\\""); return;
	case '\\': buffer_text(buffer, "\\\\"); return;
	case '\n': buffer_text(buffer, "\\n"); return;
	case '\t': buffer_text(buffer, "\\t"); return;
	default: break;
	}
	buffer_format(buffer, "\\u%04x",
		      size == 1	  ? *p
		      : size == 2 ? (*p & 0x1fu) << 6 | (p[1] & 0x3fu)
				  : (*p & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
}

/* Returns the number of ASCII characters at the start of the text that need no escape. */
static size_t count_plain(const char *text, size_t size)
{
	size_t i = 0;

	while (i < size && text[i] >= ' ' && text[i] < 0x7f && text[i] != '"' && text[i] != '\\')
		i++;
	return i;
}

void buffer_quoted(struct buffer *buffer, const char *text, size_t size)
{
	const char *end = text + size;
	size_t count;

	buffer_char(buffer, '"');
	for (; text < end; text += count ? count : 1) {
		count = count_plain(text, (size_t)(end - text));
		buffer_add(buffer, text, count);
		text += count;
		if (text == end)
			break;
		count = pk_utf8_size(text, (size_t)(end - text));
		if (!count)
			buffer_text(buffer, "\\ufffd");
		else if (*text == '"' || *text == '\\' || pk_is_harmful(text, count))
			add_escaped(buffer, text, count);
		else
			buffer_add(buffer, text, count);
	}
	buffer_char(buffer, '"');
}
