/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_FRAME_RULES_H
#define PK_ANNOTATE_FRAME_RULES_H

/* Where the canonical frame address is, by an object's call frame information. */

#include "symbols.h"

struct frame_rules;

/* NULL: out of memory. Of an object without such information it knows nothing. */
struct frame_rules *frame_rules_new(struct pk_object *object);
void frame_rules_free(struct frame_rules *rules);

/* It is *offset above the register, at an address as the file has it. False: not known, or not so
 * simple. */
bool frame_rules_cfa(const struct frame_rules *rules, uint64_t address, unsigned int *reg,
		     int64_t *offset);

#endif
