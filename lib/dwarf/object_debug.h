/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OBJECT_DEBUG_H
#define PK_OBJECT_DEBUG_H

/* Provides the debugging information of an object: source lines, inlined functions and unwind
 * information. */

#include "cfi.h"
#include "symbols.h"

struct pk_elf_segment;

/* ---- Source lines ---- */

/* Finds the functions at an address for pk_object_lookup(). The functions that are inlined there
 * come first, with the innermost at the start. The function that contains them is last. The line of
 * the first function is the line of the address. The line of each other function is the line where
 * it calls the previous function.
 *
 * Returns the number of functions, which is at most PK_SOURCES_MAX. Returns 0 if no function
 * contains the address. For the return address of a call, use address - 1. *sources is valid until
 * the next call for the same store. */
size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources);
/* Like pk_object_sources(), and sets *same to the range around the address for which the result is
 * the same. If lines are read, *same often has only this address. */
size_t pk_object_sources_range(struct pk_object *o, uint64_t address,
			       const struct pk_source **sources, struct pk_range *same);

/* Calls `each` for the address ranges of the function that contains an offset in the file. The end
 * of a range is not included. A compiler can divide a function into several ranges. Does nothing if
 * there is no debugging information. The reader of lib/dwarf is used. */
void pk_object_function_ranges(struct pk_object *o, uint64_t offset,
			       void (*each)(void *arg, uint64_t start, uint64_t end), void *arg);

/* Another reader that finds functions and lines in the debugging information. The caller sets it in
 * pk_symbols_options.reader. It then replaces the reader of lib/dwarf for functions and lines. The
 * reader of lib/dwarf still reads relocatable files, which are modules of the kernel. It also reads
 * all types and variables. */
struct pk_debug_reader {
	const char *name; /* the name of the library, for messages */
	/* Opens the file with the debugging information. Returns NULL if it fails. */
	void *(*open)(const char *path, bool demangle);
	/* Like pk_object_sources(), for an address in the object file. If `lines` is true, also
	 * sets files and lines. */
	size_t (*sources)(void *debug, uint64_t address, bool lines, struct pk_source *found,
			  size_t room);
	void (*close)(void *debug);
};

/* ---- Unwinding: the bytes of the needed sections ---- */

/* The bytes of a section, and its address. */
struct pk_unwind_section {
	uint8_t *data; /* NULL if there is no such section */
	uint64_t size;
	uint64_t address; /* The address of the section's first byte in the object file. It is 0 for
			   * .debug_frame, which is not loaded into memory. */
};

/* The sections of a file that have unwind information. */
struct pk_unwind_info {
	unsigned machine; /* EM_* */
	bool swapped;	  /* true if the byte order of the file is not that of the host */
	char *path;	  /* the path of the mapped file, or NULL if the file is only in memory */
	struct pk_unwind_section eh_frame, eh_frame_hdr, debug_frame;
	struct pk_unwind_section exidx, extab; /* only used for 32-bit Arm */
	struct pk_unwind_section sframe;
	struct pk_cfi_code stack_switch;
	struct pk_elf_segment *loads; /* the segments of the mapped file */
	size_t load_count;
};

/* Returns the unwind information of a file. The first call finds and reads it. .debug_frame can be
 * in a separate file. The object owns the result. If the file was not found, is not an ELF file or
 * cannot be read, returns NULL and sets *why to the reason. Objects that are not files have no
 * unwind information, and *why becomes PK_OBJECT_UNREAD. */
const struct pk_unwind_info *pk_object_unwind_info(struct pk_object *o, enum pk_object_state *why);

/* Returns the call frame information of these sections. The byte order of the sections must be the
 * byte order of the machine. The result refers to the bytes in `info`. Returns NULL if memory is
 * exhausted. */
struct pk_cfi *pk_unwind_cfi(const struct pk_unwind_info *info,
			     const struct pk_cfi_machine *machine);

/* Like pk_cfi_find_within(), for the code at an offset in a jitdump. The compiler must have written
 * unwinding information for this code. If the information has DWARF expressions, returns
 * PK_CFI_BAD, because they are not supported here. */
enum pk_cfi_status pk_object_jit_row(struct pk_object *o, const struct pk_cfi_machine *machine,
				     uint64_t offset, uint64_t *work, struct pk_cfi_row *row);

/* Says whether the code of an object keeps frame pointers. Returns PK_FRAME_POINTERS_UNKNOWN also
 * after a failure. */
enum pk_frame_pointers pk_object_frame_pointers(struct pk_object *o);

/* Converts an offset in the file to an address in the object file. Returns false if the offset is
 * in no segment. */
bool pk_unwind_address(const struct pk_unwind_info *info, uint64_t offset, uint64_t *address);

/* True if the file has code, but not at this offset. An executable map can be larger than the code
 * in it: the kernel first maps all of a position-independent program as its first segment, and
 * reports only this map. */
bool pk_unwind_is_data(const struct pk_unwind_info *info, uint64_t offset);

#endif
