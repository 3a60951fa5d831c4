/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USDT_H
#define PK_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pkstream.h"

enum {
	PK_PROBE_ARGUMENTS_MOST = 64, /* of one probe; sys/sdt.h has up to 12 */
	PK_PROBE_STACK_MOST = 16384   /* bytes of the user stack in a sample */
};

/* A USDT probe: one that a program's author has added (sys/sdt.h), from its ELF note. */
struct pk_usdt {
	const char *provider, *name;
	const char *arguments; /* "-4@%eax 8@-16(%rbp)": sizes and operands */
	uint64_t offset;       /* of the probe, in the file */
	uint64_t semaphore;    /* offset in the file of the counter of listeners; 0: none */
	/* About the file: */
	uint32_t machine; /* EM_* */
	uint8_t word;	  /* bytes of an address */
	bool big_endian;
};

struct pk_elf;

/* Calls each for every probe of a file. *usdt is valid during the call. Returns false if it is not
 * an ELF file, or it cannot be opened. */
bool pk_usdt_each(const char *path, void (*each)(void *arg, const struct pk_usdt *usdt), void *arg);
/* The same for an open file. */
void pk_usdt_each_of(const struct pk_elf *elf, void (*each)(void *arg, const struct pk_usdt *usdt),
		     void *arg);

/* The arguments of a probe, from the operands in its note: arg1, arg2 ... Operands that cannot be
 * read are PK_ARGUMENT_UNKNOWN: addresses that only the linker knows, floating point registers.
 * *stack_size is the number of bytes, from the top of the stack on, that the arguments on the stack
 * need. It is a guess if they are relative to the frame pointer or an index. It is 0 if there are
 * none, or if they need more than PK_PROBE_STACK_MOST. The result is to be freed. It is NULL if
 * memory is exhausted. */
struct pk_arguments *pk_usdt_arguments(const struct pk_usdt *usdt, uint32_t *stack_size);

/* The length of the first argument in text: up to a blank outside of parentheses and brackets. */
size_t pk_probe_argument_length(const char *text);

/* ---- Registers of a machine (EM_*), by perf's numbers ---- */

/* Finds a register by its name in assembler, without %. Sets base, and shift for a part such as
 * "ah". Returns false if it is unknown register or machine. */
bool pk_probe_register(uint32_t machine, const char *name, struct pk_argument *argument);
/* The register of a function's argument, from 1 on, or with 0 that of its result. Returns false if
 * there is none. */
bool pk_probe_passed_in(uint32_t machine, unsigned int number, uint8_t *reg);
/* The register that is the stack pointer. Returns false if the machine is unknown. */
bool pk_probe_stack(uint32_t machine, uint8_t *reg);
/* An empty list of arguments, with room for PK_PROBE_ARGUMENTS_MOST. NULL: out of memory. */
struct pk_arguments *pk_probe_arguments_empty(uint32_t machine, bool big_endian);
/* The bytes of the stack, from its top on, that the arguments need, as in pk_usdt_arguments(). */
uint32_t pk_probe_stack_size(uint32_t machine, const struct pk_arguments *arguments);

#endif
