/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SHOWN_NAME_H
#define PK_SHOWN_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "failures.h"

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
