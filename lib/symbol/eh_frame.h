/* SPDX-License-Identifier: BSD-2-Clause */
/* The sizes of functions by .eh_frame, for symbols without a size: hand-written assembler code
 * often has call frame information, which programs need, but no sizes. Reads only what it needs, by
 * the search table of .eh_frame_hdr. */
#ifndef PK_EH_FRAME_H
#define PK_EH_FRAME_H

#include "elf_image.h"

struct pk_eh_frame {
	const struct pk_elf *elf;
	uint8_t *header; /* .eh_frame_hdr; NULL: none, or of an unusual format */
	uint64_t address;
	size_t count; /* entries of the search table */
	const struct pk_elf_section *section;
};

/* elf must stay open until pk_eh_frame_close(). */
void pk_eh_frame_open(struct pk_eh_frame *frame, const struct pk_elf *elf);
void pk_eh_frame_close(struct pk_eh_frame *frame);

/* The size of the code whose entry starts at that address exactly. 0: no such entry. */
uint64_t pk_eh_frame_size(const struct pk_eh_frame *frame, uint64_t start);

#endif
