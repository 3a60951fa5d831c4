/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_RULES_H
#define UNWIND_RULES_H

/* The rows of call frame information for addresses that occur, worked out once for each. */

#include "cfi.h"
#include "resolve.h"

struct unwind_rules;

/* What is known of an address in an image. */
struct unwind_rule {
	uint64_t address;
	uint32_t image;	 /* its index + 1 */
	uint32_t status; /* enum pk_cfi_status: OK, NONE or BAD */
	struct pk_cfi_row row;
};

struct unwind_rules *unwind_rules_new(struct resolver *resolver, struct pk_failures *failures);
void unwind_rules_free(struct unwind_rules *rules);
/* Forgets all: a session begins, with other images. */
void unwind_rules_forget(struct unwind_rules *rules);
/* For the address, as pk_map_address() has it, in an image of such a machine. NULL: out of memory.
 * Valid until the next call. *work: see pk_cfi_find_within(). */
const struct unwind_rule *unwind_rules_find(struct unwind_rules *rules,
					    const struct pk_cfi_machine *machine,
					    const struct pk_image *image, uint64_t address,
					    uint64_t *work);
/* Whether symbols tell that the two addresses of the image are of different functions. */
bool unwind_rules_differ(struct unwind_rules *rules, const struct pk_image *image, uint64_t a,
			 uint64_t b);
/* What pk_cfi_step needs; the rule of the image was OK. */
const struct pk_cfi *unwind_rules_cfi(const struct unwind_rules *rules,
				      const struct unwind_rule *rule);

#endif
