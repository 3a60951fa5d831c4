/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEMANGLE_H
#define PK_DEMANGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "failures.h"

/*
 * Demangles names of C++ (Itanium ABI), Rust and OCaml. The caller frees the text. Returns NULL if
 * the name is not mangled, or if the text would be too long, or if demangling would take too long.
 * If memory is exhausted, returns NULL and errno is ENOMEM. Otherwise errno is a different number.
 *
 * Subtracts the cost from *budget. A written character and a step of the parser cost about one unit
 * each. The caller chooses the budget for a set of names, because a short name can take a long
 * time. If the budget is 0, no name is demangled.
 */
char *pk_demangle(const char *name, uint64_t *budget);

/* The greatest length of a name in bytes. Longer names are cut. */
#define PK_SYMBOL_NAME_MAX (32 << 10)

/* The budget for the names of an object. It is needed because many symbols can share one long name,
 * and because demangling a short name can take a long time. The limit for text and steps together
 * is 16 MiB plus 16 bytes for each byte of names in the object. Real objects need much less. */
struct pk_name_budget {
	struct pk_failures *failures; /* counts failed allocations; may be NULL */
	uint64_t paid;	/* bytes of names in the object, set by the owner of this struct */
	uint64_t spent; /* bytes of text plus steps of demangling */
	uint64_t cut;	/* number of names that were cut */
};

/* Like pk_demangle(), with this budget. Also returns NULL if the budget is used up. The caller
 * frees the text. */
char *pk_name_demangle(struct pk_name_budget *budget, const char *name);
/* Subtracts the size of a name from the budget. If the name has more than PK_SYMBOL_NAME_MAX bytes
 * (64 if the budget is used up), returns the start of the name and "...". The caller frees the
 * text. Returns NULL if the name can be used unchanged, or if memory is exhausted. */
char *pk_name_cut(struct pk_name_budget *budget, const char *name);
/* Subtracts a number of bytes from the budget. Returns false if less than this is left. */
bool pk_name_spend(struct pk_name_budget *budget, uint64_t bytes);

/* Returns whether two mangled names of C++ differ only in the variants of constructors and
 * destructors (C1, C2, D0 ...). Such names have the same demangled text. */
bool pk_cpp_variants(const char *a, const char *b);

#endif
