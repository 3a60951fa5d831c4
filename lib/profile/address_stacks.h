/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_STACKS_H
#define PK_ADDRESS_STACKS_H

/* Stacks of addresses, made of the stacks of functions in a stream and of the samples' callchains.
 */

#include "session.h"

struct pk_address_stacks;

/* from: what the stream defines; to: where stacks are made. NULL: out of memory. */
struct pk_address_stacks *pk_address_stacks_new(const struct pk_dictionary *from,
						struct pk_dictionary *to);
void pk_address_stacks_free(struct pk_address_stacks *made);
/*
 * The id of the sample's stack, with the addresses of its callchain; of a frame whose address is
 * not known the function's frame. stack: its id in the stream. 0: it has none, or memory is
 * exhausted, which *failed says.
 */
uint32_t pk_address_stacks_of(struct pk_address_stacks *made, struct pk_session *session,
			      const struct pk_record *record, uint32_t stack, bool *failed);
/* After one of the dictionaries was reset or cleared. */
void pk_address_stacks_forget(struct pk_address_stacks *made);

#endif
