/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROBE_OPERAND_H
#define PK_PROBE_OPERAND_H

#include "pkstream.h"

/* What the two ways to tell of a probe's arguments share: words of the assembler. */

#define PROBE_ARGUMENTS_MOST 64 /* sys/sdt.h has up to 12 */

/* Registers have perf's numbers. */
struct probe_machine {
	uint32_t elf; /* EM_* */
	uint8_t stack, frame;
	/* Sets base and shift; false: no such register. */
	bool (*find)(const char *name, struct pk_argument *argument);
	/* Where functions leave what they return, and get what they are called with. */
	uint8_t result, arguments_count, arguments[8];
};

/* NULL: not known. */
const struct probe_machine *probe_machine(uint32_t elf);
/* Sets kind, base, index, scale, shift and value; base and index are PK_ARGUMENT_NO_REGISTER
 * before. False: nothing that is known, or to be had. */
bool probe_operand(const struct probe_machine *machine, const char *text,
		   struct pk_argument *argument);
/* Room for PROBE_ARGUMENTS_MOST, none there yet. machine may be NULL. NULL: out of memory. */
struct pk_arguments *probe_arguments_new(const struct probe_machine *machine, bool big_endian);
/* How many bytes of the stack, from its top on, hold those of them that are there. */
uint32_t probe_stack_size(const struct probe_machine *machine,
			  const struct pk_arguments *arguments);

#endif
