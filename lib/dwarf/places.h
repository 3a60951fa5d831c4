/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds places in code by names and lines of the source. The places are functions with their
 * inlined copies, the statements of a function or of a file, and the variables that are visible at
 * an address. The file is untrusted, and the work is bounded as in dwarf.h.
 */
#ifndef PK_PLACES_H
#define PK_PLACES_H

#include "types.h"

struct pk_unit;

/* A function, or an inlined copy of a function. */
struct pk_instance {
	const char *name;    /* the name in the source, without namespaces */
	const char *linkage; /* the linkage name; NULL if there is none, or if it is the same as
			      * `name` */
	const char *file;    /* the file where the function is declared, or NULL if it is unknown */
	uint32_t line;	     /* the line where the function is declared; 0 if it is unknown */
	bool inlined;
	uint64_t entry;	    /* the address of the first instruction that is executed */
	uint64_t container; /* the start of the function that contains the code */
	/* Only the functions that this file declares use the following members. */
	struct pk_unit *unit;
	uint64_t die;	/* offset of the entry in .debug_info */
	uint32_t scope; /* the index of the function or inlined copy in the scopes of the unit */
};

/* The callback returns false to stop. */
typedef bool (*pk_instance_fn)(void *arg, const struct pk_instance *instance);

/* Calls `each` for the functions whose name matches a shell pattern, and for their inlined copies,
 * in the order of the file. The pattern is compared with the name in the source and with the
 * linkage name. In C++, it is also compared with the qualified name without parameters
 * ("space::Class::method"). *instance is valid during the call. Its texts are valid as long as `t`.
 * Returns false if `each` has returned false. */
bool pk_dwarf_places_functions(struct pk_types *t, const char *pattern, pk_instance_fn each,
			       void *arg);
/* Finds the innermost function at an address, which can be an inlined copy. Returns false if there
 * is none. */
bool pk_dwarf_places_at(struct pk_types *t, uint64_t address, struct pk_instance *instance);
struct pk_statement;
/* Finds the function or inlined copy to which a statement belongs. If several of them contain the
 * address of the statement, the result is the one whose declaration is the last before the
 * statement, in the same file. Returns false if there is none. */
bool pk_dwarf_places_of_line(struct pk_types *t, const struct pk_statement *statement,
			     struct pk_instance *instance);
/* Finds the function or inlined copy that contains the inlined copy `inner`. Returns false if
 * `inner` is not inlined. */
bool pk_dwarf_places_around(const struct pk_instance *inner, struct pk_instance *outer);

/* A statement in the line table. */
struct pk_statement {
	uint64_t address;
	const char *file;
	uint32_t line;
	/* True if this is not the first statement at its address. Also true if the address is the
	 * entry of the function, and the statement is not the line where the function is declared.
	 */
	bool shared;
};

typedef bool (*pk_statement_fn)(void *arg, const struct pk_statement *statement);

/* Calls `each` for the statements of an instance, in the order of their addresses. It includes the
 * statements of functions that are inlined there. Returns false if `each` has returned false. */
bool pk_dwarf_places_statements(const struct pk_instance *instance, pk_statement_fn each,
				void *arg);
/* Calls `each` for the statements of all files whose path is equal to `file`, or ends with '/' and
 * `file`. Returns false if `each` has returned false. */
bool pk_dwarf_places_file(struct pk_types *t, const char *file, pk_statement_fn each, void *arg);

/* Finds the variables of an instance that have a location at an address. Variables in the deepest
 * blocks are last. *variables is valid until the next call of this function or of
 * pk_types_variables() with `t`. */
size_t pk_dwarf_places_variables(struct pk_types *t, const struct pk_instance *instance,
				 uint64_t address, const struct pk_variable **variables);
/* Finds the parameters and the result of the function of an instance. Returns false if they are
 * unknown. */
bool pk_dwarf_places_signature(struct pk_types *t, const struct pk_instance *instance,
			       struct pk_function *function);
/* Finds a structure, union, class, enum or base type by its name. The name does not include words
 * such as "struct". Returns PK_TYPE_NONE if the type is unknown. */
pk_type_id pk_type_named(struct pk_types *t, const char *name);

#endif
