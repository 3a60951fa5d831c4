// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

#include "cfi_internal.h"

/* Instructions, DWARF 5, 7.24 and the psABIs. */
enum {
	DW_CFA_advance_loc = 0x40, /* the low six bits are the first operand of these three */
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
	DW_CFA_AARCH64_negate_ra_state = 0x2d, /* elsewhere DW_CFA_GNU_window_save */
	DW_CFA_GNU_args_size = 0x2e,
	DW_CFA_GNU_negative_offset_extended = 0x2f,
};

#define INSTRUCTIONS_MAX 65536 /* for one address */
#define REMEMBERED_MAX	 16

struct state {
	struct pk_cfi_rule cfa;
	struct pk_cfi_rule rules[PK_CFI_REGISTERS];
};

struct program {
	const struct pk_cfi *cfi;
	const struct cfi_table *table;
	const struct cfi_cie *cie;
	struct cfi_bytes bytes;
	uint64_t location, address; /* where the row begins; where to stop */
	struct state now, initial, remembered[REMEMBERED_MAX];
	unsigned int depth;
	uint64_t left;
	bool bad, done;
};

static void set_rule(struct program *p, uint64_t reg, enum pk_cfi_rule_kind kind, uint64_t n)
{
	if ((int64_t)n != (int32_t)n)
		p->bad = true;
	if (reg < PK_CFI_REGISTERS)
		p->now.rules[reg] = (struct pk_cfi_rule){(uint8_t)reg, (uint8_t)kind, (int32_t)n};
}

/* The number of another register behind it. */
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
		p->now.rules[reg] = p->initial.rules[reg];
}

static void set_cfa(struct program *p, uint64_t reg, uint64_t n)
{
	if (reg >= PK_CFI_REGISTERS || (int64_t)n != (int32_t)n)
		p->bad = true;
	p->now.cfa = (struct pk_cfi_rule){(uint8_t)reg, PK_CFI_VAL_OFFSET, (int32_t)n};
}

/* The register or the offset changes, of a CFA that is register and offset. */
static void change_cfa(struct program *p, const uint64_t *reg, const uint64_t *n)
{
	const struct pk_cfi_rule cfa = p->now.cfa;

	if (cfa.kind != PK_CFI_VAL_OFFSET)
		p->bad = true;
	else
		set_cfa(p, reg ? *reg : cfa.reg, n ? *n : (uint64_t)(int64_t)cfa.n);
}

/* Skips an expression; where its length stands. */
static uint64_t take_expression(struct program *p)
{
	const uint64_t at = (uint64_t)(p->bytes.at - p->table->section.data);

	cfi_take_block(&p->bytes, cfi_take_uleb(&p->bytes));
	return at;
}

static void go_to(struct program *p, uint64_t location)
{
	if (location > p->address)
		p->done = true; /* the row before is the one */
	else
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
	return cfi_take_uleb(&p->bytes) * p->cie->data_align;
}

static uint64_t factored_signed(struct program *p)
{
	return cfi_take_sleb(&p->bytes) * p->cie->data_align;
}

static void set_location(struct program *p)
{
	go_to(p, cfi_take_address(&p->bytes, &p->table->section, p->cie->encoding,
				  p->cie->address_size));
}

/* Instructions about the CFA. False: it is another one. */
static bool run_cfa(struct program *p, uint8_t op)
{
	uint64_t reg, n;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cfi_take_uleb(&p->bytes);
		set_cfa(p, reg, cfi_take_uleb(&p->bytes));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cfi_take_uleb(&p->bytes);
		set_cfa(p, reg, factored_signed(p));
		return true;
	case DW_CFA_def_cfa_register:
		reg = cfi_take_uleb(&p->bytes);
		change_cfa(p, &reg, NULL);
		return true;
	case DW_CFA_def_cfa_offset:
		n = cfi_take_uleb(&p->bytes);
		change_cfa(p, NULL, &n);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		n = factored_signed(p);
		change_cfa(p, NULL, &n);
		return true;
	case DW_CFA_def_cfa_expression:
		p->now.cfa =
			(struct pk_cfi_rule){0, PK_CFI_VAL_EXPRESSION, (int32_t)take_expression(p)};
		return true;
	default: return false;
	}
}

/* Those about one register, whose number is the first operand. */
static bool run_register(struct program *p, uint8_t op)
{
	struct cfi_bytes before = p->bytes;
	const uint64_t reg = cfi_take_uleb(&p->bytes);

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
	case DW_CFA_register: set_register(p, reg, cfi_take_uleb(&p->bytes)); return true;
	case DW_CFA_expression:
		set_rule(p, reg, PK_CFI_EXPRESSION, take_expression(p));
		return true;
	case DW_CFA_val_expression:
		set_rule(p, reg, PK_CFI_VAL_EXPRESSION, take_expression(p));
		return true;
	default: p->bytes = before; return false;
	}
}

static void run_other(struct program *p, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop: break;
	case DW_CFA_set_loc: set_location(p); break;
	case DW_CFA_advance_loc1: advance(p, cfi_take(&p->bytes, 1)); break;
	case DW_CFA_advance_loc2: advance(p, cfi_take(&p->bytes, 2)); break;
	case DW_CFA_advance_loc4: advance(p, cfi_take(&p->bytes, 4)); break;
	case DW_CFA_MIPS_advance_loc8: advance(p, cfi_take(&p->bytes, 8)); break;
	case DW_CFA_remember_state: remember(p); break;
	case DW_CFA_restore_state: recall(p); break;
	case DW_CFA_GNU_args_size: cfi_take_uleb(&p->bytes); break;
	/* Whether the return address is signed: a signature is taken off where there is one. */
	case DW_CFA_AARCH64_negate_ra_state:
	case DW_CFA_AARCH64_negate_ra_state_with_pc:
		p->bad |= p->cfi->machine->elf_machine != EM_AARCH64;
		break;
	default: p->bad = true;
	}
}

static void run(struct program *p, const struct cfi_bytes *code)
{
	p->bytes = *code;
	while (p->bytes.at < p->bytes.end && !p->done && !p->bad && p->left) {
		const uint8_t op = (uint8_t)cfi_take(&p->bytes, 1), low = op & 0x3f;

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
		p->bad |= p->bytes.failed;
	}
}

static enum pk_cfi_status make_row(const struct program *p, struct pk_cfi_row *row)
{
	*row = (struct pk_cfi_row){
		.cfa = p->now.cfa,
		.ra = p->cie->ra,
		.signal_frame = p->cie->signal_frame,
		.in_debug_frame = p->table->is_debug_frame,
	};
	if (row->cfa.kind == PK_CFI_SAME) /* there is none */
		return PK_CFI_BAD;
	for (unsigned int reg = 0; reg < PK_CFI_REGISTERS; reg++) {
		if (p->now.rules[reg].kind == PK_CFI_SAME)
			continue;
		if (row->count == PK_CFI_RULES)
			return PK_CFI_BAD;
		row->rules[row->count++] = p->now.rules[reg];
	}
	/* A pc that stays the same is no caller's. */
	if (row->ra == p->cfi->machine->pc && p->now.rules[row->ra].kind == PK_CFI_SAME)
		return PK_CFI_BAD;
	return PK_CFI_OK;
}

enum pk_cfi_status cfi_run(const struct pk_cfi *cfi, const struct cfi_table *table,
			   const struct cfi_fde *fde, uint64_t address, uint64_t *work,
			   struct pk_cfi_row *row)
{
	const uint64_t limit = *work < INSTRUCTIONS_MAX ? *work : INSTRUCTIONS_MAX;
	struct program p;

	p.cfi = cfi;
	p.table = table;
	p.cie = &fde->cie;
	p.location = fde->start;
	p.address = address;
	p.depth = 0;
	p.left = limit;
	p.bad = p.done = false;
	p.now = p.initial = (struct state){.cfa = {0}};
	run(&p, &fde->cie.code);
	p.initial = p.now;
	if (!p.done)
		run(&p, &fde->code);
	*work -= limit - p.left;
	if (p.bad || !p.left)
		return PK_CFI_BAD;
	return make_row(&p, row);
}
