/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_STACKS_H
#define PK_ADDRESS_STACKS_H

/* Stacks with a frame for each address. The stacks in the stream can have one frame for each
 * function; the addresses are those in the callchains of samples. */

#include "session.h"

struct pk_address_stacks;

/* from: the definitions of the stream; to: gets the new stacks. calls: as PK_FRAMES_OF_CALLS. NULL:
 * out of memory. */
struct pk_address_stacks *pk_address_stacks_new(const struct pk_dictionary *from,
						struct pk_dictionary *to, bool calls);
void pk_address_stacks_free(struct pk_address_stacks *made);
/* Copies the sample's stack, replaces the addresses of its frames by those of the callchain, and
 * returns the id in `to`. A frame whose address is unknown is copied unchanged. stack is its id in
 * `from`. Without a callchain, the sample's ip is the only address. 0: the sample has no stack or
 * cannot be decoded, or memory is exhausted, which sets *failed. */
uint32_t pk_address_stacks_of(struct pk_address_stacks *made, struct pk_session *session,
			      const struct pk_record *record, uint32_t stack, bool *failed);
/* Call after one of the dictionaries was reset or cleared. */
void pk_address_stacks_forget(struct pk_address_stacks *made);

#endif
