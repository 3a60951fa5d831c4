/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the functions of a unit, the functions that are inlined into them, and their names. */
#ifndef PK_DWARF_SCOPES_H
#define PK_DWARF_SCOPES_H

#include "dwarf_unit.h"

struct pk_name;

/* A function, or an inlined copy of a function. */
struct pk_scope {
	uint64_t low; /* the start of the function's first address range, or 0 if the function has
		       * no range */
	/* The index of the scope that contains this scope. For an inlined function, it is the
	 * function into which it is inlined. 0 if there is none. */
	uint32_t parent;
	uint32_t die; /* the distance from the unit's header to the entry in bytes */
	uint32_t call_file, call_line, call_column, call_discriminator;
	struct pk_name *name; /* only dwarf_scopes.c uses it; NULL until it is first needed */
	bool inlined;
};

/* The functions of a unit. */
struct pk_scopes {
	struct pk_scope *list; /* list[0] is empty, because index 0 means that there is no scope */
	size_t count, room;
	struct pk_symtable table; /* The address ranges of the functions. The member `name` of an
				   * entry is an index in `list`. */
};

/* pk_unit_scopes() returns the functions of a unit, and reads them when they are first used
 * (dwarf.c). It returns NULL if there are no functions, or if they could not be read. */
const struct pk_scopes *pk_unit_scopes(struct pk_unit *unit);
struct pk_scopes *pk_scopes_read(struct pk_unit *unit);
void pk_scopes_free(struct pk_scopes *s);
/* Returns the name of the function. It is demangled if the options request it. Returns NULL if the
 * name is unknown. The name is valid until pk_dwarf_free() is called. */
const char *pk_scope_name(struct pk_unit *unit, const struct pk_scope *scope);
/* Returns the line where the function is declared, or 0 if it is unknown. */
uint32_t pk_scope_declared(struct pk_unit *unit, const struct pk_scope *scope);

/* The name of a function, which is looked up once. */
struct pk_name {
	const char *text; /* NULL if the entry has no name */
	char *made; /* The text in its own memory, if it was demangled or cut. NULL if `text` points
		     * into the file. */
	uint32_t declared; /* the line where the function is declared; 0 if it is unknown */
	bool used;
};

#endif
