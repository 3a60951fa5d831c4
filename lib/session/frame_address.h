/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_ADDRESS_H
#define PK_FRAME_ADDRESS_H

/* The addresses of a sample, and those of a stack whose frames stand for functions. */

#include "session.h"

#define PK_NO_ADDRESS UINT64_MAX

/*
 * The addresses of a sample's stack. The innermost one is the sample's own (its ip). The callchain
 * can start elsewhere: a processor reports the address of an event exactly, and interrupts some
 * instructions later, where the callchain is from. Then `own` is that address, and the entries at
 * the start of the callchain may not be its callers (pk_stacks_of()).
 */
struct pk_addresses {
	/* The callchain without the marker and the cookie of a half that is merged later; the ip if
	 * there is no address in it */
	struct pk_u64s chain;
	uint64_t own;  /* PK_NO_ADDRESS: the stack starts with that of the chain */
	bool unmerged; /* the callchain is a half */
	bool bare;     /* there is no address in the callchain */
};

/* The addresses are valid as long as the record. */
PK_MUST_CHECK enum pk_status pk_sample_addresses(const struct pk_event *event,
						 const struct pk_record *record,
						 struct pk_addresses *addresses);
/* Whether the callchain has neither an address nor a cookie. */
bool pk_chain_is_bare(const struct pk_u64s *chain);
/* The next address of the callchain, from *i on. Context markers and the cookie of a deferred half
 * are skipped. PK_NO_ADDRESS: there is no other address. */
uint64_t pk_chain_next_ip(const struct pk_u64s *chain, uint64_t *i);
/* How many addresses the callchain has before the callers that the stack (of pk_stacks_of()) has:
 * 0 if the stack starts with its first address, or with an own address of the same function; -1:
 * the function of the own address is not in the callchain. */
int64_t pk_chain_inner(const struct pk_addresses *addresses, const struct pk_dictionary *dictionary,
		       uint32_t stack);
/* The location of an address that belongs to the frame. */
struct pk_location pk_frame_locate(const struct pk_frame *frame, const struct pk_session *session,
				   const struct pk_thread *thread, uint64_t ip);
/* Whether the location is in the frame's object (for frames of the kernel: in the kernel or any
 * module), so that their addresses can be compared. */
bool pk_frame_has(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		  const struct pk_location *location);

#endif
