/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files with debugging information (DWARF 2 to 5) and their units. The numbers are those of the
 * DWARF 5 standard, chapter 7, and of GCC's earlier extensions
 * (https://gcc.gnu.org/wiki/DebugFission, DW_*_GNU_*).
 *
 * The file is untrusted: every read is bounded by its section. The total work is bounded by a
 * budget that grows with the sizes of the sections, because a few bytes can refer to the same data
 * again and again.
 */
#ifndef PK_DWARF_UNIT_H
#define PK_DWARF_UNIT_H

#include "dwarf.h"
#include "dwarf_form.h"
#include "dwarf_section.h"
#include "symtable.h"
#include "table.h"

struct pk_dwarf_file {
	struct pk_dwarf_file *next; /* the list of all files of an object */
	struct pk_dwarf *dwarf;
	struct pk_elf *elf;
	char *path;
	bool split; /* the file is a .dwo or .dwp */
	struct pk_dwarf_section info, abbrev, line, str, line_str, ranges, rnglists, addr,
		str_offsets, loc, loclists;
	struct pk_table abbrevs; /* struct pk_abbrevs by offset */
	uint64_t *offsets;	 /* of the units in .debug_info, ascending */
	struct pk_unit **units;	 /* by the same index; NULL: not yet read */
	size_t unit_count;
	struct pk_unit **type_units; /* sorted by signature; built on first use */
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
	uint64_t signature, type_die; /* of a type unit: its signature, and the offset of the type's
				       * entry from the unit's offset */

	/* attributes of the unit's root entry */
	struct pk_form_value name, comp_dir, dwo_name, low, high, ranges;
	uint64_t base;	    /* base address of lists of ranges and of locations */
	uint64_t stmt_list; /* UINT64_MAX: none */
	uint64_t dwo_id, str_offsets_base, addr_base, rnglists_base, loclists_base;
	uint64_t language; /* DW_LANG_ */
	uint64_t loc_base; /* in a .dwp of version 2: start of the unit's part of .debug_loc.dwo */
	uint64_t ranges_base; /* DWARF 4 split: added to offsets in .debug_ranges */

	const struct pk_abbrevs *abbrevs;
	struct pk_scopes *scopes;
	struct pk_lines *lines;
	/* split is the split unit of a skeleton unit. It has the entries. skeleton is the skeleton
	 * unit of a split unit. It has the addresses and the lines. */
	struct pk_unit *split, *skeleton;
	struct pk_enclosing *enclosing; /* built on first use */
	bool scopes_tried, lines_tried, split_tried;
};

struct pk_dwarf {
	struct pk_dwarf_options options;
	struct pk_failures *failures;
	struct pk_dwarf_file *files; /* all open files, the last opened one first */
	struct pk_dwarf_file *own, *alt;
	struct pk_dwarf_file *package; /* the .dwp; NULL: none */
	bool alt_tried, package_tried, failed;
	uint64_t budget;
	struct pk_symtable ranges; /* of units; an entry's name is the unit's index in own */
	struct pk_table names;	   /* struct pk_name by entry and file */
	struct pk_name_budget names_budget; /* for names of functions and paths of files */
	struct pk_elf_segment code[16];
	size_t code_count;
};

/* ---- Files ---- */

/* Adds a file with debugging information, and takes ownership of elf, also on failure. NULL: out of
 * memory. */
struct pk_dwarf_file *pk_dwarf_file_add(struct pk_dwarf *d, struct pk_elf *elf, const char *path,
					bool split);
/* Frees a file without its units and its abbreviations. */
void pk_dwarf_file_free(struct pk_dwarf_file *f);
/* Opens another file with the caller's function and adds it. id is the required build-id, or NULL
 * for any. */
struct pk_dwarf_file *pk_dwarf_file_open(struct pk_dwarf *d, const char *path,
					 const struct pk_build_id *id, bool split);

/* The supplementary file (dwz), or NULL if there is none. */
struct pk_dwarf_file *pk_dwarf_alt(struct pk_dwarf *d);

/* Subtracts amount from the budget. Returns false if the budget is used up. Then all further calls
 * fail, and nothing more is read. */
bool pk_dwarf_spend(struct pk_dwarf *d, uint64_t amount);
/* Whether the address is in an executable segment of the mapped file (one of the first 16).
 * Functions that the linker dropped are not: their address is 0 or close to the end of the address
 * space. */
bool pk_dwarf_is_code(const struct pk_dwarf *d, uint64_t address);

/* Reads the length at the start of a unit of any section, and sets *offset_size. */
uint64_t pk_dwarf_length(struct pk_cursor *c, uint8_t *offset_size);

/* ---- dwarf.c ---- */

/* Finds the function that contains an address. If that is inlined, it is the function that it is
 * inlined into. *die is the offset of its entry in .debug_info of *unit. Returns false if there is
 * none. */
bool pk_dwarf_function(struct pk_dwarf *d, uint64_t address, struct pk_unit **unit, uint64_t *die);

/* ---- Units ---- */

/* Whether a language is C (DWARF 5, 7.12, and DW_LANG_C11, C17). In C, types of the same name are
 * the same type. */
bool pk_language_is_c(uint64_t language);
/* Reads the header and the root entry of the unit at offset of .debug_info. Returns false if the
 * unit cannot be used. */
bool pk_unit_read(struct pk_dwarf_file *f, uint64_t offset, struct pk_unit *unit);
/* The unit with that index, read on first use. Returns NULL if it cannot be used, or memory is
 * exhausted. */
struct pk_unit *pk_unit_get(struct pk_dwarf_file *f, size_t index);
/* The unit that contains an offset in .debug_info, or NULL if there is none. */
struct pk_unit *pk_unit_at(struct pk_dwarf_file *f, uint64_t offset);
/* The unit with the entries: the split unit of a skeleton unit, otherwise the unit itself. Returns
 * NULL if the split unit was not found. */
struct pk_unit *pk_unit_full(struct pk_unit *unit);
/* The type unit with that signature, in the file of `from`; the type's entry is at offset +
 * type_die. NULL: none. */
struct pk_unit *pk_unit_of_signature(const struct pk_unit *from, uint64_t signature);

/* ---- Lists of ranges and of locations: common parts ---- */

/* A list of ranges or locations. Its size is not stored, so it is read in pieces of piece_size
 * bytes until its end. */
struct pk_dwarf_list {
	struct pk_unit *unit;
	size_t piece_size, entry_max; /* bytes of a piece; limit for the bytes of an entry */
	uint64_t base;		      /* base address, which is added to offsets */
	struct pk_dwarf_section *section;
	struct pk_cursor c;
};

void pk_dwarf_list_seek(struct pk_dwarf_list *l, struct pk_dwarf_section *section, uint64_t offset);
/* Reads the next piece if the next entry might be incomplete; to be called before each entry. */
void pk_dwarf_list_continue(struct pk_dwarf_list *l);
/* Reads the next pair of addresses of .debug_ranges or .debug_loc (up to DWARF 4), and adds the
 * base. Returns false if the list ends or is damaged. */
bool pk_dwarf_list_pair(struct pk_dwarf_list *l, uint64_t *low, uint64_t *high);
/* Reads an address that is stored as an index in .debug_addr. */
uint64_t pk_dwarf_list_indexed(struct pk_dwarf_list *l);
/* The offset of the list with that index, from the table of offsets at base. Returns false if the
 * entry is outside of the section. */
bool pk_dwarf_list_offset(const struct pk_unit *unit, struct pk_dwarf_section *section,
			  uint64_t base, uint64_t index, uint64_t *offset);

/* ---- Ranges of addresses ---- */

/* Returns false to stop. */
typedef bool (*pk_range_fn)(void *arg, uint64_t low, uint64_t high);

/* Calls each for the address ranges of an entry: those of DW_AT_ranges, or the one from
 * DW_AT_low_pc to DW_AT_high_pc. The class of missing attributes is PK_FORM_NONE. Returns false if
 * the budget is used up, or if each has stopped it. */
bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg);

/* The names of the namespaces and classes around an entry, the innermost first. The name of one
 * without a name is NULL. Returns their number. */
size_t pk_enclosing_names(struct pk_unit *unit, uint64_t die, const char **names, size_t room);
void pk_enclosing_free(struct pk_enclosing *x);

/* ---- Entries, with the attributes of types and variables ---- */

struct pk_entry {
	uint64_t die; /* offset of the entry in .debug_info */
	uint16_t tag;
	bool children;
	bool declaration, external, prototyped;
	uint64_t sibling; /* offset of the next sibling in .debug_info; 0: unknown */
	struct pk_form_value name, linkage_name, type, origin, signature;
	struct pk_form_value location, frame_base, low, high, ranges, entry_pc;
	struct pk_form_value member_location, data_bit_offset, bit_offset;
	struct pk_form_value byte_size, bit_size, upper_bound, count;
	uint64_t encoding;
	uint64_t decl_file, decl_line; /* where it is declared; 0: unknown */
};

/* Reads the entry at offset die of .debug_info. Returns false if it is damaged, or the budget is
 * used up. */
bool pk_entry_read(struct pk_unit *unit, uint64_t die, struct pk_entry *e);

/* Finds the entry that a value of class PK_FORM_REFERENCE or PK_FORM_REFERENCE_ALT refers to. *unit
 * is the unit with the value, and becomes the unit with the entry. *die becomes the entry's offset
 * in .debug_info. Returns false if there is none. *unit can be NULL then. */
bool pk_entry_refer(struct pk_unit **unit, const struct pk_form_value *value, uint64_t *die);

/* If the entry has no type or no name, copies them from the entries that it refers to
 * (DW_AT_abstract_origin, DW_AT_specification). *type_unit, *name_unit: the units of these
 * attributes. */
void pk_entry_complete(struct pk_unit *unit, struct pk_entry *e, struct pk_unit **type_unit,
		       struct pk_unit **name_unit);
/* The name of an entry (DW_AT_name), and its linkage name, or the name if it has none. NULL:
 * none. */
const char *pk_entry_name(struct pk_unit *unit, const struct pk_entry *e);
const char *pk_entry_linkage_name(struct pk_unit *unit, const struct pk_entry *e);

/* Iterates over entries in the order of the file: the children of an entry come directly after
 * it. */
struct pk_entries {
	struct pk_unit *unit;
	struct pk_cursor c;
	const uint8_t *unit_bytes;	/* the bytes at the unit's offset in .debug_info */
	const struct pk_abbrev *abbrev; /* of the current entry */
	uint64_t die;			/* its offset in .debug_info */
	unsigned depth, next_depth;	/* depth of the current entry, and of the next one */
};

/* Starts the iteration at the children of the entry at die, which have depth 1. Returns false if
 * the entry has no children, or is damaged. */
bool pk_entries_below(struct pk_entries *w, struct pk_unit *unit, uint64_t die);
/* Moves to the next entry. Then the caller must call pk_entries_read() or pk_entries_skip().
 * Returns false if there are no more entries, if they are damaged or nested too deep, or if the
 * budget is used up. */
bool pk_entries_next(struct pk_entries *w);
bool pk_entries_read(struct pk_entries *w, struct pk_entry *e);
void pk_entries_skip(struct pk_entries *w);
/* Skips the children of the current entry. To be called after pk_entries_read() or
 * pk_entries_skip(). sibling is pk_entry.sibling, or 0 if it is unknown. */
void pk_entries_leave_out(struct pk_entries *w, uint64_t sibling);

#endif
