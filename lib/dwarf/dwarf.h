/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads debugging information: the functions and lines of an address, including inlined functions.
 * Supports DWARF 2 to 5 of either byte order. The information can be split into .dwo and .dwp
 * files, deduplicated by dwz, or compressed. pk_dwarf_new() reads only the root entry and the
 * address ranges of each unit. The rest of a unit is read when it is first used.
 *
 * The file is untrusted. Wrong data lead to wrong names or no names. Time and memory are bounded by
 * the size of the file.
 */
#ifndef PK_DWARF_H
#define PK_DWARF_H

#include "build_id.h"
#include "elf_image.h"
#include "symbols.h"

struct pk_dwarf;

/* This callback opens another file that belongs to the debugging information. It is a .dwo file, a
 * .dwp file, or the supplementary file of dwz. `path` is the path in the debugging information. For
 * a .dwo file, the working directory of its unit precedes it. For a .dwp file, `path` is the
 * argument `path` of pk_dwarf_new() with the suffix ".dwp". `build_id` is the required build-id, or
 * NULL if any build-id is accepted. Returns NULL if the file was not found. */
typedef struct pk_elf *(*pk_dwarf_open_fn)(void *arg, const char *path,
					   const struct pk_build_id *build_id);

struct pk_dwarf_options {
	bool demangle;
	bool declarations; /* pk_symbols_options.declarations */
	pk_dwarf_open_fn open;
	void *arg;
};

/* Opens the debugging information in the file `elf`, and takes ownership of `elf`. `loads` are the
 * PT_LOAD segments of the mapped file, which can be a different file than `elf`. Returns NULL if
 * memory is exhausted. */
struct pk_dwarf *pk_dwarf_new(struct pk_elf *elf, const char *path,
			      const struct pk_elf_segment *loads, size_t load_count,
			      const struct pk_dwarf_options *options);
/* Returns the number of names of functions and paths of sources that were cut. They were too long,
 * or the budget for names was used up. */
uint64_t pk_dwarf_names_cut(const struct pk_dwarf *d);
void pk_dwarf_free(struct pk_dwarf *d);

/* Like pk_object_sources(), for an address in the object file. `room` is the capacity of `sources`,
 * and is at least 1. If `lines` is true, also sets files and lines. The texts are valid until
 * pk_dwarf_free() is called. Sets *same to the range around the address for which the result is the
 * same. If `lines` is true, *same has only this address, unless no unit contains it. */
size_t pk_dwarf_sources(struct pk_dwarf *d, uint64_t address, bool lines, struct pk_source *sources,
			size_t room, struct pk_range *same);

/* Calls `each` for the address ranges of the function that contains an address. For inlined code,
 * it is the function into which the code is inlined. Does nothing if there is no such function. */
void pk_dwarf_function_ranges(struct pk_dwarf *d, uint64_t address,
			      bool (*each)(void *arg, uint64_t start, uint64_t end), void *arg);

#endif
