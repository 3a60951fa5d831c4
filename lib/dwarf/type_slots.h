/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of an object, each decoded once, and an index of names and addresses: shared by
 * dwarf_types.c, type_members.c, variables.c, structure_lists.c and object_debug.c. */
#ifndef PK_TYPE_SLOTS_H
#define PK_TYPE_SLOTS_H

#include "dwarf_unit.h"
#include "table.h"
#include "types.h"

/* Limit for chains of typedefs and for nested structures. */
enum { PK_TYPE_HOPS = 64 };

struct pk_type_slot {
	struct pk_unit *unit; /* NULL: NONE, VOID, pointer types that are not in the file */
	uint64_t die;
	uint32_t dimension; /* of an array: which subrange */
	bool decoded, completed, members_read;
	bool is_c;
	struct pk_type type;
	pk_type_id definition; /* of a declaration */
	pk_type_id pointer;    /* the type of pointers to it; set on first use */
	const char *plain;     /* the entry's name, or NULL */
	char *name;	       /* the full name; built on first use */
	struct pk_member *members;
	size_t member_count;
	struct pk_parameter *parameters; /* of a function type */
};

/* ---- The index ---- */

enum pk_named_kind { PK_NAMED_TYPE, PK_NAMED_VARIABLE, PK_NAMED_FUNCTION };

struct pk_named {
	const char *name; /* NULL: free */
	struct pk_unit *unit;
	uint64_t die, size;
	uint8_t kind;
	bool declared;	/* only declared */
	bool ambiguous; /* several definitions differ */
};

struct pk_placed {
	uint64_t address;
	struct pk_unit *unit;
	uint64_t die;
	uint64_t piece, piece_size; /* the part of the variable that is there; size 0: all */
	bool described;
	const char *name; /* set when described; NULL: unnamed */
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
	bool described, collected; /* described: read; collected: its variables were read */
	struct pk_function is;	   /* the slot owns its parameters */
	struct pk_parameter *parameters;
};

struct pk_types {
	struct pk_dwarf *dwarf;
	const struct pk_elf_segment *loads;
	size_t load_count;
	uint64_t shift;

	struct pk_type_slot *slots; /* by id */
	size_t count, room;
	struct pk_table ids; /* by entry */

	bool indexed;
	struct pk_named *named;
	size_t named_count, named_room;
	struct pk_table names; /* name and kind, hashed -> number in named + 1 */
	struct pk_placed_list placed, thread_local; /* by address */

	struct pk_table functions;	/* struct pk_function_slot by entry */
	struct pk_unit *variables_unit; /* the function of the variables: the entry at */
	uint64_t variables_die;
	struct pk_variable_list variables, chosen;
	/* results for the last requested function, and for its source */
	struct pk_type_list mentioned, defined;
	struct pk_conversion *conversions;
	size_t conversion_count, conversion_room;
};

/* Types of an object: dwarf stays the caller's, and must live until _free. loads: for file offsets;
 * none: addresses differ by shift. */
struct pk_types *pk_types_new(struct pk_dwarf *dwarf, const struct pk_elf_segment *loads,
			      size_t load_count, uint64_t shift);
void pk_types_free(struct pk_types *t);

/* The type of an entry, or of a dimension of an array. NONE: out of memory. */
pk_type_id pk_type_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			    uint32_t dimension);
/* The type that an attribute refers to; absent if there is none. */
pk_type_id pk_type_of_value(struct pk_types *t, struct pk_unit *unit,
			    const struct pk_form_value *value, pk_type_id absent);
/* The decoded type; NULL: none. Valid until the next type is created. */
struct pk_type_slot *pk_type_slot(struct pk_types *t, pk_type_id id);

/* Copies missing attributes about name and type from the entry that this one refers to. */
void pk_entry_complete(struct pk_unit *unit, struct pk_entry *e, struct pk_unit **type_unit,
		       struct pk_unit **name_unit);
/* Its name, or its linkage name. */
const char *pk_entry_name(struct pk_unit *unit, const struct pk_entry *e);
const char *pk_entry_linkage_name(struct pk_unit *unit, const struct pk_entry *e);

/* The function of an entry. False: unknown. */
bool pk_function_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			  struct pk_function *function);

/* NULL: no such name. */
const struct pk_named *pk_types_named(struct pk_types *t, enum pk_named_kind kind,
				      const char *name);

#endif
