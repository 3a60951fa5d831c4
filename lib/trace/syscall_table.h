/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_TABLE_H
#define PK_SYSCALL_TABLE_H

/* The names of system calls by their numbers. The numbers differ between architectures. */

#include <stdbool.h>
#include <stdint.h>

enum pk_abi { PK_ABI_UNKNOWN, PK_ABI_X86_64, PK_ABI_I386, PK_ABI_AARCH64, PK_ABI_ARM, PK_ABIS };

/* Returns the system call interface of a program on a machine (EM_*). is_32bit says that it is a
 * 32-bit program. The machine can still be a 64-bit machine. */
enum pk_abi pk_abi_of(uint32_t e_machine, bool is_32bit);
/* Returns the name of a call, or NULL if it is unknown. */
const char *pk_syscall_name(enum pk_abi abi, uint64_t number);

#endif
