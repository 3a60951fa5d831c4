/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_ADDRESS_H
#define PK_FRAME_ADDRESS_H

/* The addresses of a sample in a stack whose frames stand for functions: those of its callchain. */

#include "session.h"

/* The next address of the callchain, from *i on. Context markers and the cookie of a deferred half
 * are skipped. UINT64_MAX: there is no other address. */
uint64_t pk_chain_next_ip(const struct pk_u64s *chain, uint64_t *i);
/* The location of an address that belongs to the frame. */
struct pk_location pk_frame_locate(const struct pk_frame *frame, const struct pk_session *session,
				   const struct pk_thread *thread, uint64_t ip);
/* Whether the location is in the frame's object (for frames of the kernel: in the kernel or any
 * module), so that their addresses can be compared. */
bool pk_frame_has(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		  const struct pk_location *location);

#endif
