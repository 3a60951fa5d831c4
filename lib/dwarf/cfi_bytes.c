// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_internal.h"

#define LEB_MAX 16 /* bytes of a number: assemblers pad, but not so much */

uint64_t cfi_take(struct cfi_bytes *bytes, unsigned int size)
{
	const uint8_t *at = bytes->at;

	if ((size_t)(bytes->end - at) < size) {
		bytes->failed = true;
		bytes->at = bytes->end;
		return 0;
	}
	bytes->at += size;
	return cfi_load(at, size, bytes->swapped);
}

uint64_t cfi_take_signed(struct cfi_bytes *bytes, unsigned int size)
{
	const uint64_t value = cfi_take(bytes, size), sign = UINT64_C(1) << (8 * size - 1);

	return (value ^ sign) - sign;
}

/* *bits: how many of the value were given. */
static uint64_t take_leb(struct cfi_bytes *bytes, unsigned int *bits, bool *negative)
{
	uint64_t value = 0;

	*bits = 0;
	for (int i = 0; i < LEB_MAX; i++) {
		uint8_t byte = (uint8_t)cfi_take(bytes, 1);

		if (*bits < 64)
			value |= (uint64_t)(byte & 0x7f) << *bits;
		*bits += 7;
		if (!(byte & 0x80)) {
			*negative = byte & 0x40;
			return value;
		}
	}
	bytes->failed = true;
	*negative = false;
	return 0;
}

uint64_t cfi_take_uleb(struct cfi_bytes *bytes)
{
	unsigned int bits;
	bool negative;

	return take_leb(bytes, &bits, &negative);
}

uint64_t cfi_take_sleb(struct cfi_bytes *bytes)
{
	unsigned int bits;
	bool negative;
	uint64_t value = take_leb(bytes, &bits, &negative);

	if (negative && bits < 64)
		value |= UINT64_MAX << bits;
	return value;
}

struct cfi_bytes cfi_take_block(struct cfi_bytes *bytes, uint64_t size)
{
	struct cfi_bytes block = *bytes;

	if (size > (uint64_t)(bytes->end - bytes->at)) {
		bytes->failed = true;
		size = 0;
	}
	block.end = block.at + size;
	bytes->at = block.end;
	return block;
}
