/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HEX_H
#define PK_HEX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads hexadecimal digits; *p goes behind the last one. At most 16: more cannot be an address.
 * 0 digits: the result is 0 and *p stays.
 */
static inline size_t pk_hex(const char **p, const char *end, uint64_t *value)
{
	const char *begin = *p;

	*value = 0;
	for (; *p < end && *p - begin < 16; ++*p) {
		unsigned c = (unsigned char)**p;

		if (c - '0' < 10)
			c -= '0';
		else if ((c | 0x20) - 'a' < 6)
			c = (c | 0x20) - 'a' + 10;
		else
			break;
		*value = *value << 4 | c;
	}
	return (size_t)(*p - begin);
}

#endif
