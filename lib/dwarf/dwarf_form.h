/* SPDX-License-Identifier: BSD-2-Clause */
/* The attributes of debugging information entries: abbreviations, forms, and values. */
#ifndef PK_DWARF_FORM_H
#define PK_DWARF_FORM_H

#include "dwarf_constants.h"
#include "dwarf_cursor.h"

struct pk_dwarf_file;
struct pk_unit;

/* ---- Abbreviations: the attributes of an entry, by its code ---- */

struct pk_abbrev_attr {
	uint16_t name, form;
	int32_t constant; /* value of DW_FORM_implicit_const, cut to 32 bits */
};

struct pk_abbrev {
	uint64_t code;
	uint32_t first, count; /* of its attributes in pk_abbrevs.attrs */
	uint16_t tag;
	bool children;
	int32_t size; /* bytes of an entry's attributes; -1: not the same in all entries */
};

/* The DWARF version, and the bytes of an address and of an offset. They determine the sizes of
 * forms. */
struct pk_form_sizes {
	uint8_t version, address, offset;
};

struct pk_abbrevs {
	struct pk_form_sizes sizes;
	struct pk_abbrev *list; /* sorted by code */
	size_t count;
	struct pk_abbrev_attr *attrs;
	bool dense; /* list[i].code is i + 1 */
};

/* The table at offset of .debug_abbrev, read on first use. A damaged table ends at the damage.
 * NULL: out of memory or budget. */
const struct pk_abbrevs *pk_abbrevs_get(struct pk_dwarf_file *f, uint64_t offset,
					const struct pk_form_sizes *sizes);
/* Finds an abbreviation by its code. NULL: none. */
const struct pk_abbrev *pk_abbrevs_find(const struct pk_abbrevs *t, uint64_t code);
void pk_abbrevs_free(struct pk_dwarf_file *f);

/* ---- Values of attributes ---- */

enum pk_form_class {
	PK_FORM_NONE,
	PK_FORM_OTHER, /* not needed by any caller */
	PK_FORM_CONSTANT,
	PK_FORM_ADDRESS,
	PK_FORM_ADDRESS_INDEX,
	PK_FORM_REFERENCE,     /* an offset in .debug_info */
	PK_FORM_REFERENCE_ALT, /* an offset in .debug_info of the supplementary file */
	PK_FORM_STRING,	       /* the string is at text */
	PK_FORM_STRING_OFFSET, /* v is an offset in .debug_str */
	PK_FORM_STRING_LINE,   /* v is an offset in .debug_line_str */
	PK_FORM_STRING_ALT,    /* v is an offset in .debug_str of the supplementary file */
	PK_FORM_STRING_INDEX,
	PK_FORM_SECTION_OFFSET, /* up to DWARF 3 also any number of 4 or 8 bytes */
	PK_FORM_LIST_INDEX,
	PK_FORM_BLOCK,	   /* v bytes at text */
	PK_FORM_SIGNATURE, /* v is the signature of a type unit */
};

struct pk_form_value {
	enum pk_form_class class;
	uint64_t v;
	const char *text;
};

void pk_form_read(struct pk_cursor *c, const struct pk_unit *unit,
		  const struct pk_abbrev_attr *attr, struct pk_form_value *value);
void pk_form_skip(struct pk_cursor *c, unsigned form, const struct pk_form_sizes *sizes);
/* The string of an attribute. Returns NULL if the attribute is no string, or its offset is
 * invalid. */
const char *pk_unit_string(struct pk_unit *unit, const struct pk_form_value *value);
bool pk_unit_address(struct pk_unit *unit, const struct pk_form_value *value, uint64_t *address);

#endif
