// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arm_exidx.h"
#include "cfi.h"
#include "machine.h"
#include "cfi_expression.h"

/* ---- Machines ---- */

#define NO PK_CFI_REGISTERS

#define HOST_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* The order of perf is: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 ... r15. */
static const struct pk_cfi_machine x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.word = 8,
	.swapped = HOST_IS_BIG,
	.stack = 7,
	.frame = 6,
	.pc = 16,
	.perf_pc = 8,
	.pc_mask = UINT64_MAX,
	.perf = {0,  3,	 2,  1,	 4, 5, 6,  7,  16, NO, NO, NO,
		 NO, NO, NO, NO, 8, 9, 10, 11, 12, 13, 14, 15},
	.perf_count = 24,
};

static const struct pk_cfi_machine i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word = 4,
	.swapped = HOST_IS_BIG,
	.stack = 4,
	.frame = 5,
	.pc = 8,
	.perf_pc = 8,
	.pc_mask = UINT32_MAX,
	.perf = {0,  3,	 1,  2,	 6,  7,	 5,  4,	 8,  NO, NO, NO,
		 NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO},
	.perf_count = 24,
};

/* The order of perf is: x0 ... x29 lr sp pc. Addresses of programs have 48 bits unless a program
 * requests more. The bits above can be a signature. */
static const struct pk_cfi_machine aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.word = 8,
	.swapped = HOST_IS_BIG,
	.stack = 31,
	.frame = 29,
	.link = 30,
	.pc = NO,
	.perf_pc = 32,
	.pc_mask = (UINT64_C(1) << 48) - 1,
	.perf = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15,
		 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
	.perf_count = 32,
};

/* The order of perf is: r0 ... r15 f0 ... f15 mask pc. There is no frame pointer. */
static const struct pk_cfi_machine s390x = {
	.name = "s390x",
	.elf_machine = EM_S390,
	.word = 8,
	.swapped = !HOST_IS_BIG,
	.stack = 15,
	.cfa_bias = 160,
	.frame = NO,
	.pc = NO,
	.perf_pc = 33,
	.pc_mask = UINT64_MAX,
	.perf = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15, 16,
		 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31, NO},
	.perf_count = 33,
};

/* The order of perf is: r0 ... r10 fp ip sp lr pc. Bit 0 of a return address is the instruction
 * set. r11 is a frame pointer only in some code, and compilers save different registers at its
 * target. */
static const struct pk_cfi_machine arm = {
	.name = "arm",
	.elf_machine = EM_ARM,
	.word = 4,
	.swapped = HOST_IS_BIG,
	.stack = 13,
	.frame = 11,
	.record = PK_CFI_NO_RECORD,
	.link = 14,
	.pc = NO,
	.perf_pc = 15,
	.pc_mask = UINT32_MAX - 1,
	.perf = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NO},
	.perf_count = 16,
};

/* A 32-bit task on arm64. Its registers are the first registers in the order of perf for arm64: x0
 * ... x29 lr sp pc. */
static const struct pk_cfi_machine arm_on_arm64 = {
	.name = "arm",
	.elf_machine = EM_ARM,
	.word = 4,
	.swapped = HOST_IS_BIG,
	.stack = 13,
	.frame = 11,
	.record = PK_CFI_NO_RECORD,
	.link = 14,
	.pc = NO,
	.perf_pc = 32,
	.pc_mask = UINT32_MAX - 1,
	.perf = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
	.perf_count = 15,
};

/* The order of perf is: pc ra sp gp tp t0 ..., where ra is x1 and the last register is x31. The
 * frame pointer is equal to the CFA. */
static const struct pk_cfi_machine riscv64 = {
	.name = "riscv64",
	.elf_machine = EM_RISCV,
	.word = 8,
	.swapped = HOST_IS_BIG,
	.stack = 2,
	.frame = 8,
	.record = -16,
	.link = 1,
	.pc = NO,
	.perf_pc = 0,
	.pc_mask = UINT64_MAX,
	.perf = {NO, 1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15,
		 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
	.perf_count = 32,
};

/* The order of perf is: r0 ... r31 nip msr orig_r3 ctr link. There is no frame pointer. */
static const struct pk_cfi_machine ppc64le = {
	.name = "ppc64le",
	.elf_machine = EM_PPC64,
	.word = 8,
	.swapped = HOST_IS_BIG,
	.stack = 1,
	.frame = NO,
	.high = 65, /* the link register */
	.link = 32,
	.pc = NO,
	.perf_pc = 32,
	.pc_mask = UINT64_MAX,
	.perf = {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15, 16, 17, 18,
		 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, NO, NO, NO, NO, 32},
	.perf_count = 37,
};

enum { ABI_32 = 1, ABI_64 = 2 }; /* PERF_SAMPLE_REGS_ABI_* */

const struct pk_cfi_machine *pk_cfi_machine_by_elf(unsigned int elf)
{
	static const struct pk_cfi_machine *const machines[] = {&x86_64, &i386,	   &aarch64, &s390x,
								&arm,	 &riscv64, &ppc64le};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i]->elf_machine == elf)
			return machines[i];
	return NULL;
}

const struct pk_cfi_machine *pk_cfi_machine_find(const char *name, uint64_t abi)
{
	const struct pk_machine_kind *kind = pk_machine_named(name, SIZE_MAX);

	if (!kind)
		return NULL;
	if (kind->elf == EM_X86_64 || kind->elf == EM_386)
		return abi == ABI_64 ? &x86_64 : abi == ABI_32 ? &i386 : NULL;
	if (kind != pk_machine_of_elf(kind->elf))
		return NULL; /* Only the most common byte order of each machine is supported. */
	if (abi == ABI_32)
		return kind->elf == EM_ARM ? &arm : kind->elf == EM_AARCH64 ? &arm_on_arm64 : NULL;
	return abi == ABI_64 && kind->word == 8 ? pk_cfi_machine_by_elf(kind->elf) : NULL;
}

bool pk_frame_load(const struct pk_cfi_machine *machine, uint64_t mask, const uint8_t *values,
		   uint64_t count, struct pk_frame_state *state)
{
	bool pc = false;
	uint64_t i = 0;

	state->known = 0;
	for (; mask && i < count; mask &= mask - 1, i++) {
		const unsigned int perf = (unsigned int)__builtin_ctzll(mask);
		const uint8_t reg = perf < machine->perf_count ? machine->perf[perf] : NO;
		uint64_t value;

		memcpy(&value, values + 8 * i, 8);
		if (perf == machine->perf_pc) {
			state->pc = value;
			pc = true;
			if (machine->pc == NO)
				continue;
		}
		if (reg >= PK_CFI_REGISTERS)
			continue;
		state->value[reg] = value;
		state->known |= UINT64_C(1) << reg;
	}
	return pc && state->known >> machine->stack & 1;
}

/* ---- Call frame instructions ---- */

/* Call frame instructions (DWARF 5, 7.24, and the psABIs). */
enum {
	DW_CFA_advance_loc =
		0x40, /* The low six bits of these three instructions are their first operand. */
	DW_CFA_offset = 0x80,
	DW_CFA_restore = 0xc0,
	DW_CFA_nop = 0x00,
	DW_CFA_set_loc,
	DW_CFA_advance_loc1,
	DW_CFA_advance_loc2,
	DW_CFA_advance_loc4,
	DW_CFA_offset_extended,
	DW_CFA_restore_extended,
	DW_CFA_undefined,
	DW_CFA_same_value,
	DW_CFA_register,
	DW_CFA_remember_state,
	DW_CFA_restore_state,
	DW_CFA_def_cfa,
	DW_CFA_def_cfa_register,
	DW_CFA_def_cfa_offset,
	DW_CFA_def_cfa_expression,
	DW_CFA_expression,
	DW_CFA_offset_extended_sf,
	DW_CFA_def_cfa_sf,
	DW_CFA_def_cfa_offset_sf,
	DW_CFA_val_offset,
	DW_CFA_val_offset_sf,
	DW_CFA_val_expression,
	DW_CFA_MIPS_advance_loc8 = 0x1d,
	DW_CFA_AARCH64_negate_ra_state_with_pc = 0x2c,
	DW_CFA_AARCH64_negate_ra_state =
		0x2d, /* On other machines, 0x2d is DW_CFA_GNU_window_save, which is rejected. */
	DW_CFA_GNU_args_size = 0x2e,
	DW_CFA_GNU_negative_offset_extended = 0x2f,
};

#define INSTRUCTIONS_MAX 65536 /* the most executed instructions for one address */
#define REMEMBERED_MAX	 16

/* The rules of all registers at one address. */
struct state {
	struct pk_cfi_rule cfa;
	struct pk_cfi_rule rules[PK_CFI_REGISTERS];
	uint64_t ruled; /* bit n is set if rules[n] is not PK_CFI_SAME */
};

/* The state while call frame instructions are executed. */
struct program {
	const struct pk_cfi *cfi;
	const struct cfi_table *table;
	const struct pk_eh_cie *cie;
	struct pk_cursor bytes;
	uint64_t location,
		address; /* the start of the current row, and the address at which to stop */
	struct state now, initial, remembered[REMEMBERED_MAX];
	unsigned int depth;
	uint64_t left;
	bool bad, done;
	/* The callback that gets each row for pk_cfi_walk_nth(). It is NULL if only one row is
	 * searched. */
	pk_cfi_row_fn each;
	void *arg;
};

static uint64_t read_number(struct program *p)
{
	return cfi_register(p->cfi->machine, pk_cursor_uleb(&p->bytes));
}

static void set_rule(struct program *p, uint64_t reg, enum pk_cfi_rule_kind kind, uint64_t n)
{
	if ((int64_t)n != (int32_t)n)
		p->bad = true;
	if (reg >= PK_CFI_REGISTERS)
		return;
	p->now.rules[reg] = (struct pk_cfi_rule){(uint8_t)reg, (uint8_t)kind, (int32_t)n};
	p->now.ruled &= ~(UINT64_C(1) << reg);
	p->now.ruled |= (uint64_t)(kind != PK_CFI_SAME) << reg;
}

/* Sets the rule of register `reg`: its value is in register `other`. If the number `other` is too
 * high, the value is undefined. */
static void set_register(struct program *p, uint64_t reg, uint64_t other)
{
	if (other < PK_CFI_REGISTERS)
		set_rule(p, reg, PK_CFI_REGISTER, other);
	else
		set_rule(p, reg, PK_CFI_UNDEFINED, 0);
}

static void restore(struct program *p, uint64_t reg)
{
	if (reg < PK_CFI_REGISTERS)
		set_rule(p, reg, p->initial.rules[reg].kind,
			 (uint64_t)(int64_t)p->initial.rules[reg].n);
}

static void set_cfa(struct program *p, uint64_t reg, uint64_t n)
{
	if (reg >= PK_CFI_REGISTERS || (int64_t)n != (int32_t)n)
		p->bad = true;
	p->now.cfa = (struct pk_cfi_rule){(uint8_t)reg, PK_CFI_VAL_OFFSET, (int32_t)n};
}

/* Changes the register or the offset of the CFA. The instruction is invalid unless the CFA is a
 * register + offset. Only the register can be set without a previous CFA, as the assembler of
 * RISC-V does. The offset is then 0. */
static void change_cfa(struct program *p, const uint64_t *reg, const uint64_t *n)
{
	const struct pk_cfi_rule cfa = p->now.cfa;

	if (cfa.kind != PK_CFI_VAL_OFFSET && !(reg && cfa.kind == PK_CFI_SAME))
		p->bad = true;
	else
		set_cfa(p, reg ? *reg : cfa.reg, n ? *n : (uint64_t)(int64_t)cfa.n);
}

/* Skips an expression. Returns the offset in the section at which the length of the expression is.
 */
static uint64_t read_expression(struct program *p)
{
	const uint64_t at = (uint64_t)(p->bytes.p - p->table->frame.section.data);

	pk_cursor_block(&p->bytes, pk_cursor_uleb(&p->bytes));
	return at;
}

static enum pk_cfi_status make_row(const struct program *p, struct pk_cfi_row *row);

/* Calls the callback with the row for the addresses from p->location to `to`. */
static void pass_row(struct program *p, uint64_t to)
{
	struct pk_cfi_row row;

	if (to > p->location)
		p->each(p->arg, p->location, to, make_row(p, &row) ? NULL : &row);
	else if (to < p->location)
		p->bad = true;
}

static void go_to(struct program *p, uint64_t location)
{
	if (location > p->address) {
		p->done = true; /* The row that ends here contains the searched address. */
		return;
	}
	if (p->each)
		pass_row(p, location);
	if (!p->bad)
		p->location = location;
}

static void advance(struct program *p, uint64_t n)
{
	const uint64_t delta = n * p->cie->code_align;

	if (delta > UINT64_MAX - p->location)
		p->done = true;
	else
		go_to(p, p->location + delta);
}

static void remember(struct program *p)
{
	if (p->depth == REMEMBERED_MAX)
		p->bad = true;
	else
		p->remembered[p->depth++] = p->now;
}

static void recall(struct program *p)
{
	if (!p->depth)
		p->bad = true;
	else
		p->now = p->remembered[--p->depth];
}

static uint64_t factored(struct program *p)
{
	return pk_cursor_uleb(&p->bytes) * p->cie->data_align;
}

static uint64_t factored_signed(struct program *p)
{
	return pk_cursor_sleb(&p->bytes) * p->cie->data_align;
}

static void set_location(struct program *p)
{
	go_to(p, pk_eh_read_address(&p->bytes, &p->table->frame.section, p->cie->encoding,
				    p->cie->address_size));
}

/* Executes an instruction that changes the CFA. Returns false if it is another instruction. */
static bool run_cfa(struct program *p, uint8_t op)
{
	uint64_t reg, n;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = read_number(p);
		set_cfa(p, reg, pk_cursor_uleb(&p->bytes));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = read_number(p);
		set_cfa(p, reg, factored_signed(p));
		return true;
	case DW_CFA_def_cfa_register:
		reg = read_number(p);
		change_cfa(p, &reg, NULL);
		return true;
	case DW_CFA_def_cfa_offset:
		n = pk_cursor_uleb(&p->bytes);
		change_cfa(p, NULL, &n);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		n = factored_signed(p);
		change_cfa(p, NULL, &n);
		return true;
	case DW_CFA_def_cfa_expression:
		p->now.cfa =
			(struct pk_cfi_rule){0, PK_CFI_VAL_EXPRESSION, (int32_t)read_expression(p)};
		return true;
	default: return false;
	}
}

/* Executes an instruction about one register. The first operand is the number of the register.
 * Returns false if it is another instruction. */
static bool run_register(struct program *p, uint8_t op)
{
	struct pk_cursor before = p->bytes;
	const uint64_t reg = read_number(p);

	switch (op) {
	case DW_CFA_offset_extended: set_rule(p, reg, PK_CFI_OFFSET, factored(p)); return true;
	case DW_CFA_offset_extended_sf:
		set_rule(p, reg, PK_CFI_OFFSET, factored_signed(p));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		set_rule(p, reg, PK_CFI_OFFSET, -factored(p));
		return true;
	case DW_CFA_val_offset: set_rule(p, reg, PK_CFI_VAL_OFFSET, factored(p)); return true;
	case DW_CFA_val_offset_sf:
		set_rule(p, reg, PK_CFI_VAL_OFFSET, factored_signed(p));
		return true;
	case DW_CFA_restore_extended: restore(p, reg); return true;
	case DW_CFA_undefined: set_rule(p, reg, PK_CFI_UNDEFINED, 0); return true;
	case DW_CFA_same_value: set_rule(p, reg, PK_CFI_SAME, 0); return true;
	case DW_CFA_register: set_register(p, reg, read_number(p)); return true;
	case DW_CFA_expression:
		set_rule(p, reg, PK_CFI_EXPRESSION, read_expression(p));
		return true;
	case DW_CFA_val_expression:
		set_rule(p, reg, PK_CFI_VAL_EXPRESSION, read_expression(p));
		return true;
	default: p->bytes = before; return false;
	}
}

static void run_other(struct program *p, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop: break;
	case DW_CFA_set_loc: set_location(p); break;
	case DW_CFA_advance_loc1: advance(p, pk_cursor_u8(&p->bytes)); break;
	case DW_CFA_advance_loc2: advance(p, pk_cursor_u16(&p->bytes)); break;
	case DW_CFA_advance_loc4: advance(p, pk_cursor_u32(&p->bytes)); break;
	case DW_CFA_MIPS_advance_loc8: advance(p, pk_cursor_u64(&p->bytes)); break;
	case DW_CFA_remember_state: remember(p); break;
	case DW_CFA_restore_state: recall(p); break;
	case DW_CFA_GNU_args_size: pk_cursor_uleb(&p->bytes); break;
	/* These instructions say whether the return address is signed. They are not needed, because
	 * pc_of() always removes the signature. */
	case DW_CFA_AARCH64_negate_ra_state:
	case DW_CFA_AARCH64_negate_ra_state_with_pc:
		p->bad |= p->cfi->machine->elf_machine != EM_AARCH64;
		break;
	default: p->bad = true;
	}
}

static void run(struct program *p, const struct pk_cursor *code)
{
	p->bytes = *code;
	while (p->bytes.p < p->bytes.end && !p->done && !p->bad && p->left) {
		const uint8_t op = pk_cursor_u8(&p->bytes), low = op & 0x3f;

		p->left--;
		if (op & 0xc0) {
			switch (op & 0xc0) {
			case DW_CFA_advance_loc: advance(p, low); break;
			case DW_CFA_offset: set_rule(p, low, PK_CFI_OFFSET, factored(p)); break;
			default: restore(p, low);
			}
		} else if (!run_cfa(p, op) && !run_register(p, op)) {
			run_other(p, op);
		}
		p->bad |= p->bytes.bad;
	}
}

static enum pk_cfi_status make_row(const struct program *p, struct pk_cfi_row *row)
{
	*row = (struct pk_cfi_row){
		.cfa = p->now.cfa,
		.ra = (uint8_t)p->cie->ra,
		.signal_frame = p->cie->signal_frame,
		.in_debug_frame = p->table->frame.is_debug_frame,
	};
	if (row->cfa.kind == PK_CFI_SAME) /* No instruction has set the CFA. */
		return PK_CFI_BAD;
	row->ruled = p->now.ruled;
	row->plain = row->cfa.kind == PK_CFI_VAL_OFFSET;
	for (uint64_t left = row->ruled; left; left &= left - 1) {
		const struct pk_cfi_rule *rule = &p->now.rules[__builtin_ctzll(left)];

		if (row->count == PK_CFI_RULES)
			return PK_CFI_BAD;
		row->rules[row->count++] = *rule;
		row->plain &= rule->kind == PK_CFI_OFFSET;
	}
	/* If the pc has no rule, its value is the pc of the function, and not the pc of the caller.
	 */
	if (row->ra == p->cfi->machine->pc && p->now.rules[row->ra].kind == PK_CFI_SAME)
		return PK_CFI_BAD;
	return PK_CFI_OK;
}

/* Executes the instructions of the CIE and of the FDE up to p->address, which must be in the range
 * of the FDE. Returns false if the instructions are invalid or too many. It does not initialize all
 * states of the program, because they are large. */
static bool run_fde(struct program *p, const struct pk_cfi *cfi, const struct cfi_table *table,
		    const struct pk_eh_fde *fde, uint64_t *work)
{
	const uint64_t limit = *work < INSTRUCTIONS_MAX ? *work : INSTRUCTIONS_MAX;

	p->cfi = cfi;
	p->table = table;
	p->cie = &fde->cie;
	p->location = fde->start;
	p->depth = 0;
	p->left = limit;
	p->bad = p->done = false;
	p->now = p->initial = (struct state){.cfa = {0}};
	run(p, &fde->cie.code);
	p->initial = p->now;
	if (!p->done)
		run(p, &fde->code);
	*work -= limit - p->left;
	return !p->bad && p->left;
}

static enum pk_cfi_status cfi_run(const struct pk_cfi *cfi, const struct cfi_table *table,
				  const struct pk_eh_fde *fde, uint64_t address, uint64_t *work,
				  struct pk_cfi_row *row)
{
	struct program p;

	p.address = address;
	p.each = NULL;
	return run_fde(&p, cfi, table, fde, work) ? make_row(&p, row) : PK_CFI_BAD;
}

bool pk_cfi_walk_nth(const struct pk_cfi *cfi, size_t n, uint64_t *work, pk_cfi_row_fn each,
		     void *arg)
{
	const struct cfi_table *table;
	struct pk_eh_fde fde;
	struct program p;

	if (n >= pk_cfi_fdes(cfi))
		return pk_sframe_walk(&cfi->sframe, n - pk_cfi_fdes(cfi), work, each, arg);
	if (!pk_cfi_read_nth(cfi, n, &fde, &table) || fde.end <= fde.start)
		return false;
	p.address = fde.end - 1;
	p.each = each;
	p.arg = arg;
	if (run_fde(&p, cfi, table, &fde, work))
		pass_row(&p, fde.end);
	else
		each(arg, p.location, fde.end, NULL);
	return true;
}

/* ---- Frames ---- */

/* Sets the row of the function that changes to another stack. Its frame pointer is still that of
 * its caller, which is therefore left out: the row finds the caller of the caller. The row is that
 * of a signal frame, because the stack of the caller can be at lower addresses. */
static void set_switch(struct pk_cfi *cfi, const struct pk_cfi_sections *sections)
{
	const uint8_t frame = cfi->machine->frame, ra = 16;

	if (cfi->machine->elf_machine != EM_X86_64)
		return;
	cfi->stack_switch = sections->stack_switch;
	cfi->switch_row = (struct pk_cfi_row){
		.cfa = {frame, PK_CFI_VAL_OFFSET, 16},
		.ra = ra,
		.count = 2,
		.signal_frame = true,
		.plain = true,
		.ruled = UINT64_C(1) << frame | UINT64_C(1) << ra,
		.rules = {{frame, PK_CFI_OFFSET, -16}, {ra, PK_CFI_OFFSET, -8}},
	};
}

struct pk_cfi *pk_cfi_new(const struct pk_cfi_machine *machine,
			  const struct pk_cfi_sections *sections)
{
	struct pk_cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return NULL;
	cfi->machine = machine;
	for (int i = 0; i < 2; i++)
		cfi->tables[i].frame = (struct pk_eh_frame){
			.section = i ? sections->debug_frame : sections->eh_frame,
			.word = machine->word,
			.swapped = machine->swapped,
			.is_debug_frame = i,
		};
	if (sections->eh_frame.data)
		cfi->header = pk_eh_table(&sections->header, machine->word, machine->swapped);
	if (machine->elf_machine == EM_ARM) {
		cfi->exidx = sections->exidx;
		cfi->extab = sections->extab;
	}
	for (int i = 0; i < 2; i++) {
		struct cfi_table *table = &cfi->tables[i];

		/* A rule stores the offset of an expression in an int32_t, so the section must not
		 * be larger. */
		if (!table->frame.section.data || table->frame.section.size > INT32_MAX)
			table->frame.section.size = 0;
		if ((i || !cfi->header.count) && pk_cfi_read_entries(cfi, table) != PK_OK) {
			pk_cfi_free(cfi);
			return NULL;
		}
	}
	if (!cfi->tables[1].count)
		cfi->sframe = pk_sframe(&sections->sframe, machine);
	set_switch(cfi, sections);
	return cfi;
}

void pk_cfi_free(struct pk_cfi *cfi)
{
	if (!cfi)
		return;
	free(cfi->tables[0].entries);
	free(cfi->tables[1].entries);
	free(cfi);
}

size_t pk_cfi_count(const struct pk_cfi *cfi)
{
	return pk_cfi_fdes(cfi) + cfi->sframe.count + pk_arm_exidx_count(cfi);
}

static const struct cfi_entry *find_entry(const struct cfi_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	/* Find the first entry that starts after the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries[middle].start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low && address < table->entries[low - 1].end ? &table->entries[low - 1] : NULL;
}

static bool find_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t address,
		     uint64_t *offset)
{
	const struct cfi_entry *entry;

	if (cfi->header.count && !table->frame.is_debug_frame)
		return pk_cfi_search_header(cfi, address, offset);
	entry = find_entry(table, address);
	if (entry)
		*offset = entry->offset;
	return entry;
}

enum pk_cfi_status pk_cfi_find(const struct pk_cfi *cfi, uint64_t address, struct pk_cfi_row *row)
{
	uint64_t work = UINT64_MAX;

	return pk_cfi_find_within(cfi, address, &work, row);
}

const struct pk_cfi_row *pk_cfi_switch_row(const struct pk_cfi *cfi, uint64_t address)
{
	return address - cfi->stack_switch.start < cfi->stack_switch.size ? &cfi->switch_row : NULL;
}

/* Finds the row for an address in .eh_frame and .debug_frame. With `at_start`, finds it only if an
 * FDE starts at the address. */
static enum pk_cfi_status find_in_tables(const struct pk_cfi *cfi, uint64_t address, bool at_start,
					 uint64_t *work, struct pk_cfi_row *row)
{
	for (int i = 0; i < 2; i++) {
		const struct cfi_table *table = &cfi->tables[i];
		struct pk_eh_fde fde;
		uint64_t offset;

		if (!find_fde(cfi, table, address, &offset))
			continue;
		if (!pk_cfi_read_fde(cfi, table, offset, &fde))
			return PK_CFI_BAD;
		if (at_start ? address == fde.start : address >= fde.start && address < fde.end)
			return cfi_run(cfi, table, &fde, address, work, row);
	}
	return PK_CFI_NONE;
}

enum pk_cfi_status pk_cfi_find_within(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				      struct pk_cfi_row *row)
{
	const struct pk_cfi_row *by_frame = pk_cfi_switch_row(cfi, address);
	enum pk_cfi_status status;

	if (by_frame) {
		*row = *by_frame;
		return PK_CFI_OK;
	}
	status = find_in_tables(cfi, address, false, work, row);
	if (status == PK_CFI_NONE)
		status = cfi->sframe.count ? pk_sframe_find(&cfi->sframe, address, work, row)
					   : pk_arm_exidx_find(cfi, address, work, row);
	if (status == PK_CFI_NONE && !cfi->exidx.size)
		status = find_in_tables(cfi, address + 1, true, work, row);
	return status;
}

static enum pk_cfi_status read_register(const struct pk_frame_state *state, unsigned int reg,
					uint64_t *value)
{
	*value = state->value[reg];
	return state->known >> reg & 1 ? PK_CFI_OK : PK_CFI_UNKNOWN;
}

static enum pk_cfi_status find_cfa(const struct cfi_context *context, const struct pk_cfi_row *row,
				   uint64_t *cfa)
{
	enum pk_cfi_status status;

	if (row->cfa.kind == PK_CFI_VAL_EXPRESSION)
		return pk_cfi_evaluate(context, (uint32_t)row->cfa.n, NULL, cfa);
	status = read_register(context->state, row->cfa.reg, cfa);
	*cfa += (uint64_t)(int64_t)row->cfa.n;
	if (row->cfa.kind == PK_CFI_OFFSET && !status)
		status = cfi_read_memory(context, *cfa, context->cfi->machine->word, cfa);
	return status;
}

static inline enum pk_cfi_status find_value(const struct cfi_context *context,
					    const struct pk_cfi_rule *rule, uint64_t cfa,
					    uint64_t *value)
{
	const unsigned int word = context->cfi->machine->word;
	enum pk_cfi_status status;
	uint64_t address;

	switch (rule->kind) {
	case PK_CFI_OFFSET:
		return cfi_read_memory(context, cfa + (uint64_t)(int64_t)rule->n, word, value);
	case PK_CFI_VAL_OFFSET: *value = cfa + (uint64_t)(int64_t)rule->n; return PK_CFI_OK;
	case PK_CFI_REGISTER: return read_register(context->state, (uint32_t)rule->n, value);
	case PK_CFI_AT_REGISTER:
		status = read_register(context->state, pk_cfi_sum_register(rule->n), &address);
		address += (uint64_t)(int64_t)pk_cfi_sum_number(rule->n);
		return status ? status : cfi_read_memory(context, address, word, value);
	case PK_CFI_EXPRESSION:
		status = pk_cfi_evaluate(context, (uint32_t)rule->n, &cfa, &address);
		return status ?: cfi_read_memory(context, address, word, value);
	case PK_CFI_VAL_EXPRESSION: return pk_cfi_evaluate(context, (uint32_t)rule->n, &cfa, value);
	default: *value = 0; return PK_CFI_END;
	}
}

/* Removes the signature from a return address. */
static uint64_t pc_of(const struct pk_cfi_machine *machine, uint64_t value)
{
	return value & machine->pc_mask;
}

/* Replaces the registers by the registers of the caller. */
static void leave(const struct pk_cfi_machine *machine, const struct pk_cfi_row *row, uint64_t cfa,
		  const uint64_t *values, uint64_t known, struct pk_frame_state *state)
{
	state->value[machine->stack] = cfa - machine->cfa_bias;
	for (unsigned int i = 0; i < row->count; i++)
		state->value[row->rules[i].reg] = values[i];
	state->known = known | (UINT64_C(1) << machine->stack & ~row->ruled);
	state->pc = pc_of(machine, state->value[row->ra]);
}

/* The fast path for most rows, in which all registers are saved in memory at CFA + n. Returns false
 * if the caller must use the general code. The general code also reports missing data. */
static bool step_plainly(const struct pk_cfi_machine *machine, const struct pk_cfi_row *row,
			 const struct pk_memory *memory, struct pk_frame_state *state)
{
	const uint64_t cfa = state->value[row->cfa.reg] + (uint64_t)(int64_t)row->cfa.n;
	uint64_t values[PK_CFI_RULES];

	if (!row->plain || machine->word != 8 || machine->swapped ||
	    !(state->known >> row->cfa.reg & 1) || memory->size < 8 ||
	    !((row->ruled | state->known) >> row->ra & 1))
		return false;
	for (unsigned int i = 0; i < row->count; i++) {
		const uint64_t at = cfa + (uint64_t)(int64_t)row->rules[i].n - memory->start;

		if (at > memory->size - 8)
			return false;
		memcpy(&values[i], memory->data + at, 8);
	}
	leave(machine, row, cfa, values, state->known | row->ruled, state);
	return true;
}

enum pk_cfi_status pk_cfi_step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       struct pk_memory *memory, struct pk_frame_state *state)
{
	const struct cfi_context context = {cfi, &cfi->tables[row->in_debug_frame], memory, state};
	uint64_t values[PK_CFI_RULES], cfa = 0, known = state->known & ~row->ruled;
	enum pk_cfi_status status, ra_status = PK_CFI_OK;

	if (step_plainly(cfi->machine, row, memory, state))
		return PK_CFI_OK;
	status = find_cfa(&context, row, &cfa);
	if (status)
		return status;
	if (cfi->machine->word == 4)
		cfa = (uint32_t)cfa;
	for (unsigned int i = 0; i < row->count; i++) {
		const struct pk_cfi_rule *rule = &row->rules[i];

		values[i] = 0;
		status = find_value(&context, rule, cfa, &values[i]);
		/* A word below the stack pointer was already popped into its register. So the
		 * register has the right value. */
		if (status == PK_CFI_MEMORY && rule->reg != row->ra &&
		    memory->fault < state->value[cfi->machine->stack])
			status = read_register(state, rule->reg, &values[i]);
		known |= (uint64_t)(status == PK_CFI_OK) << rule->reg;
		if (rule->reg == row->ra)
			ra_status = status;
	}
	/* If the return address has no rule, it is in its register. If the stack pointer has no
	 * rule, it follows from the CFA. */
	if (ra_status || !(known >> row->ra & 1))
		return ra_status ? ra_status : PK_CFI_UNKNOWN;
	leave(cfi->machine, row, cfa, values, known, state);
	return PK_CFI_OK;
}

enum pk_cfi_status pk_frame_pointer_step(const struct pk_cfi_machine *machine,
					 struct pk_memory *memory, struct pk_frame_state *state)
{
	const struct pk_cfi cfi = {.machine = machine};
	const struct cfi_context context = {&cfi, NULL, memory, state};
	const uint64_t stack = state->value[machine->stack];
	const unsigned int word = machine->word;
	uint64_t frame, next, pc;

	if (machine->frame >= PK_CFI_REGISTERS || !(state->known >> machine->frame & 1))
		return PK_CFI_UNKNOWN;
	frame = state->value[machine->frame];
	if (!frame)
		return PK_CFI_END; /* The psABIs mark the outermost function with a frame pointer of
				    * 0. */
	frame += (uint64_t)machine->record;
	if (machine->record == PK_CFI_NO_RECORD || frame < stack || frame % word)
		return PK_CFI_UNKNOWN;
	if (cfi_read_memory(&context, frame, word, &next) ||
	    cfi_read_memory(&context, frame + word, word, &pc))
		return PK_CFI_MEMORY;
	state->known = UINT64_C(1) << machine->frame | UINT64_C(1) << machine->stack;
	state->value[machine->frame] = next;
	state->value[machine->stack] = frame + 2 * word;
	state->pc = pc_of(machine, pc);
	return PK_CFI_OK;
}

enum pk_cfi_status pk_return_word_step(const struct pk_cfi_machine *machine,
				       struct pk_memory *memory, struct pk_frame_state *state)
{
	const struct pk_cfi cfi = {.machine = machine};
	const struct cfi_context context = {&cfi, NULL, memory, state};
	enum pk_cfi_status status;
	uint64_t pc;

	if (machine->elf_machine != EM_X86_64 && machine->elf_machine != EM_386)
		return PK_CFI_UNKNOWN;
	status = cfi_read_memory(&context, state->value[machine->stack], machine->word, &pc);
	if (status)
		return status;
	state->pc = pc;
	state->value[machine->stack] += machine->word;
	return PK_CFI_OK;
}
