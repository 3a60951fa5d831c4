/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SFRAME_H
#define SFRAME_H

/*
 * Reads SFrame, which is the section .sframe or the segment PT_GNU_SFRAME. For each code address,
 * SFrame has the CFA and the places of the frame pointer and the return address. There are no
 * instructions to execute. Versions 2 and 3 are supported, for x86-64, arm64 and s390x. The layout
 * is from "The SFrame Format" (GNU binutils, libsframe; version 2: 2.41 to 2.45, version 3:
 * from 2.46 on) and from its sframe.h.
 *
 * The header:
 *
 *   u16 magic 0xdee2
 *   u8 version
 *   u8 flags; 1: functions are sorted; 4: starts of functions are relative to the field itself,
 *     otherwise they are relative to the section
 *   u8 machine; 1: arm64 big-endian; 2: arm64; 3: x86-64; 4: s390x
 *   s8 fixed offset of the frame pointer from the CFA, or 0 if it is not fixed
 *   s8 fixed offset of the return address from the CFA, or 0 if it is not fixed
 *   u8 size of further fields after the header
 *   u32 number of functions
 *   u32 number of rows
 *   u32 size of all rows
 *   u32 offset of the functions from the end of the header
 *   u32 offset of the rows from the end of the header
 *
 * A function of version 2:
 *
 *   s32 start, u32 size, u32 offset of its rows, u32 number of rows, u8 info,
 *   u8 size of a block, u16 0
 *
 * A function of version 3, and its attributes, which its rows follow:
 *
 *   s64 start, u32 size, u32 offset of its attributes in the rows
 *   u16 number of rows, u8 info, u8 info2, u8 size of a block
 *
 * The info of a function:
 *
 *   bits 0 to 3: the addresses of its rows have 1 << n bytes
 *   bit 4: the code consists of equal blocks, such as the entries of the linkage table;
 *     the addresses of its rows are then relative to a block
 *   bit 7: the function is a signal frame (version 3)
 *
 * The info2 of a function:
 *
 *   bits 0 to 4: 0 for default words, 1 for flexible words
 *
 * A row:
 *
 *   the address in the function or block where the row starts
 *   u8 info; bit 0: the CFA is relative to the stack pointer, otherwise to the frame pointer;
 *     bits 1 to 4: the number of words; bits 5 and 6: words have 1 << n bytes;
 *     bit 7: the return address is signed
 *   the words
 *
 * Default words are offsets. The first word is the offset of the CFA from its base register. The
 * second word is the offset of the return address from the CFA. The third word is the offset of the
 * frame pointer from the CFA. If the offset of the return address or the frame pointer is fixed, it
 * has no word. The outermost function has a row without words. On s390x, the first word is (offset
 * - 160) / 8. The other words can be 0 if there is no place, or (register << 1 | 1).
 *
 * Flexible words are pairs in the same order. A pair has a control word and an offset. If the
 * control word is 0, there is no offset in the row. The register then has the fixed offset, or no
 * place. Otherwise the control word is register << 3, plus two bits. Bit 0 is set if the base is
 * this register, and not the CFA. Bit 1 is set if the value is in memory at base + offset.
 * Otherwise the value is base + offset.
 *
 * The section is untrusted, like the sections in cfi.h.
 */

#include "cfi.h"

/* A section .sframe whose header was read. */
struct pk_sframe {
	struct pk_cfi_section section;
	const struct pk_cfi_machine *machine;
	uint32_t count;	    /* number of functions, or 0 if the section cannot be used */
	uint64_t functions; /* offset of the functions in the section */
	uint64_t rows, end; /* the offsets in the section where the rows start and where they end */
	uint8_t version;    /* 2 or 3 */
	bool relative; /* true if the start of a function is relative to the field that contains it
			*/
	uint8_t frame, ra; /* DWARF numbers of the frame pointer and the return address */
	int8_t fixed_frame, fixed_ra;
};

/* Reads the header. The section cannot be used if it has another version or is for another machine.
 * It also cannot be used if its functions are not sorted, but linkers sort them. */
struct pk_sframe pk_sframe(const struct pk_cfi_section *section,
			   const struct pk_cfi_machine *machine);

/* Finds the row of an address. Returns PK_CFI_OK, PK_CFI_NONE or PK_CFI_BAD. Subtracts the number
 * of rows that it has read from *work. If *work becomes 0, returns PK_CFI_BAD. */
enum pk_cfi_status pk_sframe_find(const struct pk_sframe *sframe, uint64_t address, uint64_t *work,
				  struct pk_cfi_row *row);

/* Finds the code of function n. Returns false if the function is not valid. */
bool pk_sframe_range(const struct pk_sframe *sframe, size_t n, uint64_t *start, uint64_t *end);

/* Like pk_cfi_walk_nth(), for function n. */
bool pk_sframe_walk(const struct pk_sframe *sframe, size_t n, uint64_t *work, pk_cfi_row_fn each,
		    void *arg);

#endif
