/* SPDX-License-Identifier: BSD-2-Clause */
/* Source: the architecture manuals: Arm DDI 0487 (C4.1, F2-F4), Power ISA 3.1 (book I, 2.4),
 * z/Architecture Principles of Operation (SA22-7832, appendix B), RISC-V unprivileged ISA (chapters
 * 2.5, 27). */
#include <string.h>

#include "insn_layout.h"

/* Loads a number of size bytes from the code. there: the number of given bytes; those after them
 * count as 0. */
static uint64_t load(const uint8_t *bytes, size_t there, unsigned size, bool big_endian)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < size; i++)
		v |= (uint64_t)(i < there ? bytes[i] : 0) << 8 * (big_endian ? size - 1 - i : i);
	return v;
}

/* Bits [low, low + width) as a signed number. */
static int64_t field(uint64_t word, unsigned low, unsigned width)
{
	return (int64_t)(word << (64 - low - width)) >> (64 - width);
}

static void jump(struct insn *insn, enum insn_kind kind, uint64_t target)
{
	insn->kind = (uint8_t)kind;
	insn->has_target = true;
	insn->target = target;
}

static void refer(struct insn *insn, uint64_t reference)
{
	insn->has_reference = true;
	insn->reference = reference;
}

/* ---- arm64 ---- */

static void arm64_branch_register(uint32_t w, struct insn *insn)
{
	/* br, blr, ret, and the variants with pointer authentication */
	if ((w & 0xfe9ff000) == 0xd61f0000 || (w & 0xfefff000) == 0xd61f0000)
		insn->kind = INSN_JUMP;
	if ((w & 0xfeff0000) == 0xd63f0000)
		insn->kind = INSN_CALL;
	if ((w & 0xffff0000) == 0xd65f0000)
		insn->kind = INSN_RETURN;
}

void pk_insn_layout_arm64(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t w = (uint32_t)load(bytes, size, 4, false);
	const uint64_t pc = insn->address;
	const uint64_t page = (uint64_t)field(w, 5, 19) << 2 | (w >> 29 & 3);

	(void)big_endian; /* code is always little-endian */
	insn->size = 4;
	if ((w & 0x7c000000) == 0x14000000)
		jump(insn, w >> 31 ? INSN_CALL : INSN_JUMP, pc + 4 * (uint64_t)field(w, 0, 26));
	else if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000)
		jump(insn, INSN_BRANCH, pc + 4 * (uint64_t)field(w, 5, 19));
	else if ((w & 0x7e000000) == 0x36000000)
		jump(insn, INSN_BRANCH, pc + 4 * (uint64_t)field(w, 5, 14));
	else if ((w & 0xfe000000) == 0xd6000000)
		arm64_branch_register(w, insn);
	else if ((w & 0x9f000000) == 0x10000000)
		refer(insn, pc + page);
	else if ((w & 0x9f000000) == 0x90000000)
		refer(insn, (pc & ~0xfffULL) + (page << 12));
	else if ((w & 0x3b000000) == 0x18000000)
		refer(insn, pc + 4 * (uint64_t)field(w, 5, 19));
}

/* ---- arm ---- */

/* The distance of a literal: bit 23 is the sign. */
static uint64_t distance(uint32_t w, uint32_t n)
{
	return w >> 23 & 1 ? n : 0 - (uint64_t)n;
}

void pk_insn_layout_arm(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t w = (uint32_t)load(bytes, size, 4, false);
	const bool always = w >> 28 == 14;
	const uint64_t to = insn->address + 8 + 4 * (uint64_t)field(w, 0, 24);

	(void)big_endian; /* code is little-endian in BE8, which Linux uses */
	insn->size = 4;
	if (w >> 25 == 0x7d) /* blx to Thumb */
		jump(insn, INSN_CALL, (uint32_t)(to + (w >> 23 & 2)));
	else if ((w & 0x0e000000) == 0x0a000000)
		jump(insn,
		     w >> 24 & 1 ? INSN_CALL
		     : always	 ? INSN_JUMP
				 : INSN_BRANCH,
		     (uint32_t)to);
	else if ((w & 0x0fffffff) == 0x012fff1e || (w & 0x0fff8000) == 0x08bd8000 ||
		 (w & 0x0fffffff) == 0x049df004 || (w & 0x0fffffff) == 0x01a0f00e)
		insn->kind = INSN_RETURN; /* bx lr; pop {.., pc}; mov pc, lr */
	else if ((w & 0x0f7f0000) == 0x051f0000 && (w >> 12 & 15) != 15)
		refer(insn, insn->address + 8 + distance(w, w & 0xfff));
	else if ((w & 0x0ffffff0) == 0x012fff10 || (w & 0x0c10f000) == 0x0410f000)
		insn->kind = INSN_JUMP; /* bx, ldr pc */
	else if ((w & 0x0ffffff0) == 0x012fff30)
		insn->kind = INSN_CALL;
	if (insn->kind != INSN_OTHER && !always && w >> 28 != 15)
		insn->kind = insn->kind == INSN_CALL ? INSN_CALL : INSN_BRANCH;
}

static void thumb_wide(uint32_t w, struct insn *insn)
{
	const uint32_t s = w >> 26 & 1, i1 = !((w >> 13 & 1) ^ s), i2 = !((w >> 11 & 1) ^ s);
	const uint32_t far =
		s << 24 | i1 << 23 | i2 << 22 | (w >> 16 & 0x3ff) << 12 | (w & 0x7ff) << 1;
	const uint32_t near = s << 20 | (w >> 11 & 1) << 19 | (w >> 13 & 1) << 18 |
			      (w >> 16 & 0x3f) << 12 | (w & 0x7ff) << 1;
	const uint64_t pc = insn->address + 4;

	if ((w & 0xf800d000) == 0xf000d000)
		jump(insn, INSN_CALL, (uint32_t)(pc + (uint64_t)field(far, 0, 25)));
	else if ((w & 0xf800d000) == 0xf000c000)
		jump(insn, INSN_CALL, (uint32_t)((pc & ~3ULL) + (uint64_t)field(far, 0, 25)));
	else if ((w & 0xf800d000) == 0xf0009000)
		jump(insn, INSN_JUMP, (uint32_t)(pc + (uint64_t)field(far, 0, 25)));
	else if ((w & 0xf800d000) == 0xf0008000 && (w >> 23 & 7) != 7)
		jump(insn, INSN_BRANCH, (uint32_t)(pc + (uint64_t)field(near, 0, 21)));
	else if ((w & 0xffff8000) == 0xe8bd8000 || w == 0xf85dfb04)
		insn->kind = INSN_RETURN;
	else if ((w & 0xff7f0000) == 0xf85f0000 && (w >> 12 & 15) != 15)
		refer(insn, (pc & ~3ULL) + distance(w, w & 0xfff));
	else if ((w & 0xff3f0e00) == 0xed1f0a00)
		refer(insn, (pc & ~3ULL) + distance(w, 4 * (w & 0xff)));
	else if ((w & 0xfff0f000) == 0xf8d0f000 || (w & 0xfff0ffe0) == 0xe8d0f000)
		insn->kind = INSN_JUMP; /* ldr pc; tbb, tbh */
}

static void thumb_short(uint32_t w, struct insn *insn)
{
	const uint64_t pc = insn->address + 4;

	if ((w & 0xf000) == 0xd000 && (w >> 9 & 7) != 7)
		jump(insn, INSN_BRANCH, (uint32_t)(pc + 2 * (uint64_t)field(w, 0, 8)));
	else if ((w & 0xf800) == 0xe000)
		jump(insn, INSN_JUMP, (uint32_t)(pc + 2 * (uint64_t)field(w, 0, 11)));
	else if ((w & 0xf500) == 0xb100)
		jump(insn, INSN_BRANCH, (uint32_t)(pc + (w >> 3 & 0x40) + (w >> 2 & 0x3e)));
	else if ((w & 0xf800) == 0xa000 || (w & 0xf800) == 0x4800) /* adr, ldr */
		refer(insn, (pc & ~3ULL) + 4 * (w & 0xff));
	else if (w == 0x4770 || (w & 0xff00) == 0xbd00)
		insn->kind = INSN_RETURN;
	else if ((w & 0xff87) == 0x4700 || (w & 0xff87) == 0x4687)
		insn->kind = INSN_JUMP; /* bx; mov pc */
	else if ((w & 0xff87) == 0x4780)
		insn->kind = INSN_CALL;
}

void pk_insn_layout_thumb(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t first = (uint32_t)load(bytes, size, 2, false);

	(void)big_endian;
	insn->size = first >= 0xe800 ? 4 : 2;
	if (insn->size == 2)
		thumb_short(first, insn);
	else if (size >= 4)
		thumb_wide(first << 16 | (uint32_t)load(bytes + 2, size - 2, 2, false), insn);
}

/* ---- ppc ---- */

void pk_insn_layout_ppc(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t w = (uint32_t)load(bytes, size, 4, big_endian);
	const uint64_t from = w & 2 ? 0 : insn->address;
	const bool always = (w >> 21 & 0x14) == 0x14, call = w & 1;

	insn->size = w >> 26 == 1 ? 8 : 4; /* with a prefix, on Power 10 */
	if (w >> 26 == 18)
		jump(insn, call ? INSN_CALL : INSN_JUMP, from + (uint64_t)field(w & ~3u, 0, 26));
	else if (w >> 26 == 16)
		jump(insn,
		     call     ? INSN_CALL
		     : always ? INSN_JUMP
			      : INSN_BRANCH,
		     from + (uint64_t)field(w & ~3u, 0, 16));
	else if ((w & 0xfc0007fe) == 0x4c000020) /* bclr */
		insn->kind = call ? INSN_CALL : always ? INSN_RETURN : INSN_BRANCH;
	else if ((w & 0xfc0007fe) == 0x4c000420) /* bcctr */
		insn->kind = call ? INSN_CALL : always ? INSN_JUMP : INSN_BRANCH;
}

/* ---- s390 ---- */

/* Instructions with an opcode of 12 bits: relative branches and calls. */
static void s390_relative(uint64_t w, struct insn *insn)
{
	const unsigned op = (unsigned)(w >> 40), sub = (unsigned)(w >> 32 & 15);
	const unsigned mask = (unsigned)(w >> 36 & 15);
	const uint64_t near = insn->address + 2 * (uint64_t)field(w, 16, 16);
	const uint64_t far = insn->address + 2 * (uint64_t)field(w, 0, 32);
	const enum insn_kind kind = mask == 15 ? INSN_JUMP : mask ? INSN_BRANCH : INSN_OTHER;

	if (op == 0xa7 && sub == 4 && mask)
		jump(insn, kind, near);
	else if (op == 0xa7 && sub == 5)
		jump(insn, INSN_CALL, near);
	else if (op == 0xa7 && (sub == 6 || sub == 7))
		jump(insn, INSN_BRANCH, near);
	else if (op == 0xc0 && sub == 4 && mask)
		jump(insn, kind, far);
	else if (sub == 4 && (op == 0xa7 || op == 0xc0))
		refer(insn, op == 0xa7 ? near : far); /* never taken */
	else if (op == 0xc0 && sub == 5)
		jump(insn, INSN_CALL, far);
	else if ((op == 0xc0 && sub == 0) || op == 0xc4 || op == 0xc6)
		refer(insn, far);
	else if (op == 0xcc && sub == 6)
		jump(insn, INSN_BRANCH, far);
}

void pk_insn_layout_s390(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint64_t w = load(bytes, size, 6, true);
	const unsigned op = (unsigned)(w >> 40), last = (unsigned)(w & 0xff), mask = w >> 36 & 15;
	const uint64_t near = insn->address + 2 * (uint64_t)field(w, 16, 16);

	(void)big_endian; /* code is always big-endian */
	insn->size = op < 0x40 ? 2 : op < 0xc0 ? 4 : 6;
	if (op == 0x07 && mask) /* bcr; r14 holds the return address */
		insn->kind = mask != 15		    ? INSN_BRANCH
			     : (w >> 32 & 15) == 14 ? INSN_RETURN
						    : INSN_JUMP;
	else if (op == 0x47 && mask)
		insn->kind = mask == 15 ? INSN_JUMP : INSN_BRANCH;
	else if ((op == 0x0d || op == 0x05) && (w >> 32 & 15))
		insn->kind = INSN_CALL;
	else if (op == 0x06 || op == 0x46 || op == 0x86 || op == 0x87)
		insn->kind = INSN_BRANCH;
	else if (op == 0x84 || op == 0x85)
		jump(insn, INSN_BRANCH, near);
	else if (op == 0xec && (last == 0x44 || last == 0x45 || last == 0x64 || last == 0x65 ||
				last == 0x76 || last == 0x77 || (last >= 0x7c && last <= 0x7f)))
		jump(insn, INSN_BRANCH, near); /* brxhg, brxlg; compare and branch */
	else
		s390_relative(w, insn);
}

/* ---- RISC-V ---- */

static void riscv_short(uint32_t w, struct insn *insn)
{
	const uint32_t s = w >> 12 & 1;
	const uint32_t far = s << 11 | (w >> 8 & 1) << 10 | (w >> 9 & 3) << 8 | (w >> 6 & 1) << 7 |
			     (w >> 7 & 1) << 6 | (w >> 2 & 1) << 5 | (w >> 11 & 1) << 4 |
			     (w >> 3 & 7) << 1;
	const uint32_t near = s << 8 | (w >> 5 & 3) << 6 | (w >> 2 & 1) << 5 | (w >> 10 & 3) << 3 |
			      (w >> 3 & 3) << 1;

	if ((w & 0xe003) == 0xa001)
		jump(insn, INSN_JUMP, insn->address + (uint64_t)field(far, 0, 12));
	else if ((w & 0xc003) == 0xc001)
		jump(insn, INSN_BRANCH, insn->address + (uint64_t)field(near, 0, 9));
	else if ((w & 0xf07f) == 0x8002 && w >> 7 & 31)
		insn->kind = (w >> 7 & 31) == 1 ? INSN_RETURN : INSN_JUMP;
	else if ((w & 0xf07f) == 0x9002 && w >> 7 & 31)
		insn->kind = INSN_CALL;
}

static void riscv_wide(uint32_t w, struct insn *insn)
{
	const uint32_t s = w >> 31, rd = w >> 7 & 31, rs = w >> 15 & 31;
	const uint32_t far =
		s << 20 | (w >> 12 & 0xff) << 12 | (w >> 20 & 1) << 11 | (w >> 21 & 0x3ff) << 1;
	const uint32_t near =
		s << 12 | (w >> 7 & 1) << 11 | (w >> 25 & 0x3f) << 5 | (w >> 8 & 15) << 1;
	const bool links = rd == 1 || rd == 5;

	switch (w & 0x7f) {
	case 0x6f:
		jump(insn, links ? INSN_CALL : INSN_JUMP,
		     insn->address + (uint64_t)field(far, 0, 21));
		break;
	case 0x63: jump(insn, INSN_BRANCH, insn->address + (uint64_t)field(near, 0, 13)); break;
	case 0x67:
		insn->kind = links ? INSN_CALL : rs == 1 || rs == 5 ? INSN_RETURN : INSN_JUMP;
		break;
	case 0x17: refer(insn, insn->address + (uint64_t)(int64_t)(int32_t)(w & ~0xfffu)); break;
	}
}

void pk_insn_layout_riscv(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t w = (uint32_t)load(bytes, size, 4, false);

	(void)big_endian; /* code is always little-endian */
	insn->size = (w & 3) == 3 ? 4 : 2;
	if (insn->size == 4)
		riscv_wide(w, insn);
	else
		riscv_short(w & 0xffff, insn);
}

/* ---- x86 ---- */

static enum insn_kind x86_kind_one(const struct x86_code *c)
{
	const uint8_t op = c->opcode, reg = c->modrm >> 3 & 7;

	if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0 || (op == 0xc7 && c->modrm == 0xf8))
		return INSN_BRANCH;
	if (op == 0xe8 || op == 0x9a || (op == 0xff && (reg == 2 || reg == 3)))
		return INSN_CALL;
	if ((op >= 0xe9 && op <= 0xeb) || (op == 0xff && (reg == 4 || reg == 5)))
		return INSN_JUMP;
	if ((op & 0xf6) == 0xc2 || op == 0xcf)
		return INSN_RETURN;
	return INSN_OTHER;
}

static enum insn_kind x86_kind(const struct x86_code *c)
{
	if (c->encoding != X86_LEGACY)
		return INSN_OTHER;
	if (c->map == X86_MAP_ONE)
		return x86_kind_one(c);
	if (c->map == X86_MAP_0F && (c->opcode & 0xf0) == 0x80)
		return INSN_BRANCH;
	if (c->map == X86_MAP_0F && (c->opcode == 0x07 || c->opcode == 0x35))
		return INSN_RETURN; /* sysret, sysexit */
	return INSN_OTHER;
}

void pk_insn_layout_x86(const struct x86_code *c, bool is_64, struct insn *insn)
{
	const uint64_t mask = is_64 ? UINT64_MAX : UINT32_MAX;
	const uint64_t next = insn->address + c->size;

	insn->size = c->size;
	insn->kind = (uint8_t)(c->valid ? x86_kind(c) : INSN_UNDECODED);
	if (insn->kind == INSN_UNDECODED)
		return;
	if (insn->kind != INSN_OTHER && c->immediate_size && insn->kind != INSN_RETURN &&
	    c->opcode != 0x9a && c->opcode != 0xea)
		jump(insn, insn->kind, (next + (uint64_t)c->immediate) & mask);
	if (insn->has_target && c->immediate_size == 2)
		insn->target &= 0xffff;
	if (c->has_memory && c->base == X86_REG_IP)
		refer(insn, next + (uint64_t)(int64_t)c->displacement);
	else if (c->has_memory && c->base == X86_NO_REG && c->index == X86_NO_REG && !c->segment)
		refer(insn, (uint64_t)(int64_t)c->displacement & mask);
}
