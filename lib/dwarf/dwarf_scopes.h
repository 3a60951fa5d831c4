/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a unit, those inlined into them, and their names. */
#ifndef PK_DWARF_SCOPES_H
#define PK_DWARF_SCOPES_H

#include "dwarf_unit.h"

struct pk_scope {
	uint64_t low;	 /* address of its first range; 0: none */
	uint32_t parent; /* index of the enclosing scope; of an inlined function: the function that
			  * it is inlined into; 0: none */
	uint32_t die;	 /* offset of its entry, from the unit's offset */
	uint32_t call_file, call_line, call_column;
	bool inlined;
};

struct pk_scopes {
	struct pk_scope *list; /* [0] is no scope: index 0 means "none" */
	size_t count, room;
	struct pk_symtable table; /* address ranges; an entry's name is an index in list */
};

/* The functions of a unit, read on first use (dwarf.c). Returns NULL if there are none, or they
 * could not be read. */
const struct pk_scopes *pk_unit_scopes(struct pk_unit *unit);
struct pk_scopes *pk_scopes_read(struct pk_unit *unit);
void pk_scopes_free(struct pk_scopes *s);
/* The name of the function, demangled if the options request it. Returns NULL if it is unknown.
 * Valid until pk_dwarf_free(). */
const char *pk_scope_name(struct pk_unit *unit, const struct pk_scope *scope);

struct pk_name {
	const char *text; /* NULL: the entry has no name */
	char *made;	  /* the text if it was allocated (demangled, cut); NULL: the text is in the
			   * file */
	bool used;
};

#endif
