/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a unit, those inlined into them, and their names. */
#ifndef PK_DWARF_SCOPES_H
#define PK_DWARF_SCOPES_H

#include "dwarf_unit.h"

struct pk_scope {
	uint64_t low;	 /* its start */
	uint32_t parent; /* index of the scope that an inlined one is inlined into */
	uint32_t die;	 /* from the unit's offset */
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
/* The name of its entry; NULL: unknown. Valid as long as the unit. */
const char *pk_scope_name(struct pk_unit *unit, const struct pk_scope *scope);

struct pk_name {
	const char *text; /* NULL: it has none */
	char *made;	  /* the text if it is not in the file */
	bool used;
};

#endif
