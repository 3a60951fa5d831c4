/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of an object, which are decoded once, and an index of names and addresses. These files
 * use them: type_index.c, dwarf_types.c, type_members.c, variables.c, structure_lists.c and
 * object_debug.c. */
#ifndef PK_TYPE_SLOTS_H
#define PK_TYPE_SLOTS_H

#include "dwarf_unit.h"
#include "table.h"
#include "types.h"

/* The limit for chains of typedefs and for nested structures. */
enum { PK_TYPE_HOPS = 64 };

/* A type, which is decoded when it is first used. */
struct pk_type_slot {
	/* The unit that contains the entry of the type. It is NULL for PK_TYPE_NONE, PK_TYPE_VOID,
	 * and types that pk_type_pointer() has created. */
	struct pk_unit *unit;
	uint64_t die;
	uint32_t dimension; /* how many dimensions of the entry, which is an array, are removed; 0
			     * for the whole type */
	bool decoded, completed, members_read;
	bool is_c;
	struct pk_type type;
	pk_type_id definition; /* if the entry is a declaration: the type that defines it, or
				* PK_TYPE_NONE if there is none */
	pk_type_id pointer; /* the type "pointer to this type"; PK_TYPE_NONE until pk_type_pointer()
			     * is called */
	const char *plain; /* the name in the entry, without namespaces; NULL if there is no name */
	char *name;	   /* the full name; built when it is first used */
	struct pk_member *members;
	size_t member_count;
};

/* ---- The index ---- */

enum pk_named_kind { PK_NAMED_TYPE, PK_NAMED_VARIABLE, PK_NAMED_FUNCTION };

/* A name in the index: a type, a variable or a function. */
struct pk_named {
	const char *name;
	struct pk_unit *unit;
	uint64_t die, size;
	uint8_t kind;
	bool declared;	/* true if the file only declares this name, but does not define it */
	bool ambiguous; /* true if definitions of different sizes have this name */
};

/* A variable with static storage in the index of addresses. */
struct pk_placed {
	uint64_t address;
	struct pk_unit *unit;
	uint64_t die;
	/* The bytes of the variable that are at `address`. `piece` is the index of the first byte,
	 * and `piece_size` is the number of bytes. If piece_size is 0, all bytes are there. */
	uint64_t piece, piece_size;
	bool described;
	const char *name; /* set if `described` is true; NULL if the variable has no name */
	pk_type_id type;
};

struct pk_placed_list {
	struct pk_placed *list;
	size_t count, room;
};

/* ---- Functions and their variables ---- */

struct pk_variable_list {
	struct pk_variable *list;
	size_t count, room;
};

struct pk_type_list {
	pk_type_id *list;
	size_t count, room;
};

/* A function, which is decoded when it is first used. */
struct pk_function_slot {
	struct pk_unit *unit;
	uint64_t die;
	bool described,
		collected; /* `described` is true if `is` and `parameters` are set. `collected` is
			    * true if the variables of the function were collected before. */
	struct pk_function is; /* the description of the function; this slot frees its parameters */
	struct pk_parameter *parameters;
};

/* The structures and conversions of a unit (see pk_types_of_source()). In both lists, the items of
 * the unit are followed by the items of the function that was looked up last. The items of the unit
 * are read only once, because a unit can have thousands of functions. */
struct pk_source_slot {
	struct pk_type_list structures;
	struct pk_conversion *conversions;
	size_t conversion_count, conversion_room;
	bool is_read, complete;
	size_t structures_of_unit, conversions_of_unit;
};

/* The types of an object. */
struct pk_types {
	struct pk_dwarf *dwarf;
	const struct pk_elf_segment *loads;
	size_t load_count;
	uint64_t shift;

	struct pk_type_slot *slots; /* the known types; the index is the id of the type */
	size_t count, room;
	struct pk_table ids; /* The key is made of a file, an entry and a dimension. The value is
			      * the id of the type. */

	bool indexed;
	struct pk_named *named;
	size_t named_count, named_room;
	struct pk_table names; /* The key is the hash of a name and its kind. The value is the index
				* in `named` plus 1. */
	struct pk_placed_list placed, thread_local; /* sorted by address */

	struct pk_table functions; /* The key is made of a file and an entry. The value is a struct
				    * pk_function_slot. */
	struct pk_unit *variables_unit; /* The function whose variables are in `variables`. It is
					 * the entry `variables_die` of this unit. */
	uint64_t variables_die;
	struct pk_variable_list variables, chosen;
	struct pk_type_list mentioned; /* the result of pk_types_mentioned() */
	struct pk_table sources; /* The key is a unit. The value is a struct pk_source_slot. */
};

/* Does not take ownership of `dwarf` and `loads`. They must be valid until pk_types_free() is
 * called. `loads` is used to convert offsets of lookups to addresses and back. If load_count is 0,
 * an address is the address of the lookup + `shift`. */
struct pk_types *pk_types_new(struct pk_dwarf *dwarf, const struct pk_elf_segment *loads,
			      size_t load_count, uint64_t shift);
void pk_types_free(struct pk_types *t);

/* Returns the id of the type of an entry. If `dimension` is 0, it is the whole type. If `dimension`
 * is n, the type is an array, and the result is the type of its elements after n dimensions.
 * Returns PK_TYPE_NONE if memory is exhausted or the budget is used up. */
pk_type_id pk_type_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			    uint32_t dimension);
/* Returns the type to which an attribute refers. If the attribute is missing, returns `absent`. If
 * the type was not found, returns PK_TYPE_NONE. */
pk_type_id pk_type_of_value(struct pk_types *t, struct pk_unit *unit,
			    const struct pk_form_value *value, pk_type_id absent);
/* Returns the decoded type, or NULL if there is no such type. It is valid until the next type is
 * created. */
struct pk_type_slot *pk_type_slot(struct pk_types *t, pk_type_id id);

/* Finds the function of an entry. Returns false if the function or the type of its result is
 * unknown. */
bool pk_function_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			  struct pk_function *function);

/* Builds the index of all units, which includes t->placed and t->thread_local. */
void pk_types_index(struct pk_types *t);
/* Finds a defined structure, class, union or enum by its name. A variable at the top level of a
 * unit, or an external function, is found by its linkage name. If it has no linkage name, it is
 * found by its name. Returns NULL if there is none. */
const struct pk_named *pk_types_named(struct pk_types *t, enum pk_named_kind kind,
				      const char *name);

#endif
