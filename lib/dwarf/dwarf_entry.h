/* SPDX-License-Identifier: BSD-2-Clause */
/* Debugging information entries, with the attributes of types and variables. */
#ifndef PK_DWARF_ENTRY_H
#define PK_DWARF_ENTRY_H

#include "dwarf_form.h"

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

/* Reads the entry at offset die of .debug_info. False: damaged, or the budget is used up. */
bool pk_entry_read(struct pk_unit *unit, uint64_t die, struct pk_entry *e);

/* Finds the entry that a value of class PK_FORM_REFERENCE or PK_FORM_REFERENCE_ALT refers to. *unit
 * is the unit with the value, and becomes the unit with the entry; *die becomes the entry's offset
 * in .debug_info. False: none; *unit can be NULL then. */
bool pk_entry_refer(struct pk_unit **unit, const struct pk_form_value *value, uint64_t *die);

/* If the entry has no type or no name, copies them from the entries that it refers to
 * (DW_AT_abstract_origin, DW_AT_specification). *type_unit, *name_unit: the units of these
 * attributes. */
void pk_entry_complete(struct pk_unit *unit, struct pk_entry *e, struct pk_unit **type_unit,
		       struct pk_unit **name_unit);
/* The name of an entry (DW_AT_name). The linkage name; if there is none, the name. NULL: none. */
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

/* Starts the iteration at the children of the entry at die, which have depth 1. False: the entry
 * has no children, or is damaged. */
bool pk_entries_below(struct pk_entries *w, struct pk_unit *unit, uint64_t die);
/* Moves to the next entry. Then the caller must call pk_entries_read() or pk_entries_skip(). False:
 * no more entries, damage, too deep, or the budget is used up. */
bool pk_entries_next(struct pk_entries *w);
bool pk_entries_read(struct pk_entries *w, struct pk_entry *e);
void pk_entries_skip(struct pk_entries *w);
/* Skips the children of the current entry; to be called after pk_entries_read() or
 * pk_entries_skip(). sibling: pk_entry.sibling, or 0: unknown. */
void pk_entries_leave_out(struct pk_entries *w, uint64_t sibling);

#endif
