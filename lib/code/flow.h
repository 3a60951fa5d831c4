/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds which type each instruction of a function reads or writes, and at which offset in the type.
 * It starts with the variables in the debugging information. It follows the values of registers and
 * of the stack along all paths through the function.
 *
 *     struct flow *f = pk_flow_new(&options, pieces, count);
 *     const struct flow_access *a;
 *
 *     for (size_t n = pk_flow_accesses(f, address, &a); n--; a++)
 *             if (a->found == FLOW_TYPE)
 *                     a->type, a->offset
 *
 * Addresses are addresses of the debugging information (types.h). The code is untrusted. Time and
 * memory are bounded by the size of the code.
 */
#ifndef PK_FLOW_H
#define PK_FLOW_H

#include "insn.h"
#include "types.h"

struct flow;

/* A contiguous range of the code of a function. */
struct flow_piece {
	uint64_t address;
	const uint8_t *bytes; /* must stay valid until pk_flow_free() is called */
	size_t size;
};

/* What the loader writes at an address of the object's data. */
enum flow_slot {
	FLOW_SLOT_NONE,
	FLOW_SLOT_ADDRESS, /* a pointer into this object; `value` is its address in the object */
	FLOW_SLOT_POINTER, /* a pointer to the variable `name` of another object */
	FLOW_SLOT_THREAD,  /* an offset from the start of the object's thread-local memory: `value`
			    */
	FLOW_SLOT_COPY,	   /* The loader copies the variable `name` of another object to this place.
			    * The address belongs to the byte at offset `value` of the variable. */
};

/* The object that the function belongs to, and callbacks that look up facts about it. */
struct flow_options {
	struct disasm *disasm;
	struct pk_types *types; /* NULL if there is no debugging information */
	bool kernel; /* true for the kernel, where %gs is the base of per-CPU variables */
	bool fixed;  /* True if the object is always loaded at the same addresses. A number in its
		      * code can then be an address. */
	uint64_t tls_size; /* the size of the thread-local memory (the segment PT_TLS), rounded up
			    * to its alignment; 0 if there is none */
	/* Returns the name of the function at an address, such as "malloc@plt". Returns NULL if it
	 * is unknown. The callback can be NULL. */
	const char *(*name)(void *arg, uint64_t address);
	/* Returns the register from which the canonical frame address is computed, and the *offset
	 * from it. Returns false if they are unknown. The callback can be NULL. */
	bool (*cfa)(void *arg, uint64_t address, unsigned *reg, int64_t *offset);
	/* Returns what the loader writes at an address in the object's data. The callback can be
	 * NULL. */
	enum flow_slot (*slot)(void *arg, uint64_t address, uint64_t *value, const char **name);
	void *arg;
};

/* What is known about the memory that an instruction accesses. */
enum flow_found {
	FLOW_TYPE,    /* the type is known; flow_access.type and flow_access.offset are set */
	FLOW_PER_CPU, /* a per-CPU variable of the kernel; `type` and `offset` are set if they are
		       * known */
	FLOW_CANARY,  /* the stack guard (-fstack-protector) */
	FLOW_STACK,   /* the function's own stack, at a place without a variable */
	FLOW_CALLS,   /* the stack access of a push, pop, leave, call or return */
	FLOW_ADDRESS, /* the address `reference`, at which no variable is known */
	FLOW_NOT,     /* The type is unknown. flow_access.reason is set. */
	FLOW_FOUND_COUNT
};

/* The reason why an access is unresolved. */
enum flow_reason {
	FLOW_NO_INFORMATION, /* The function has no debugging information. */
	FLOW_NO_VARIABLE,    /* No known variable is in the register. */
	FLOW_LOST_CALL,	 /* The register was changed by a call, or has a call's result of unknown
			  * type. */
	FLOW_LOST_MERGE, /* The register has values of different types on different paths. */
	FLOW_LOST_ARITHMETIC, /* The register has the result of a calculation that is not analysed.
			       */
	FLOW_LOST_MEMORY,     /* The register was loaded from memory of unknown type. */
	FLOW_NO_POINTER,      /* The type in the register is known, but it is not a pointer. */
	FLOW_VOID_POINTER,    /* The pointer is void *, or its type is not defined in the object. */
	FLOW_OUTSIDE,	   /* The access is before or after the type to which the pointer points. */
	FLOW_THREAD_LOCAL, /* The thread-local variable is unknown. */
	FLOW_TOO_LARGE,	   /* The function is too large to be analysed. */
	FLOW_REASON_COUNT
};

/* A memory access of an instruction, and the result of its analysis. */
struct flow_access {
	uint64_t address; /* address of the instruction */
	enum flow_found found;
	enum flow_reason reason; /* set if found is FLOW_NOT */
	pk_type_id type; /* the type of the variable or of the pointer's target, or PK_TYPE_NONE */
	int64_t offset;	 /* the distance in bytes from the start of the type to the first byte that
			  * is accessed */
	uint64_t reference; /* the accessed address if found is FLOW_ADDRESS */
	uint8_t size;	    /* the number of bytes that are accessed, or 0 if it is unknown */
	bool read, written;
	const char *variable; /* the accessed variable, or NULL if there is none or the access is
			       * through a pointer */
};

/* Returns a text for a reason that fits in a table of counts: "no variable in the register". */
const char *pk_flow_reason_text(enum flow_reason reason);

/* Analyses the code of a function. The code has one or several pieces, which are contiguous ranges.
 * The first piece starts at the entry of the function. If pk_disasm_machine() returns NULL for the
 * machine, there are no accesses. Returns NULL if memory is exhausted. */
struct flow *pk_flow_new(const struct flow_options *options, const struct flow_piece *pieces,
			 size_t count);
void pk_flow_free(struct flow *f);

/* Returns the number of accesses of the instruction at this address. An instruction that copies
 * from memory to memory has two. Returns 0 if there are no accesses or no such instruction.
 * *accesses is valid until pk_flow_free(f) is called. */
size_t pk_flow_accesses(const struct flow *f, uint64_t address,
			const struct flow_access **accesses);

#endif
