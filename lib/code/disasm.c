/* SPDX-License-Identifier: BSD-2-Clause */
/* capstone provides the names and effects of instructions. It does not know all instructions, and
 * returns a wrong size for some. The listing needs the right size of each instruction. So this file
 * finds the sizes itself. The layouts are from the architecture manuals: Arm DDI 0487 (C4.1,
 * F2-F4), Power ISA 3.1 (book I, 2.4), z/Architecture Principles of Operation (SA22-7832, appendix
 * B), RISC-V unprivileged ISA (chapters 2.5, 27). */
#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disasm_library.h"
#include "insn.h"
#include "x86_code.h"

/* ---- Layout of instructions ---- */

/* A function that sets the members size, kind, target and reference of an instruction. The caller
 * has set the address. `size`, the number of given bytes, is at least 1. insn->size is the size of
 * the whole instruction. It can be larger than `size`. */
typedef void (*layout_fn)(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn);

/* Loads a number of `size` bytes from the code. `there` is the number of given bytes. If the number
 * needs more bytes, the missing bytes are 0. */
static uint64_t load(const uint8_t *bytes, size_t there, unsigned size, bool big_endian)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < size; i++)
		v |= (uint64_t)(i < there ? bytes[i] : 0) << 8 * (big_endian ? size - 1 - i : i);
	return v;
}

/* Returns bits `low` to `low + width - 1` of the word as a signed number. */
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
	/* br, blr, ret, and their variants with pointer authentication */
	if ((w & 0xfe9ff000) == 0xd61f0000 || (w & 0xfefff000) == 0xd61f0000)
		insn->kind = INSN_JUMP;
	if ((w & 0xfeff0000) == 0xd63f0000)
		insn->kind = INSN_CALL;
	if ((w & 0xffff0000) == 0xd65f0000)
		insn->kind = INSN_RETURN;
}

static void insn_layout_arm64(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
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

/* Returns the distance of a literal from the pc. Bit 23 is the sign. */
static uint64_t distance(uint32_t w, uint32_t n)
{
	return w >> 23 & 1 ? n : 0 - (uint64_t)n;
}

static void insn_layout_arm(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t w = (uint32_t)load(bytes, size, 4, false);
	const bool always = w >> 28 == 14;
	const uint64_t to = insn->address + 8 + 4 * (uint64_t)field(w, 0, 24);

	(void)big_endian; /* Linux uses BE8, in which code is little-endian. */
	insn->size = 4;
	if (w >> 25 == 0x7d) /* a blx to Thumb code */
		jump(insn, INSN_CALL, (uint32_t)(to + (w >> 23 & 2)));
	else if ((w & 0x0e000000) == 0x0a000000)
		jump(insn,
		     w >> 24 & 1 ? INSN_CALL
		     : always	 ? INSN_JUMP
				 : INSN_BRANCH,
		     (uint32_t)to);
	else if ((w & 0x0fffffff) == 0x012fff1e || (w & 0x0fff8000) == 0x08bd8000 ||
		 (w & 0x0fffffff) == 0x049df004 || (w & 0x0fffffff) == 0x01a0f00e)
		insn->kind = INSN_RETURN; /* bx lr; pop {.., pc}; mov pc, lr: all of them return */
	else if ((w & 0x0f7f0000) == 0x051f0000 && (w >> 12 & 15) != 15)
		refer(insn, insn->address + 8 + distance(w, w & 0xfff));
	else if ((w & 0x0ffffff0) == 0x012fff10 || (w & 0x0c10f000) == 0x0410f000)
		insn->kind = INSN_JUMP; /* bx; ldr pc */
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
	else if ((w & 0xf800) == 0xa000 || (w & 0xf800) == 0x4800) /* adr; ldr */
		refer(insn, (pc & ~3ULL) + 4 * (w & 0xff));
	else if (w == 0x4770 || (w & 0xff00) == 0xbd00)
		insn->kind = INSN_RETURN;
	else if ((w & 0xff87) == 0x4700 || (w & 0xff87) == 0x4687)
		insn->kind = INSN_JUMP; /* bx; mov pc */
	else if ((w & 0xff87) == 0x4780)
		insn->kind = INSN_CALL;
}

static void insn_layout_thumb(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
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

static void insn_layout_ppc(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint32_t w = (uint32_t)load(bytes, size, 4, big_endian);
	const uint64_t from = w & 2 ? 0 : insn->address;
	const bool always = (w >> 21 & 0x14) == 0x14, call = w & 1;

	insn->size = w >> 26 == 1 ? 8 : 4; /* 8 bytes with a prefix, which Power 10 introduced */
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

/* Handles relative branches and calls, whose opcodes have 12 bits. */
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
		refer(insn, op == 0xa7 ? near : far); /* This branch is never taken, so its target
						       * is only shown as a reference. */
	else if (op == 0xc0 && sub == 5)
		jump(insn, INSN_CALL, far);
	else if ((op == 0xc0 && sub == 0) || op == 0xc4 || op == 0xc6)
		refer(insn, far);
	else if (op == 0xcc && sub == 6)
		jump(insn, INSN_BRANCH, far);
}

static void insn_layout_s390(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
{
	const uint64_t w = load(bytes, size, 6, true);
	const unsigned op = (unsigned)(w >> 40), last = (unsigned)(w & 0xff), mask = w >> 36 & 15;
	const uint64_t near = insn->address + 2 * (uint64_t)field(w, 16, 16);

	(void)big_endian; /* code is always big-endian */
	insn->size = op < 0x40 ? 2 : op < 0xc0 ? 4 : 6;
	if (op == 0x07 &&
	    mask) /* bcr; a jump to r14 is a return, because r14 holds the return address */
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

static void insn_layout_riscv(const uint8_t *bytes, size_t size, bool big_endian, struct insn *insn)
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

static void insn_layout_x86(const struct x86_code *c, bool is_64, struct insn *insn)
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

static const struct insn_machine machine_x86_64 = {.word = 8,
						   .stack = 7,
						   .frame = 6,
						   .result = 0,
						   .call_clobbers = 0xf37,
						   .call_pushes = true};
static const struct insn_machine machine_i386 = {
	.word = 4, .stack = 4, .frame = 5, .result = 0, .call_clobbers = 0x07, .call_pushes = true};
static const struct insn_machine machine_arm64 = {
	.word = 8, .stack = 31, .frame = 29, .result = 0, .call_clobbers = 0x4007ffff};

struct disasm {
	unsigned machine; /* EM_* */
	bool is_64, big_endian, intel;
	enum disasm_mode mode;
	layout_fn layout; /* NULL for x86 */
	struct library *library;
	char bytes[96];	   /* the text of operands that the library did not write */
	char mnemonic[24]; /* the text of a mnemonic that the library did not write */
};

static layout_fn layout_of(unsigned machine)
{
	switch (machine) {
	case EM_AARCH64: return insn_layout_arm64;
	case EM_ARM: return insn_layout_arm;
	case EM_S390: return insn_layout_s390;
	case EM_PPC:
	case EM_PPC64: return insn_layout_ppc;
	case EM_RISCV: return insn_layout_riscv;
	default: return NULL;
	}
}

static const char *lacking(unsigned machine)
{
	switch (machine) {
	case EM_RISCV: return "no disassembler for riscv in this version of capstone";
	case EM_MIPS: return "no disassembler for mips";
	case EM_SPARC:
	case EM_SPARCV9: return "no disassembler for sparc";
	default: return "no disassembler for this machine";
	}
}

struct disasm *pk_disasm_new(const struct disasm_options *options, const char **reason)
{
	struct disasm *d = calloc(1, sizeof(*d));
	enum pk_status loaded;

	*reason = "out of memory";
	if (!d)
		return NULL;
	d->machine = options->machine;
	d->is_64 = options->is_64;
	d->big_endian = options->big_endian;
	d->intel = options->intel;
	d->layout = layout_of(options->machine);
	errno = 0;
	loaded = pk_disasm_library_load();
	d->library = loaded == PK_OK ? pk_disasm_library_new(options) : NULL;
	if (d->library)
		return d;
	if (loaded == PK_UNSUPPORTED)
		*reason = "no disassembler: capstone is not installed";
	else if (loaded == PK_OK && errno != ENOMEM)
		*reason = lacking(options->machine);
	free(d);
	return NULL;
}

void pk_disasm_free(struct disasm *d)
{
	if (!d)
		return;
	pk_disasm_library_free(d->library);
	free(d);
}

static bool is_x86(const struct disasm *d)
{
	return !d->layout;
}

void pk_disasm_mode(struct disasm *d, enum disasm_mode mode)
{
	if (d->machine == EM_ARM && mode != DISASM_DATA)
		pk_disasm_library_thumb(d->library, mode == DISASM_THUMB);
	d->mode = mode == DISASM_THUMB && d->machine != EM_ARM ? DISASM_CODE : mode;
}

const struct insn_machine *pk_disasm_machine(const struct disasm *d)
{
	if (d->machine == EM_AARCH64)
		return &machine_arm64;
	return !is_x86(d) ? NULL : d->is_64 ? &machine_x86_64 : &machine_i386;
}

/* ---- Texts ---- */

static void write_bytes(struct disasm *d, struct insn *insn)
{
	size_t used = 0;
	unsigned i;

	d->bytes[0] = '\0';
	for (i = 0; i < insn->size; i++)
		used += (size_t)snprintf(d->bytes + used, sizeof(d->bytes) - used, "%s0x%02x",
					 i ? ", " : "", insn->bytes[i]);
	insn->mnemonic = ".byte";
	insn->operands = d->bytes;
}

/* Writes the text of a coprocessor instruction after a wait instruction (9b). The wait belongs to
 * the instruction and changes its name: "fnstenv" becomes "fstenv". */
static bool write_behind_wait(struct disasm *d, struct insn *insn)
{
	const char *name;

	if (!is_x86(d) || insn->size < 2 || insn->bytes[0] != 0x9b ||
	    !pk_disasm_library_text(d->library, insn->bytes + 1, insn->size - 1u, insn->address + 1,
				    &name, &insn->operands))
		return false;
	snprintf(d->mnemonic, sizeof(d->mnemonic), "%s%s", strncmp(name, "fn", 2) ? name : "f",
		 strncmp(name, "fn", 2) ? "" : name + 2);
	insn->mnemonic = d->mnemonic;
	return true;
}

static void write_text(struct disasm *d, const struct x86_code *code, struct insn *insn)
{
	if (insn->kind != INSN_UNDECODED &&
	    (pk_disasm_library_text(d->library, insn->bytes, insn->size, insn->address,
				    &insn->mnemonic, &insn->operands) ||
	     write_behind_wait(d, insn)))
		return;
	if (insn->kind != INSN_UNDECODED && is_x86(d) &&
	    pk_x86_text(code, insn->bytes, d->intel, d->mnemonic, sizeof(d->mnemonic), d->bytes,
			sizeof(d->bytes))) {
		insn->mnemonic = d->mnemonic;
		insn->operands = d->bytes;
	} else {
		write_bytes(d, insn);
	}
}

/* ---- Operands ---- */

/* Sets the operands of an instruction that the library does not know. Adds its memory operand.
 * Assumes that the instruction changes the register in ModRM.reg. If ModRM.rm is a register,
 * assumes that it changes this register, too. Without a ModRM byte, assumes that it changes all
 * registers. */
static void x86_operands_by_code(const struct disasm *d, const struct x86_code *c,
				 struct insn *insn)
{
	static const uint8_t general[] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
	const uint8_t reg = (c->modrm >> 3 & 7) | (c->rex & 4) << 1;
	const uint8_t rm = (c->modrm & 7) | (c->rex & 1) << 3;
	struct insn_operand *o = &insn->operand[0];

	insn->changes = d->is_64 ? 0xffff : 0xff; /* any register can change */
	if (!c->has_modrm)
		return;
	insn->changes = 1ULL << (d->is_64 ? general[reg] : reg);
	if (!c->has_memory) {
		insn->changes |= 1ULL << (d->is_64 ? general[rm] : rm);
		return;
	}
	pk_insn_add_operand(insn, INSN_MEMORY, 0, c->displacement);
	o->written = true;
	o->segment = c->segment;
	o->scale = c->scale;
	/* EVEX multiplies a displacement of one byte by a size that depends on the instruction. So
	 * the address is unknown. */
	if (c->encoding == X86_EVEX && c->modrm >> 6 == 1 && c->displacement)
		return;
	if (c->base == X86_REG_IP)
		o->base = INSN_REG_PC;
	else if (c->base < 16)
		o->base = d->is_64 ? general[c->base] : c->base;
	if (c->index < 16)
		o->index = d->is_64 ? general[c->index] : c->index;
}

static void work_out_operands(const struct disasm *d, const struct x86_code *code,
			      struct insn *insn)
{
	if (pk_disasm_library_operands(d->library, insn))
		return;
	if (is_x86(d))
		x86_operands_by_code(d, code, insn);
	else
		insn->changes = UINT64_MAX;
}

bool pk_disasm_next(struct disasm *d, unsigned what, const uint8_t *bytes, size_t size,
		    uint64_t address, struct insn *insn)
{
	struct x86_code code;

	memset(insn, 0, sizeof(*insn));
	if (!size)
		return false;
	insn->address = address;
	insn->bytes = bytes;
	insn->mnemonic = insn->operands = "";
	if (d->mode == DISASM_DATA) {
		insn->size = 4;
		insn->kind = INSN_UNDECODED;
	} else if (is_x86(d)) {
		pk_x86_decode(bytes, size, d->is_64, &code);
		insn_layout_x86(&code, d->is_64, insn);
	} else if (d->mode == DISASM_THUMB) {
		insn_layout_thumb(bytes, size, d->big_endian, insn);
	} else {
		d->layout(bytes, size, d->big_endian, insn);
	}
	if (insn->size > size) {
		insn->size = (uint8_t)size;
		insn->kind = INSN_UNDECODED;
		insn->has_target = insn->has_reference = false;
	}
	assert(insn->size);
	if (what & DISASM_TEXT)
		write_text(d, &code, insn);
	if (what & DISASM_OPERANDS && insn->kind != INSN_UNDECODED)
		work_out_operands(d, &code, insn);
	return true;
}
