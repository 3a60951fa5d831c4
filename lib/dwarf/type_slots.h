/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of an object, each decoded once, and the index of its names and addresses: shared by
 * dwarf_types.c, type_members.c, variables.c, structure_lists.c and object_debug.c. */
#ifndef PK_TYPE_SLOTS_H
#define PK_TYPE_SLOTS_H

#include "dwarf_unit.h"
#include "table.h"
#include "types.h"

/* No chain of typedefs, and no nest of structures, is followed any further. */
enum { PK_TYPE_HOPS = 64 };

struct pk_type_slot {
	struct pk_unit *unit; /* NULL: NONE, VOID, pointers that are nowhere */
	uint64_t die;
	uint32_t dimension; /* of an array: which subrange */
	bool decoded, completed, members_read;
	bool is_c;
	struct pk_type type;
	pk_type_id definition; /* of a declaration */
	pk_type_id pointer;    /* to it, once it was asked for */
	const char *plain;     /* the entry's name, or NULL */
	char *name;	       /* in full, once it was asked for */
	struct pk_member *members;
	size_t member_count;
	struct pk_parameter *parameters; /* of a type of functions */
};

/* ---- The index ---- */

enum pk_named_kind { PK_NAMED_TYPE, PK_NAMED_VARIABLE, PK_NAMED_FUNCTION };

struct pk_named {
	const char *name; /* NULL: free */
	struct pk_unit *unit;
	uint64_t die, size;
	uint8_t kind;
	bool declared;	/* it is only that */
	bool ambiguous; /* there are several that differ */
};

struct pk_placed {
	uint64_t address;
	struct pk_unit *unit;
	uint64_t die;
	uint64_t piece, piece_size; /* which part of it is there; size 0: all */
	bool described;
	const char *name; /* once described; NULL: it is none to speak of */
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
	bool described, collected; /* it was asked for, its variables were */
	struct pk_function is;	   /* its parameters are the slot's */
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
	struct pk_table names; /* number in named + 1, by hash of kind and name */
	struct pk_placed_list placed, thread_local; /* by address */

	struct pk_table functions;	/* struct pk_function_slot by entry */
	struct pk_unit *variables_unit; /* whose variables there are: those of the entry at */
	uint64_t variables_die;
	struct pk_variable_list variables, chosen;
	/* by the function that was asked for last, and its source */
	struct pk_type_list mentioned, defined;
	struct pk_conversion *conversions;
	size_t conversion_count, conversion_room;
};

/* What of it an object gives: dwarf stays the caller's, and is there until _free. loads: for file
 * offsets; none: addresses are shift away. */
struct pk_types *pk_types_new(struct pk_dwarf *dwarf, const struct pk_elf_segment *loads,
			      size_t load_count, uint64_t shift);
void pk_types_free(struct pk_types *t);

/* The type that an entry, or dimension of an array, is. NONE: out of memory. */
pk_type_id pk_type_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			    uint32_t dimension);
/* The type that an attribute refers to; absent if there is none. */
pk_type_id pk_type_of_value(struct pk_types *t, struct pk_unit *unit,
			    const struct pk_form_value *value, pk_type_id absent);
/* Decoded; NULL: there is none. Until the next type is made. */
struct pk_type_slot *pk_type_slot(struct pk_types *t, pk_type_id id);

/* Takes over what an entry does not say of its name and type from what it refers to. */
void pk_entry_complete(struct pk_unit *unit, struct pk_entry *e, struct pk_unit **type_unit,
		       struct pk_unit **name_unit);
/* Its name, or its linkage name. */
const char *pk_entry_name(struct pk_unit *unit, const struct pk_entry *e);
const char *pk_entry_linkage_name(struct pk_unit *unit, const struct pk_entry *e);

/* The function that an entry is. False: unknown. */
bool pk_function_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			  struct pk_function *function);

/* NULL: there is none of that name. */
const struct pk_named *pk_types_named(struct pk_types *t, enum pk_named_kind kind,
				      const char *name);

#endif
