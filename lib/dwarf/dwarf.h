/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debugging information: the functions and lines of an address, including inlined functions. Reads
 * DWARF 2 to 5 of either byte order; split into .dwo and .dwp files; deduplicated by dwz;
 * compressed. Reads only the units that are needed, each once.
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

/* Opens a file that debugging information refers to, by its path there. NULL: not found. The
 * build-id may be NULL: any. */
typedef struct pk_elf *(*pk_dwarf_open_fn)(void *arg, const char *path,
					   const struct pk_build_id *build_id);

struct pk_dwarf_options {
	bool demangle;
	pk_dwarf_open_fn open;
	void *arg;
};

/* Takes ownership of the file. code: the segments of the mapped file that this is the debugging
 * information of. NULL: out of memory. */
struct pk_dwarf *pk_dwarf_new(struct pk_elf *elf, const char *path,
			      const struct pk_elf_segment *loads, size_t load_count,
			      const struct pk_dwarf_options *options);
/* The number of names of functions and paths of files that were cut. */
uint64_t pk_dwarf_names_cut(const struct pk_dwarf *d);
void pk_dwarf_free(struct pk_dwarf *d);

/* Like pk_object_sources(), for an address of the file; lines: fill in files and lines, too. room
 * is at least 1; texts are valid until _free. *same: the range around the address that has the
 * same result. */
size_t pk_dwarf_sources(struct pk_dwarf *d, uint64_t address, bool lines, struct pk_source *sources,
			size_t room, struct pk_range *same);

#endif
