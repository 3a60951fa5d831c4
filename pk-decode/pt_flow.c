// SPDX-License-Identifier: BSD-2-Clause
#include "pt_flow.h"

static const enum pt_branch_kind kinds[] = {
	[PT_OTHER] = PT_BRANCH_STOP,
	[PT_CALL] = PT_BRANCH_CALL,
	[PT_RETURN] = PT_BRANCH_RETURN,
	[PT_JUMP] = PT_BRANCH_JUMP,
	[PT_CONDITIONAL] = PT_BRANCH_CONDITIONAL,
	[PT_SYSCALL] = PT_BRANCH_SYSCALL,
	[PT_SYSRET] = PT_BRANCH_SYSRET,
	[PT_INTERRUPT] = PT_BRANCH_INTERRUPT,
	[PT_UNKNOWN] = PT_BRANCH_STOP,
};

/* Completes the last instruction of the block before: the code continues at `to`. Returns 1 if it
 * was a branch that was taken. */
static unsigned int complete(struct pt_flow *flow, uint64_t to, struct pt_branch *branch)
{
	const bool taken = flow->pending && flow->class != PT_OTHER &&
			   (flow->class != PT_CONDITIONAL || flow->taken || to != flow->next);

	flow->pending = false;
	*branch = (struct pt_branch){kinds[flow->class], flow->last, to, flow->next};
	return taken;
}

unsigned int pt_flow_step(struct pt_flow *flow, const struct pt_step *step, uint64_t next,
			  struct pt_branch *branches)
{
	unsigned int count = 0;

	switch (step->kind) {
	case PT_STEP_BLOCK:
		count = complete(flow, step->from, branches);
		*flow = (struct pt_flow){true, step->taken, step->class, step->last, next};
		return count;
	case PT_STEP_EXCEPTION:
		flow->class = step->class;
		flow->next = step->from;
		return 0;
	case PT_STEP_START:
		flow->pending = false;
		branches[0] = (struct pt_branch){PT_BRANCH_START, 0, step->to, 0};
		return 1;
	case PT_STEP_STOP:
		if (flow->pending)
			branches[count++] = (struct pt_branch){kinds[flow->class], flow->last,
							       step->to, flow->next};
		flow->pending = false;
		return count;
	case PT_STEP_ASYNC:
		count = complete(flow, step->from, branches);
		/* The interrupted instruction is executed after the interruption. */
		branches[count++] =
			(struct pt_branch){PT_BRANCH_INTERRUPT, step->from, step->to, step->from};
		return count;
	default: flow->pending = false; return 0;
	}
}
