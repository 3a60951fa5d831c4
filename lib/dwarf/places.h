/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places in code by the names and lines of the source: functions with their inlined copies, the
 * statements of a function or of a file, and the variables that are visible at an address. The file
 * is untrusted, and the work is bounded as in dwarf.h.
 */
#ifndef PK_PLACES_H
#define PK_PLACES_H

#include "types.h"

struct pk_unit;

/* A function, or an inlined copy of one. */
struct pk_instance {
	const char *name;    /* in the source, without namespaces */
	const char *linkage; /* the linkage name; NULL: the same as the name, or unknown */
	const char *file;    /* where the function is declared; NULL: unknown */
	uint32_t line;	     /* 0: unknown */
	bool inlined;
	uint64_t entry;	    /* address of its first instruction */
	uint64_t container; /* the start of the function that contains the code */
	/* For the functions below: */
	struct pk_unit *unit;
	uint64_t die;	/* offset of the entry in .debug_info */
	uint32_t scope; /* its index in the scopes of the unit */
};

/* Returns false to stop. */
typedef bool (*pk_instance_fn)(void *arg, const struct pk_instance *instance);

/* Calls each for the functions whose name matches a shell pattern, and for their inlined copies, in
 * the order of the file. The name is the one in the source, the linkage name, or in C++ the
 * qualified name without parameters ("space::Class::method"). *instance is valid during the call,
 * its texts as long as t. Returns false if each has stopped it. */
bool pk_dwarf_places_functions(struct pk_types *t, const char *pattern, pk_instance_fn each,
			       void *arg);
/* The innermost function at an address, which can be an inlined copy. Returns false if there is
 * none. */
bool pk_dwarf_places_at(struct pk_types *t, uint64_t address, struct pk_instance *instance);
struct pk_statement;
/* The function or inlined copy to which a statement belongs: of those at its address, the one that
 * is declared last before it in its file. Returns false if there is none. */
bool pk_dwarf_places_of_line(struct pk_types *t, const struct pk_statement *statement,
			     struct pk_instance *instance);
/* The function or inlined copy that contains this inlined copy. Returns false if it is not
 * inlined. */
bool pk_dwarf_places_around(const struct pk_instance *inner, struct pk_instance *outer);

/* A statement of the line table. */
struct pk_statement {
	uint64_t address;
	const char *file;
	uint32_t line;
	/* Another statement, or the entry of the function, comes first at this address. */
	bool shared;
};

typedef bool (*pk_statement_fn)(void *arg, const struct pk_statement *statement);

/* Calls each for the statements of an instance, ascending by address, also for those of functions
 * that are inlined there. Returns false if each has stopped it. */
bool pk_dwarf_places_statements(const struct pk_instance *instance, pk_statement_fn each,
				void *arg);
/* Calls each for the statements of all files whose path is `file`, or ends with '/' and `file`.
 * Returns false if each has stopped it. */
bool pk_dwarf_places_file(struct pk_types *t, const char *file, pk_statement_fn each, void *arg);

/* The variables of an instance that have a location at an address, the deepest blocks last.
 * *variables is valid until the next call of this function, or of pk_types_variables(), with t. */
size_t pk_dwarf_places_variables(struct pk_types *t, const struct pk_instance *instance,
				 uint64_t address, const struct pk_variable **variables);
/* The function of an instance: its parameters and its result. Returns false if it is unknown. */
bool pk_dwarf_places_signature(struct pk_types *t, const struct pk_instance *instance,
			       struct pk_function *function);
/* Finds a structure, union, class, enum or base type by its name, without "struct" and the like.
 * Returns NONE if it is unknown. */
pk_type_id pk_type_named(struct pk_types *t, const char *name);

#endif
