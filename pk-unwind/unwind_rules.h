/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_RULES_H
#define UNWIND_RULES_H

/* A cache of the rows of call frame information, by address. */

#include "cfi.h"
#include "resolve.h"

struct unwind_rules;

/* The unwind rule of an address in an image. */
struct unwind_rule {
	enum pk_cfi_status status;    /* OK, NONE or BAD */
	const struct pk_cfi_row *row; /* OK: the arguments of pk_cfi_step; else NULL */
	const struct pk_cfi *cfi;
};

struct unwind_rules *unwind_rules_new(struct resolver *resolver, struct pk_failures *failures);
void unwind_rules_free(struct unwind_rules *rules);
/* Clears the cache for a new session, which has other images. */
void unwind_rules_forget(struct unwind_rules *rules);
/* The rule for an address from pk_map_address(), in an image with code of `machine`. NONE also if
 * memory is exhausted, which is noted in the failures. Valid until the next call. The lookup
 * subtracts its work from *work; see pk_cfi_find_within(). */
struct unwind_rule unwind_rules_find(struct unwind_rules *rules,
				     const struct pk_cfi_machine *machine,
				     const struct pk_image *image, uint64_t address,
				     uint64_t *work);
/* True if the symbols of the image show that b is not in the function of a; false also if a has no
 * symbol. */
bool unwind_rules_differ(struct unwind_rules *rules, const struct pk_image *image, uint64_t a,
			 uint64_t b);

#endif
