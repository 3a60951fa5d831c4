/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USDT_H
#define PK_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pkstream.h"

enum {
	PK_PROBE_ARGUMENTS_MOST =
		64, /* the most arguments of one probe; sys/sdt.h allows at most 12 */
	PK_PROBE_STACK_MOST = 16384 /* the most bytes of the user stack that a sample must have for
				     * the arguments */
};

/* A USDT probe, which the author of a program has added with sys/sdt.h. The data is from an ELF
 * note. */
struct pk_usdt {
	const char *provider, *name;
	const char *arguments; /* sizes and operands, such as "-4@%eax 8@-16(%rbp)" */
	uint64_t offset;       /* offset of the probe in the file */
	uint64_t semaphore; /* offset in the file of the counter of listeners, or 0 if there is none
			     */
	/* The machine that the file is for: */
	uint32_t machine; /* EM_* */
	uint8_t word;	  /* size of an address in bytes */
	bool big_endian;
};

struct pk_elf;

/* Calls each() for every probe of a file. *usdt is valid only during the call. Returns false if the
 * file cannot be opened or is not an ELF file. */
bool pk_usdt_each(const char *path, void (*each)(void *arg, const struct pk_usdt *usdt), void *arg);
/* Does the same as pk_usdt_each() for a file that is already open. */
void pk_usdt_each_of(const struct pk_elf *elf, void (*each)(void *arg, const struct pk_usdt *usdt),
		     void *arg);

/* Returns the arguments of a probe, from the operands in its note. Their names are arg1, arg2 and
 * so on. Operands that cannot be read are PK_ARGUMENT_UNKNOWN. These are addresses that only the
 * linker knows, and floating point registers.
 *
 * *stack_size is set to the number of bytes from the top of the stack that the arguments on the
 * stack need. It is a guess if arguments are relative to the frame pointer or have an index. It is
 * 0 if no arguments are on the stack, or if they need more than PK_PROBE_STACK_MOST. The caller
 * frees the result. Returns NULL if memory is exhausted. */
struct pk_arguments *pk_usdt_arguments(const struct pk_usdt *usdt, uint32_t *stack_size);

/* Returns the length of the first argument in the text. A blank outside of parentheses and brackets
 * ends it. */
size_t pk_probe_argument_length(const char *text);

/* ---- Registers of a machine (EM_*), with perf's numbers ---- */

/* Finds a register by its name in assembler, without %. Sets base. For a part of a register, such
 * as "ah", also sets shift. Returns false if the register or the machine is unknown. */
bool pk_probe_register(uint32_t machine, const char *name, struct pk_argument *argument);
/* Finds the register of a function's argument. Numbers start at 1, and 0 means the result. Returns
 * false if there is no such register. */
bool pk_probe_passed_in(uint32_t machine, unsigned int number, uint8_t *reg);
/* Finds the register that is the stack pointer. Returns false if the machine is unknown. */
bool pk_probe_stack(uint32_t machine, uint8_t *reg);
/* Returns an empty list of arguments, with space for PK_PROBE_ARGUMENTS_MOST. Returns NULL if
 * memory is exhausted. */
struct pk_arguments *pk_probe_arguments_empty(uint32_t machine, bool big_endian);
/* Returns how many bytes from the top of the stack the arguments need, as in pk_usdt_arguments().
 */
uint32_t pk_probe_stack_size(uint32_t machine, const struct pk_arguments *arguments);

#endif
