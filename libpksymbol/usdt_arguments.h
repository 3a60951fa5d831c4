/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USDT_ARGUMENTS_H
#define PK_USDT_ARGUMENTS_H

#include "pkstream.h"
#include "usdt.h"

/*
 * Where the arguments of a probe are, as its note tells in the assembler's words: arg1, arg2 ...
 * What they do not tell in a way that is known here is PK_ARGUMENT_UNKNOWN: what only the linker
 * knew where to put, floating point registers. To be freed; NULL: out of memory.
 */
struct pk_arguments *pk_usdt_arguments(const struct pk_usdt *usdt);

/* How many bytes of the stack, from its top on, hold those of them that are there; a guess where
 * they are counted from the frame. 0: none is. */
uint32_t pk_usdt_stack_size(const struct pk_usdt *usdt, const struct pk_arguments *arguments);

#endif
