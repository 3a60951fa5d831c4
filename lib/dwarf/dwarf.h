/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debugging information: which functions, inlined ones too, an address belongs to, and which lines.
 * Reads DWARF 2 to 5 of either byte order; split into .dwo and .dwp files; made small by dwz;
 * compressed. Only the compilation units that are asked for are read, each once.
 *
 * The file is hostile: what is wrong in it gives no names, or wrong ones, and costs no more time or
 * memory than its size allows for.
 */
#ifndef PK_DWARF_H
#define PK_DWARF_H

#include "build_id.h"
#include "elf_image.h"
#include "symbols.h"

struct pk_dwarf;

/* Opens a file that debugging information names: path is as it has it. NULL: not found. The
 * build-id may be NULL: any. */
typedef struct pk_elf *(*pk_dwarf_open_fn)(void *arg, const char *path,
					   const struct pk_build_id *build_id);

struct pk_dwarf_options {
	bool demangle;
	pk_dwarf_open_fn open;
	void *arg;
};

/*
 * Takes the file over, of that path. code: the segments of the file that was mapped, of which this
 * is the debugging information. NULL: out of memory.
 */
struct pk_dwarf *pk_dwarf_new(struct pk_elf *elf, const char *path,
			      const struct pk_elf_segment *loads, size_t load_count,
			      const struct pk_dwarf_options *options);
/* Names of functions and paths of files that were cut. */
uint64_t pk_dwarf_names_cut(const struct pk_dwarf *d);
void pk_dwarf_free(struct pk_dwarf *d);

/* As pk_object_sources(), for an address of the file; lines: fill in files and lines, too. room is
 * at least 1; texts are valid until _free. *same: addresses around it that have the same answer. */
size_t pk_dwarf_sources(struct pk_dwarf *d, uint64_t address, bool lines, struct pk_source *sources,
			size_t room, struct pk_range *same);

#endif
