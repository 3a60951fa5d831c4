/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside the reader of DWARF 2 to 5. The numbers are those of the DWARF 5 standard, chapter 7, and
 * of GCC's extensions before it (https://gcc.gnu.org/wiki/DebugFission, DW_*_GNU_*).
 *
 * Nothing here trusts the file: what is read is bounded by its section, and all the work together
 * by a budget that grows with the sizes of the sections, since a few bytes can refer to the same
 * many ones again and again.
 */
#ifndef PK_DWARF_INTERNAL_H
#define PK_DWARF_INTERNAL_H

#include "dwarf.h"
#include "dwarf_constants.h"
#include "dwarf_section.h"
#include "symtable.h"
#include "table.h"
#include "vector.h"

/* ---- Abbreviations: what attributes an entry of some code has (dwarf_abbrev.c) ---- */

struct pk_abbrev_attr {
	uint16_t name, form;
	int32_t constant; /* of DW_FORM_implicit_const; nobody needs longer ones */
};

struct pk_abbrev {
	uint64_t code;
	uint32_t first, count; /* in the table's attrs */
	uint16_t tag;
	bool children;
	int32_t size; /* of the attributes of an entry; -1: varies */
};

/* How long numbers are, which decides on the sizes of forms. */
struct pk_form_sizes {
	uint8_t version, address, offset;
};

struct pk_abbrevs {
	struct pk_form_sizes sizes;
	struct pk_abbrev *list; /* by code */
	size_t count;
	struct pk_abbrev_attr *attrs;
	bool dense; /* list[i].code is i + 1 */
};

/* ---- Values of attributes (dwarf_form.c) ---- */

enum pk_form_class {
	PK_FORM_NONE,
	PK_FORM_OTHER, /* nothing that anybody here asks for */
	PK_FORM_CONSTANT,
	PK_FORM_ADDRESS,
	PK_FORM_ADDRESS_INDEX,
	PK_FORM_REFERENCE,     /* an offset in .debug_info */
	PK_FORM_REFERENCE_ALT, /* an offset in that of the supplementary file */
	PK_FORM_STRING,	       /* text is it */
	PK_FORM_STRING_OFFSET, /* in .debug_str */
	PK_FORM_STRING_LINE,   /* in .debug_line_str */
	PK_FORM_STRING_ALT,    /* in .debug_str of the supplementary file */
	PK_FORM_STRING_INDEX,
	PK_FORM_SECTION_OFFSET,
	PK_FORM_LIST_INDEX,
	PK_FORM_BLOCK,	   /* v bytes, at text */
	PK_FORM_SIGNATURE, /* of a type unit */
};

struct pk_form_value {
	enum pk_form_class class;
	uint64_t v;
	const char *text;
};

/* ---- Files and units ---- */

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

struct pk_name {
	const char *text; /* NULL: it has none */
	char *made;	  /* the text, unless it stands in the file */
	bool used;
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

/* False: the budget is used up, and the file is not read any further. */
bool pk_dwarf_spend(struct pk_dwarf *d, uint64_t amount);
/* Can code be there? Functions that the linker dropped are at 0, or at the end of all addresses. */
bool pk_dwarf_is_code(const struct pk_dwarf *d, uint64_t address);

/* The function (that nothing is inlined into) that an address is in. False: none. */
bool pk_dwarf_function(struct pk_dwarf *d, uint64_t address, struct pk_unit **unit, uint64_t *die);

/* A file of debugging information is taken over; NULL: out of memory (elf is closed). */
struct pk_dwarf_file *pk_dwarf_file_add(struct pk_dwarf *d, struct pk_elf *elf, const char *path,
					bool split);
void pk_dwarf_file_free(struct pk_dwarf_file *f);

/* ---- dwarf_abbrev.c ---- */

/* NULL: damaged, or out of memory or budget. */
const struct pk_abbrevs *pk_abbrevs_get(struct pk_dwarf_file *f, uint64_t offset,
					const struct pk_form_sizes *sizes);
/* NULL: no such code. */
const struct pk_abbrev *pk_abbrevs_find(const struct pk_abbrevs *t, uint64_t code);
void pk_abbrevs_free(struct pk_dwarf_file *f);

/* ---- dwarf_form.c ---- */

/* Of an attribute of that form; -1: varies. */
int pk_form_size(unsigned form, const struct pk_form_sizes *sizes);
void pk_form_read(struct pk_cursor *c, const struct pk_unit *unit,
		  const struct pk_abbrev_attr *attr, struct pk_form_value *value);
void pk_form_skip(struct pk_cursor *c, unsigned form, const struct pk_form_sizes *sizes);
/* NULL: it is none, or leads nowhere. */
const char *pk_unit_string(struct pk_unit *unit, const struct pk_form_value *value);
bool pk_unit_address(struct pk_unit *unit, const struct pk_form_value *value, uint64_t *address);

/* ---- dwarf_unit.c ---- */

/* Lists the units of a file. */
bool pk_units_list(struct pk_dwarf_file *f);
/* Reads header and root. False: not a unit that we can use. */
bool pk_unit_read(struct pk_dwarf_file *f, uint64_t offset, struct pk_unit *unit);
/* The unit of that number; NULL: see above. */
struct pk_unit *pk_unit_get(struct pk_dwarf_file *f, size_t index);
/* The unit that an offset in .debug_info lies in; NULL: none. */
struct pk_unit *pk_unit_at(struct pk_dwarf_file *f, uint64_t offset);
/* Its abbreviations; NULL: damaged. */
const struct pk_abbrevs *pk_unit_abbrevs(struct pk_unit *unit);
void pk_unit_free(struct pk_unit *unit);

/* ---- dwarf_ranges.c ---- */

/* False stops. */
typedef bool (*pk_range_fn)(void *arg, uint64_t low, uint64_t high);

/* The ranges of an entry by its attributes, which may be of class NONE. False: out of memory or
 * budget, or each said so. */
bool pk_ranges_each(struct pk_unit *unit, const struct pk_form_value *low,
		    const struct pk_form_value *high, const struct pk_form_value *ranges,
		    pk_range_fn each, void *arg);

/* ---- dwarf_scopes.c: the functions of a unit, and what is inlined into them ---- */

struct pk_scope {
	uint64_t low;	 /* where it begins */
	uint32_t parent; /* index; what an inlined one is inlined into */
	uint32_t die;	 /* behind the unit's offset */
	uint32_t call_file, call_line, call_column;
	bool inlined;
};

struct pk_scopes {
	struct pk_scope *list; /* [0] is not used */
	size_t count, room;
	struct pk_symtable table; /* name: index in list */
};

struct pk_scopes *pk_scopes_read(struct pk_unit *unit);
void pk_scopes_free(struct pk_scopes *s);
/* What its entry is called; NULL: not known. Kept. */
const char *pk_scope_name(struct pk_unit *unit, const struct pk_scope *scope);

/* ---- dwarf_enclosing.c: what namespaces and classes an entry is in ---- */

/* The innermost first; NULL: one without a name. How many. */
size_t pk_enclosing_names(struct pk_unit *unit, uint64_t die, const char **names, size_t room);
void pk_enclosing_free(struct pk_enclosing *x);

/* ---- dwarf_line.c ---- */

struct pk_line {
	uint64_t address;
	uint32_t line; /* PK_LINE_END: nothing is known from here on */
	uint32_t file;
	uint32_t column;
};
#define PK_LINE_END UINT32_MAX

struct pk_lines {
	struct pk_line *rows;
	size_t count, room;
	struct pk_line_file *files;
	size_t file_count;
	struct pk_form_value *dirs;
	size_t dir_count;
	char **paths; /* by file, once they were asked for */
	uint16_t version;
};

struct pk_line_file {
	struct pk_form_value name;
	uint64_t dir;
};

struct pk_lines *pk_lines_read(struct pk_unit *unit);
void pk_lines_free(struct pk_lines *l);
/* NULL: none covers the address. */
const struct pk_line *pk_lines_find(const struct pk_lines *l, uint64_t address);
/* The full name of a file, by the number that rows and entries have. NULL: no such file. */
const char *pk_lines_path(struct pk_unit *unit, struct pk_lines *l, uint64_t file);

/* dwarf_line_header.c: *program is where its instructions begin. NULL: damaged. */
struct pk_line_header {
	struct pk_cursor program;
	struct pk_form_sizes sizes;
	uint8_t min_length, max_ops, line_range, opcode_base;
	int8_t line_base;
	uint8_t lengths[256];
};
bool pk_line_header_read(struct pk_unit *unit, struct pk_lines *l, struct pk_line_header *h);

/* ---- dwarf_split.c: units that are in files of their own ---- */

/* The unit with the entries: itself, or the other half of a skeleton; NULL: not found. */
struct pk_unit *pk_unit_full(struct pk_unit *unit);
/* The supplementary file (dwz); NULL: none. */
struct pk_dwarf_file *pk_dwarf_alt(struct pk_dwarf *d);

#endif
