/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the bytes of an object's code. They come from the mapped file, from the kernel's memory or
 * its ELF file, or from a jitdump. An address is an address for pk_object_lookup(). The shown
 * address is the address that the debugging information and objdump use. It can be different. */
#ifndef PK_OBJECT_CODE_H
#define PK_OBJECT_CODE_H

#include "symbols.h"

struct pk_machine_code;

/* The machine for which code was compiled. */
struct pk_machine {
	unsigned number; /* EM_* */
	bool is_64, big_endian;
};

/* The object must be valid until pk_machine_code_free() is called. Returns NULL if memory is
 * exhausted. */
struct pk_machine_code *pk_machine_code_new(struct pk_object *o);
/* Makes code without an object. It consists of the given bytes at the given address. The bytes must
 * come from malloc(). This function takes ownership of them, even if it fails. Returns NULL if
 * memory is exhausted. */
struct pk_machine_code *pk_machine_code_of_bytes(const struct pk_machine *machine, uint64_t address,
						 void *bytes, size_t size);
void pk_machine_code_free(struct pk_machine_code *c);

/* Returns PK_OBJECT_READY, or the reason why the code cannot be read. */
enum pk_object_state pk_machine_code_state(const struct pk_machine_code *c);
/* Returns the path of the file that has the bytes, or "" if there is no file. */
const char *pk_machine_code_source(const struct pk_machine_code *c);
/* Returns true if the bytes come from vmlinux. A running kernel patches some of its code. So the
 * executed code can differ from these bytes. */
bool pk_machine_code_unpatched(const struct pk_machine_code *c);

/* Returns the machine, which is valid if the state is PK_OBJECT_READY. */
struct pk_machine pk_machine_code_machine(const struct pk_machine_code *c);

/* Copies up to `size` bytes, starting at this address. Returns the number of copied bytes. It is
 * smaller than `size` at the end of the code and after a failed read. It is 0 if there are no
 * bytes. */
size_t pk_machine_code_read(struct pk_machine_code *c, uint64_t address, void *to, size_t size);

/* These functions convert the address of a lookup to the shown address and back. They return false
 * if the address is in no segment of the file, or in no code of the jitdump. */
bool pk_machine_code_shown(struct pk_machine_code *c, uint64_t address, uint64_t *shown);
bool pk_machine_code_address(struct pk_machine_code *c, uint64_t shown, uint64_t *address);

/* Returns the kind of the bytes at a shown address: 'a' for Arm code, 't' for Thumb code, 'x' for
 * code, and 'd' for data. The kind comes from the mapping symbols of arm, arm64 and riscv, or from
 * the functions of arm. Returns 0 if there is no such symbol before the address. Sets *end to the
 * end of the range of this kind, which is also a shown address. */
char pk_machine_code_mapping(struct pk_machine_code *c, uint64_t shown, uint64_t *end);

#endif
