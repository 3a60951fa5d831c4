/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debugging information: the functions and lines of an address, including inlined functions. Reads
 * DWARF 2 to 5 of either byte order, also split into .dwo and .dwp files, deduplicated by dwz, or
 * compressed. pk_dwarf_new() reads only the root entry of each unit and its address ranges. The
 * rest of a unit is read on first use.
 *
 * The file is untrusted: wrong data yields no names or wrong names, and time and memory are bounded
 * by the file's size.
 */
#ifndef PK_DWARF_H
#define PK_DWARF_H

#include "build_id.h"
#include "elf_image.h"
#include "symbols.h"

struct pk_dwarf;

/* Opens another file that belongs to the debugging information: a .dwo, a .dwp or dwz's
 * supplementary file. path is the one in the debugging information. That of a .dwo is joined with
 * its unit's working directory. That of a .dwp is the path of this file and ".dwp". build_id is the
 * required one, or NULL for any. Returns NULL if the file was not found. */
typedef struct pk_elf *(*pk_dwarf_open_fn)(void *arg, const char *path,
					   const struct pk_build_id *build_id);

struct pk_dwarf_options {
	bool demangle;
	pk_dwarf_open_fn open;
	void *arg;
};

/* Takes ownership of elf, the file with the debugging information. loads are the PT_LOAD segments
 * of the mapped file, which can be another file than elf. NULL: out of memory. */
struct pk_dwarf *pk_dwarf_new(struct pk_elf *elf, const char *path,
			      const struct pk_elf_segment *loads, size_t load_count,
			      const struct pk_dwarf_options *options);
/* The number of function names and source paths that were cut, because they were too long or the
 * budget for names was used up. */
uint64_t pk_dwarf_names_cut(const struct pk_dwarf *d);
void pk_dwarf_free(struct pk_dwarf *d);

/* Like pk_object_sources(), for an address as in the file. room is the capacity of sources, at
 * least 1. With lines, also sets files and lines. Texts are valid until pk_dwarf_free(). *same is
 * the range around the address that has the same result. With lines, that is only the address
 * itself, unless no unit contains it. */
size_t pk_dwarf_sources(struct pk_dwarf *d, uint64_t address, bool lines, struct pk_source *sources,
			size_t room, struct pk_range *same);

#endif
