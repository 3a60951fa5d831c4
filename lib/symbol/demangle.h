/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEMANGLE_H
#define PK_DEMANGLE_H

#include <stdint.h>

/*
 * C++ (Itanium ABI) and Rust. NULL: not a mangled name, or one whose text is too long, or that
 * takes too much work. The caller frees the text.
 * errno is ENOMEM with NULL if memory is exhausted, else another number.
 *
 * Subtracts the work from *budget (one unit: a character written, or a step of the parser). The
 * caller chooses the budget for a set of names, since a short name can stand for much work. With
 * an empty budget no name is demangled.
 */
char *pk_demangle(const char *name, uint64_t *budget);

/* Rust, version 0: the work that a name stands for; UINT64_MAX: more than limit, or malformed. */
uint64_t pk_rust_work(const char *name, uint64_t limit);

#endif
