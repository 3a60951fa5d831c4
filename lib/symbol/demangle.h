/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEMANGLE_H
#define PK_DEMANGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "failures.h"

/*
 * C++ (Itanium ABI), Rust and OCaml. NULL: not a mangled name, or one whose text is too long, or
 * that takes too much work. The caller frees the text. errno is ENOMEM with NULL if memory is
 * exhausted, else another number.
 *
 * Subtracts the work from *budget (one unit: a character written, or a step of the parser). The
 * caller chooses the budget for a set of names, since a short name can stand for much work. With
 * an empty budget no name is demangled.
 */
char *pk_demangle(const char *name, uint64_t *budget);

/* Longer names are cut. */
#define PK_SYMBOL_NAME_MAX (32 << 10)

/*
 * What an object's names may cost. Many symbols can share one long name, and a short name can be
 * much work to demangle: both are limited by the bytes that the object has for names. The limit is
 * far above what real objects need.
 */
struct pk_name_budget {
	struct pk_failures *failures; /* where exhausted memory is counted, or NULL */
	uint64_t paid;	/* bytes of names in the input; the owner keeps it up to date */
	uint64_t spent; /* bytes of text, and steps of demangling */
	uint64_t cut;	/* names that were cut */
};

/* NULL: the name is no mangled one, or there is no budget for it. The caller frees the text. */
char *pk_name_demangle(struct pk_name_budget *budget, const char *name);
/* The beginning of a name that is too long, and "..."; NULL: it is not. The caller frees the text.
 */
char *pk_name_cut(struct pk_name_budget *budget, const char *name);
/* Takes bytes from the budget; false: it has not as many. */
bool pk_name_spend(struct pk_name_budget *budget, uint64_t bytes);

#endif
