/* SPDX-License-Identifier: BSD-2-Clause */
/* The library provides the names and effects of instructions, but not their size (see
 * insn_layout.h): it does not know all of them, and gets the size of some wrong. */
#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disasm_library.h"
#include "insn_layout.h"
#include "x86_text.h"

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
	unsigned machine; /* EM_ */
	bool is_64, big_endian, intel;
	enum disasm_mode mode;
	layout_fn layout; /* NULL: x86's */
	struct library *library;
	char bytes[96];	   /* operands as text, for instructions that the library does not know */
	char mnemonic[24]; /* a mnemonic that differs from the library's */
};

static layout_fn layout_of(unsigned machine)
{
	switch (machine) {
	case EM_AARCH64: return pk_insn_layout_arm64;
	case EM_ARM: return pk_insn_layout_arm;
	case EM_S390: return pk_insn_layout_s390;
	case EM_PPC:
	case EM_PPC64: return pk_insn_layout_ppc;
	case EM_RISCV: return pk_insn_layout_riscv;
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

	*reason = "out of memory";
	if (!d)
		return NULL;
	d->machine = options->machine;
	d->is_64 = options->is_64;
	d->big_endian = options->big_endian;
	d->intel = options->intel;
	d->layout = layout_of(options->machine);
	errno = 0;
	d->library = pk_disasm_library_load() ? pk_disasm_library_new(options) : NULL;
	if (d->library)
		return d;
	if (errno != ENOMEM)
		*reason = pk_disasm_library_load() ? lacking(options->machine)
						   : "no disassembler: capstone is not installed";
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

/* A wait before an instruction of the coprocessor belongs to it: "fnstenv" is "fstenv". */
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

/* For an instruction that the library does not know: adds its memory operand. The instruction is
 * assumed to change the register in ModRM.reg, and the one in ModRM.rm unless that is a memory
 * operand; without ModRM, all registers. */
static void x86_operands_by_code(const struct disasm *d, const struct x86_code *c,
				 struct insn *insn)
{
	static const uint8_t general[] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
	const uint8_t reg = (c->modrm >> 3 & 7) | (c->rex & 4) << 1;
	const uint8_t rm = (c->modrm & 7) | (c->rex & 1) << 3;
	struct insn_operand *o = &insn->operand[0];

	insn->changes = d->is_64 ? 0xffff : 0xff; /* unknown: all registers */
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
	/* In EVEX, a displacement of one byte is multiplied by a size that depends on the
	 * instruction: the address is unknown. */
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
		pk_insn_layout_x86(&code, d->is_64, insn);
	} else if (d->mode == DISASM_THUMB) {
		pk_insn_layout_thumb(bytes, size, d->big_endian, insn);
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
