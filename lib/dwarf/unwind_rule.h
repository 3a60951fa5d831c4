/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNWIND_RULE_H
#define PK_UNWIND_RULE_H

/*
 * How to get from the registers of a function to those of its caller, in the few shapes that
 * compilers write: a compact form of struct pk_cfi_row. It knows the pc, the stack pointer, the
 * frame pointer and the link register, and of x86-64 two registers that few functions need: rbx
 * (base), and in the innermost function rdi (argument). BPF programs include this header, too: it
 * needs nothing else.
 *
 * Define PK_UNWIND_READ before the include: a function or macro (arg, address, void *to, size) that
 * reads the memory of the thread, and returns 0 if it succeeds.
 */

#include <stdint.h>

/* How to compute the canonical frame address (CFA) of a function. sp is its stack pointer, fp its
 * frame pointer, base its rbx, and n cfa_offset. */
enum pk_unwind_cfa {
	PK_UNWIND_NONE,	 /* unknown: there is no call frame information */
	PK_UNWIND_BAD,	 /* unknown: the information is invalid, or has another shape */
	PK_UNWIND_END,	 /* the function has no caller */
	PK_UNWIND_SP,	 /* sp + n */
	PK_UNWIND_FP,	 /* fp + n */
	PK_UNWIND_BASE,	 /* base + n */
	PK_UNWIND_AT_SP, /* the content of sp + n, plus cfa_more */
	PK_UNWIND_AT_FP, /* the content of fp + n, plus cfa_more */
	PK_UNWIND_PLT /* sp + n, plus 8 from byte cfa_more of each 16 bytes of the linkage table */
};

/* Where a register of the caller is. n is the offset beside it. */
enum pk_unwind_place {
	PK_UNWIND_SAME,	    /* in the same register; the return address: in the link register */
	PK_UNWIND_LOST,	    /* unknown */
	PK_UNWIND_FROM_CFA, /* in memory at CFA + n */
	PK_UNWIND_FROM_SP,  /* in memory at sp + n */
	PK_UNWIND_FROM_FP,  /* in memory at fp + n */
	PK_UNWIND_ARGUMENT  /* in rdi */
};

struct pk_unwind_rule {
	uint8_t cfa;	     /* enum pk_unwind_cfa */
	uint8_t fp, ra;	     /* enum pk_unwind_place */
	uint8_t interrupted; /* the caller was interrupted: its pc is not a return address */
	int32_t cfa_offset;
	int16_t cfa_more, fp_offset, ra_offset;
	int16_t base_offset; /* rbx is in memory at CFA + n; 0: in the same register */
};

#define PK_UNWIND_BASE_LOST INT16_MIN /* a base_offset: rbx is unknown */

struct pk_unwind_state {
	uint64_t pc, sp, fp, lr;
	uint64_t base, argument; /* rbx and rdi of the innermost function; argument 0: unknown */
	uint64_t base_at;	 /* where rbx is in memory; 0: it is `base`; 1: it is unknown */
	uint8_t fp_known;
	uint8_t interrupted; /* the pc is an interrupted instruction, not a return address */
};

/* The reason why a stack ends. */
enum pk_unwind_end {
	PK_UNWIND_GOES_ON,
	PK_UNWIND_COMPLETE, /* the function has no caller */
	PK_UNWIND_NO_RULE,  /* code without information, and no plausible frame pointer; or a caller
			     * that is not in code */
	PK_UNWIND_BAD_RULE, /* invalid or unsupported information, or it leads down the stack */
	PK_UNWIND_UNREADABLE,  /* memory that cannot be read, or a register that is unknown */
	PK_UNWIND_TOO_DEEP,    /* more frames than the limit */
	PK_UNWIND_NOT_LOADED,  /* the maps or the table were not there yet */
	PK_UNWIND_NOT_64_BITS, /* a task of another machine */
	PK_UNWIND_ENDS
};

#endif

#if defined(PK_UNWIND_READ) && !defined(PK_UNWIND_STEPS)
#define PK_UNWIND_STEPS

#ifndef PK_UNWIND_PC_MASK /* address bits of a return address; others can be a signature */
#define PK_UNWIND_PC_MASK UINT64_MAX
#endif

static inline int pk_unwind_read_u64(void *arg, uint64_t address, uint64_t *value)
{
	(void)arg;
	return PK_UNWIND_READ(arg, address, value, sizeof(*value)) != 0;
}

/* Sets *cfa. The result is not 0 if it cannot be computed. */
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

/* Sets *fp to the frame pointer of the caller. Returns whether it is known. */
static inline uint8_t pk_unwind_find_fp(const struct pk_unwind_rule *rule,
					const struct pk_unwind_state *state, void *arg,
					uint64_t cfa, uint64_t *fp)
{
	const uint64_t at =
		pk_unwind_base(state, rule->fp, cfa) + (uint64_t)(int64_t)rule->fp_offset;

	if (rule->fp >= PK_UNWIND_FROM_CFA && !pk_unwind_read_u64(arg, at, fp))
		return 1;
	*fp = state->fp;
	/* Words below the stack pointer have been popped: the register has its value again. */
	return state->fp_known &&
	       (rule->fp == PK_UNWIND_SAME || (rule->fp != PK_UNWIND_LOST && at < state->sp));
}

/* Replaces the registers of a function by those of its caller. rule is that of the function's pc,
 * and not NONE. Returns GOES_ON if there is a caller. Otherwise *state is unchanged, except that
 * COMPLETE has a pc of 0. */
static inline enum pk_unwind_end pk_unwind_step(const struct pk_unwind_rule *rule,
						struct pk_unwind_state *state, void *arg)
{
	uint64_t cfa, pair[2] = {state->fp, state->lr};
	uint8_t known;

	if (rule->cfa <= PK_UNWIND_END)
		return rule->cfa == PK_UNWIND_END ? PK_UNWIND_COMPLETE : PK_UNWIND_BAD_RULE;
	if (pk_unwind_find_cfa(rule, state, arg, &cfa))
		return PK_UNWIND_UNREADABLE;
	/* The usual place of both, side by side. */
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
	/* The stack grows downwards; a function that was interrupted before it had a frame has
	 * none. */
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

/* The same with the frame pointer, for code without a rule: the caller must be in code. */
static inline enum pk_unwind_end pk_unwind_step_by_frame(struct pk_unwind_state *state, void *arg)
{
	uint64_t pair[2];

	(void)arg;
	if (!state->fp_known)
		return PK_UNWIND_NO_RULE;
	if (!state->fp) /* the psABIs mark the outermost function like this */
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
