/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The types of a program by its debugging information: what variables live at an address and
 * where, what a type consists of, what globals there are.
 *
 *     struct pk_types *t = pk_object_types(o);
 *     const struct pk_variable *v;
 *
 *     if (t && pk_types_address(t, offset, &pc))
 *             for (size_t n = pk_types_variables(t, pc, pc + 1, &v); n--; v++)
 *                     if (v->where == PK_WHERE_REGISTER)
 *                             printf("register %u holds %s", v->reg, pk_type_name(t, v->type));
 *
 * Units are read when they are asked for, each entry once; all that is handed out stays until the
 * object's store is freed, unless it says otherwise. The file is hostile, and reading it is bounded
 * like all of dwarf.h: what cannot be had is "not known".
 */
#ifndef PK_TYPES_H
#define PK_TYPES_H

#include "symbols.h"

struct pk_types;

/* NULL: the object has no debugging information (or no memory is left). */
struct pk_types *pk_object_types(struct pk_object *o);

/*
 * Addresses below are those of the file that has the debugging information, as nm and objdump show
 * them. This is what the address of a lookup (see pk_object_lookup()) is there; and back.
 */
bool pk_types_address(struct pk_types *t, uint64_t lookup, uint64_t *address);
bool pk_types_lookup(struct pk_types *t, uint64_t address, uint64_t *lookup);

/* ---- Types ---- */

/* Of one object; not known: 0. Two may be the same type, from two units: compare names and sizes.
 */
typedef uint32_t pk_type_id;
#define PK_TYPE_NONE 0
#define PK_TYPE_VOID 1

enum pk_type_kind {
	PK_KIND_OF_NONE,
	PK_KIND_OF_VOID,
	PK_KIND_OF_BASE,
	PK_KIND_OF_POINTER,
	PK_KIND_OF_REFERENCE, /* C++'s, of either kind: an address, as a pointer is */
	PK_KIND_OF_STRUCT,    /* and classes */
	PK_KIND_OF_UNION,
	PK_KIND_OF_ARRAY, /* of one dimension: the elements of others are arrays */
	PK_KIND_OF_ENUM,
	PK_KIND_OF_FUNCTION,
	PK_KIND_OF_TYPEDEF,
	PK_KIND_OF_QUALIFIED, /* const, volatile, restrict, _Atomic */
	PK_KIND_OF_OTHER,
};

struct pk_type {
	enum pk_type_kind kind;
	bool is_float, is_signed; /* base types */
	bool declared;		  /* there is no definition anywhere in the object: size 0 */
	uint64_t size;		  /* bytes; 0: not known, or none (flexible arrays) */
	/* What it points to, consists of, stands for, qualifies, returns; or NONE. */
	pk_type_id target;
	uint64_t count;	 /* arrays: elements; 0: not known */
	uint64_t stride; /* arrays: bytes of an element */
};

/* Declarations say what their definition says. False: id is NONE. */
bool pk_type_info(struct pk_types *t, pk_type_id id, struct pk_type *type);

/* In C, without qualifiers: "struct foo*", "unsigned int", "char[16]", "uint64_t"; as perf has it.
 * "" for NONE; "struct (anonymous)". */
const char *pk_type_name(struct pk_types *t, pk_type_id id);

/* Without typedefs and qualifiers, and if a declaration the definition. */
pk_type_id pk_type_strip(struct pk_types *t, pk_type_id id);

static inline bool pk_type_is_address(enum pk_type_kind kind)
{
	return kind == PK_KIND_OF_POINTER || kind == PK_KIND_OF_REFERENCE;
}

/* That of pointers to one of the type, which need not be in the object. NONE: out of memory. */
pk_type_id pk_type_pointer(struct pk_types *t, pk_type_id target);

struct pk_member {
	const char *name; /* NULL: anonymous, or a base class */
	pk_type_id type;
	uint64_t offset, size; /* bytes; of a bit field those of the storage unit that holds it */
	uint16_t bit_offset,   /* of a bit field: from the lowest bit of the first byte on */
		bit_size;      /* 0: not a bit field */
	bool base;
};

/* Of a structure, class or union, behind typedefs: in the order of the declaration, without static
 * ones. */
size_t pk_type_members(struct pk_types *t, pk_type_id id, const struct pk_member **members);

/*
 * What an access of size bytes at an offset in a type touches: the innermost type that lies there
 * and has no fewer bytes (size 0: however few). *rest: how far into that one. Unions: the first
 * member that fits best. An offset beyond the type is one of an array of them. NONE: none is there.
 */
pk_type_id pk_type_at(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
		      uint64_t *rest);

/* The same, as text: "list.next", "a.b[0].c"; "" where no member is there, or it is the whole.
 * *start, *length (may be NULL): the bytes of that member. False: the offset is not in the type. */
bool pk_type_member_name(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
			 char *text, size_t room, uint64_t *start, uint64_t *length);

/* ---- Variables ---- */

enum pk_where {
	PK_WHERE_REGISTER,    /* the value is in reg */
	PK_WHERE_MEMORY,      /* it is in memory, at reg + offset */
	PK_WHERE_CFA,	      /* it is in memory, at the canonical frame address + offset */
	PK_WHERE_ADDRESS,     /* it is in memory, at offset */
	PK_WHERE_TLS,	      /* it is at offset in the object's thread-local memory */
	PK_WHERE_VALUE,	      /* it is nowhere, and has the value reg + offset */
	PK_WHERE_CFA_VALUE,   /* ... the canonical frame address + offset */
	PK_WHERE_CONSTANT,    /* ... offset (0 if it has more than 8 bytes) */
	PK_WHERE_ENTRY_VALUE, /* ... what reg was on entry of the function, + offset */
	PK_WHERE_POINTER,     /* ... a pointer to what is nowhere itself */
	PK_WHERE_OTHER,	      /* an expression that is none of these */
};

struct pk_variable {
	const char *name; /* or NULL */
	pk_type_id type;
	uint64_t low, high; /* where this holds: pc in [low, high) */
	enum pk_where where;
	uint16_t reg; /* DWARF's number of it */
	bool parameter;
	bool inlined; /* of a function that is inlined there */
	uint16_t
		depth; /* the deeper one is the one that its name means; and the more certain one */
	int64_t offset;
	/* What lies there is that part of the variable, in bytes; size 0: all of it. */
	uint64_t piece, piece_size;
};

/*
 * The parameters and variables of the function that address low is in, with all that is inlined,
 * in [low, high): an entry for each place and each range of addresses where it is there, by low.
 * What is in no place is left out. *variables: until the next call that gets t.
 */
size_t pk_types_variables(struct pk_types *t, uint64_t low, uint64_t high,
			  const struct pk_variable **variables);

/*
 * The structures and unions that the function at an address has to do with: those that its
 * variables and parameters, and those of what is inlined, are or point to, whether they are in some
 * place or not; and those that inlined functions, and itself, return. *types: until the next call
 * of this function that gets t.
 */
size_t pk_types_mentioned(struct pk_types *t, uint64_t address, const pk_type_id **types);

/* A function takes a pointer to one structure, and returns one to another. */
struct pk_conversion {
	pk_type_id from, to;
};

struct pk_source_types {
	const pk_type_id *structures; /* and unions */
	size_t structure_count;
	const struct pk_conversion *conversions;
	size_t conversion_count;
};

/*
 * All structures that are defined in the source of the function at an address, which are all that
 * it can know the members of, and the functions that convert pointers to them. False: unknown, as
 * where dwz or the linker has put types of several sources together. *found: likewise.
 */
bool pk_types_of_source(struct pk_types *t, uint64_t address, struct pk_source_types *found);

struct pk_global {
	const char *name;
	pk_type_id type;
	uint64_t address, size; /* size at least 1 */
};

/* The variable of static storage that the address is in, of whatever scope. Of one in pieces,
 * address is where it would begin. */
bool pk_types_global(struct pk_types *t, uint64_t address, struct pk_global *global);
/* The thread-local one at an offset in the object's thread-local memory. */
bool pk_types_thread_local(struct pk_types *t, uint64_t offset, struct pk_global *global);
/* By its name, or linkage name: also one that is only declared (address 0), which lies in another
 * object. */
bool pk_types_global_named(struct pk_types *t, const char *name, struct pk_global *global);

struct pk_parameter {
	const char *name; /* or NULL */
	pk_type_id type;
};

struct pk_function {
	const char *name; /* as the source has it */
	uint64_t start;	  /* its entry; 0: only declared */
	pk_type_id result;
	const struct pk_parameter *parameters;
	uint16_t count;
	bool variadic;
	bool prototyped; /* the parameters are known */
};

/* The (outermost) function that the address is in. */
bool pk_types_function(struct pk_types *t, uint64_t address, struct pk_function *function);
/* By name or linkage name: one that is defined in the object, or only declared (behind a PLT). */
bool pk_types_function_named(struct pk_types *t, const char *name, struct pk_function *function);
/* The parameters and the result of what a pointer to a function points to. */
bool pk_type_function(struct pk_types *t, pk_type_id id, struct pk_function *function);

#endif
