/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each instruction of a function reads and writes: which type, how far into it. Follows what
 * registers and the stack hold, from what debugging information says of variables, along all ways
 * through the function.
 *
 *     struct flow *f = flow_new(&options, pieces, count);
 *     const struct flow_access *a;
 *
 *     for (size_t n = flow_accesses(f, address, &a); n--; a++)
 *             if (a->found == FLOW_TYPE)
 *                     a->type, a->offset
 *
 * Addresses are those of the debugging information (types.h). Code is hostile: work and memory are
 * bounded by its size.
 */
#ifndef PK_FLOW_H
#define PK_FLOW_H

#include "insn.h"
#include "types.h"

struct flow;

struct flow_piece {
	uint64_t address;
	const uint8_t *bytes; /* stay until flow_free() */
	size_t size;
};

enum flow_slot {
	FLOW_SLOT_NONE,
	FLOW_SLOT_ADDRESS, /* value, an address of the object */
	FLOW_SLOT_POINTER, /* the address of the variable name, which is in another object */
	FLOW_SLOT_THREAD,  /* where value in the thread-local memory is */
	FLOW_SLOT_COPY,	   /* that byte, value, of the variable name of another object */
};

struct flow_options {
	struct disasm *disasm;
	struct pk_types *types; /* NULL: there are none */
	bool kernel;		/* %gs is where per-CPU variables are */
	bool fixed;	   /* the object lies where it says: numbers in code may be addresses */
	uint64_t tls_size; /* of PT_TLS, rounded up to its alignment; 0: there is none */
	/* The name of the function at an address ("malloc@plt"), or NULL. May be NULL itself. */
	const char *(*name)(void *arg, uint64_t address);
	/* The register that the canonical frame address is *offset above of; false: not known. May
	   be NULL. */
	bool (*cfa)(void *arg, uint64_t address, unsigned *reg, int64_t *offset);
	/* What the loader puts at an address of the object's data. May be NULL. */
	enum flow_slot (*slot)(void *arg, uint64_t address, uint64_t *value, const char **name);
	void *arg;
};

enum flow_found {
	FLOW_TYPE,    /* type and offset */
	FLOW_PER_CPU, /* a per-CPU variable of the kernel; type, offset if they are known */
	FLOW_CANARY,  /* the value that guards the stack */
	FLOW_STACK,   /* the function's own stack, where no variable is */
	FLOW_CALLS,   /* likewise: what pushes and pops, calls and returns do */
	FLOW_ADDRESS, /* an address that is known, where no variable is known: reference */
	FLOW_NOT,     /* unresolved: see reason */
	FLOW_FOUND_COUNT
};

/* Why not. */
enum flow_reason {
	FLOW_NO_INFORMATION, /* there is no debugging information of the function */
	FLOW_NO_VARIABLE,    /* no variable is known to be in the register */
	FLOW_LOST_CALL,	 /* it is what a call returned, whose type is not known, or left behind */
	FLOW_LOST_MERGE, /* it is of one type or of another, by which way it came there */
	FLOW_LOST_ARITHMETIC, /* it was calculated */
	FLOW_LOST_MEMORY,     /* it was loaded from where nothing is known of */
	FLOW_NO_POINTER,      /* it has a type, which is none of a pointer */
	FLOW_VOID_POINTER,    /* void *, or a type that is not defined in the object */
	FLOW_OUTSIDE,	      /* before or behind the type that the pointer points to */
	FLOW_THREAD_LOCAL,    /* thread-local, of a variable that is not known */
	FLOW_TOO_LARGE,	      /* the function is */
	FLOW_REASON_COUNT
};

struct flow_access {
	uint64_t address; /* of the instruction */
	enum flow_found found;
	enum flow_reason reason; /* of NOT */
	pk_type_id type;	 /* of the variable, or what the pointer points to; or NONE */
	int64_t offset;		 /* of the first byte in it */
	uint64_t reference;	 /* of ADDRESS */
	uint8_t size;		 /* bytes; 0: not known */
	bool read, written;
	const char *variable; /* NULL: it was a pointer that led there */
};

/* In words, for counts: "no variable in the register". */
const char *flow_reason_text(enum flow_reason reason);

/* The function's code, in one or several pieces (the entry first). NULL: out of memory. */
struct flow *flow_new(const struct flow_options *options, const struct flow_piece *pieces,
		      size_t count);
void flow_free(struct flow *f);

/* What the instruction that begins at address accesses: two where it copies from memory to memory.
 * 0: nothing, or there is no such instruction. *accesses: as long as f. */
size_t flow_accesses(const struct flow *f, uint64_t address, const struct flow_access **accesses);

#endif
