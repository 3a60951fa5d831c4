/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads untrusted bytes of a DWARF section. A read past the end sets `bad`. It returns 0, or a
 * number that is made of the remaining bytes. So the caller can read several values, and check
 * `bad` once before it uses the values. `swap` is true if the byte order of the section is not the
 * byte order of the host. */
#ifndef PK_DWARF_CURSOR_H
#define PK_DWARF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pk_cursor {
	const uint8_t *p, *end;
	bool swap, bad;
};

static inline bool pk_cursor_has(struct pk_cursor *c, uint64_t size)
{
	if (__builtin_expect(size <= (size_t)(c->end - c->p), 1))
		return true;
	c->p = c->end;
	c->bad = true;
	return false;
}

static inline void pk_cursor_skip(struct pk_cursor *c, uint64_t size)
{
	if (pk_cursor_has(c, size))
		c->p += size;
}

static inline uint8_t pk_cursor_u8(struct pk_cursor *c)
{
	return pk_cursor_has(c, 1) ? *c->p++ : 0;
}

#define PK_CURSOR_NUMBER(bits)                                                                     \
	static inline uint##bits##_t pk_cursor_u##bits(struct pk_cursor *c)                        \
	{                                                                                          \
		uint##bits##_t v;                                                                  \
                                                                                                   \
		if (!pk_cursor_has(c, sizeof(v)))                                                  \
			return 0;                                                                  \
		memcpy(&v, c->p, sizeof(v));                                                       \
		c->p += sizeof(v);                                                                 \
		return c->swap ? __builtin_bswap##bits(v) : v;                                     \
	}

PK_CURSOR_NUMBER(16)
PK_CURSOR_NUMBER(32)
PK_CURSOR_NUMBER(64)

static inline uint32_t pk_cursor_u24(struct pk_cursor *c)
{
	uint32_t a = pk_cursor_u8(c), b = pk_cursor_u8(c), d = pk_cursor_u8(c);
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != c->swap;

	return big ? a << 16 | b << 8 | d : d << 16 | b << 8 | a;
}

/* Reads a number of 1, 2, 4 or 8 bytes. */
static inline uint64_t pk_cursor_uint(struct pk_cursor *c, unsigned size)
{
	switch (size) {
	case 1: return pk_cursor_u8(c);
	case 2: return pk_cursor_u16(c);
	case 4: return pk_cursor_u32(c);
	default: return pk_cursor_u64(c);
	}
}

static inline int64_t pk_cursor_sint(struct pk_cursor *c, unsigned size)
{
	const uint64_t value = pk_cursor_uint(c, size), sign = UINT64_C(1) << (8 * size - 1);

	return (int64_t)((value ^ sign) - sign);
}

/* Returns a separate cursor for the next `size` bytes. The cursor c moves after these bytes. */
static inline struct pk_cursor pk_cursor_block(struct pk_cursor *c, uint64_t size)
{
	struct pk_cursor block = *c;

	if (!pk_cursor_has(c, size))
		size = 0;
	block.end = block.p + size;
	c->p += size;
	return block;
}

/* Reads an unsigned LEB128 number. Only the lowest 64 bits are kept. */
static inline uint64_t pk_cursor_uleb(struct pk_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = pk_cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return v;
}

static inline int64_t pk_cursor_sleb(struct pk_cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = pk_cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~UINT64_C(0) << shift;
	return (int64_t)v;
}

/* Reads a NUL-terminated string. Returns NULL and sets bad if there is no NUL before the end. */
static inline const char *pk_cursor_string(struct pk_cursor *c)
{
	const uint8_t *text = c->p;
	const uint8_t *nul = memchr(text, 0, (size_t)(c->end - text));

	if (!nul) {
		c->p = c->end;
		c->bad = true;
		return NULL;
	}
	c->p = nul + 1;
	return (const char *)text;
}

#endif
