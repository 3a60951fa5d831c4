/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_STACKS_H
#define PK_ADDRESS_STACKS_H

/* Stacks of addresses, made from the stacks of functions in a stream and the callchains of
 * samples. */

#include "session.h"

struct pk_address_stacks;

/* from: the definitions of the stream; to: gets the new stacks. NULL: out of memory. */
struct pk_address_stacks *pk_address_stacks_new(const struct pk_dictionary *from,
						struct pk_dictionary *to);
void pk_address_stacks_free(struct pk_address_stacks *made);
/*
 * The id of the sample's stack, with the addresses of its callchain. A frame with an unknown
 * address stays the function's frame. stack: the id in the stream. 0: no stack, or memory is
 * exhausted, which sets *failed.
 */
uint32_t pk_address_stacks_of(struct pk_address_stacks *made, struct pk_session *session,
			      const struct pk_record *record, uint32_t stack, bool *failed);
/* Call after one of the dictionaries was reset or cleared. */
void pk_address_stacks_forget(struct pk_address_stacks *made);

#endif
