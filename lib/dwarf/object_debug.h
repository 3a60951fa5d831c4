/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OBJECT_DEBUG_H
#define PK_OBJECT_DEBUG_H

/* The debugging information of an object: source lines, inlined functions, unwind information. */

#include "cfi.h"
#include "symbols.h"

struct pk_elf_segment;

/* ---- Source lines ---- */

/* The functions at an address, which is that of pk_object_lookup(): those inlined there, the
 * innermost first, and last the function that contains them. The line of the first is that of the
 * address. The line of each other one is that of its call of the previous one. Returns their
 * number, at most PK_SOURCES_MAX, or 0 if nothing covers the address. For the return address of a
 * call, use address - 1. *sources is valid until the next call for the same store. */
size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources);
/* The same. *same is the range around the address that has the same result. If lines are read, it
 * is often only the address itself. */
size_t pk_object_sources_range(struct pk_object *o, uint64_t address,
			       const struct pk_source **sources, struct pk_range *same);

/* Another reader of the functions and lines in debugging information, which answers in place of
 * ours (pk_symbols_options.reader). It gets no relocatable files (modules of the kernel), and ours
 * still reads types and variables. */
struct pk_debug_reader {
	/* Opens the file with the debugging information. Returns NULL if that fails. */
	void *(*open)(const char *path, bool demangle);
	/* Like pk_object_sources(), for an address as in the file. With lines, also sets files and
	 * lines. */
	size_t (*sources)(void *debug, uint64_t address, bool lines, struct pk_source *found,
			  size_t room);
	void (*close)(void *debug);
};

/* ---- Unwinding: the sections that it needs, as bytes ---- */

struct pk_unwind_section {
	uint8_t *data; /* NULL: none */
	uint64_t size;
	uint64_t address; /* address of the first byte, as in the file; 0 for .debug_frame */
};

struct pk_unwind_info {
	unsigned machine; /* EM_* */
	bool swapped;	  /* the file's byte order is not the host's */
	char *path;	  /* of the mapped file; NULL: it is in memory */
	struct pk_unwind_section eh_frame, eh_frame_hdr, debug_frame;
	struct pk_unwind_section exidx, extab; /* of 32-bit Arm */
	struct pk_unwind_section sframe;
	struct pk_elf_segment *loads; /* segments of the mapped file */
	size_t load_count;
};

/* Finds and reads the unwind information of a file on the first call. .debug_frame can be in a
 * separate file. The result belongs to the object. Returns NULL if the file was not found, is no
 * ELF file or cannot be read, and sets *why to the reason. Other kinds of objects have none, and
 * *why is PK_OBJECT_UNREAD. */
const struct pk_unwind_info *pk_object_unwind_info(struct pk_object *o, enum pk_object_state *why);

/* The call frame information of these sections, whose byte order is the machine's. NULL: out of
 * memory. It refers to info. */
struct pk_cfi *pk_unwind_cfi(const struct pk_unwind_info *info,
			     const struct pk_cfi_machine *machine);

/* Like pk_cfi_find_within(), for the code at an offset in a jitdump, if the compiler wrote
 * unwinding information with it. DWARF expressions in it are not supported: BAD. */
enum pk_cfi_status pk_object_jit_row(struct pk_object *o, const struct pk_cfi_machine *machine,
				     uint64_t offset, uint64_t *work, struct pk_cfi_row *row);

/* Whether the code of an object keeps frame pointers. UNKNOWN also after a failure. */
enum pk_frame_pointers pk_object_frame_pointers(struct pk_object *o);

/* Converts an offset in the file to the address as in the file. Returns false if the offset is in
 * no segment. */
bool pk_unwind_address(const struct pk_unwind_info *info, uint64_t offset, uint64_t *address);

#endif
