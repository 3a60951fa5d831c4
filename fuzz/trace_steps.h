/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_STEPS_H
#define PK_TRACE_STEPS_H

/* For the targets that decode traces: code that repeats at all addresses, and checks of the steps.
 */

#include <string.h>

#include "check_that.h"
#include "pt_flow.h"

struct code {
	const uint8_t *bytes;
	size_t size;
};

static size_t read_code(void *arg, uint64_t ip, uint8_t *to, size_t size)
{
	const struct code *code = arg;

	for (size_t i = 0; i < size && code->size; i++)
		to[i] = code->bytes[(ip + i) % code->size];
	return code->size ? size : 0;
}

static bool code_range(void *arg, uint64_t ip, uint64_t *start, uint64_t *end)
{
	(void)arg;
	*start = ip & ~(PT_RANGE_MAX / 64 - 1);
	*end = *start + PT_RANGE_MAX / 64;
	return *end > *start;
}

static void enter_thread(void *arg, uint32_t tid)
{
	(void)arg, (void)tid;
}

static void check_step(struct pt_flow *flow, const struct pt_step *step)
{
	struct pt_branch branches[PT_FLOW_BRANCHES];
	const unsigned int count = pt_flow_step(flow, step, step->last + 2, branches);

	check_that(count <= PT_FLOW_BRANCHES);
	for (unsigned int i = 0; i < count; i++)
		check_that(branches[i].kind <= PT_BRANCH_STOP);
	check_that(flow->pending ==
		   (step->kind == PT_STEP_BLOCK || step->kind == PT_STEP_EXCEPTION));
	check_that(step->kind != PT_STEP_BLOCK || step->count > 0);
}

/* Decodes all steps. Returns the number of instructions. */
static uint64_t check_steps(struct pt_decoder *decoder)
{
	struct pt_flow flow = {0};
	const struct pt_step *step;
	uint64_t instructions = 0;

	do {
		step = pt_decoder_next(decoder);
		instructions += step->count;
		if (step->kind < PT_STEP_END)
			check_step(&flow, step);
	} while (step->kind < PT_STEP_END);
	check_that(step->kind == PT_STEP_END);
	return instructions;
}

#endif
