/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNWIND_RULE_H
#define PK_UNWIND_RULE_H

/*
 * Computes the registers of the caller from the registers of a function. A rule is a compact form
 * of struct pk_cfi_row. It supports only the few forms that compilers write. It uses the pc, the
 * stack pointer, the frame pointer and the link register. On x86-64, it also uses two registers
 * that few functions need: rbx (base), and in the innermost function rdi (argument). BPF programs
 * include this header, too, so it includes no other headers.
 *
 * Define PK_UNWIND_READ before you include this header. It is a function or macro with the
 * arguments (arg, address, void *to, size). It reads the memory of the thread, and returns 0 if it
 * succeeds.
 */

#include <stdint.h>

/* How to compute the canonical frame address (CFA) of a function. sp, fp and base are the stack
 * pointer, the frame pointer and rbx of the function. n is cfa_offset. */
enum pk_unwind_cfa {
	PK_UNWIND_NONE, /* unknown, because there is no call frame information */
	PK_UNWIND_BAD,	/* unknown, because the information is invalid or has an unsupported form */
	PK_UNWIND_END,	/* the function has no caller */
	PK_UNWIND_SP,	/* sp + n */
	PK_UNWIND_FP,	/* fp + n */
	PK_UNWIND_BASE, /* base + n */
	PK_UNWIND_AT_SP, /* the 8 bytes at sp + n, plus cfa_more */
	PK_UNWIND_AT_FP, /* the 8 bytes at fp + n, plus cfa_more */
	PK_UNWIND_PLT /* For the linkage table, whose entries have 16 bytes. The CFA is sp + n. If
		       * the pc is at or after byte cfa_more of its entry, the CFA is sp + n + 8. */
};

/* Where a register of the caller is. n is the offset of this register in the rule: fp_offset or
 * ra_offset. */
enum pk_unwind_place {
	PK_UNWIND_SAME,	    /* in the same register; the return address is in the link register */
	PK_UNWIND_LOST,	    /* unknown */
	PK_UNWIND_FROM_CFA, /* in memory at CFA + n */
	PK_UNWIND_FROM_SP,  /* in memory at sp + n */
	PK_UNWIND_FROM_FP,  /* in memory at fp + n */
	PK_UNWIND_ARGUMENT  /* in rdi */
};

/* The compact form of a row: how the registers of the caller are computed. */
struct pk_unwind_rule {
	uint8_t cfa;	     /* enum pk_unwind_cfa */
	uint8_t fp, ra;	     /* enum pk_unwind_place */
	uint8_t interrupted; /* true if the caller was interrupted; its pc is then not a return
			      * address */
	int32_t cfa_offset;
	int16_t cfa_more, fp_offset, ra_offset;
	int16_t base_offset; /* The number n if rbx is saved in memory at CFA + n. It is 0 if rbx is
			      * not saved. */
};

#define PK_UNWIND_BASE_LOST INT16_MIN /* the value of base_offset if rbx is unknown */

/* The registers of a function. */
struct pk_unwind_state {
	uint64_t pc, sp, fp, lr;
	uint64_t base, argument; /* rbx and rdi of the innermost function; argument is 0 if it is
				  * unknown */
	uint64_t base_at; /* the address at which rbx is saved; 0 if `base` has its value; 1 if rbx
			   * is unknown */
	uint8_t fp_known;
	uint8_t interrupted; /* true if the pc is an interrupted instruction, and not a return
			      * address */
};

/* The result of a step. PK_UNWIND_GOES_ON means that there is a caller. All other values are
 * reasons why the stack trace ends. */
enum pk_unwind_end {
	PK_UNWIND_GOES_ON,
	PK_UNWIND_COMPLETE, /* The function has no caller. */
	PK_UNWIND_NO_RULE,  /* There is no information for the code, and no plausible frame pointer.
			     * Or the caller is not in code. */
	PK_UNWIND_BAD_RULE, /* The information is invalid or unsupported, or the next frame would be
			     * below this frame. */
	PK_UNWIND_UNREADABLE,  /* Memory cannot be read, or a register is unknown. */
	PK_UNWIND_TOO_DEEP,    /* There are more frames than the limit. */
	PK_UNWIND_NOT_LOADED,  /* The maps or the table were not loaded yet. */
	PK_UNWIND_NOT_64_BITS, /* The task runs a 32-bit program. */
	PK_UNWIND_ENDS
};

#endif

#if defined(PK_UNWIND_READ) && !defined(PK_UNWIND_STEPS)
#define PK_UNWIND_STEPS

/* The bits of a return address that are the address. Other bits can be a signature. */
#ifndef PK_UNWIND_PC_MASK
#define PK_UNWIND_PC_MASK UINT64_MAX
#endif

static inline int pk_unwind_read_u64(void *arg, uint64_t address, uint64_t *value)
{
	(void)arg;
	return PK_UNWIND_READ(arg, address, value, sizeof(*value)) != 0;
}

/* Sets *cfa to the CFA. Returns 0, or another number if the CFA cannot be computed. */
static inline int pk_unwind_find_cfa(const struct pk_unwind_rule *rule,
				     const struct pk_unwind_state *state, void *arg, uint64_t *cfa)
{
	const int by_fp = rule->cfa == PK_UNWIND_FP || rule->cfa == PK_UNWIND_AT_FP;

	*cfa = by_fp ? state->fp : state->sp;
	if (by_fp && !state->fp_known)
		return 1;
	if (rule->cfa == PK_UNWIND_BASE) {
		*cfa = state->base;
		if (state->base_at && pk_unwind_read_u64(arg, state->base_at, cfa))
			return 1;
	}
	*cfa += (uint64_t)(int64_t)rule->cfa_offset;
	if (rule->cfa == PK_UNWIND_PLT) {
		*cfa += (int)(state->pc & 15) >= rule->cfa_more ? 8 : 0;
	} else if (rule->cfa >= PK_UNWIND_AT_SP) {
		if (pk_unwind_read_u64(arg, *cfa, cfa))
			return 1;
		*cfa += (uint64_t)(int64_t)rule->cfa_more;
	}
	return 0;
}

static inline uint64_t pk_unwind_base(const struct pk_unwind_state *state, uint8_t place,
				      uint64_t cfa)
{
	return place == PK_UNWIND_FROM_CFA  ? cfa
	       : place == PK_UNWIND_FROM_SP ? state->sp
					    : state->fp;
}

/* Sets *fp to the frame pointer of the caller. Returns 1 if it is known, otherwise 0. */
static inline uint8_t pk_unwind_find_fp(const struct pk_unwind_rule *rule,
					const struct pk_unwind_state *state, void *arg,
					uint64_t cfa, uint64_t *fp)
{
	const uint64_t at =
		pk_unwind_base(state, rule->fp, cfa) + (uint64_t)(int64_t)rule->fp_offset;

	if (rule->fp >= PK_UNWIND_FROM_CFA && !pk_unwind_read_u64(arg, at, fp))
		return 1;
	*fp = state->fp;
	/* A word below the stack pointer was already popped into its register. So the register has
	 * the right value. */
	return state->fp_known &&
	       (rule->fp == PK_UNWIND_SAME || (rule->fp != PK_UNWIND_LOST && at < state->sp));
}

/* Replaces the registers of a function by the registers of its caller. `rule` is the rule for the
 * pc of the function, and must not be PK_UNWIND_NONE. Returns PK_UNWIND_GOES_ON if there is a
 * caller. Returns PK_UNWIND_COMPLETE if there is no caller, or if the pc of the caller is 0. *state
 * changes only if there is a caller, or if the pc of the caller is 0. */
static inline enum pk_unwind_end pk_unwind_step(const struct pk_unwind_rule *rule,
						struct pk_unwind_state *state, void *arg)
{
	uint64_t cfa, pair[2] = {state->fp, state->lr};
	uint8_t known;

	if (rule->cfa <= PK_UNWIND_END)
		return rule->cfa == PK_UNWIND_END ? PK_UNWIND_COMPLETE : PK_UNWIND_BAD_RULE;
	if (pk_unwind_find_cfa(rule, state, arg, &cfa))
		return PK_UNWIND_UNREADABLE;
	/* The frame pointer and the return address are usually saved next to each other. One read
	 * is then enough. */
	if (rule->fp != PK_UNWIND_FROM_CFA || rule->ra != PK_UNWIND_FROM_CFA ||
	    rule->fp_offset != rule->ra_offset - 8 ||
	    PK_UNWIND_READ(arg, cfa + (uint64_t)(int64_t)rule->fp_offset, pair, sizeof(pair))) {
		if (rule->ra == PK_UNWIND_ARGUMENT) {
			if (!state->argument)
				return PK_UNWIND_UNREADABLE;
			pair[1] = state->argument;
		} else if (rule->ra != PK_UNWIND_SAME &&
			   pk_unwind_read_u64(arg,
					      pk_unwind_base(state, rule->ra, cfa) +
						      (uint64_t)(int64_t)rule->ra_offset,
					      &pair[1])) {
			return PK_UNWIND_UNREADABLE;
		}
		known = pk_unwind_find_fp(rule, state, arg, cfa, &pair[0]);
	} else {
		known = 1;
	}
	/* The stack grows to lower addresses, so the frame of the caller must be above this frame.
	 * A function that was interrupted before it had a frame is an exception. */
	if (!rule->interrupted && cfa <= state->sp &&
	    (!state->interrupted || cfa != state->sp || pair[1] == state->pc))
		return PK_UNWIND_BAD_RULE;
	state->lr = pair[1];
	state->pc = pair[1] & PK_UNWIND_PC_MASK;
	state->fp = pair[0];
	state->fp_known = known;
	state->sp = cfa;
	state->argument = 0;
	if (rule->base_offset)
		state->base_at = rule->base_offset == PK_UNWIND_BASE_LOST
					 ? 1
					 : cfa + (uint64_t)(int64_t)rule->base_offset;
	state->interrupted = rule->interrupted;
	return state->pc ? PK_UNWIND_GOES_ON : PK_UNWIND_COMPLETE;
}

/* Like pk_unwind_step(), but uses the frame pointer, for code without a rule. The caller of this
 * function must check that the new pc is in code. */
static inline enum pk_unwind_end pk_unwind_step_by_frame(struct pk_unwind_state *state, void *arg)
{
	uint64_t pair[2];

	(void)arg;
	if (!state->fp_known)
		return PK_UNWIND_NO_RULE;
	if (!state->fp) /* The psABIs mark the outermost function with a frame pointer of 0. */
		return state->interrupted ? PK_UNWIND_NO_RULE : PK_UNWIND_COMPLETE;
	if (state->fp < state->sp || state->fp % 8)
		return PK_UNWIND_NO_RULE;
	if (PK_UNWIND_READ(arg, state->fp, pair, sizeof(pair)))
		return PK_UNWIND_UNREADABLE;
	state->sp = state->fp + sizeof(pair);
	state->argument = 0;
	state->base_at = 1;
	state->fp = pair[0];
	state->lr = pair[1];
	state->pc = pair[1] & PK_UNWIND_PC_MASK;
	state->interrupted = 0;
	return PK_UNWIND_GOES_ON;
}

#endif
