/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Types of a program from its debugging information: the variables at an address and their
 * locations, the members of types, and global variables.
 *
 *     struct pk_types *t = pk_object_types(o);
 *     const struct pk_variable *v;
 *
 *     if (t && pk_types_address(t, offset, &pc))
 *             for (size_t n = pk_types_variables(t, pc, pc + 1, &v); n--; v++)
 *                     if (v->where == PK_WHERE_REGISTER)
 *                             printf("register %u holds %s", v->reg, pk_type_name(t, v->type));
 *
 * Units are read on first use, each entry once; results stay valid until the object's store is
 * freed, unless a function says otherwise. The file is untrusted, and the work is bounded as in
 * dwarf.h: what cannot be read is "unknown".
 */
#ifndef PK_TYPES_H
#define PK_TYPES_H

#include "symbols.h"

struct pk_types;

/* NULL: the object has no debugging information (or out of memory). */
struct pk_types *pk_object_types(struct pk_object *o);

/* Addresses below are those of the file with the debugging information, as nm and objdump show
 * them. These functions convert from and to the address of a lookup (see pk_object_lookup()). */
bool pk_types_address(struct pk_types *t, uint64_t lookup, uint64_t *address);
bool pk_types_lookup(struct pk_types *t, uint64_t address, uint64_t *lookup);

/* ---- Types ---- */

/* An id in one object; 0: unknown. Two ids can be the same type from two units: compare names and
 * sizes. */
typedef uint32_t pk_type_id;
#define PK_TYPE_NONE 0
#define PK_TYPE_VOID 1

enum pk_type_kind {
	PK_KIND_OF_NONE,
	PK_KIND_OF_VOID,
	PK_KIND_OF_BASE,
	PK_KIND_OF_POINTER,
	PK_KIND_OF_REFERENCE, /* C++ references of either kind: an address, like a pointer */
	PK_KIND_OF_STRUCT,    /* and classes */
	PK_KIND_OF_UNION,
	PK_KIND_OF_ARRAY, /* one dimension: the elements of other dimensions are arrays */
	PK_KIND_OF_ENUM,
	PK_KIND_OF_FUNCTION,
	PK_KIND_OF_TYPEDEF,
	PK_KIND_OF_QUALIFIED, /* const, volatile, restrict, _Atomic */
	PK_KIND_OF_OTHER,
};

struct pk_type {
	enum pk_type_kind kind;
	bool is_float, is_signed; /* base types */
	bool declared;		  /* the object has no definition: size 0 */
	uint64_t size;		  /* bytes; 0: unknown, or none (flexible arrays) */
	/* The type that it points to, contains, names, qualifies or returns; or NONE. */
	pk_type_id target;
	uint64_t count;	 /* arrays: number of elements; 0: unknown */
	uint64_t stride; /* arrays: bytes of an element */
};

/* For a declaration, returns the values of its definition. False: id is NONE. */
bool pk_type_info(struct pk_types *t, pk_type_id id, struct pk_type *type);

/* The name in C, without qualifiers, as perf shows it: "struct foo*", "unsigned int", "char[16]",
 * "uint64_t". "" for NONE; "struct (anonymous)". */
const char *pk_type_name(struct pk_types *t, pk_type_id id);

/* Removes typedefs and qualifiers, and replaces a declaration by its definition. */
pk_type_id pk_type_strip(struct pk_types *t, pk_type_id id);

static inline bool pk_type_is_address(enum pk_type_kind kind)
{
	return kind == PK_KIND_OF_POINTER || kind == PK_KIND_OF_REFERENCE;
}

/* The type of pointers to the type; it need not be in the object. NONE: out of memory. */
pk_type_id pk_type_pointer(struct pk_types *t, pk_type_id target);

struct pk_member {
	const char *name; /* NULL: anonymous, or a base class */
	pk_type_id type;
	uint64_t offset, size; /* bytes; for a bit field, those of its storage unit */
	uint16_t bit_offset,   /* of a bit field: from the lowest bit of the first byte on */
		bit_size;      /* 0: not a bit field */
	bool base;
};

/* The members of a structure, class or union, also through typedefs: in the order of the
 * declaration, without static ones. */
size_t pk_type_members(struct pk_types *t, pk_type_id id, const struct pk_member **members);

/* The innermost type that an access of size bytes at an offset in a type touches, and that has at
 * least that many bytes (size 0: any). *rest: the offset in that type. Unions: the first member
 * that fits best. An offset after the type is in an array of them. NONE: no such type. */
pk_type_id pk_type_at(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
		      uint64_t *rest);

/* The same as text: "list.next", "a.b[0].c"; "" if no member is there, or it is the whole. *start,
 * *length (may be NULL): the bytes of that member. False: the offset is not in the type. */
bool pk_type_member_name(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
			 char *text, size_t room, uint64_t *start, uint64_t *length);

/* ---- Variables ---- */

enum pk_where {
	PK_WHERE_REGISTER,    /* in register reg */
	PK_WHERE_MEMORY,      /* in memory, at reg + offset */
	PK_WHERE_CFA,	      /* in memory, at the canonical frame address + offset */
	PK_WHERE_ADDRESS,     /* in memory, at address offset */
	PK_WHERE_TLS,	      /* at offset in the object's thread-local memory */
	PK_WHERE_VALUE,	      /* no location; the value is reg + offset */
	PK_WHERE_CFA_VALUE,   /* ... the canonical frame address + offset */
	PK_WHERE_CONSTANT,    /* ... offset (0 if it has more than 8 bytes) */
	PK_WHERE_ENTRY_VALUE, /* ... reg at the entry of the function, + offset */
	PK_WHERE_POINTER,     /* ... a pointer to a variable without a location */
	PK_WHERE_OTHER,	      /* another expression */
};

struct pk_variable {
	const char *name; /* or NULL */
	pk_type_id type;
	uint64_t low, high; /* valid for pc in [low, high) */
	enum pk_where where;
	uint16_t reg; /* DWARF's number of the register */
	bool parameter;
	bool inlined;	/* belongs to a function that is inlined there */
	uint16_t depth; /* depth of its block: the deeper one of two with the same name is visible,
			 * and is more certain */
	int64_t offset;
	/* The part of the variable that is there, in bytes; size 0: all of it. */
	uint64_t piece, piece_size;
};

/* The parameters and variables of the function at address low, including inlined ones, in [low,
 * high): an entry for each location and each range of addresses where it is valid, sorted by low.
 * Variables without a location are skipped. *variables: valid until the next call for t. */
size_t pk_types_variables(struct pk_types *t, uint64_t low, uint64_t high,
			  const struct pk_variable **variables);

/*
 * The structures and unions that the function at an address mentions: its variables and parameters,
 * and those of its inlined functions, are of these types or point to them, with or without a
 * location; or the function, or an inlined function, returns them. *types is valid until the next
 * call of this function with t.
 */
size_t pk_types_mentioned(struct pk_types *t, uint64_t address, const pk_type_id **types);

/* A function has a pointer to one structure as its parameter, and returns a pointer to another one.
 */
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
 * All structures that the source of the function at an address defines, and the functions that
 * convert pointers to them. The function cannot know the members of other structures. False:
 * unknown, for example because dwz or the linker merged the types of several sources. *found is
 * valid until the next call of this function with t.
 */
bool pk_types_of_source(struct pk_types *t, uint64_t address, struct pk_source_types *found);

struct pk_global {
	const char *name;
	pk_type_id type;
	uint64_t address, size; /* size is at least 1 */
};

/* The variable of static storage at the address, in any scope. For one in pieces, address is its
 * theoretical start. */
bool pk_types_global(struct pk_types *t, uint64_t address, struct pk_global *global);
/* The thread-local variable at an offset in the object's thread-local memory. */
bool pk_types_thread_local(struct pk_types *t, uint64_t offset, struct pk_global *global);
/* Finds a variable by its name or linkage name: also one that is only declared (address 0) and
 * defined in another object. */
bool pk_types_global_named(struct pk_types *t, const char *name, struct pk_global *global);

struct pk_parameter {
	const char *name; /* or NULL */
	pk_type_id type;
};

struct pk_function {
	const char *name; /* as in the source */
	uint64_t start;	  /* its entry; 0: only declared */
	pk_type_id result;
	const struct pk_parameter *parameters;
	uint16_t count;
	bool variadic;
	bool prototyped; /* the parameters are known */
};

/* The (outermost) function that contains the address. */
bool pk_types_function(struct pk_types *t, uint64_t address, struct pk_function *function);
/* Finds a function by its name or linkage name: defined in the object, or only declared (called
 * through a PLT). */
bool pk_types_function_named(struct pk_types *t, const char *name, struct pk_function *function);
/* The parameters and the result of the type that a function pointer points to. */
bool pk_type_function(struct pk_types *t, pk_type_id id, struct pk_function *function);

#endif
