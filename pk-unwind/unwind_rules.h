/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_RULES_H
#define UNWIND_RULES_H

/* A cache of the rows of call frame information, by address. */

#include "cfi.h"
#include "resolve.h"

struct unwind_rules;

/* The unwind rule of an address in an image. */
struct unwind_rule {
	uint64_t address;
	uint32_t image;	 /* index of the image + 1 */
	uint32_t status; /* enum pk_cfi_status: OK, NONE or BAD */
	struct pk_cfi_row row;
};

struct unwind_rules *unwind_rules_new(struct resolver *resolver, struct pk_failures *failures);
void unwind_rules_free(struct unwind_rules *rules);
/* Clears the cache for a new session, which has other images. */
void unwind_rules_forget(struct unwind_rules *rules);
/* The rule for an address from pk_map_address(), in an image with code of `machine`. NULL: out of
 * memory. Valid until the next call. The lookup subtracts its work from *work; see
 * pk_cfi_find_within(). */
const struct unwind_rule *unwind_rules_find(struct unwind_rules *rules,
					    const struct pk_cfi_machine *machine,
					    const struct pk_image *image, uint64_t address,
					    uint64_t *work);
/* True if the symbols of the image show that b is not in the function of a; false also if a has no
 * symbol. */
bool unwind_rules_differ(struct unwind_rules *rules, const struct pk_image *image, uint64_t a,
			 uint64_t b);
/* The argument of pk_cfi_step; the status of the rule must be OK. */
const struct pk_cfi *unwind_rules_cfi(const struct unwind_rules *rules,
				      const struct unwind_rule *rule);

#endif
