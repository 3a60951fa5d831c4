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
 * Units are read on first use, each type is decoded once; results stay valid until the object's
 * store is freed, unless a function says otherwise. The file is untrusted, and the work is bounded
 * as in dwarf.h: what cannot be read is "unknown".
 */
#ifndef PK_TYPES_H
#define PK_TYPES_H

#include "symbols.h"

struct pk_types;

/* Returns NULL if the object has no debugging information (or out of memory). */
struct pk_types *pk_object_types(struct pk_object *o);

/* Addresses below are those of the file with the debugging information, as nm and objdump show
 * them. These functions convert from and to the address of a lookup (see pk_object_lookup()).
 * Returns false if the address is in no segment. */
bool pk_types_address(struct pk_types *t, uint64_t lookup, uint64_t *address);
bool pk_types_lookup(struct pk_types *t, uint64_t address, uint64_t *lookup);

/* ---- Types ---- */

/* An id in one object, or 0 if it is unknown. Two ids can be the same type from two units: compare
 * names and sizes. */
typedef uint32_t pk_type_id;
#define PK_TYPE_NONE 0
#define PK_TYPE_VOID 1

enum pk_type_kind {
	PK_KIND_OF_NONE,
	PK_KIND_OF_VOID,
	PK_KIND_OF_BASE,
	PK_KIND_OF_POINTER,
	PK_KIND_OF_REFERENCE, /* C++ references of either kind: an address, like a pointer */
	PK_KIND_OF_STRUCT,    /* structures and classes */
	PK_KIND_OF_UNION,
	PK_KIND_OF_ARRAY, /* one dimension: the elements of other dimensions are arrays */
	PK_KIND_OF_ENUM,
	PK_KIND_OF_FUNCTION,
	PK_KIND_OF_TYPEDEF,
	PK_KIND_OF_QUALIFIED, /* const, volatile, restrict, _Atomic and the like */
	PK_KIND_OF_OTHER,
};

struct pk_type {
	enum pk_type_kind kind;
	bool is_float, is_signed; /* base types */
	bool declared;		  /* a declaration, and the object has no definition: size is 0 */
	uint64_t size;		  /* bytes; 0: unknown, or none (flexible arrays) */
	/* The type of a pointer's target, of an array's elements or of a function's result. For a
	 * typedef or a qualifier, it is the type that it stands for. For an enum, it is the integer
	 * type, if that is given. It is NONE if it is unknown, and for types of other kinds. */
	pk_type_id target;
	uint64_t count;	 /* arrays: number of elements; 0: unknown */
	uint64_t stride; /* arrays: bytes of an element */
};

/* For a declaration, returns the values of its definition, if the object has one. Returns false if
 * id is NONE. */
bool pk_type_info(struct pk_types *t, pk_type_id id, struct pk_type *type);

/* The name without qualifiers, as perf shows it: "struct foo*", "unsigned int", "char[16]",
 * "uint64_t". In C++, it has namespaces. It is "" for NONE, or if the budget or memory is
 * exhausted. A structure without a name is "struct (anonymous)". Names are cut after 1023 bytes. */
const char *pk_type_name(struct pk_types *t, pk_type_id id);

/* The type without typedefs and qualifiers. For a declaration, it is the definition. Returns NONE
 * if it is unknown. */
pk_type_id pk_type_strip(struct pk_types *t, pk_type_id id);

static inline bool pk_type_is_address(enum pk_type_kind kind)
{
	return kind == PK_KIND_OF_POINTER || kind == PK_KIND_OF_REFERENCE;
}

/* The type "pointer to target", created on first use. Returns NONE if target is NONE, or if memory
 * or the budget is exhausted. */
pk_type_id pk_type_pointer(struct pk_types *t, pk_type_id target);

struct pk_member {
	const char *name; /* NULL: anonymous, or a base class */
	pk_type_id type;
	uint64_t offset, size; /* in bytes; of a bit field: the bytes that contain its bits */
	uint16_t bit_offset, /* of a bit field: its first bit in these bytes; counted from the least
			      * significant bit, on big-endian machines from the most significant
			      * one */
		bit_size;    /* 0: not a bit field */
	bool base;
};

/* The members of a structure, class or union, sorted by offset, without static ones. Typedefs of
 * these have them, too. Returns their number. */
size_t pk_type_members(struct pk_types *t, pk_type_id id, const struct pk_member **members);

/* The innermost type in type id that contains the whole access of size bytes at an offset. A size
 * of 0 means that it is unknown. *rest is the offset in that type. In a union, the type is that of
 * the member that fits best, or of the first of these. If id is a number, an enum or a pointer,
 * other offsets are in an array of them. An offset after the end of a structure is in its last
 * member if that is "data[]" or "data[1]". Returns NONE if there is no such type. */
pk_type_id pk_type_at(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
		      uint64_t *rest);

/* The name of the accessed member, such as "list.next" or "a.b[0].c". It is "" if there is no
 * member, or the access is to the whole type. Unlike in pk_type_at(), the access can extend beyond
 * the member. *start and *length, which may be NULL, are the bytes of that member. Returns false if
 * the offset is not in the type. */
bool pk_type_member_name(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
			 char *text, size_t room, uint64_t *start, uint64_t *length);

/* ---- Variables ---- */

enum pk_where {
	PK_WHERE_REGISTER,    /* the variable is in register reg */
	PK_WHERE_MEMORY,      /* in memory, at the value of register reg + offset */
	PK_WHERE_CFA,	      /* in memory, at the canonical frame address + offset */
	PK_WHERE_ADDRESS,     /* in memory, at address offset */
	PK_WHERE_TLS,	      /* at offset in the object's thread-local memory */
	PK_WHERE_VALUE,	      /* not stored: the value is register reg + offset */
	PK_WHERE_CFA_VALUE,   /* not stored: the value is the canonical frame address + offset */
	PK_WHERE_CONSTANT,    /* not stored: the value is offset; 0 if it does not have 1, 2, 4 or 8
			       * bytes */
	PK_WHERE_ENTRY_VALUE, /* not stored: the value that reg had at the function's entry, +
			       * offset */
	PK_WHERE_POINTER,     /* not stored: a pointer to a variable that has no location, either */
	PK_WHERE_OTHER,	      /* an expression of another kind: the location is unknown */
};

struct pk_variable {
	const char *name; /* or NULL */
	pk_type_id type;
	uint64_t low, high; /* valid for pc in [low, high) */
	enum pk_where where;
	uint16_t reg; /* DWARF's number of the register */
	bool parameter;
	bool inlined;	/* belongs to a function that is inlined there */
	uint16_t depth; /* nesting depth of its block; of two variables with the same name, the
			 * deeper one is visible, and its location is more certain */
	/* The offset in .debug_info of the entry of its function, or of the inlined copy of one. */
	uint64_t function;
	int64_t offset;
	/* The first byte of the variable at this location, and the number of bytes. A number of 0
	 * means all. */
	uint64_t piece, piece_size;
};

/* The parameters and variables of the function at address low, including inlined ones, in [low,
 * high). There is an entry for each location and each range of addresses where it is valid. They
 * are sorted by low. Variables without a location or of unknown type are skipped. *variables is
 * valid until the next call for t. */
size_t pk_types_variables(struct pk_types *t, uint64_t low, uint64_t high,
			  const struct pk_variable **variables);

/*
 * The structures and unions that the function at an address mentions. Its variables and parameters,
 * and those of its inlined functions, are of these types or point to them, with or without a
 * location. Or the function, or an inlined function, returns them. *types is valid until the next
 * call of this function with t.
 */
size_t pk_types_mentioned(struct pk_types *t, uint64_t address, const pk_type_id **types);

/* The types of a function whose only parameter is, or points to, one structure, and whose result
 * is, or points to, another one. */
struct pk_conversion {
	pk_type_id from, to;
};

struct pk_source_types {
	const pk_type_id *structures; /* structures and unions */
	size_t structure_count;
	const struct pk_conversion *conversions;
	size_t conversion_count;
};

/*
 * All structures and unions that the compilation unit of the function at an address defines outside
 * of other functions, and its functions that convert pointers to them. The function cannot know the
 * members of other structures. Returns false if it is unknown, for example because dwz or the
 * linker merged the types of several units. *found is valid until the next call of this function
 * with t.
 */
bool pk_types_of_source(struct pk_types *t, uint64_t address, struct pk_source_types *found);

struct pk_global {
	const char *name;
	pk_type_id type;
	uint64_t address, size; /* size is at least 1 */
};

/* The variable of static storage at the address, in any scope. If only a piece of a variable is at
 * the address, global->address is where its first byte would be. Returns false if there is none. */
bool pk_types_global(struct pk_types *t, uint64_t address, struct pk_global *global);
/* The thread-local variable at an offset in the object's thread-local memory. global->address is an
 * offset, too. */
bool pk_types_thread_local(struct pk_types *t, uint64_t offset, struct pk_global *global);
/* Finds a variable at the top level of a unit by its linkage name (in C, its name). If it is only
 * declared, because another object defines it, its address is 0. */
bool pk_types_global_named(struct pk_types *t, const char *name, struct pk_global *global);
/* Calls each for the defined variables that pk_types_global_named() finds. name is the one to find
 * it by. */
typedef void (*pk_global_fn)(void *arg, const char *name, const struct pk_global *global);
void pk_types_globals(struct pk_types *t, pk_global_fn each, void *arg);

struct pk_parameter {
	const char *name; /* or NULL */
	pk_type_id type;
};

struct pk_function {
	const char *name; /* the name in the source, without namespaces */
	uint64_t start;	  /* address of its first instruction; 0: only declared, or only inlined */
	pk_type_id result;
	const struct pk_parameter *parameters;
	uint16_t count;
	bool variadic;
	bool prototyped; /* the parameters are known; false: the function was declared without a
			  * prototype */
};

/* The function that contains the address. For inlined code, it is the function that the code is
 * inlined into. */
bool pk_types_function(struct pk_types *t, uint64_t address, struct pk_function *function);
/* Finds an external function by its linkage name (in C, its name). It can be only declared, because
 * another object defines it. */
bool pk_types_function_named(struct pk_types *t, const char *name, struct pk_function *function);
/* The parameters and the result of a function type, or of the target of a function pointer type.
 * Returns false if it is another type. */
bool pk_type_function(struct pk_types *t, pk_type_id id, struct pk_function *function);

#endif
