/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_GO_STACK_SWITCH_H
#define PK_GO_STACK_SWITCH_H

/* Go programs run C functions on another stack. runtime.asmcgocall() changes the stack pointer, and
 * its call frame information does not describe this. But it keeps the frame pointer. */

#include "cfi.h"
#include "elf_image.h"

/* Finds the code of runtime.asmcgocall() in .symtab. Since Go 1.17, its name ends with ".abi0", and
 * the name without this ending is that of a function that calls it. The size is 0 if the file has
 * no such function. */
struct pk_cfi_code pk_go_stack_switch(const struct pk_elf *elf);

#endif
