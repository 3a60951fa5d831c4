/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of an object, each decoded once, and an index of names and addresses: shared by
 * type_index.c, dwarf_types.c, type_members.c, variables.c, structure_lists.c and object_debug.c.
 */
#ifndef PK_TYPE_SLOTS_H
#define PK_TYPE_SLOTS_H

#include "dwarf_unit.h"
#include "table.h"
#include "types.h"

/* Limit for chains of typedefs and for nested structures. */
enum { PK_TYPE_HOPS = 64 };

struct pk_type_slot {
	struct pk_unit *unit; /* NULL: NONE, VOID, and types made by pk_type_pointer() */
	uint64_t die;
	uint32_t dimension; /* of an array: number of the dimension, from 0 on */
	bool decoded, completed, members_read;
	bool is_c;
	struct pk_type type;
	pk_type_id definition; /* of a declaration: its definition, or PK_TYPE_NONE */
	pk_type_id pointer;    /* the type "pointer to this type"; set on first use */
	const char *plain;     /* the entry's own name, without namespaces; NULL: unnamed */
	char *name;	       /* the full name; built on first use */
	struct pk_member *members;
	size_t member_count;
};

/* ---- The index ---- */

enum pk_named_kind { PK_NAMED_TYPE, PK_NAMED_VARIABLE, PK_NAMED_FUNCTION };

struct pk_named {
	const char *name;
	struct pk_unit *unit;
	uint64_t die, size;
	uint8_t kind;
	bool declared;	/* the file has no definition */
	bool ambiguous; /* definitions of different sizes have this name */
};

struct pk_placed {
	uint64_t address;
	struct pk_unit *unit;
	uint64_t die;
	uint64_t piece, piece_size; /* the bytes of the variable that are at address: the first one
				     * and their number; number 0: all */
	bool described;
	const char *name; /* set if described; NULL: unnamed */
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

struct pk_function_slot {
	struct pk_unit *unit;
	uint64_t die;
	bool described, collected; /* described: is and parameters are set; collected: its variables
				    * were collected before */
	struct pk_function is;	   /* the slot owns its parameters */
	struct pk_parameter *parameters;
};

/* The structures and conversions of a unit, and then those of the last function that was looked up.
 * Those of the unit are read once, because a unit can have thousands of functions. */
struct pk_source_slot {
	struct pk_type_list structures;
	struct pk_conversion *conversions;
	size_t conversion_count, conversion_room;
	bool is_read, complete;
	size_t structures_of_unit, conversions_of_unit;
};

struct pk_types {
	struct pk_dwarf *dwarf;
	const struct pk_elf_segment *loads;
	size_t load_count;
	uint64_t shift;

	struct pk_type_slot *slots; /* index: id */
	size_t count, room;
	struct pk_table ids; /* id, by file, entry and dimension */

	bool indexed;
	struct pk_named *named;
	size_t named_count, named_room;
	struct pk_table names; /* hash of name and kind -> index in named + 1 */
	struct pk_placed_list placed, thread_local; /* sorted by address */

	struct pk_table functions;	/* struct pk_function_slot, by file and entry */
	struct pk_unit *variables_unit; /* the function of variables: its unit and its entry */
	uint64_t variables_die;
	struct pk_variable_list variables, chosen;
	struct pk_type_list mentioned; /* result of pk_types_mentioned() */
	struct pk_table sources;       /* struct pk_source_slot, by unit */
};

/* dwarf and loads stay the caller's, and must live until pk_types_free(). loads converts between
 * the offsets of lookups and addresses. If load_count is 0, the address is the lookup address +
 * shift. */
struct pk_types *pk_types_new(struct pk_dwarf *dwarf, const struct pk_elf_segment *loads,
			      size_t load_count, uint64_t shift);
void pk_types_free(struct pk_types *t);

/* The id of the type of an entry. dimension 0 means the whole type. Dimension n of an array means
 * the type of its elements after n dimensions. Returns NONE if memory or the budget is
 * exhausted. */
pk_type_id pk_type_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			    uint32_t dimension);
/* The type that an attribute refers to. If the attribute is missing, the result is absent. If its
 * type was not found, it is NONE. */
pk_type_id pk_type_of_value(struct pk_types *t, struct pk_unit *unit,
			    const struct pk_form_value *value, pk_type_id absent);
/* The decoded type, or NULL if there is none. Valid until the next type is created. */
struct pk_type_slot *pk_type_slot(struct pk_types *t, pk_type_id id);

/* The function of an entry. Returns false if the function or the type of its result is unknown. */
bool pk_function_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			  struct pk_function *function);

/* Reads the index of all units: t->placed and t->thread_local. */
void pk_types_index(struct pk_types *t);
/* Finds a defined structure, class, union or enum by its name. Finds a variable at the top level of
 * a unit, or an external function, by its linkage name, or by its name if it has no linkage name.
 * NULL: none. */
const struct pk_named *pk_types_named(struct pk_types *t, enum pk_named_kind kind,
				      const char *name);

#endif
