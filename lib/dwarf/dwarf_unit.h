/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files with debugging information (DWARF 2 to 5) and their units. The numbers are those of the
 * DWARF 5 standard, chapter 7, and of GCC's extensions before it
 * (https://gcc.gnu.org/wiki/DebugFission, DW_*_GNU_*).
 *
 * Nothing here trusts the file: what is read is bounded by its section, and all the work together
 * by a budget that grows with the sizes of the sections, since a few bytes can refer to the same
 * many ones again and again.
 */
#ifndef PK_DWARF_UNIT_H
#define PK_DWARF_UNIT_H

#include "dwarf.h"
#include "dwarf_entry.h"
#include "dwarf_section.h"
#include "symtable.h"
#include "table.h"

struct pk_dwarf_file {
	struct pk_dwarf_file *next; /* of all that an object has */
	struct pk_dwarf *dwarf;
	struct pk_elf *elf;
	char *path;
	bool split; /* a .dwo or .dwp */
	struct pk_dwarf_section info, abbrev, line, str, line_str, ranges, rnglists, addr,
		str_offsets, loc, loclists;
	struct pk_table abbrevs; /* struct pk_abbrevs by offset */
	uint64_t *offsets;	 /* of the units, ascending */
	struct pk_unit **units;	 /* NULL where a unit has not been read */
	size_t unit_count;
	struct pk_unit **type_units; /* by signature, once one was asked for */
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
	uint64_t signature, type_die; /* of a type unit: the entry, behind offset */

	/* of its root entry */
	struct pk_form_value name, comp_dir, dwo_name, low, high, ranges;
	uint64_t base;	    /* address that ranges are relative to */
	uint64_t stmt_list; /* UINT64_MAX: none */
	uint64_t dwo_id, str_offsets_base, addr_base, rnglists_base, loclists_base;
	uint64_t language;    /* DW_LANG_ */
	uint64_t loc_base;    /* package of version 2: likewise, in .debug_loc */
	uint64_t ranges_base; /* DWARF 4 split: to be added to offsets in .debug_ranges */

	const struct pk_abbrevs *abbrevs;
	struct pk_scopes *scopes;
	struct pk_lines *lines;
	/* A skeleton's other half, and of that the skeleton: it has the addresses and the lines. */
	struct pk_unit *split, *skeleton;
	struct pk_enclosing *enclosing; /* NULL until it is asked for */
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

/* False: the budget is used up, and the file is not read any further. */
bool pk_dwarf_spend(struct pk_dwarf *d, uint64_t amount);
/* Can code be there? Functions that the linker dropped are at 0, or at the end of all addresses. */
bool pk_dwarf_is_code(const struct pk_dwarf *d, uint64_t address);

/* The function (that nothing is inlined into) that an address is in. False: none. */
bool pk_dwarf_function(struct pk_dwarf *d, uint64_t address, struct pk_unit **unit, uint64_t *die);

/* ---- Files ---- */

/* A file of debugging information is taken over; NULL: out of memory (elf is closed). */
struct pk_dwarf_file *pk_dwarf_file_add(struct pk_dwarf *d, struct pk_elf *elf, const char *path,
					bool split);
void pk_dwarf_file_free(struct pk_dwarf_file *f);

/* The supplementary file (dwz); NULL: none. */
struct pk_dwarf_file *pk_dwarf_alt(struct pk_dwarf *d);

/* ---- Units ---- */

/* Reads header and root. False: not a unit that we can use. */
bool pk_unit_read(struct pk_dwarf_file *f, uint64_t offset, struct pk_unit *unit);
/* The unit of that number; NULL: see above. */
struct pk_unit *pk_unit_get(struct pk_dwarf_file *f, size_t index);
/* The unit that an offset in .debug_info lies in; NULL: none. */
struct pk_unit *pk_unit_at(struct pk_dwarf_file *f, uint64_t offset);
/* The unit with the entries: itself, or the other half of a skeleton; NULL: not found. */
struct pk_unit *pk_unit_full(struct pk_unit *unit);
/* The type unit of a signature; its entry is at offset + type_die. NULL: none. */
struct pk_unit *pk_unit_of_signature(const struct pk_unit *from, uint64_t signature);

/* dwarf_types.c: the namespaces and classes of a unit */
void pk_enclosing_free(struct pk_enclosing *x);

/* ---- Lists of ranges and of locations: what they have in common ---- */

/* Only the list itself tells where it ends: it is read a piece of the section at a time. */
struct pk_dwarf_list {
	struct pk_unit *unit;
	size_t piece_size, entry_max; /* bytes */
	uint64_t base;		      /* that offsets are relative to */
	struct pk_dwarf_section *section;
	struct pk_cursor c;
};

void pk_dwarf_list_seek(struct pk_dwarf_list *l, struct pk_dwarf_section *section, uint64_t offset);
/* Before each entry: gets the next piece if the entry might not be whole. */
void pk_dwarf_list_continue(struct pk_dwarf_list *l);
/* The next pair of addresses, up to DWARF 4. False: that was the last. */
bool pk_dwarf_list_pair(struct pk_dwarf_list *l, uint64_t *low, uint64_t *high);
/* An address that is written as its index. */
uint64_t pk_dwarf_list_indexed(struct pk_dwarf_list *l);
/* Where the list of that index is, by the table at base. False: nowhere. */
bool pk_dwarf_list_offset(const struct pk_unit *unit, struct pk_dwarf_section *section,
			  uint64_t base, uint64_t index, uint64_t *offset);

/* ---- Ranges of addresses ---- */

/* False stops. */
typedef bool (*pk_range_fn)(void *arg, uint64_t low, uint64_t high);

/* The ranges of an entry by its attributes, which may be of class NONE. False: out of memory or
 * budget, or each said so. */
bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg);

#endif
