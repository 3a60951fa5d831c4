/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_ADDRESS_H
#define PK_FRAME_ADDRESS_H

/* The addresses of a sample, and the frames of its stack with them. */

#include "locate.h"
#include "session.h"
#include "stack_walk.h"

#define PK_NO_ADDRESS UINT64_MAX

/*
 * The addresses of a sample's stack. The innermost one is the sample's own (its ip). The callchain
 * can start elsewhere: a processor reports the address of an event exactly, and interrupts some
 * instructions later, where the callchain is from. Then `own` is that address, and the entries at
 * the start of the callchain may not be its callers (pk_stacks_of()).
 */
struct pk_addresses {
	/* The callchain without the marker and the cookie of a half that is merged later. It is the
	 * ip if there is no address in it. */
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
 * are skipped. Returns PK_NO_ADDRESS if there is no other address. */
uint64_t pk_chain_next_ip(const struct pk_u64s *chain, uint64_t *i);
/* Whether the callchain has an address. */
static inline bool pk_chain_has_address(const struct pk_u64s *chain)
{
	return pk_chain_next_ip(chain, &(uint64_t){0}) != PK_NO_ADDRESS;
}

/* The frames of a stack (of pk_stacks_of()) with their addresses: a walk up the stack and the
 * callchain in parallel. */
struct pk_address_walk {
	struct pk_stack_walk at;
	uint64_t ip;  /* PK_NO_ADDRESS: unknown, or the frame is not code. An inlined frame has that
		       * of the frame that it is inlined into */
	bool follows; /* ip is the entry of the callchain after that of the frame before */
	/* Private: */
	struct pk_u64s chain;
	uint64_t i, next;
	bool pending; /* the next function has the address `next` */
};

/* Starts at the leaf. Its address is the sample's own, if the sample has one. */
struct pk_address_walk pk_address_walk(const struct pk_dictionary *dictionary, uint32_t stack,
				       const struct pk_addresses *addresses);
/* Starts at the callchain, as perf prints it: the function of an own address that the callchain
 * does not have is left out. *inner is the start of the chain, whose addresses the stack does not
 * have. */
struct pk_address_walk pk_callchain_walk(const struct pk_dictionary *dictionary, uint32_t stack,
					 const struct pk_record *record,
					 const struct pk_u64s *chain, struct pk_u64s *inner);
/* Returns false if there are no more frames but the name of the thread. */
bool pk_address_next(struct pk_address_walk *walk);

/* The location of an address that belongs to the frame. */
struct pk_location pk_frame_locate(const struct pk_frame *frame, const struct pk_session *session,
				   const struct pk_thread *thread, uint64_t ip);
/* Whether the location is in the frame's object (for frames of the kernel: in the kernel or any
 * module), so that their addresses can be compared. */
bool pk_frame_has(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		  const struct pk_location *location);
/* Sets *address to that of the frame itself: if the frame stands for a function, that of the ip.
 * Returns false if it is unknown. */
bool pk_frame_address(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		      const struct pk_session *session, const struct pk_thread *thread, uint64_t ip,
		      uint64_t *address);

/* The texts of a frame. */
struct pk_frame_info {
	const char *function; /* NULL: unresolved */
	size_t function_size;
	const char *dso; /* NULL: none */
	bool in_file;	 /* dso is known and not the kernel: addresses in it have a meaning */
	bool inlined;
	const char *file; /* NULL: unknown */
	uint32_t line;
};

struct pk_frame_info pk_frame_info(const struct pk_dictionary *dictionary,
				   const struct pk_frame *frame);

#endif
