/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of an object's code, from the file that was mapped, the kernel's memory or ELF file, or
 * a jitdump. Addresses are those of pk_object_lookup(); what a listing shows, and the debugging
 * information and objdump call it, may be others.
 */
#ifndef PK_OBJECT_CODE_H
#define PK_OBJECT_CODE_H

#include "symbols.h"

struct pk_machine_code;

struct pk_machine {
	unsigned number; /* EM_ */
	bool is_64, big_endian;
};

/* The object must stay. NULL: out of memory. */
struct pk_machine_code *pk_machine_code_new(struct pk_object *o);
/* Bytes that somebody else has, at an address; for free(): they are taken over in any case. */
struct pk_machine_code *pk_machine_code_of_bytes(const struct pk_machine *machine, uint64_t address,
						 void *bytes, size_t size);
void pk_machine_code_free(struct pk_machine_code *c);

/* READY, or why there is none. */
enum pk_object_state pk_machine_code_state(const struct pk_machine_code *c);
/* Where it is from; "" if from nowhere. */
const char *pk_machine_code_source(const struct pk_machine_code *c);
/* The kernel patches its code while it runs, and these are the bytes before that. */
bool pk_machine_code_unpatched(const struct pk_machine_code *c);

/* Of code that is there. */
struct pk_machine pk_machine_code_machine(const struct pk_machine_code *c);

/* How many bytes of those from address on are there, up to size; they are copied. */
size_t pk_machine_code_read(struct pk_machine_code *c, uint64_t address, void *to, size_t size);

/* The address that is shown for one, and the other way. False: it is not in the object's code (or,
 * the other way, in its data). */
bool pk_machine_code_shown(struct pk_machine_code *c, uint64_t address, uint64_t *shown);
bool pk_machine_code_address(struct pk_machine_code *c, uint64_t shown, uint64_t *address);

/* What the mapping symbols of arm, arm64 and riscv say: 'a' arm, 't' thumb, 'x' code, 'd' data; 0
 * where there are none. *end: up to which address. Addresses are as shown. */
char pk_machine_code_mapping(struct pk_machine_code *c, uint64_t shown, uint64_t *end);

#endif
