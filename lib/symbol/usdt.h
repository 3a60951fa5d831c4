/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USDT_H
#define PK_USDT_H

#include <stdbool.h>
#include <stdint.h>

#include "pkstream.h"

/* A probe that a program's author has put into it (sys/sdt.h), found in its ELF notes. */
struct pk_usdt {
	const char *provider, *name;
	const char *arguments; /* "-4@%eax 8@-16(%rbp)": size, and where to find it */
	uint64_t offset;       /* in the file */
	uint64_t semaphore;    /* in the file: counts who listens; 0: none */
	/* The file's: */
	uint32_t machine; /* EM_* */
	uint8_t word;	  /* bytes of an address */
	bool big_endian;
};

struct pk_elf;

/* Calls each for every probe; what it gets is valid during the call. False if that is no ELF file.
 */
bool pk_usdt_each(const char *path, void (*each)(void *arg, const struct pk_usdt *usdt), void *arg);
/* The same for a file that is open. */
void pk_usdt_each_of(const struct pk_elf *elf, void (*each)(void *arg, const struct pk_usdt *usdt),
		     void *arg);

/*
 * Where the arguments of a probe are, as its note tells in the assembler's words: arg1, arg2 ...
 * What they do not tell in a way that is known here is PK_ARGUMENT_UNKNOWN: what only the linker
 * knew where to put, floating point registers. *stack_size: how many bytes of the stack, from its
 * top on, hold those of them that are there; a guess where they are counted from the frame; 0: none
 * is. To be freed; NULL: out of memory.
 */
struct pk_arguments *pk_usdt_arguments(const struct pk_usdt *usdt, uint32_t *stack_size);

/*
 * The same as users of perf-probe(1) write it, for a file, separated by blanks:
 * [NAME=]WHERE[:TYPE], where WHERE is %REGISTER, $retval, $argN or OFFSET(%REGISTER), and TYPE u8
 * to u64, s8 to s64, or x8 to x64. NULL: malformed, of a machine that is not known, or out of
 * memory.
 */
struct pk_arguments *pk_probe_arguments(const struct pk_elf *elf, const char *text,
					uint32_t *stack_size);
struct pk_arguments *pk_probe_arguments_of(const char *path, const char *text,
					   uint32_t *stack_size);

#endif
