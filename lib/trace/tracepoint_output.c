// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "tracepoint_internal.h"

static bool grow(struct tp_output *output, size_t size)
{
	size_t capacity = pk_pow2_above(output->size + size + 1);
	char *data = realloc(output->data, capacity);

	if (!data) {
		output->failed = true;
		return false;
	}
	output->data = data;
	output->capacity = capacity;
	return true;
}

void tp_put(struct tp_output *output, const char *data, size_t size)
{
	if (size > output->limit - output->size) {
		size = output->limit - output->size;
		output->cut = true;
	}
	if (!size || (output->capacity - output->size <= size && !grow(output, size)))
		return;
	memcpy(output->data + output->size, data, size);
	output->size += size;
}

void tp_put_text(struct tp_output *output, const char *text)
{
	tp_put(output, text, strlen(text));
}

static void put_padding(struct tp_output *output, char c, int count)
{
	char some[64];

	memset(some, c, sizeof(some));
	for (; count > 0; count -= (int)sizeof(some))
		tp_put(output, some, count < (int)sizeof(some) ? (size_t)count : sizeof(some));
}

/* The digits end at end; returns where they begin. */
static char *digits(char *end, uint64_t value, unsigned int base, bool capital)
{
	const char *letters = capital ? "0123456789ABCDEF" : "0123456789abcdef";

	if (base == 10)
		do
			*--end = (char)('0' + value % 10);
		while (value /= 10);
	else
		do
			*--end = letters[value % base];
		while (value /= base);
	return end;
}

void tp_put_hex(struct tp_output *output, uint64_t value)
{
	char text[24], *end = text + sizeof(text), *begin = digits(end, value, 16, false);

	tp_put(output, begin, (size_t)(end - begin));
}

void tp_put_dec(struct tp_output *output, uint64_t value)
{
	char text[24], *end = text + sizeof(text), *begin = digits(end, value, 10, false);

	tp_put(output, begin, (size_t)(end - begin));
}

void tp_put_byte(struct tp_output *output, uint8_t byte, bool capital)
{
	const char *letters = capital ? "0123456789ABCDEF" : "0123456789abcdef";
	const char text[2] = {letters[byte >> 4], letters[byte & 15]};

	tp_put(output, text, 2);
}

void tp_put_string(struct tp_output *output, const struct tp_piece *piece, const char *data,
		   size_t size)
{
	int padding;

	if (piece->precision >= 0 && (size_t)piece->precision < size)
		size = (size_t)piece->precision;
	padding = piece->width > 0 && (size_t)piece->width > size ? piece->width - (int)size : 0;
	if (!piece->left)
		put_padding(output, ' ', padding);
	tp_put(output, data, size);
	if (piece->left)
		put_padding(output, ' ', padding);
}

static const char *prefix(const struct tp_piece *piece, uint64_t value, bool negative)
{
	bool is_signed = piece->conversion == 'd' || piece->conversion == 'i';

	if (negative)
		return "-";
	if (is_signed)
		return piece->plus ? "+" : piece->blank ? " " : "";
	if (!piece->alternate || !value)
		return "";
	return piece->conversion == 'x' ? "0x" : piece->conversion == 'X' ? "0X" : "0";
}

void tp_put_number(struct tp_output *output, const struct tp_piece *piece, uint64_t value)
{
	char c = piece->conversion, text[32], *end = text + sizeof(text), *begin;
	bool is_signed = c == 'd' || c == 'i', negative;
	int count, zeros, padding;
	const char *before;

	value = tp_extend(value, piece->size, is_signed);
	negative = is_signed && (int64_t)value < 0;
	before = prefix(piece, value, negative);
	begin = digits(end, negative ? -value : value,
		       c == 'o'		      ? 8
		       : c == 'x' || c == 'X' ? 16
					      : 10,
		       c == 'X');
	count = (int)(end - begin);
	zeros = piece->precision > count ? piece->precision - count : 0;
	padding = piece->width - zeros - count - (int)strlen(before);
	if (piece->zero && !piece->left && piece->precision < 0 && padding > 0) {
		zeros += padding;
		padding = 0;
	}
	if (!piece->left)
		put_padding(output, ' ', padding);
	tp_put_text(output, before);
	put_padding(output, '0', zeros);
	tp_put(output, begin, (size_t)count);
	if (piece->left)
		put_padding(output, ' ', padding);
}
