/* SPDX-License-Identifier: BSD-2-Clause */
/* Debugging information entries, with the attributes that types and variables have. */
#ifndef PK_DWARF_ENTRY_H
#define PK_DWARF_ENTRY_H

#include "dwarf_internal.h"

struct pk_entry {
	uint64_t die; /* in .debug_info */
	uint16_t tag;
	bool children;
	bool declaration, external, prototyped;
	uint64_t sibling; /* in .debug_info; 0: not told */
	struct pk_form_value name, linkage_name, type, origin, signature;
	struct pk_form_value location, frame_base, low, high, ranges;
	struct pk_form_value member_location, data_bit_offset, bit_offset;
	struct pk_form_value byte_size, bit_size, upper_bound, count;
	uint64_t encoding;
};

/* False: damaged, or the budget is used up. */
bool pk_entry_read(struct pk_unit *unit, uint64_t die, struct pk_entry *e);

/* What a value of class REFERENCE... refers to: *unit is its own on entry. False: nothing. */
bool pk_entry_refer(struct pk_unit **unit, const struct pk_form_value *value, uint64_t *die);

/* Goes through entries, one after the other, those below an entry behind it. */
struct pk_entries {
	struct pk_unit *unit;
	struct pk_cursor c;
	const uint8_t *unit_bytes;	/* at the unit's offset */
	const struct pk_abbrev *abbrev; /* of the current entry */
	uint64_t die;			/* its place in .debug_info */
	unsigned depth, next_depth;	/* its depth; that of what follows */
};

/* Begins behind the entry at die, which has children: they have depth 1. False: damaged. */
bool pk_entries_below(struct pk_entries *w, struct pk_unit *unit, uint64_t die);
/* The next entry, of which one of the following calls must be made. False: there is none, or
 * damage. */
bool pk_entries_next(struct pk_entries *w);
bool pk_entries_read(struct pk_entries *w, struct pk_entry *e);
void pk_entries_skip(struct pk_entries *w);
/* After one of them: leaves out what is below it. sibling: of the entry, if it is known. */
void pk_entries_leave_out(struct pk_entries *w, uint64_t sibling);

#endif
