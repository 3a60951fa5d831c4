// SPDX-License-Identifier: BSD-2-Clause
#include <stdint.h>
#include <string.h>

#include "safe_text.h"

size_t pk_utf8_size(const char *text, size_t size)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)text;
	const size_t count = *p < 0x80	 ? 1
			     : *p < 0xc2 ? 0
			     : *p < 0xe0 ? 2
			     : *p < 0xf0 ? 3
			     : *p < 0xf8 ? 4
					 : 0;
	uint32_t code = count > 1 ? *p & (0xffu >> (count + 1)) : *p;

	if (!count || count > size)
		return 0;
	for (size_t i = 1; i < count; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[count] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return count;
}

int pk_is_harmful(const char *text, size_t size)
{
	const unsigned char *p = (const unsigned char *)text;

	/* A terminal without UTF-8 interprets the single bytes 0x80 to 0x9f as C1 controls. */
	if (size == 1)
		return *p < 0x20 || (*p >= 0x7f && *p < 0xa0);
	if (size == 2)
		return *p == 0xc2 && p[1] < 0xa0;
	return size == 3 && *p == 0xe2 &&
	       ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
		(p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

void pk_harmless_bytes(char *text, size_t size)
{
	char *const end = text + size;

	for (; text < end; text += size) {
		size = pk_utf8_size(text, (size_t)(end - text));
		size = size ? size : 1;
		if (pk_is_harmful(text, size))
			memset(text, '?', size);
	}
}

void pk_harmless(char *text)
{
	pk_harmless_bytes(text, strlen(text));
}

int pk_is_formula(const char *text, size_t size)
{
	size_t i = 1;

	if (!size || !memchr("=+-@", *text, 4))
		return 0;
	/* A sign with only a number after it is no formula. */
	while (*text != '=' && *text != '@' && i < size &&
	       ((text[i] >= '0' && text[i] <= '9') || text[i] == '.'))
		i++;
	return i < size || size == 1;
}
