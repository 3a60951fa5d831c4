/* SPDX-License-Identifier: BSD-2-Clause */
#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disasm_library.h"

#if CS_API_MAJOR >= 5
#define RISCV_MODE(is_64)                                                                          \
	((is_64) ? CS_MODE_RISCV64 | CS_MODE_RISCVC : CS_MODE_RISCV32 | CS_MODE_RISCVC)
#endif

/* The library is loaded only when the first instruction is decoded, because loading it takes longer
 * than all other steps at the start of a program. */
#define TEXT_OF(number) #number
#define SONAME(number)	"libcapstone.so." TEXT_OF(number)

static struct {
	typeof(cs_open) *open;
	typeof(cs_close) *close;
	typeof(cs_option) *option;
	typeof(cs_malloc) *malloc;
	typeof(cs_free) *free;
	typeof(cs_disasm_iter) *disasm_iter;
} capstone;

static bool find_symbol(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol,
	       sizeof(symbol)); /* ISO C has no cast from void * to a function pointer. */
	return symbol;
}

enum pk_status pk_disasm_library_load(void)
{
	static bool tried, loaded;
	void *library;

	if (tried)
		return loaded ? PK_OK : PK_UNSUPPORTED;
	errno = 0;
	library = dlopen(SONAME(CS_API_MAJOR), RTLD_NOW);
	loaded = library && find_symbol(library, "cs_open", &capstone.open) &&
		 find_symbol(library, "cs_close", &capstone.close) &&
		 find_symbol(library, "cs_option", &capstone.option) &&
		 find_symbol(library, "cs_malloc", &capstone.malloc) &&
		 find_symbol(library, "cs_free", &capstone.free) &&
		 find_symbol(library, "cs_disasm_iter", &capstone.disasm_iter);
	tried = loaded || errno != ENOMEM;
	if (loaded)
		return PK_OK;
	return tried ? PK_UNSUPPORTED : PK_NOMEM;
}

struct kind {
	unsigned machine; /* EM_* */
	cs_arch arch;
	cs_mode mode, mode_64;
};

static const struct kind kinds[] = {
	{EM_X86_64, CS_ARCH_X86, CS_MODE_32, CS_MODE_64},
	{EM_386, CS_ARCH_X86, CS_MODE_32, CS_MODE_32},
	{EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, CS_MODE_ARM},
	{EM_ARM, CS_ARCH_ARM, CS_MODE_ARM, CS_MODE_ARM},
	{EM_S390, CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, CS_MODE_BIG_ENDIAN},
	{EM_PPC64, CS_ARCH_PPC, CS_MODE_64, CS_MODE_64},
	{EM_PPC, CS_ARCH_PPC, CS_MODE_32, CS_MODE_32},
#ifdef RISCV_MODE
	{EM_RISCV, CS_ARCH_RISCV, RISCV_MODE(false), RISCV_MODE(true)},
#endif
};

struct library {
	const struct kind *kind;
	bool is_64, big_endian;
	csh text, detail; /* 0 if the handle is not open */
	cs_insn *text_insn, *detail_insn;
};

/* Opens a handle of capstone. Returns false if capstone does not support the machine. */
static bool open_handle(const struct library *l, bool detail, bool intel, csh *handle,
			cs_insn **insn)
{
	unsigned mode = (unsigned)(l->is_64 ? l->kind->mode_64 : l->kind->mode);

	if (l->kind->arch == CS_ARCH_PPC && l->big_endian)
		mode |= (unsigned)CS_MODE_BIG_ENDIAN;
	if (capstone.open(l->kind->arch, (cs_mode)mode, handle) != CS_ERR_OK) {
		*handle = 0;
		return false;
	}
	if (l->kind->arch == CS_ARCH_X86)
		capstone.option(*handle, CS_OPT_SYNTAX,
				intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
	if (detail)
		capstone.option(*handle, CS_OPT_DETAIL, CS_OPT_ON);
	*insn = capstone.malloc(*handle);
	return *insn;
}

/* Capstone does not check whether an allocation fails, neither at the start nor for an instruction.
 * So its allocator here calls no_memory() if memory is exhausted, and no_memory() ends the process.
 * Capstone has one allocator for the whole process, so this variable is also global. */
static void (*no_memory)(void);

static void *must_have(void *memory)
{
	if (!memory)
		no_memory();
	return memory;
}

static void *get(size_t size)
{
	return must_have(malloc(size));
}

static void *get_zeros(size_t count, size_t size)
{
	return must_have(calloc(count, size));
}

static void *get_more(void *memory, size_t size)
{
	return must_have(realloc(memory, size));
}

struct library *pk_disasm_library_new(const struct disasm_options *options)
{
	struct library *l = calloc(1, sizeof(*l));
	cs_opt_mem memory = {get, get_zeros, get_more, free, vsnprintf};
	size_t i;

	if (!l)
		return NULL;
	no_memory = options->no_memory ? options->no_memory : abort;
	capstone.option(0, CS_OPT_MEM, (size_t)&memory);
	l->is_64 = options->is_64;
	l->big_endian = options->big_endian;
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds) && !l->kind; i++)
		if (kinds[i].machine == options->machine)
			l->kind = &kinds[i];
	if (l->kind && open_handle(l, false, options->intel, &l->text, &l->text_insn) &&
	    open_handle(l, true, true, &l->detail, &l->detail_insn))
		return l;
	pk_disasm_library_free(l);
	return NULL;
}

void pk_disasm_library_free(struct library *l)
{
	if (!l)
		return;
	if (l->text_insn)
		capstone.free(l->text_insn, 1);
	if (l->detail_insn)
		capstone.free(l->detail_insn, 1);
	if (l->text)
		capstone.close(&l->text);
	if (l->detail)
		capstone.close(&l->detail);
	free(l);
}

void pk_disasm_library_thumb(struct library *l, bool thumb)
{
	capstone.option(l->text, CS_OPT_MODE, thumb ? CS_MODE_THUMB : CS_MODE_ARM);
}

/* Returns false if capstone knows no such instruction of this size. */
static bool ask(csh handle, cs_insn *to, const uint8_t *code, size_t size, uint64_t address)
{
	const size_t whole = size;

	return capstone.disasm_iter(handle, &code, &size, &address, to) && to->size == whole;
}

bool pk_disasm_library_text(struct library *l, const uint8_t *bytes, size_t size, uint64_t address,
			    const char **mnemonic, const char **operands)
{
	*mnemonic = l->text_insn->mnemonic;
	*operands = l->text_insn->op_str;
	return ask(l->text, l->text_insn, bytes, size, address);
}

/* ---- Operands: x86 ---- */

void pk_insn_add_operand(struct insn *insn, unsigned kind, unsigned size, int64_t value)
{
	struct insn_operand *o = &insn->operand[insn->operand_count];

	if (insn->operand_count == INSN_OPERANDS)
		return;
	insn->operand_count++;
	o->kind = (uint8_t)kind;
	o->size = (uint8_t)size;
	o->read = true;
	o->base = o->index = INSN_NO_REG;
	o->scale = 1;
	if (kind == INSN_REGISTER)
		o->reg = (uint16_t)value;
	else
		o->value = value;
}

/* Returns the number of a register in the processor's encoding. The numbers of vector registers
 * start at 32. */
static unsigned x86_number(unsigned reg)
{
	static const uint8_t of[] = {
#define SAME(n, r64, r32, r16, r8)                                                                 \
	[X86_REG_##r64] = 1 + n, [X86_REG_##r32] = 1 + n, [X86_REG_##r16] = 1 + n,                 \
	[X86_REG_##r8] = 1 + n
		SAME(0, RAX, EAX, AX, AL),  SAME(1, RCX, ECX, CX, CL),	SAME(2, RDX, EDX, DX, DL),
		SAME(3, RBX, EBX, BX, BL),  SAME(4, RSP, ESP, SP, SPL), SAME(5, RBP, EBP, BP, BPL),
		SAME(6, RSI, ESI, SI, SIL), SAME(7, RDI, EDI, DI, DIL), [X86_REG_AH] = 1,
		[X86_REG_CH] = 2,	    [X86_REG_DH] = 3,		[X86_REG_BH] = 4,
	};

	if (reg < sizeof(of) && of[reg])
		return of[reg] - 1u;
	if (reg >= X86_REG_R8 && reg <= X86_REG_R15)
		return 8 + reg - X86_REG_R8;
	if (reg >= X86_REG_R8B && reg <= X86_REG_R15W)
		return 8 + (reg - X86_REG_R8B) % 8;
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31)
		return 32 + (reg - X86_REG_XMM0) % 32;
	return INSN_NO_REG;
}

/* Converts a register of capstone to its DWARF number. The numbers are in the System V ABI: for
 * AMD64 in figure 3.36, for i386 in table 2.14. */
static uint16_t x86_register(const struct library *l, unsigned reg)
{
	static const uint8_t general[] = {0, 2, 1, 3, 7, 6, 4, 5};
	const unsigned n = x86_number(reg);

	if (reg == X86_REG_RIP || reg == X86_REG_EIP)
		return INSN_REG_PC;
	if (n == INSN_NO_REG)
		return INSN_NO_REG;
	if (n >= 32 + 16)
		return (uint16_t)(67 + n - 48);
	if (n >= 32)
		return (uint16_t)((l->is_64 ? 17 : 21) + n - 32);
	return (uint16_t)(l->is_64 && n < 8 ? general[n] : n);
}

static void x86_operand(const struct library *l, const cs_x86_op *from, struct insn_operand *o)
{
	o->size = from->size;
	o->read = from->access & CS_AC_READ;
	o->written = from->access & CS_AC_WRITE;
	o->base = o->index = o->reg = INSN_NO_REG;
	o->scale = 1;
	if (from->type == X86_OP_REG) {
		o->kind = INSN_REGISTER;
		o->reg = x86_register(l, from->reg);
	} else if (from->type == X86_OP_IMM) {
		o->kind = INSN_IMMEDIATE;
		o->read = true;
		o->value = from->imm;
	} else {
		o->kind = INSN_MEMORY;
		o->base = x86_register(l, from->mem.base);
		o->index = x86_register(l, from->mem.index);
		o->scale = (uint8_t)from->mem.scale;
		o->value = from->mem.disp;
		o->segment = from->mem.segment == X86_REG_FS   ? 'f'
			     : from->mem.segment == X86_REG_GS ? 'g'
							       : 0;
	}
}

static enum insn_action x86_action(unsigned id)
{
	switch (id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS: return INSN_DO_MOVE;
	case X86_INS_MOVZX: return INSN_DO_MOVE_ZERO;
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD: return INSN_DO_MOVE_SIGN;
	case X86_INS_LEA: return INSN_DO_ADDRESS;
	case X86_INS_ADD:
	case X86_INS_INC: return INSN_DO_ADD;
	case X86_INS_SUB:
	case X86_INS_DEC: return INSN_DO_SUBTRACT;
	case X86_INS_AND: return INSN_DO_AND;
	case X86_INS_SHL:
	case X86_INS_SAL: return INSN_DO_SHIFT_LEFT;
	case X86_INS_IMUL: return INSN_DO_MULTIPLY;
	case X86_INS_PUSH: return INSN_DO_PUSH;
	case X86_INS_POP: return INSN_DO_POP;
	case X86_INS_LEAVE: return INSN_DO_LEAVE;
	case X86_INS_XCHG: return INSN_DO_EXCHANGE;
	default:
		return id >= X86_INS_CMOVA && id <= X86_INS_CMOVS ? INSN_DO_MOVE_IF : INSN_DO_OTHER;
	}
}

/* Adds information that capstone's operands lack, and corrects wrong information in them. */
static void x86_complete(unsigned id, struct insn *insn)
{
	const struct insn_operand *o = insn->operand;

	insn->action = (uint8_t)x86_action(id);
	if (id == X86_INS_NOP)
		insn->operand_count = 0; /* A nop accesses none of its operands. */
	if (id == X86_INS_INC || id == X86_INS_DEC)
		pk_insn_add_operand(insn, INSN_IMMEDIATE, o[0].size, 1);
	if (id == X86_INS_CDQE) {
		insn->action = INSN_DO_MOVE_SIGN;
		pk_insn_add_operand(insn, INSN_REGISTER, 8, 0);
		insn->operand[0].written = true;
		pk_insn_add_operand(insn, INSN_REGISTER, 4, 0);
	}
	if ((id == X86_INS_XOR || id == X86_INS_SUB) && insn->operand_count == 2 &&
	    o[0].kind == INSN_REGISTER && o[1].kind == INSN_REGISTER && o[0].reg == o[1].reg &&
	    o[0].size >= 4)
		insn->action = INSN_DO_CLEAR;
	if (id == X86_INS_IMUL && insn->operand_count < 2)
		insn->action = INSN_DO_OTHER;
	if (insn->action == INSN_DO_MOVE_IF)
		insn->operand[0].read =
			true; /* If the condition is false, the operand keeps its value, so it is
			       * also read. Capstone 5 does not set this. */
	if (id == X86_INS_CMPXCHG) {
		insn->changes |= 1;
		insn->operand[0].written = true;
	}
}

static void note_change(struct insn *insn, unsigned reg)
{
	if (reg < 64)
		insn->changes |= 1ULL << reg;
}

static void x86_operands(const struct library *l, struct insn *insn)
{
	const cs_detail *detail = l->detail_insn->detail;
	unsigned i;

	for (i = 0; i < detail->x86.op_count && i < INSN_OPERANDS; i++) {
		x86_operand(l, &detail->x86.operands[i], &insn->operand[i]);
		if (insn->operand[i].kind == INSN_REGISTER &&
		    (insn->operand[i].written || !insn->operand[i].read))
			note_change(insn, insn->operand[i].reg);
	}
	insn->operand_count = (uint8_t)i;
	for (i = 0; i < detail->regs_write_count; i++)
		note_change(insn, x86_register(l, detail->regs_write[i]));
	x86_complete(l->detail_insn->id, insn);
}

/* ---- Operands: arm64 ---- */

static uint16_t arm64_register(unsigned reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (uint16_t)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (uint16_t)(reg - ARM64_REG_W0);
	if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
		return reg == ARM64_REG_X29 ? 29 : 30;
	return reg == ARM64_REG_SP || reg == ARM64_REG_WSP ? 31 : INSN_NO_REG;
}

/* Returns the size of a register in bytes, or 0 if it is unknown. */
static uint8_t arm64_size(unsigned reg)
{
	if ((reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) || reg == ARM64_REG_WZR ||
	    (reg >= ARM64_REG_S0 && reg < ARM64_REG_S0 + 32))
		return 4;
	if (reg >= ARM64_REG_Q0 && reg < ARM64_REG_Q0 + 32)
		return 16;
	if (reg >= ARM64_REG_B0 && reg < ARM64_REG_B0 + 32)
		return 1;
	if (reg >= ARM64_REG_H0 && reg < ARM64_REG_H0 + 32)
		return 2;
	return reg >= ARM64_REG_V0 ? 0 : 8;
}

static uint8_t arm64_scale(const cs_arm64_op *o)
{
	if (o->shift.type == ARM64_SFT_INVALID)
		return 1;
	return o->shift.type == ARM64_SFT_LSL && o->shift.value < 8
		       ? (uint8_t)(1u << o->shift.value)
		       : 0;
}

static void arm64_operand(const cs_arm64_op *from, struct insn_operand *o)
{
	o->read = from->access & CS_AC_READ;
	o->written = from->access & CS_AC_WRITE;
	o->base = o->index = o->reg = INSN_NO_REG;
	o->scale = arm64_scale(from);
	if (from->type == ARM64_OP_REG) {
		o->kind = INSN_REGISTER;
		o->reg = arm64_register(from->reg);
		o->size = arm64_size(from->reg);
	} else if (from->type == ARM64_OP_MEM) {
		o->kind = INSN_MEMORY;
		o->base = arm64_register(from->mem.base);
		o->index = arm64_register(from->mem.index);
		o->value = from->mem.disp;
	} else {
		o->kind = INSN_IMMEDIATE;
		o->value = from->type == ARM64_OP_IMM ? from->imm : 0;
		if (o->scale > 1)
			o->value = (int64_t)((uint64_t)o->value * o->scale);
	}
}

static enum insn_action arm64_action(unsigned id)
{
	switch (id) {
	case ARM64_INS_MOV:
	case ARM64_INS_MOVZ:
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP: return INSN_DO_MOVE;
	case ARM64_INS_SXTB:
	case ARM64_INS_SXTH:
	case ARM64_INS_SXTW: return INSN_DO_MOVE_SIGN;
	case ARM64_INS_UXTB:
	case ARM64_INS_UXTH: return INSN_DO_MOVE_ZERO;
	case ARM64_INS_ADD: return INSN_DO_ADD;
	case ARM64_INS_SUB: return INSN_DO_SUBTRACT;
	case ARM64_INS_AND: return INSN_DO_AND;
	case ARM64_INS_LSL: return INSN_DO_SHIFT_LEFT;
	case ARM64_INS_MUL: return INSN_DO_MULTIPLY;
	case ARM64_INS_LDP: return INSN_DO_LOAD_PAIR;
	case ARM64_INS_STP: return INSN_DO_STORE_PAIR;
	default: return INSN_DO_OTHER;
	}
}

/* Sets the size of a memory access, and whether the value is sign-extended. Both follow from the
 * name of the instruction, such as "ldrb" or "ldrsw". */
static void arm64_access(const char *name, struct insn *insn, unsigned at)
{
	struct insn_operand *o = &insn->operand[at], *value = &insn->operand[0];
	const size_t length = strlen(name);
	const char last = name[length - 1];
	const bool is_store = !strncmp(name, "st", 2);

	o->written = is_store;
	o->read = !is_store;
	o->size = last == 'b' ? 1 : last == 'h' ? 2 : value->size;
	if (length > 3 && !strcmp(name + length - 2, "sw"))
		o->size = 4;
	if (insn->operand_count > at + 1 && insn->operand[at + 1].kind == INSN_IMMEDIATE) {
		o->update = 2;
		o->value = insn->operand[at + 1].value;
		insn->operand_count = (uint8_t)(at + 1);
	}
	if (at != 1 || (strncmp(name, "ldr", 3) && strncmp(name, "ldur", 4) &&
			strncmp(name, "str", 3) && strncmp(name, "stur", 4)))
		return;
	insn->action = INSN_DO_MOVE;
	if (!is_store && o->size < value->size)
		insn->action = strncmp(name, "ldrs", 4) && strncmp(name, "ldurs", 5)
				       ? INSN_DO_MOVE_ZERO
				       : INSN_DO_MOVE_SIGN;
	if (is_store) {
		const struct insn_operand first = *value;

		*value = *o;
		*o = first;
	}
}

static void arm64_operands(const struct library *l, struct insn *insn)
{
	const cs_detail *detail = l->detail_insn->detail;
	const cs_arm64 *arm = &detail->arm64;
	unsigned i, memory = INSN_OPERANDS;

	insn->action = (uint8_t)arm64_action(l->detail_insn->id);
	for (i = 0; i < arm->op_count && i < INSN_OPERANDS; i++) {
		arm64_operand(&arm->operands[i], &insn->operand[i]);
		if (insn->operand[i].kind == INSN_MEMORY)
			memory = i;
		else if (insn->operand[i].kind == INSN_REGISTER &&
			 (insn->operand[i].written || !insn->operand[i].read))
			note_change(insn, insn->operand[i].reg);
	}
	insn->operand_count = (uint8_t)i;
	for (i = 0; i < detail->regs_write_count; i++)
		note_change(insn, arm64_register(detail->regs_write[i]));
	if (memory == INSN_OPERANDS)
		return;
	if (arm->writeback) {
		insn->operand[memory].update = 1;
		note_change(insn, insn->operand[memory].base);
	}
	arm64_access(l->detail_insn->mnemonic, insn, memory);
}

/* ---- Operands of an instruction ---- */

bool pk_disasm_library_operands(struct library *l, struct insn *insn)
{
	if (l->kind->arch != CS_ARCH_X86 && l->kind->arch != CS_ARCH_ARM64)
		return false;
	if (!ask(l->detail, l->detail_insn, insn->bytes, insn->size, insn->address))
		return false;
	if (l->kind->arch == CS_ARCH_X86)
		x86_operands(l, insn);
	else
		arm64_operands(l, insn);
	return true;
}
