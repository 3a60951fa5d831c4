/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of an object's code: from the mapped file, the kernel's memory or ELF file, or a
 * jitdump. Addresses are those of pk_object_lookup(); the shown addresses, which the debugging
 * information and objdump also use, can differ. */
#ifndef PK_OBJECT_CODE_H
#define PK_OBJECT_CODE_H

#include "symbols.h"

struct pk_machine_code;

struct pk_machine {
	unsigned number; /* EM_ */
	bool is_64, big_endian;
};

/* The object must live longer. NULL: out of memory. */
struct pk_machine_code *pk_machine_code_new(struct pk_object *o);
/* Uses the bytes at an address. Takes ownership of them in any case; they are from malloc(). */
struct pk_machine_code *pk_machine_code_of_bytes(const struct pk_machine *machine, uint64_t address,
						 void *bytes, size_t size);
void pk_machine_code_free(struct pk_machine_code *c);

/* READY, or the reason why not. */
enum pk_object_state pk_machine_code_state(const struct pk_machine_code *c);
/* The file that it is from; "": none. */
const char *pk_machine_code_source(const struct pk_machine_code *c);
/* Whether the kernel patches this code while it runs, and the bytes are those before that. */
bool pk_machine_code_unpatched(const struct pk_machine_code *c);

/* The machine; valid if the state is READY. */
struct pk_machine pk_machine_code_machine(const struct pk_machine_code *c);

/* Copies the bytes from address on, up to size; returns their number. */
size_t pk_machine_code_read(struct pk_machine_code *c, uint64_t address, void *to, size_t size);

/* Converts between an address and its shown form. False: it is not in the object's code (or, for
 * the reverse, in its data). */
bool pk_machine_code_shown(struct pk_machine_code *c, uint64_t address, uint64_t *shown);
bool pk_machine_code_address(struct pk_machine_code *c, uint64_t shown, uint64_t *address);

/* The kind of code by the mapping symbols of arm, arm64 and riscv: 'a' arm, 't' thumb, 'x' code,
 * 'd' data; 0: none. *end: the end of the range. Addresses are shown ones. */
char pk_machine_code_mapping(struct pk_machine_code *c, uint64_t shown, uint64_t *end);

#endif
