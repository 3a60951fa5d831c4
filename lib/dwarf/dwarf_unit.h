/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files with debugging information (DWARF 2 to 5) and their units. The numbers are those of the
 * DWARF 5 standard, chapter 7, and of GCC's earlier extensions
 * (https://gcc.gnu.org/wiki/DebugFission, DW_*_GNU_*).
 *
 * The file is untrusted: every read is bounded by its section. The total work is bounded by a
 * budget proportional to the sizes of the sections, because a few bytes can refer to the same data
 * again and again.
 */
#ifndef PK_DWARF_UNIT_H
#define PK_DWARF_UNIT_H

#include "dwarf.h"
#include "dwarf_entry.h"
#include "dwarf_section.h"
#include "symtable.h"
#include "table.h"

struct pk_dwarf_file {
	struct pk_dwarf_file *next; /* the list of all files of an object */
	struct pk_dwarf *dwarf;
	struct pk_elf *elf;
	char *path;
	bool split; /* a .dwo or .dwp */
	struct pk_dwarf_section info, abbrev, line, str, line_str, ranges, rnglists, addr,
		str_offsets, loc, loclists;
	struct pk_table abbrevs; /* struct pk_abbrevs by offset */
	uint64_t *offsets;	 /* of the units, ascending */
	struct pk_unit **units;	 /* NULL: the unit was not read */
	size_t unit_count;
	struct pk_unit **type_units; /* by signature; built on first use */
	size_t type_unit_count;
	bool type_units_tried;
};

struct pk_scopes;
struct pk_lines;
struct pk_enclosing;

struct pk_unit {
	struct pk_dwarf_file *file;
	uint64_t offset, die, end; /* in .debug_info: the header, the first entry, the end */
	uint64_t abbrev_offset;
	struct pk_form_sizes sizes;
	uint8_t type;
	uint64_t signature, type_die; /* of a type unit: its signature and its entry, from offset */

	/* attributes of its root entry */
	struct pk_form_value name, comp_dir, dwo_name, low, high, ranges;
	uint64_t base;	    /* the base of ranges */
	uint64_t stmt_list; /* UINT64_MAX: none */
	uint64_t dwo_id, str_offsets_base, addr_base, rnglists_base, loclists_base;
	uint64_t language;    /* DW_LANG_ */
	uint64_t loc_base;    /* package of version 2: the same in .debug_loc */
	uint64_t ranges_base; /* DWARF 4 split: added to offsets in .debug_ranges */

	const struct pk_abbrevs *abbrevs;
	struct pk_scopes *scopes;
	struct pk_lines *lines;
	/* split: the other half of a skeleton; skeleton: the skeleton of a split unit, which has
	 * the addresses and the lines. */
	struct pk_unit *split, *skeleton;
	struct pk_enclosing *enclosing; /* built on first use */
	bool scopes_tried, lines_tried, split_tried;
};

struct pk_dwarf {
	struct pk_dwarf_options options;
	struct pk_failures *failures;
	struct pk_dwarf_file *files; /* the first one is the object's own */
	struct pk_dwarf_file *own, *alt;
	struct pk_dwarf_file *package; /* .dwp */
	bool alt_tried, package_tried, failed;
	uint64_t budget;
	struct pk_symtable ranges;	    /* name: index of the unit in own */
	struct pk_table names;		    /* struct pk_name by entry and file */
	struct pk_name_budget names_budget; /* of functions and files */
	struct pk_elf_segment code[16];
	size_t code_count;
};

/* ---- dwarf.c ---- */

/* False: the budget is used up, and the file is not read any more. */
bool pk_dwarf_spend(struct pk_dwarf *d, uint64_t amount);
/* Whether code can be at an address. Functions that the linker dropped are at 0, or at the end of
 * all addresses. */
bool pk_dwarf_is_code(const struct pk_dwarf *d, uint64_t address);

/* The function (not inlined) that contains an address. False: none. */
bool pk_dwarf_function(struct pk_dwarf *d, uint64_t address, struct pk_unit **unit, uint64_t *die);

/* ---- Files ---- */

/* Takes ownership of a file of debugging information; NULL: out of memory (elf is closed). */
struct pk_dwarf_file *pk_dwarf_file_add(struct pk_dwarf *d, struct pk_elf *elf, const char *path,
					bool split);
void pk_dwarf_file_free(struct pk_dwarf_file *f);

/* The supplementary file (dwz); NULL: none. */
struct pk_dwarf_file *pk_dwarf_alt(struct pk_dwarf *d);

/* ---- Units ---- */

/* Reads the header and the root entry. False: not a usable unit. */
bool pk_unit_read(struct pk_dwarf_file *f, uint64_t offset, struct pk_unit *unit);
/* The unit with that number; NULL: unusable. */
struct pk_unit *pk_unit_get(struct pk_dwarf_file *f, size_t index);
/* The unit that contains an offset in .debug_info; NULL: none. */
struct pk_unit *pk_unit_at(struct pk_dwarf_file *f, uint64_t offset);
/* The unit with the entries: the unit itself, or the other half of a skeleton; NULL: not found. */
struct pk_unit *pk_unit_full(struct pk_unit *unit);
/* The type unit of a signature; its entry is at offset + type_die. NULL: none. */
struct pk_unit *pk_unit_of_signature(const struct pk_unit *from, uint64_t signature);

/* dwarf_types.c: the namespaces and classes of a unit */
void pk_enclosing_free(struct pk_enclosing *x);

/* ---- Lists of ranges and of locations: common parts ---- */

/* A list has no size: it is read in parts until its end. */
struct pk_dwarf_list {
	struct pk_unit *unit;
	size_t piece_size, entry_max; /* bytes */
	uint64_t base;		      /* base of offsets */
	struct pk_dwarf_section *section;
	struct pk_cursor c;
};

void pk_dwarf_list_seek(struct pk_dwarf_list *l, struct pk_dwarf_section *section, uint64_t offset);
/* Call before each entry: reads the next part if the entry might be incomplete. */
void pk_dwarf_list_continue(struct pk_dwarf_list *l);
/* Reads the next pair of addresses, up to DWARF 4. False: that was the last one. */
bool pk_dwarf_list_pair(struct pk_dwarf_list *l, uint64_t *low, uint64_t *high);
/* Reads an address that is stored as its index. */
uint64_t pk_dwarf_list_indexed(struct pk_dwarf_list *l);
/* The offset of the list with that index, from the table at base. False: none. */
bool pk_dwarf_list_offset(const struct pk_unit *unit, struct pk_dwarf_section *section,
			  uint64_t base, uint64_t index, uint64_t *offset);

/* ---- Ranges of addresses ---- */

/* False stops. */
typedef bool (*pk_range_fn)(void *arg, uint64_t low, uint64_t high);

/* Calls each for the ranges of an entry, by its attributes, whose class can be NONE. False: out of
 * memory or budget, or stopped. */
bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg);

#endif
