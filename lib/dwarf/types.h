/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the types of a program from its debugging information: the variables at an address and
 * their locations, the members of types, and global variables.
 *
 *     struct pk_types *t = pk_object_types(o);
 *     const struct pk_variable *v;
 *
 *     if (t && pk_types_address(t, offset, &pc))
 *             for (size_t n = pk_types_variables(t, pc, pc + 1, &v); n--; v++)
 *                     if (v->where == PK_WHERE_REGISTER)
 *                             printf("register %u holds %s", v->reg, pk_type_name(t, v->type));
 *
 * A unit is read when it is first used, and each type is decoded once. Results are valid until the
 * store of the object is freed, unless a function says otherwise. The file is untrusted, and the
 * work is bounded as in dwarf.h. If something cannot be read, it is "unknown".
 */
#ifndef PK_TYPES_H
#define PK_TYPES_H

#include "symbols.h"

struct pk_types;

/* Returns NULL if the object has no debugging information, or if memory is exhausted. */
struct pk_types *pk_object_types(struct pk_object *o);

/* In the following functions, an address is an address in the file with the debugging information,
 * as nm and objdump show it. These two functions convert it from and to the address of a lookup
 * (see pk_object_lookup()). They return false if the address is in no segment. */
bool pk_types_address(struct pk_types *t, uint64_t lookup, uint64_t *address);
bool pk_types_lookup(struct pk_types *t, uint64_t address, uint64_t *lookup);

/* ---- Types ---- */

/* The id of a type in one object, or 0 if the type is unknown. Two ids can be the same type in two
 * units. So compare names and sizes, and not ids. */
typedef uint32_t pk_type_id;
#define PK_TYPE_NONE 0
#define PK_TYPE_VOID 1

/* The kinds of types. */
enum pk_type_kind {
	PK_KIND_OF_NONE,
	PK_KIND_OF_VOID,
	PK_KIND_OF_BASE,
	PK_KIND_OF_POINTER,
	PK_KIND_OF_REFERENCE, /* C++ references of both kinds, which are addresses like pointers */
	PK_KIND_OF_STRUCT,    /* structures and classes */
	PK_KIND_OF_UNION,
	PK_KIND_OF_ARRAY, /* an array of one dimension; for more dimensions, its elements are arrays
			   */
	PK_KIND_OF_ENUM,
	PK_KIND_OF_FUNCTION,
	PK_KIND_OF_TYPEDEF,
	PK_KIND_OF_QUALIFIED, /* const, volatile, restrict, _Atomic and similar qualifiers */
	PK_KIND_OF_OTHER,
};

/* The description of a type. */
struct pk_type {
	enum pk_type_kind kind;
	bool is_float, is_signed; /* set for base types */
	bool declared; /* true for a declaration if the object has no definition; `size` is then 0
			*/
	/* size in bytes; 0 if it is unknown, or if there is none (flexible arrays). */
	uint64_t size;
	/* The type of a pointer's target, of an array's elements or of a function's result. For a
	 * typedef, it is the type for which the typedef is a name. For a qualified type, it is the
	 * type without the qualifier. For an enum, it is the integer type if the debugging
	 * information contains it. For types of other kinds, and if the type is unknown, it is
	 * PK_TYPE_NONE. */
	pk_type_id target;
	uint64_t count;	 /* for arrays: number of elements, or 0 if it is unknown */
	uint64_t stride; /* for arrays: size of an element in bytes */
};

/* Describes a type. If the type is a declaration and the object has its definition, describes the
 * definition. Returns false if `id` is PK_TYPE_NONE. */
bool pk_type_info(struct pk_types *t, pk_type_id id, struct pk_type *type);

/* Returns the name of a type without qualifiers, as perf shows it: "struct foo*", "unsigned int",
 * "char[16]", "uint64_t". In C++, the name includes namespaces. The name of a structure without a
 * name is "struct (anonymous)". Names are cut after 1023 bytes. Returns "" for PK_TYPE_NONE, and if
 * the budget is used up or memory is exhausted. */
const char *pk_type_name(struct pk_types *t, pk_type_id id);

/* Returns the type without typedefs and qualifiers. For a declaration, returns its definition.
 * Returns PK_TYPE_NONE if the type is unknown. */
pk_type_id pk_type_strip(struct pk_types *t, pk_type_id id);

static inline bool pk_type_is_address(enum pk_type_kind kind)
{
	return kind == PK_KIND_OF_POINTER || kind == PK_KIND_OF_REFERENCE;
}

/* Returns the type "pointer to target", and creates it when it is first used. Returns PK_TYPE_NONE
 * if `target` is PK_TYPE_NONE, if memory is exhausted, or if the budget is used up. */
pk_type_id pk_type_pointer(struct pk_types *t, pk_type_id target);

/* A member of a structure, class or union. */
struct pk_member {
	const char *name; /* the name of the member; NULL if it is anonymous or a base class */
	pk_type_id type;
	uint64_t offset,
		size; /* In bytes. For a bit field, these are the bytes that contain its bits. */
	uint16_t bit_offset, /* For a bit field: the number of its first bit in these bytes. It is
				counted from the least significant bit, and on big-endian machines
				from the most significant bit. */
		bit_size;    /* 0 if it is not a bit field */
	bool base;
};

/* Finds the members of a structure, class or union. The type can also be a typedef of a structure,
 * class or union. The members are sorted by offset, and do not include static members. Returns the
 * number of members. */
size_t pk_type_members(struct pk_types *t, pk_type_id id, const struct pk_member **members);

/* Returns the innermost type in the type `id` that contains the whole access. The access has `size`
 * bytes and starts at `offset`. If `size` is 0, the size is unknown. Sets *rest to the offset in
 * the returned type. In a union, the result is in the member that fits best, or in the first of
 * several such members. If `id` is a number, an enum or a pointer, and the offset is outside of the
 * type, the access is assumed to be in an array of this type. If the offset is after the end of a
 * structure, the access is in the last member if that is "data[]" or "data[1]". Returns
 * PK_TYPE_NONE if there is no such type. */
pk_type_id pk_type_at(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
		      uint64_t *rest);

/* Writes the name of the accessed member, such as "list.next" or "a.b[0].c". Writes "" if there is
 * no member, or if the access is to the whole type. Unlike in pk_type_at(), the access can extend
 * beyond the member. Sets *start and *length to the bytes of the member, unless these pointers are
 * NULL. Returns false if the offset is not in the type. */
bool pk_type_member_name(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size,
			 char *text, size_t room, uint64_t *start, uint64_t *length);

/* ---- Variables ---- */

/* Where a variable is. */
enum pk_where {
	PK_WHERE_REGISTER,  /* in register `reg` */
	PK_WHERE_MEMORY,    /* in memory at the value of register `reg` + `offset` */
	PK_WHERE_CFA,	    /* in memory at the canonical frame address + `offset` */
	PK_WHERE_ADDRESS,   /* in memory at address `offset` */
	PK_WHERE_TLS,	    /* in the object's thread-local memory at `offset` */
	PK_WHERE_VALUE,	    /* not stored; the value is register `reg` + `offset` */
	PK_WHERE_CFA_VALUE, /* not stored; the value is the canonical frame address + `offset` */
	PK_WHERE_CONSTANT,  /* not stored; the value is `offset`, or 0 if the value does not have 1,
			     * 2, 4 or 8 bytes */
	PK_WHERE_ENTRY_VALUE, /* not stored; the value is that of `reg` at the entry of the
			       * function, plus `offset` */
	PK_WHERE_POINTER,     /* not stored; a pointer to a variable that also has no location */
	PK_WHERE_OTHER,	      /* an expression of another kind; the location is unknown */
};

/* A location of a variable of a function. */
struct pk_variable {
	const char *name; /* NULL if there is no name */
	pk_type_id type;
	uint64_t low, high; /* the location is valid if the pc is in [low, high) */
	enum pk_where where;
	uint16_t reg; /* the DWARF number of the register */
	bool parameter;
	bool inlined; /* true if the variable belongs to a function that is inlined into the
		       * function at this address */
	/* The nesting depth of the variable's block. If two variables have the same name, the
	 * deeper variable is visible, and its location is more certain. */
	uint16_t depth;
	/* The function to which the variable belongs. It is the offset in .debug_info of the entry
	 * of this function, or of the entry of its inlined copy. */
	uint64_t function;
	int64_t offset;
	/* The bytes of the variable that are at this location. `piece` is the index of the first
	 * byte, and `piece_size` is the number of bytes. If piece_size is 0, all bytes are there.
	 */
	uint64_t piece, piece_size;
};

/* Finds the parameters and variables in [low, high) of the function at address `low`. It includes
 * the parameters and variables of inlined functions. There is an item for each location of a
 * variable and each address range where the location is valid. The items are sorted by `low`.
 * Variables without a location or of unknown type are skipped. *variables is valid until the next
 * call with `t`. */
size_t pk_types_variables(struct pk_types *t, uint64_t low, uint64_t high,
			  const struct pk_variable **variables);

/*
 * Finds the structures and unions that the function at an address mentions. The function mentions a
 * structure if a variable, a parameter or the result of the function has this type, or points to
 * it. Variables, parameters and results of functions that are inlined into the function are
 * examined, too. A variable need not have a location. *types is valid until the next call of this
 * function with `t`.
 */
size_t pk_types_mentioned(struct pk_types *t, uint64_t address, const pk_type_id **types);

/* The types of a function that converts a pointer. The only parameter of the function is a
 * structure or points to a structure. Its result is another structure or points to another
 * structure. */
struct pk_conversion {
	pk_type_id from, to;
};

/* The structures and conversions of a compilation unit. */
struct pk_source_types {
	const pk_type_id *structures; /* structures and unions */
	size_t structure_count;
	const struct pk_conversion *conversions;
	size_t conversion_count;
};

/*
 * Finds the structures and unions that the compilation unit of the function at an address defines.
 * Structures that are defined inside other functions are not included. Also finds the functions of
 * the unit that convert pointers to these structures. The function cannot know the members of other
 * structures. Returns false if the unit is unknown, for example because dwz or the linker has
 * merged the types of several units. *found is valid until the next call of this function with `t`.
 */
bool pk_types_of_source(struct pk_types *t, uint64_t address, struct pk_source_types *found);

/* A variable with static storage. */
struct pk_global {
	const char *name;
	pk_type_id type;
	uint64_t address, size; /* `size` is the size of the variable in bytes, and is at least 1 */
};

/* Finds the variable with static storage at an address, in any scope. If only a piece of the
 * variable is at this address, global->address is the address that its first byte would have.
 * Returns false if there is no variable. */
bool pk_types_global(struct pk_types *t, uint64_t address, struct pk_global *global);
/* Finds the thread-local variable at an offset in the object's thread-local memory. global->address
 * is also an offset. */
bool pk_types_thread_local(struct pk_types *t, uint64_t offset, struct pk_global *global);
/* Finds a variable at the top level of a unit by its linkage name, which is its name in C. If the
 * variable is only declared, because another object defines it, its address is 0. */
bool pk_types_global_named(struct pk_types *t, const char *name, struct pk_global *global);
/* Calls `each` for the defined variables that pk_types_global_named() can find. The argument `name`
 * is the name to pass to that function. */
typedef void (*pk_global_fn)(void *arg, const char *name, const struct pk_global *global);
void pk_types_globals(struct pk_types *t, pk_global_fn each, void *arg);

/* A parameter of a function. */
struct pk_parameter {
	const char *name; /* NULL if there is no name */
	pk_type_id type;
};

/* A function: its name, its parameters and the type of its result. */
struct pk_function {
	const char *name; /* the name in the source, without namespaces */
	uint64_t start; /* The address of the function's first instruction. It is 0 if the function
			 * is only declared, or only inlined. */
	pk_type_id result;
	const struct pk_parameter *parameters;
	uint16_t count;
	bool variadic;
	bool prototyped; /* true if the parameters are known; false if the function was declared
			  * without a prototype */
};

/* Finds the function that contains the address. For inlined code, it is the function into which the
 * code is inlined. */
bool pk_types_function(struct pk_types *t, uint64_t address, struct pk_function *function);
/* Finds an external function by its linkage name, which is its name in C. The function can be only
 * declared, because another object defines it. */
bool pk_types_function_named(struct pk_types *t, const char *name, struct pk_function *function);
/* Finds the parameters and the result of a function type. The type can also be a pointer to a
 * function type. Returns false if it is another type. */
bool pk_type_function(struct pk_types *t, pk_type_id id, struct pk_function *function);

#endif
