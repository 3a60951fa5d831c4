/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-decode/pt_library.c pk-decode/pt_flow.c */
/*
 * Decodes the input as a trace of Intel PT, through libipt. The first byte is the size of the code.
 * The code follows, and repeats at all addresses. The rest is the trace. The number of instructions
 * must have a limit.
 */
#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "pt_flow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static void check_step(struct pt_flow *flow, const struct pt_step *step)
{
	struct pt_branch branches[PT_FLOW_BRANCHES];
	const unsigned int count = pt_flow_step(flow, step, step->last + 2, branches);

	check_that(count <= PT_FLOW_BRANCHES);
	for (unsigned int i = 0; i < count; i++)
		check_that(branches[i].kind <= PT_BRANCH_STOP);
	check_that(flow->pending == (step->kind == PT_STEP_BLOCK));
	check_that(step->kind != PT_STEP_BLOCK || step->count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pt_settings settings = {.intel = true,
						    .family = 6,
						    .model = 158,
						    .stepping = 9,
						    .tsc_numerator = 100,
						    .tsc_denominator = 2,
						    .mtc_frequency = 3,
						    .nominal_ratio = 12};
	struct code code = {data + 1, size ? data[0] : 0};
	const struct pt_source source = {read_code, code_range, &code};
	struct pt_sections *sections;
	struct pt_decoder *decoder;
	struct pt_flow flow = {0};
	struct pt_step step;
	uint64_t instructions = 0;
	uint8_t *trace;

	if (!size || code.size > size - 1 || pt_library_load() != PK_OK)
		return 0;
	size -= code.size + 1;
	/* A copy, so that a sanitizer reports a read after its end. */
	trace = malloc(size + !size);
	check_that(trace != NULL);
	memcpy(trace, code.bytes + code.size, size);
	sections = pt_sections_new();
	check_that(sections != NULL);
	decoder = pt_decoder_new(&settings, trace, size, &source, sections);
	check_that(decoder != NULL);
	pt_decoder_enter(decoder, &(struct pt_space){1, 2, 3});
	do {
		pt_decoder_next(decoder, &step);
		instructions += step.count;
		if (step.kind < PT_STEP_END)
			check_step(&flow, &step);
	} while (step.kind < PT_STEP_END);
	check_that(step.kind == PT_STEP_END);
	/* A block has up to 65,535 instructions, and each PSB packet can start one. */
	check_that(instructions <= 2000000 + size * (1024 + 65536 / 16));
	pt_decoder_free(decoder);
	pt_sections_free(sections);
	free(trace);
	return 0;
}
