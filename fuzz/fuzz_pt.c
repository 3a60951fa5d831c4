/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-decode/pt_library.c pk-decode/pt_flow.c pk-decode/pt_guard.c */
/*
 * Decodes the input as a trace of Intel PT, through libipt. The first byte is the size of the code.
 * The code follows, and repeats at all addresses. The rest is the trace. The number of instructions
 * must have a limit.
 */
#include <stdlib.h>

#include "pt_library.h"
#include "trace_steps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	const struct pt_source source = {read_code, code_range, enter_thread, &code};
	struct pt_sections *sections;
	struct pt_decoder *decoder;
	uint64_t instructions;
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
	instructions = check_steps(decoder);
	/* A block has up to 65,535 instructions, and each PSB packet can start one. */
	check_that(instructions <= 2000000 + size * (1024 + 65536 / 16));
	pt_decoder_free(decoder);
	pt_sections_free(sections);
	free(trace);
	return 0;
}
