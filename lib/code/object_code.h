/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of an object's code, from the mapped file, the kernel's memory or ELF file, or a
 * jitdump. Addresses are those of pk_object_lookup(). The shown addresses, which the debugging
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
/* Code that consists of these bytes, at an address, without an object. The bytes are from malloc().
 * Takes ownership of them, also on failure. NULL: out of memory. */
struct pk_machine_code *pk_machine_code_of_bytes(const struct pk_machine *machine, uint64_t address,
						 void *bytes, size_t size);
void pk_machine_code_free(struct pk_machine_code *c);

/* READY, or the reason why not. */
enum pk_object_state pk_machine_code_state(const struct pk_machine_code *c);
/* The file with the bytes, or "" if there is none. */
const char *pk_machine_code_source(const struct pk_machine_code *c);
/* Whether the bytes come from vmlinux. The running kernel patches some of its code: the code that
 * ran can differ from these bytes. */
bool pk_machine_code_unpatched(const struct pk_machine_code *c);

/* The machine; valid if the state is READY. */
struct pk_machine pk_machine_code_machine(const struct pk_machine_code *c);

/* Copies up to size bytes from address on. Returns their number, which is smaller at the end of the
 * code or after a failed read. It is 0 if there are none. */
size_t pk_machine_code_read(struct pk_machine_code *c, uint64_t address, void *to, size_t size);

/* Converts between an address of a lookup and the shown address. Returns false if it is in no
 * segment of the file, or in no code of the jitdump. */
bool pk_machine_code_shown(struct pk_machine_code *c, uint64_t address, uint64_t *shown);
bool pk_machine_code_address(struct pk_machine_code *c, uint64_t shown, uint64_t *address);

/* The kind of code by the mapping symbols of arm, arm64 and riscv, or by the functions of arm: 'a'
 * is Arm, 't' Thumb, 'x' code, 'd' data. Returns 0 if none comes before the address. *end is the
 * end of the range. Addresses are shown ones. */
char pk_machine_code_mapping(struct pk_machine_code *c, uint64_t shown, uint64_t *end);

#endif
