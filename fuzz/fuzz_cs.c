/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-decode/cs_library.c */
/*
 * Decodes the input as a CoreSight trace of one unit, through libopencsd. The first byte is the
 * kind of the unit and whether its timestamps are used, the second one the size of the code. The
 * code follows, and repeats at all addresses. The rest is the trace. The number of instructions
 * must have a limit.
 */
#include <stdlib.h>

#include "cs_library.h"
#include "trace_steps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cs_unit unit = {.config = 0x80c1,
			       .trace_id = 0x10,
			       .idr0 = 0x28000ea1,
			       .idr1 = 0x4100f400,
			       .idr2 = 0x488,
			       .idr8 = 8,
			       .devarch = 0x47705a13,
			       .control = 0x10001000,
			       .ccer = 0x34c01ac2,
			       .idr = 0x411cf312};
	struct code code = {data + 2, size > 2 ? data[1] : 0};
	const struct pt_source source = {read_code, code_range, enter_thread, &code};
	struct pt_decoder *decoder;
	uint8_t *trace;

	if (size < 2 || code.size > size - 2 || cs_library_load() != PK_OK)
		return 0;
	size -= code.size + 2;
	unit.kind = data[0] & 3;
	unit.timed = data[0] & 4;
	if (unit.kind == CS_ETE)
		unit.idr1 = 0x4100fff0;
	if (unit.kind == CS_ETMV3)
		unit.idr = 0x410cf250;
	/* A copy, so that a sanitizer reports a read after its end. */
	trace = malloc(size + !size);
	check_that(trace != NULL);
	memcpy(trace, code.bytes + code.size, size);
	decoder = cs_decoder_new(&unit, trace, size, &source);
	check_that(decoder != NULL);
	/* The library reads up to 4 MiB of code for 64 bytes of the trace. */
	check_that(check_steps(decoder) <= 3000000 + size * (1024 + 65536));
	pt_decoder_free(decoder);
	free(trace);
	return 0;
}
