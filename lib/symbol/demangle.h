/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEMANGLE_H
#define PK_DEMANGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "failures.h"

/*
 * Demangles C++ (Itanium ABI), Rust and OCaml. The caller frees the text. Returns NULL if the name
 * is not mangled, or if the text would be too long or the work too much. If memory is exhausted,
 * the result is NULL and errno is ENOMEM. Otherwise errno is a different number.
 *
 * Subtracts the work from *budget (about one unit for a character written, or for a step of the
 * parser). The caller chooses the budget for a set of names, because a short name can stand for
 * much work. With an empty budget, no name is demangled.
 */
char *pk_demangle(const char *name, uint64_t *budget);

/* The limit in bytes. Longer names are cut. */
#define PK_SYMBOL_NAME_MAX (32 << 10)

/* The budget for an object's names. Many symbols can share one long name, and a short name can take
 * much work to demangle. The limit for both together is 16 MiB and 16 bytes for each byte of names
 * in the object, far above the needs of real objects. */
struct pk_name_budget {
	struct pk_failures *failures; /* counts exhausted memory; may be NULL */
	uint64_t paid;	/* bytes of names in the object; the owner of the struct updates it */
	uint64_t spent; /* bytes of text, and steps of demangling */
	uint64_t cut;	/* names that were cut */
};

/* Like pk_demangle(). Also returns NULL if no budget is left. The caller frees the text. */
char *pk_name_demangle(struct pk_name_budget *budget, const char *name);
/* Subtracts the size of a name from the budget. If the name has more than PK_SYMBOL_NAME_MAX bytes
 * (64 if the budget is used up), returns its start and "...". The caller frees the text. Returns
 * NULL if the name can be used unchanged, or memory is exhausted. */
char *pk_name_cut(struct pk_name_budget *budget, const char *name);
/* Subtracts bytes from the budget. Returns false if not enough is left. */
bool pk_name_spend(struct pk_name_budget *budget, uint64_t bytes);

/* Whether two mangled names of C++ differ only in the variants of constructors and destructors (C1,
 * C2, D0 ...), which are shown alike. */
bool pk_cpp_variants(const char *a, const char *b);

#endif
