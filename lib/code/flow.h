/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the type and the offset that each instruction of a function reads and writes. Follows the
 * values of registers and the stack, from the debugging information about variables, along all
 * paths through the function.
 *
 *     struct flow *f = pk_flow_new(&options, pieces, count);
 *     const struct flow_access *a;
 *
 *     for (size_t n = pk_flow_accesses(f, address, &a); n--; a++)
 *             if (a->found == FLOW_TYPE)
 *                     a->type, a->offset
 *
 * Addresses are those of the debugging information (types.h). Code is untrusted: work and memory
 * are bounded by its size.
 */
#ifndef PK_FLOW_H
#define PK_FLOW_H

#include "insn.h"
#include "types.h"

struct flow;

struct flow_piece {
	uint64_t address;
	const uint8_t *bytes; /* valid until pk_flow_free() */
	size_t size;
};

enum flow_slot {
	FLOW_SLOT_NONE,
	FLOW_SLOT_ADDRESS, /* value is an address of the object */
	FLOW_SLOT_POINTER, /* the address of the variable name, in another object */
	FLOW_SLOT_THREAD,  /* value is an offset in the thread-local memory */
	FLOW_SLOT_COPY,	   /* byte number value of the variable name of another object */
};

struct flow_options {
	struct disasm *disasm;
	struct pk_types *types; /* NULL: none */
	bool kernel;		/* %gs is the base of per-CPU variables */
	bool fixed;	   /* the object has fixed addresses: numbers in code can be addresses */
	uint64_t tls_size; /* of PT_TLS, rounded up to its alignment; 0: none */
	/* Returns the name of the function at an address ("malloc@plt"), or NULL. May be NULL. */
	const char *(*name)(void *arg, uint64_t address);
	/* Returns the register and *offset of the canonical frame address, or false if they are
	 * unknown. May be NULL. */
	bool (*cfa)(void *arg, uint64_t address, unsigned *reg, int64_t *offset);
	/* Returns what the loader writes at an address of the object's data. May be NULL. */
	enum flow_slot (*slot)(void *arg, uint64_t address, uint64_t *value, const char **name);
	void *arg;
};

enum flow_found {
	FLOW_TYPE,    /* type and offset are set */
	FLOW_PER_CPU, /* a per-CPU variable of the kernel; type and offset if known */
	FLOW_CANARY,  /* the stack guard (-fstack-protector) */
	FLOW_STACK,   /* the function's own stack, without a variable */
	FLOW_CALLS,   /* the stack access that is implied by a push, pop, leave, call or return */
	FLOW_ADDRESS, /* a known address without a known variable: reference */
	FLOW_NOT,     /* unresolved; see reason */
	FLOW_FOUND_COUNT
};

/* The reason why an access is unresolved. */
enum flow_reason {
	FLOW_NO_INFORMATION,  /* no debugging information for the function */
	FLOW_NO_VARIABLE,     /* no known variable is in the register */
	FLOW_LOST_CALL,	      /* the result of a call, of unknown type, or a register that a call
			       * changes */
	FLOW_LOST_MERGE,      /* the register has values of different types on different paths */
	FLOW_LOST_ARITHMETIC, /* the register has the result of a calculation that is not
			       * followed */
	FLOW_LOST_MEMORY,     /* the register was loaded from memory of unknown type */
	FLOW_NO_POINTER,      /* the register's type is known, but it is not a pointer */
	FLOW_VOID_POINTER,    /* void *, or a type that is not defined in the object */
	FLOW_OUTSIDE,	      /* before or after the type that the pointer points to */
	FLOW_THREAD_LOCAL,    /* an unknown thread-local variable */
	FLOW_TOO_LARGE,	      /* the function is too large */
	FLOW_REASON_COUNT
};

struct flow_access {
	uint64_t address; /* address of the instruction */
	enum flow_found found;
	enum flow_reason reason; /* if found is FLOW_NOT */
	pk_type_id type;	 /* type of the variable, or of the pointer's target; or NONE */
	int64_t offset;		 /* offset of the first accessed byte in the type */
	uint64_t reference;	 /* if found is FLOW_ADDRESS: the accessed address */
	uint8_t size;		 /* bytes; 0: unknown */
	bool read, written;
	const char *variable; /* name of the accessed variable; NULL: none, or by a pointer */
};

/* The text for a reason, for a table of counts: "no variable in the register". */
const char *pk_flow_reason_text(enum flow_reason reason);

/* Analyses a function's code, in one or several pieces. The first one starts at the entry. On
 * machines without pk_disasm_machine(), no accesses are known. NULL: out of memory. */
struct flow *pk_flow_new(const struct flow_options *options, const struct flow_piece *pieces,
			 size_t count);
void pk_flow_free(struct flow *f);

/* The accesses of the instruction at address, for example two if it copies from memory to memory.
 * Returns their number, or 0 if there are none, or no such instruction. *accesses is valid as long
 * as f. */
size_t pk_flow_accesses(const struct flow *f, uint64_t address,
			const struct flow_access **accesses);

#endif
