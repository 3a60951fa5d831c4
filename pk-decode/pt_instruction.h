/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_INSTRUCTION_H
#define PK_PT_INSTRUCTION_H

/* What the decoders of traces must know of an instruction. */

#include "pt_decoder.h"

#define PT_INSTRUCTION_SIZE_MAX 15

struct pt_instruction {
	unsigned int size; /* 0 if it is cut or unknown */
	enum pt_class class;
};

/* Decodes the first instruction in the bytes. `size` can be 0. For Arm, the class is always
 * PT_OTHER.
 */
struct pt_instruction pt_instruction_of(const uint8_t *bytes, size_t size, enum pt_isa isa);

#endif
