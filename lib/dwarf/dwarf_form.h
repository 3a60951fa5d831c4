/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the attributes of debugging information entries: abbreviations, forms and values. */
#ifndef PK_DWARF_FORM_H
#define PK_DWARF_FORM_H

#include "dwarf_constants.h"
#include "dwarf_cursor.h"

struct pk_dwarf_file;
struct pk_unit;

/* ---- Abbreviations: the attributes of entries with the same code ---- */

/* An attribute in an abbreviation: its name and its form. */
struct pk_abbrev_attr {
	uint16_t name, form;
	int32_t constant; /* the value of DW_FORM_implicit_const, cut to 32 bits */
};

/* An abbreviation: the tag and the attributes of all entries with this code. */
struct pk_abbrev {
	uint64_t code;
	uint32_t first, count; /* the range of the abbreviation's attributes in pk_abbrevs.attrs */
	uint16_t tag;
	bool children;
	int32_t size; /* The number of bytes that the attributes need in an entry. It is -1 if the
		       * number is not the same in all entries. */
};

/* The DWARF version, and the sizes in bytes of an address and of an offset. They determine the
 * sizes of forms. */
struct pk_form_sizes {
	uint8_t version, address, offset;
};

/* A table of abbreviations. */
struct pk_abbrevs {
	struct pk_form_sizes sizes;
	struct pk_abbrev *list; /* sorted by code */
	size_t count;
	struct pk_abbrev_attr *attrs;
	bool dense; /* true if the code of list[i] is i + 1 */
};

/* Returns the table at an offset in .debug_abbrev, and reads it when it is first used. If the table
 * is damaged, it ends before the damage. Returns NULL if memory is exhausted or the budget is used
 * up. */
const struct pk_abbrevs *pk_abbrevs_get(struct pk_dwarf_file *f, uint64_t offset,
					const struct pk_form_sizes *sizes);
/* Finds an abbreviation by its code. Returns NULL if there is no such abbreviation. */
const struct pk_abbrev *pk_abbrevs_find(const struct pk_abbrevs *t, uint64_t code);
void pk_abbrevs_free(struct pk_dwarf_file *f);

/* ---- Values of attributes ---- */

/* The kind of the value of an attribute. */
enum pk_form_class {
	PK_FORM_NONE,
	PK_FORM_OTHER, /* a class that no caller needs */
	PK_FORM_CONSTANT,
	PK_FORM_ADDRESS,
	PK_FORM_ADDRESS_INDEX,
	PK_FORM_REFERENCE,     /* `v` is an offset in .debug_info */
	PK_FORM_REFERENCE_ALT, /* `v` is an offset in .debug_info of the supplementary file */
	PK_FORM_STRING,	       /* `text` is the string */
	PK_FORM_STRING_OFFSET, /* `v` is an offset in .debug_str */
	PK_FORM_STRING_LINE,   /* `v` is an offset in .debug_line_str */
	PK_FORM_STRING_ALT,    /* `v` is an offset in .debug_str of the supplementary file */
	PK_FORM_STRING_INDEX,
	PK_FORM_SECTION_OFFSET, /* `v` is an offset in another section. Up to DWARF 3, a number of 4
				 * or 8 bytes has the same form, so it also gets this class. */
	PK_FORM_LIST_INDEX,
	PK_FORM_BLOCK,	   /* `text` has `v` bytes */
	PK_FORM_SIGNATURE, /* `v` is the signature of a type unit */
};

struct pk_form_value {
	enum pk_form_class class;
	uint64_t v;
	const char *text;
};

void pk_form_read(struct pk_cursor *c, const struct pk_unit *unit,
		  const struct pk_abbrev_attr *attr, struct pk_form_value *value);
void pk_form_skip(struct pk_cursor *c, unsigned form, const struct pk_form_sizes *sizes);
/* Returns the string of an attribute. Returns NULL if the attribute is not a string, or if its
 * offset is invalid. */
const char *pk_unit_string(struct pk_unit *unit, const struct pk_form_value *value);
bool pk_unit_address(struct pk_unit *unit, const struct pk_form_value *value, uint64_t *address);

#endif
