/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "x86_code.h"

/*
 * The layout of instructions. In the tables, each character stands for one opcode. It says what
 * follows the opcode:
 *
 *   .  nothing
 *   m  ModRM
 *   r  ModRM that always names registers
 *   b  imm8
 *   M  ModRM, imm8
 *   w  imm16
 *   z  imm16/32
 *   Z  ModRM, imm16/32
 *   v  imm16/32/64
 *   j  rel8
 *   J  rel16/32
 *   o  an address
 *   e  imm16, imm8
 *   f  imm16:16/32, only if the mode is 32-bit
 *   3  ModRM, imm8 if ModRM.reg is 0 or 1
 *   4  ModRM, imm16/32 if ModRM.reg is 0 or 1
 *   x  no such opcode
 *   6, 7, 8, 9  like . m M b, but no such opcode in 64-bit mode
 */
static const char map_one[] = "mmmmbz66mmmmbz6x" /* opcodes 00 to 0f */
			      "mmmmbz66mmmmbz66" /* opcodes 10 to 1f */
			      "mmmmbzx6mmmmbzx6" /* opcodes 20 to 2f */
			      "mmmmbzx6mmmmbzx6" /* opcodes 30 to 3f */
			      "................" /* opcodes 40 to 4f */
			      "................" /* opcodes 50 to 5f */
			      "667mxxxxzZbM...." /* opcodes 60 to 6f */
			      "jjjjjjjjjjjjjjjj" /* opcodes 70 to 7f */
			      "MZ8Mmmmmmmmmmmmm" /* opcodes 80 to 8f */
			      "..........f....." /* opcodes 90 to 9f */
			      "oooo....bz......" /* opcodes a0 to af */
			      "bbbbbbbbvvvvvvvv" /* opcodes b0 to bf */
			      "MMw.77MZe.w..b6." /* opcodes c0 to cf */
			      "mmmm996.mmmmmmmm" /* opcodes d0 to df */
			      "jjjjbbbbJJfj...." /* opcodes e0 to ef */
			      "x.xx..34......mm" /* opcodes f0 to ff */;

static const char map_0f[] = "mmmmx.....x.xm.M" /* opcodes 00 to 0f */
			     "mmmmmmmmmmmmmmmm" /* opcodes 10 to 1f */
			     "rrrrxxxxmmmmmmmm" /* opcodes 20 to 2f */
			     "......x.xxxxxxxx" /* opcodes 30 to 3f */
			     "mmmmmmmmmmmmmmmm" /* opcodes 40 to 4f */
			     "mmmmmmmmmmmmmmmm" /* opcodes 50 to 5f */
			     "mmmmmmmmmmmmmmmm" /* opcodes 60 to 6f */
			     "MMMMmmm.mmmmmmmm" /* opcodes 70 to 7f */
			     "JJJJJJJJJJJJJJJJ" /* opcodes 80 to 8f */
			     "mmmmmmmmmmmmmmmm" /* opcodes 90 to 9f */
			     "...mMmmm...mMmmm" /* opcodes a0 to af */
			     "mmmmmmmmmmMmmmmm" /* opcodes b0 to bf */
			     "mmMmMMMm........" /* opcodes c0 to cf */
			     "mmmmmmmmmmmmmmmm" /* opcodes d0 to df */
			     "mmmmmmmmmmmmmmmm" /* opcodes e0 to ef */
			     "mmmmmmmmmmmmmmmm" /* opcodes f0 to ff */;

struct reader {
	const uint8_t *bytes;
	unsigned at, end;
	bool is_64, failed;
};

static uint8_t peek(const struct reader *r)
{
	return r->at < r->end ? r->bytes[r->at] : 0;
}

static uint8_t read_byte(struct reader *r)
{
	if (r->at >= r->end) {
		r->failed = true;
		return 0;
	}
	return r->bytes[r->at++];
}

/* Reads a signed number of 1, 2, 4 or 8 bytes. */
static int64_t read_number(struct reader *r, unsigned size)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < size; i++)
		v |= (uint64_t)read_byte(r) << 8 * i;
	if (size < 8 && size && v >> (8 * size - 1))
		v |= ~0ULL << 8 * size;
	return (int64_t)v;
}

/* Returns false if the next byte is not a prefix. */
static bool read_legacy_prefix(const struct reader *r, struct x86_code *c)
{
	switch (peek(r)) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e: break;
	case 0x64: c->segment = 'f'; break;
	case 0x65: c->segment = 'g'; break;
	case 0x66: c->operand_size = true; break;
	case 0x67: c->address_size = true; break;
	case 0xf0: break;
	case 0xf2:
		c->repeat_not = true;
		c->repeat = false;
		break;
	case 0xf3:
		c->repeat = true;
		c->repeat_not = false;
		break;
	default: return false;
	}
	return true;
}

static void read_prefixes(struct reader *r, struct x86_code *c)
{
	while (r->at < r->end && read_legacy_prefix(r, c))
		r->at++;
	if (r->is_64 && (peek(r) & 0xf0) == 0x40)
		c->rex = read_byte(r) & 15;
}

static void set_pp(struct x86_code *c, uint8_t pp)
{
	c->operand_size = pp == 1;
	c->repeat = pp == 2;
	c->repeat_not = pp == 3;
}

/* Returns true if a VEX, EVEX or XOP prefix starts here. The first byte of such a prefix is also
 * the opcode of another instruction. The second byte shows whether it is a prefix. */
static bool is_vector_prefix(const struct reader *r)
{
	const uint8_t first = peek(r);
	const uint8_t second = r->at + 1 < r->end ? r->bytes[r->at + 1] : 0;

	if (first == 0x8f)
		return (second & 0x1f) >= 8;
	return (first == 0xc4 || first == 0xc5 || first == 0x62) && (r->is_64 || second >= 0xc0);
}

static bool is_vector_map(const struct x86_code *c, uint8_t p0, uint8_t p1)
{
	if (c->encoding == X86_XOP)
		return c->map >= 8 && c->map <= 10;
	if (c->encoding == X86_EVEX && (p0 & 8 || !(p1 & 4)))
		return false;
	return (c->map >= X86_MAP_0F && c->map <= X86_MAP_0F3A) ||
	       (c->encoding == X86_EVEX && (c->map == 5 || c->map == 6));
}

/* Returns false if the prefix names an opcode map that does not exist. */
static bool read_vector_prefix(struct reader *r, struct x86_code *c)
{
	const uint8_t first = read_byte(r), p0 = read_byte(r);
	uint8_t p1;

	c->rex = (~p0 >> 5) & 7;
	if (first == 0xc5) {
		c->encoding = X86_VEX;
		c->rex &= 4;
		c->map = X86_MAP_0F;
		set_pp(c, p0 & 3);
		return true;
	}
	p1 = read_byte(r);
	c->encoding = first == 0xc4 ? X86_VEX : first == 0x62 ? X86_EVEX : X86_XOP;
	c->map = p0 & (first == 0x62 ? 7 : 0x1f);
	c->rex |= p1 >> 7 << 3;
	set_pp(c, p1 & 3);
	if (!is_vector_map(c, p0, p1))
		return false;
	if (first == 0x62)
		read_byte(r);
	return true;
}

static char vector_form(const struct x86_code *c)
{
	if (c->encoding == X86_XOP)
		return c->map == 8 ? 'M' : c->map == 9 ? 'm' : 'Z';
	if (c->map == X86_MAP_0F)
		return c->opcode == 0x77 ? '.' : map_0f[c->opcode] == 'M' ? 'M' : 'm';
	return c->map == X86_MAP_0F3A ? 'M' : 'm';
}

static char read_opcode(struct reader *r, struct x86_code *c)
{
	c->opcode_at = r->at;
	if (is_vector_prefix(r)) {
		if (!read_vector_prefix(r, c))
			return 'x';
		c->opcode_at = r->at;
		c->opcode = read_byte(r);
		return vector_form(c);
	}
	c->opcode_at = r->at;
	c->opcode = read_byte(r);
	if (c->opcode != 0x0f)
		return map_one[c->opcode];
	c->opcode_at = r->at;
	c->opcode = read_byte(r);
	c->map = X86_MAP_0F;
	if (c->opcode != 0x38 && c->opcode != 0x3a) {
		/* extrq and insertq of SSE4a have two more bytes. vmread does not have them. */
		if (c->opcode == 0x78 && (c->operand_size || c->repeat_not))
			return 'E';
		return map_0f[c->opcode];
	}
	c->map = c->opcode == 0x38 ? X86_MAP_0F38 : X86_MAP_0F3A;
	c->opcode_at = r->at;
	c->opcode = read_byte(r);
	return c->map == X86_MAP_0F38 ? 'm' : 'M';
}

static void read_memory_16(struct reader *r, struct x86_code *c)
{
	static const uint8_t bases[8] = {3, 3, 5, 5, 6, 7, 5, 3};
	const uint8_t mod = c->modrm >> 6, rm = c->modrm & 7;

	c->base = bases[rm];
	if (rm < 4)
		c->index = rm & 1 ? 7 : 6;
	if (mod == 0 && rm == 6) {
		c->base = X86_NO_REG;
		c->displacement = (int32_t)read_number(r, 2);
	} else if (mod) {
		c->displacement = (int32_t)read_number(r, mod);
	}
}

static void read_memory(struct reader *r, struct x86_code *c)
{
	const uint8_t mod = c->modrm >> 6;
	uint8_t rm = c->modrm & 7, sib;

	if (rm == 4) {
		sib = read_byte(r);
		rm = sib & 7;
		c->index = (sib >> 3 & 7) | (c->rex & 2) << 2;
		c->scale = (uint8_t)(1u << (sib >> 6));
		if (c->index == 4 && c->encoding != X86_EVEX)
			c->index = X86_NO_REG;
		if (mod == 0 && rm == 5)
			c->base = X86_NO_REG;
	} else if (mod == 0 && rm == 5) {
		c->base = r->is_64 ? X86_REG_IP : X86_NO_REG;
	}
	if (c->base == 0)
		c->base = rm | (c->rex & 1) << 3;
	if (mod == 1)
		c->displacement = (int32_t)read_number(r, 1);
	else if (mod == 2 || (mod == 0 && rm == 5))
		c->displacement = (int32_t)read_number(r, 4);
}

static void read_modrm(struct reader *r, struct x86_code *c, bool registers)
{
	c->has_modrm = true;
	c->modrm = read_byte(r);
	if (c->modrm >> 6 == 3 || registers)
		return;
	c->has_memory = true;
	c->scale = 1;
	c->base = 0;
	if (!r->is_64 && c->address_size)
		read_memory_16(r, c);
	else
		read_memory(r, c);
}

static void read_immediate(struct reader *r, struct x86_code *c, unsigned size)
{
	c->immediate_size = (uint8_t)size;
	c->immediate = read_number(r, size);
}

static bool read_rest(struct reader *r, struct x86_code *c, char form)
{
	const bool wide = c->rex & 8;
	const unsigned z = c->operand_size && !wide ? 2 : 4;
	const unsigned address = (r->is_64 ? 8 : 4) / (c->address_size ? 2 : 1);

	if (form == '6' || form == '7' || form == '8' || form == '9' || form == 'f') {
		if (r->is_64)
			return false;
		form = form == '6'   ? '.'
		       : form == '7' ? 'm'
		       : form == '8' ? 'M'
		       : form == '9' ? 'b'
				     : 'f';
	}
	if (strchr("mMZ34rE", form))
		read_modrm(r, c, form == 'r');
	switch (form) {
	case 'b':
	case 'j':
	case 'M': read_immediate(r, c, 1); break;
	case 'w':
	case 'E': read_immediate(r, c, 2); break;
	case 'z':
	case 'J': read_immediate(r, c, z); break;
	case 'Z': read_immediate(r, c, c->encoding == X86_XOP ? 4 : z); break;
	case 'v': read_immediate(r, c, wide ? 8 : z); break;
	case 'o': read_immediate(r, c, address); break;
	case 'e':
		read_immediate(r, c, 2);
		read_byte(r);
		break;
	case 'f':
		read_immediate(r, c, z);
		read_number(r, 2);
		break;
	case '3':
	case '4':
		if ((c->modrm >> 3 & 7) < 2)
			read_immediate(r, c, form == '3' ? 1 : z);
		break;
	case 'x': return false;
	}
	return true;
}

/* Returns true if a REX prefix precedes another prefix. It has no effect then, and is shown
 * separately. */
static bool is_lone_rex(const struct reader *r)
{
	struct x86_code unused;

	if (!r->is_64 || !r->at || r->at == r->end || (r->bytes[r->at - 1] & 0xf0) != 0x40)
		return false;
	return (peek(r) & 0xf0) == 0x40 || peek(r) == 0x9b || read_legacy_prefix(r, &unused);
}

/* Returns true if a wait instruction precedes a coprocessor instruction. They are shown as one
 * instruction. */
static bool waits(struct reader r)
{
	struct x86_code unused;

	if (peek(&r) != 0x9b)
		return false;
	r.at++;
	read_prefixes(&r, &unused);
	return (peek(&r) & 0xf8) == 0xd8;
}

/* The groups of opcodes that ModRM.reg extends. Bit n of `memory` and `registers` is set if the
 * value n is valid, for a memory operand and for a register operand. */
static const struct group {
	uint8_t map, opcode, memory, registers;
} groups[] = {
	{X86_MAP_ONE, 0x62, 0xff, 0},	 {X86_MAP_ONE, 0x8c, 0x3f, 0x3f},
	{X86_MAP_ONE, 0x8d, 0xff, 0},	 {X86_MAP_ONE, 0x8f, 0x01, 0x01},
	{X86_MAP_ONE, 0xc4, 0xff, 0},	 {X86_MAP_ONE, 0xc5, 0xff, 0},
	{X86_MAP_ONE, 0xc6, 0x01, 0x01}, {X86_MAP_ONE, 0xc7, 0x01, 0x01},
	{X86_MAP_ONE, 0xfe, 0x03, 0x03}, {X86_MAP_ONE, 0xff, 0x7f, 0x57},
};

/* The instructions of 3DNow! have their opcode in the last byte. */
static bool is_3dnow(uint8_t opcode)
{
	static const uint8_t known[] = {0x0c, 0x0d, 0x1c, 0x1d, 0x8a, 0x8e, 0x90, 0x94,
					0x96, 0x97, 0x9a, 0x9e, 0xa0, 0xa4, 0xa6, 0xa7,
					0xaa, 0xae, 0xb0, 0xb4, 0xb6, 0xb7, 0xbb, 0xbf};

	return memchr(known, opcode, sizeof(known));
}

static bool is_defined(const struct x86_code *c)
{
	const uint8_t bit = (uint8_t)(1u << (c->modrm >> 3 & 7));
	size_t i;

	if (c->encoding != X86_LEGACY)
		return true;
	if (c->map == X86_MAP_ONE && (c->opcode & 0xfe) == 0xc6 && c->modrm == 0xf8)
		return true; /* xabort, xbegin */
	if (c->map == X86_MAP_0F && c->opcode == 0x0f)
		return is_3dnow((uint8_t)c->immediate);
	for (i = 0; i < sizeof groups / sizeof *groups; i++)
		if (groups[i].map == c->map && groups[i].opcode == c->opcode)
			return (c->has_memory ? groups[i].memory : groups[i].registers) & bit;
	return true;
}

/* The most bytes of an instruction. The processor rejects longer instructions. */
#define LONGEST 15

void pk_x86_decode(const uint8_t *bytes, size_t size, bool is_64, struct x86_code *c)
{
	struct reader r = {
		.bytes = bytes, .end = size < LONGEST ? (unsigned)size : LONGEST, .is_64 = is_64};
	char form;

	memset(c, 0, sizeof *c);
	c->base = c->index = X86_NO_REG;
	read_prefixes(&r, c);
	if (is_lone_rex(&r)) {
		c->size = (uint8_t)r.at;
		return;
	}
	if (waits(r)) {
		r.at++;
		read_prefixes(&r, c);
	}
	form = read_opcode(&r, c);
	c->valid = read_rest(&r, c, form) && !r.failed && is_defined(c);
	if (!c->valid)
		r.at = c->opcode_at + !(c->map == X86_MAP_0F && c->opcode == 0x0f);
	c->size = (uint8_t)(r.at < r.end ? r.at : r.end);
}
