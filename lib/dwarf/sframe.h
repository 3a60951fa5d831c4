/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SFRAME_H
#define SFRAME_H

/*
 * SFrame: the section .sframe, or segment PT_GNU_SFRAME. It has the CFA, the frame pointer and the
 * return address of each code address, without instructions to execute. Versions 2 and 3, for
 * x86-64, arm64 and s390x. The layout is that of "The SFrame Format" (GNU binutils, libsframe;
 * version 2: 2.41 to 2.45, version 3: from 2.46 on) and of its sframe.h:
 *
 *   header     u16 magic 0xdee2, u8 version, u8 flags (1: functions are sorted, 4: their starts are
 *              relative to the field itself, else to the section), u8 machine (1 arm64 big-endian,
 *              2 arm64, 3 x86-64, 4 s390x), s8 fixed offset of the frame pointer from the CFA, s8
 *              that of the return address (both 0: none), u8 size of further fields after the
 *              header, u32 number of functions, u32 number of rows, u32 size of all rows, u32
 *              offset of the functions and u32 of the rows, both from the end of the header
 *   function   version 2: s32 start, u32 size, u32 offset of its rows, u32 number of rows, u8
 *              info, u8 size of a block, u16 0
 *              version 3: s64 start, u32 size, u32 offset of its attributes in the rows. These are
 *              u16 number of rows, u8 info, u8 info2, u8 size of a block; then the rows follow
 *   info       bits 0 to 3: addresses of rows have 1 << n bytes; bit 4: the code consists of equal
 *              blocks, and the addresses are those in a block, such as an entry of the linkage
 *              table; version 3: bit 7: a signal frame
 *   info2      bits 0 to 4: 0 default, 1 flexible
 *   row        the address in the function or block where it starts, u8 info (bit 0: the CFA is
 *              relative to the stack pointer, else to the frame pointer; bits 1 to 4: number of
 *              words; bits 5 and 6: words have 1 << n bytes; bit 7: the return address is signed),
 *              and the words
 *
 * Default words are offsets: CFA from the base register, then return address from the CFA, unless
 * it is fixed, then frame pointer from the CFA, unless it is fixed. A row without words is that of
 * the outermost function. On s390x, the first is (offset - 160) / 8; the others can be 0 (none), or
 * (register << 1 | 1).
 *
 * Flexible words are pairs in the same order: a control word, and an offset. The control word is 0,
 * without an offset (none, or the fixed one), or register << 3 | 2 if the value is in memory at
 * base plus offset, else it is base plus offset | 1 if the base is that register, else it is the
 * CFA.
 *
 * The section is untrusted, as those of cfi.h.
 */

#include "cfi.h"

struct pk_sframe {
	struct pk_cfi_section section;
	const struct pk_cfi_machine *machine;
	uint32_t count;	    /* number of functions; 0: the section cannot be used */
	uint64_t functions; /* offset of the functions in the section */
	uint64_t rows, end; /* offsets of the rows, and of their end */
	uint8_t version;    /* 2 or 3 */
	bool relative;	    /* starts of functions are relative to the field */
	uint8_t frame, ra;  /* DWARF numbers of the frame pointer and the return address */
	int8_t fixed_frame, fixed_ra;
};

/* Reads the header. Sections of other versions or of another machine, or whose functions are not
 * sorted (linkers sort them) cannot be used. */
struct pk_sframe pk_sframe(const struct pk_cfi_section *section,
			   const struct pk_cfi_machine *machine);

/* Finds the row of an address: OK, NONE or BAD. Subtracts the number of rows that were read from
 * *work. If *work becomes 0, the result is BAD. */
enum pk_cfi_status pk_sframe_find(const struct pk_sframe *sframe, uint64_t address, uint64_t *work,
				  struct pk_cfi_row *row);

/* The code of function n. Returns false if it is not valid. */
bool pk_sframe_range(const struct pk_sframe *sframe, size_t n, uint64_t *start, uint64_t *end);

/* Like pk_cfi_walk_nth(), for function n. */
bool pk_sframe_walk(const struct pk_sframe *sframe, size_t n, uint64_t *work, pk_cfi_row_fn each,
		    void *arg);

#endif
