/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files with debugging information (DWARF 2 to 5) and their units. The numbers are from the DWARF 5
 * standard, chapter 7, and from earlier extensions of GCC (https://gcc.gnu.org/wiki/DebugFission,
 * DW_*_GNU_*).
 *
 * The file is untrusted. Every read is limited to its section. A few bytes can refer to the same
 * data again and again. So there is a budget for the total work, which grows with the sizes of the
 * sections.
 */
#ifndef PK_DWARF_UNIT_H
#define PK_DWARF_UNIT_H

#include "dwarf.h"
#include "dwarf_form.h"
#include "dwarf_section.h"
#include "symtable.h"
#include "table.h"

/* An open file with debugging information. */
struct pk_dwarf_file {
	struct pk_dwarf_file *next; /* the next file in the list of all files of an object */
	struct pk_dwarf *dwarf;
	struct pk_elf *elf;
	char *path;
	bool split; /* true if the file is a .dwo or .dwp file */
	struct pk_dwarf_section info, abbrev, line, str, line_str, ranges, rnglists, addr,
		str_offsets, loc, loclists;
	struct pk_table abbrevs; /* The abbreviation tables that were read. The key is an offset in
				  * .debug_abbrev. The value is a struct pk_abbrevs. */
	uint64_t *offsets;	 /* the offsets of the units in .debug_info, in ascending order */
	struct pk_unit *
		*units; /* the units in the order of `offsets`; NULL if a unit was not read yet */
	size_t unit_count;
	struct pk_unit **type_units; /* sorted by signature; built when it is first used */
	size_t type_unit_count;
	bool type_units_tried;
};

struct pk_scopes;
struct pk_lines;
struct pk_enclosing;

/* A compilation unit or type unit. */
struct pk_unit {
	struct pk_dwarf_file *file;
	uint64_t offset, die, end; /* three offsets in .debug_info: of the unit's header, of its
				    * first entry, and of its end */
	uint64_t abbrev_offset;
	struct pk_form_sizes sizes;
	uint8_t type;
	uint64_t signature, type_die; /* For a type unit: its signature, and the distance from the
				       * unit's header to the entry of the type. */

	/* the attributes of the unit's root entry */
	struct pk_form_value name, comp_dir, dwo_name, low, high, ranges;
	uint64_t base; /* the address to which the offsets in lists of ranges and of locations are
			* added */
	uint64_t stmt_list; /* UINT64_MAX if there is no line table */
	uint64_t dwo_id, str_offsets_base, addr_base, rnglists_base, loclists_base;
	uint64_t language;    /* a constant DW_LANG_* */
	uint64_t loc_base;    /* in a .dwp of version 2: the offset at which this unit starts in
			       * .debug_loc.dwo */
	uint64_t ranges_base; /* for split DWARF 4: the number that is added to offsets in
			       * .debug_ranges */

	const struct pk_abbrevs *abbrevs;
	struct pk_scopes *scopes;
	struct pk_lines *lines;
	/* For a skeleton unit, `split` is its split unit, which has the entries. For a split unit,
	 * `skeleton` is its skeleton unit, which has the addresses and the lines. Otherwise NULL.
	 */
	struct pk_unit *split, *skeleton;
	struct pk_enclosing *enclosing; /* built when it is first used */
	bool scopes_tried, lines_tried, split_tried;
};

/* The debugging information of an object, which can be in several files. */
struct pk_dwarf {
	struct pk_dwarf_options options;
	struct pk_failures *failures;
	struct pk_dwarf_file *files; /* all open files; the file that was opened last is first */
	struct pk_dwarf_file *own, *alt;
	struct pk_dwarf_file *package; /* the .dwp file, or NULL if there is none */
	bool alt_tried, package_tried, failed;
	uint64_t budget;
	struct pk_symtable ranges; /* The address ranges of the units. The member `name` of an entry
				    * is the index of the unit in `own`. */
	struct pk_table names; /* The names that were looked up. The key is made of an entry and its
				* file. The value is a struct pk_name. */
	struct pk_name_budget names_budget; /* the limit for the total size of names of functions
					     * and paths of files */
	struct pk_elf_segment code[16];
	size_t code_count;
};

/* ---- Files ---- */

/* Adds a file with debugging information. Takes ownership of `elf`, even if it fails. Returns NULL
 * if memory is exhausted. */
struct pk_dwarf_file *pk_dwarf_file_add(struct pk_dwarf *d, struct pk_elf *elf, const char *path,
					bool split);
/* Frees a file, but not its units and its abbreviations. */
void pk_dwarf_file_free(struct pk_dwarf_file *f);
/* Opens another file with the callback of the caller, and adds it. `id` is the required build-id,
 * or NULL if any build-id is accepted. */
struct pk_dwarf_file *pk_dwarf_file_open(struct pk_dwarf *d, const char *path,
					 const struct pk_build_id *id, bool split);

/* Returns the supplementary file (dwz), or NULL if there is none. */
struct pk_dwarf_file *pk_dwarf_alt(struct pk_dwarf *d);

/* Subtracts `amount` from the budget. Returns false if the budget is used up. All further calls
 * then also return false, and nothing more is read. */
bool pk_dwarf_spend(struct pk_dwarf *d, uint64_t amount);
/* Returns true if the address is in one of the first 16 executable segments of the mapped file.
 * Functions that the linker has removed are not in such a segment. Their address is 0, or close to
 * the end of the address space. */
bool pk_dwarf_is_code(const struct pk_dwarf *d, uint64_t address);

/* Reads the length at the start of a unit of any section. Sets *offset_size to the size of an
 * offset in this unit. */
uint64_t pk_dwarf_length(struct pk_cursor *c, uint8_t *offset_size);

/* ---- Functions in dwarf.c ---- */

/* Finds the function that contains an address. For inlined code, it is the function into which the
 * code is inlined. Sets *die to the offset of its entry in .debug_info of *unit. Returns false if
 * there is no such function. */
bool pk_dwarf_function(struct pk_dwarf *d, uint64_t address, struct pk_unit **unit, uint64_t *die);

/* ---- Units ---- */

/* Returns true if a language is C (DWARF 5, 7.12, and DW_LANG_C11, C17). In C, types of the same
 * name are the same type. */
bool pk_language_is_c(uint64_t language);
/* Reads the header and the root entry of the unit at an offset in .debug_info. Returns false if the
 * unit cannot be used. */
bool pk_unit_read(struct pk_dwarf_file *f, uint64_t offset, struct pk_unit *unit);
/* Returns the unit with this index, and reads it when it is first used. Returns NULL if the unit
 * cannot be used, or if memory is exhausted. */
struct pk_unit *pk_unit_get(struct pk_dwarf_file *f, size_t index);
/* Returns the unit that contains an offset in .debug_info, or NULL if there is none. */
struct pk_unit *pk_unit_at(struct pk_dwarf_file *f, uint64_t offset);
/* Returns the unit that has the entries. For a skeleton unit, this is its split unit. For other
 * units, this is the unit itself. Returns NULL if the split unit was not found. */
struct pk_unit *pk_unit_full(struct pk_unit *unit);
/* Returns the type unit with this signature in the file of the unit `from`. The entry of the type
 * is at the sum of the members `offset` and `type_die` of the returned unit. Returns NULL if there
 * is no such unit. */
struct pk_unit *pk_unit_of_signature(const struct pk_unit *from, uint64_t signature);

/* ---- Functions for lists of ranges and lists of locations ---- */

/* A list of ranges or locations. Its size is not stored. So it is read up to its end in pieces of
 * `piece_size` bytes. */
struct pk_dwarf_list {
	struct pk_unit *unit;
	size_t piece_size, entry_max; /* `piece_size` is the size of a piece. `entry_max` is the
				       * largest size of an entry. Both are in bytes. */
	uint64_t base;		      /* the address to which the offsets in the list are added */
	struct pk_dwarf_section *section;
	struct pk_cursor c;
};

void pk_dwarf_list_seek(struct pk_dwarf_list *l, struct pk_dwarf_section *section, uint64_t offset);
/* Reads the next piece if the next entry can be incomplete. Call it before each entry. */
void pk_dwarf_list_continue(struct pk_dwarf_list *l);
/* Reads the next pair of addresses in .debug_ranges or .debug_loc (up to DWARF 4), and adds the
 * base to them. Returns false if the list ends or is damaged. */
bool pk_dwarf_list_pair(struct pk_dwarf_list *l, uint64_t *low, uint64_t *high);
/* Reads an index in .debug_addr, and returns the address at this index. */
uint64_t pk_dwarf_list_indexed(struct pk_dwarf_list *l);
/* Finds the offset of the list with this index. `base` is the offset of the table of offsets.
 * Returns false if the entry of the table is outside of the section. */
bool pk_dwarf_list_offset(const struct pk_unit *unit, struct pk_dwarf_section *section,
			  uint64_t base, uint64_t index, uint64_t *offset);

/* ---- Ranges of addresses ---- */

/* The callback returns false to stop. */
typedef bool (*pk_range_fn)(void *arg, uint64_t low, uint64_t high);

/* Calls `each` for the address ranges of an entry. These are the ranges of DW_AT_ranges, or the
 * range from DW_AT_low_pc to DW_AT_high_pc. If an attribute is missing, its class is PK_FORM_NONE.
 * Returns false if the budget is used up, or if `each` has returned false. */
bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg);

/* Finds the names of the namespaces and classes that contain an entry. The innermost is first. If a
 * namespace or class has no name, its item is NULL. Returns the number of names. */
size_t pk_enclosing_names(struct pk_unit *unit, uint64_t die, const char **names, size_t room);
void pk_enclosing_free(struct pk_enclosing *x);

/* ---- Entries with the attributes of types and variables ---- */

/* An entry (DIE), with the attributes of types and variables. */
struct pk_entry {
	uint64_t die; /* offset of the entry in .debug_info */
	uint16_t tag;
	bool children;
	bool declaration, external, prototyped;
	uint64_t sibling; /* offset of the next sibling in .debug_info, or 0 if it is unknown */
	struct pk_form_value name, linkage_name, type, origin, signature;
	struct pk_form_value location, frame_base, low, high, ranges, entry_pc;
	struct pk_form_value member_location, data_bit_offset, bit_offset;
	struct pk_form_value byte_size, bit_size, upper_bound, count;
	uint64_t encoding;
	uint64_t decl_file, decl_line; /* where the entry is declared; 0 if it is unknown */
};

/* Reads the entry at offset `die` in .debug_info. Returns false if the entry is damaged or the
 * budget is used up. */
bool pk_entry_read(struct pk_unit *unit, uint64_t die, struct pk_entry *e);

/* Finds the entry to which a value refers. The class of the value is PK_FORM_REFERENCE or
 * PK_FORM_REFERENCE_ALT. At first, *unit is the unit that has the value. It becomes the unit that
 * has the entry. *die becomes the offset of the entry in .debug_info. Returns false if there is no
 * such entry. *unit can then be NULL. */
bool pk_entry_refer(struct pk_unit **unit, const struct pk_form_value *value, uint64_t *die);

/* If the entry has no type or no name, copies them from the entries to which it refers
 * (DW_AT_abstract_origin, DW_AT_specification). *type_unit and *name_unit become the units that
 * contain these attributes. */
void pk_entry_complete(struct pk_unit *unit, struct pk_entry *e, struct pk_unit **type_unit,
		       struct pk_unit **name_unit);
/* pk_entry_name() returns the name of an entry (DW_AT_name). pk_entry_linkage_name() returns its
 * linkage name, or its name if it has no linkage name. They return NULL if there is no name. */
const char *pk_entry_name(struct pk_unit *unit, const struct pk_entry *e);
const char *pk_entry_linkage_name(struct pk_unit *unit, const struct pk_entry *e);

/* Iterates over entries in the order of the file. The children of an entry come directly after the
 * entry. */
struct pk_entries {
	struct pk_unit *unit;
	struct pk_cursor c;
	const uint8_t *unit_bytes;	/* the bytes of the unit, starting with its header */
	const struct pk_abbrev *abbrev; /* the abbreviation of the current entry */
	uint64_t die;			/* the offset of the current entry in .debug_info */
	unsigned depth, next_depth;	/* the depth of the current entry and of the next entry */
};

/* Starts the iteration at the children of the entry at offset `die`. The children have depth 1.
 * Returns false if the entry has no children or is damaged. */
bool pk_entries_below(struct pk_entries *w, struct pk_unit *unit, uint64_t die);
/* Moves to the next entry. The caller must then call pk_entries_read() or pk_entries_skip().
 * Returns false if there are no more entries, if they are damaged or nested too deep, or if the
 * budget is used up. */
bool pk_entries_next(struct pk_entries *w);
bool pk_entries_read(struct pk_entries *w, struct pk_entry *e);
void pk_entries_skip(struct pk_entries *w);
/* Skips the children of the current entry. Call it after pk_entries_read() or pk_entries_skip().
 * `sibling` is pk_entry.sibling, or 0 if it is unknown. */
void pk_entries_leave_out(struct pk_entries *w, uint64_t sibling);

#endif
