/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_FLOW_H
#define PK_PT_FLOW_H

/* Makes branches of the steps of a trace. Only branches that were taken count. */

#include "pt_decoder.h"

enum pt_branch_kind {
	PT_BRANCH_JUMP,
	PT_BRANCH_CONDITIONAL,
	PT_BRANCH_CALL,
	PT_BRANCH_RETURN,
	PT_BRANCH_SYSCALL,
	PT_BRANCH_SYSRET,
	PT_BRANCH_INTERRUPT,
	PT_BRANCH_START, /* the trace starts: `from` is 0 */
	PT_BRANCH_STOP,	 /* the trace ends at an instruction that is no branch: `to` is 0 */
};

struct pt_branch {
	enum pt_branch_kind kind;
	uint64_t from, to; /* 0 if it is not in the trace */
	uint64_t after;	   /* address of the instruction after `from`, or 0 if it is unknown */
};

/* The end of the last block. All bytes 0 is the start of a trace. */
struct pt_flow {
	bool pending; /* the target of the last instruction is unknown as yet */
	bool taken;   /* the last instruction is a branch that was taken */
	enum pt_class class;
	uint64_t last, next; /* address of the last instruction, and of the instruction after it */
};

#define PT_FLOW_BRANCHES 2

/* Evaluates a step. `next` is the address after a block, or 0 if it is unknown.
 * Returns the number of branches that the step completes, at most PT_FLOW_BRANCHES. */
unsigned int pt_flow_step(struct pt_flow *flow, const struct pt_step *step, uint64_t next,
			  struct pt_branch *branches);

#endif
