/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_ADDRESS_H
#define PK_FRAME_ADDRESS_H

/* Finds the addresses of a sample, and walks over the frames of its stack together with their
 * addresses. */

#include "locate.h"
#include "session.h"
#include "stack_walk.h"

#define PK_NO_ADDRESS UINT64_MAX

/*
 * The addresses of the stack of a sample. The innermost address is the ip of the sample. The
 * callchain can start at another address: a processor can report the exact address of an event, but
 * interrupt some instructions later, and the callchain belongs to the later instruction. In this
 * case, `own` is the ip, and the first entries of the callchain may not be its callers (see
 * pk_stacks_of).
 */
struct pk_addresses {
	/* The callchain. If its user addresses are in a later record, it does not contain the
	 * marker and the cookie for them. If the callchain has no address, it is replaced by the
	 * ip. */
	struct pk_u64s chain;
	uint64_t own;  /* the ip, or PK_NO_ADDRESS if the callchain starts with the ip */
	bool unmerged; /* the user addresses of the callchain are in a later record */
	bool bare;     /* the callchain has no address */
};

/* Finds the addresses of a sample. They are valid as long as the record. */
PK_MUST_CHECK enum pk_status pk_sample_addresses(const struct pk_event *event,
						 const struct pk_record *record,
						 struct pk_addresses *addresses);
/* Returns true if the callchain has neither an address nor a cookie. */
bool pk_chain_is_bare(const struct pk_u64s *chain);
/* Returns the next address of the callchain, from index *i on, and moves *i after it. Skips context
 * markers, and the cookie of a deferred callchain. Returns PK_NO_ADDRESS if there is no other
 * address. */
uint64_t pk_chain_next_ip(const struct pk_u64s *chain, uint64_t *i);
/* Returns true if the callchain has an address. */
static inline bool pk_chain_has_address(const struct pk_u64s *chain)
{
	return pk_chain_next_ip(chain, &(uint64_t){0}) != PK_NO_ADDRESS;
}

/* Walks up a stack of pk_stacks_of() and the callchain in parallel, so that each frame gets its
 * address. */
struct pk_address_walk {
	struct pk_stack_walk at;
	/* The address of the frame. PK_NO_ADDRESS if it is unknown, or if the frame is not code. An
	 * inlined frame has the address of the frame into which it is inlined. */
	uint64_t ip;
	bool follows; /* `ip` is in the callchain entry directly after the entry of the previous
		       * frame */
	/* The following members are private. */
	struct pk_u64s chain;
	uint64_t i, next;
	bool pending; /* the next function has the address `next` */
};

/* Starts a walk at the innermost frame. If the sample has an own address, this is the address of
 * that frame. */
struct pk_address_walk pk_address_walk(const struct pk_dictionary *dictionary, uint32_t stack,
				       const struct pk_addresses *addresses);
/* Starts a walk at the first frame that perf prints, which is in the callchain. If the function of
 * the own address is not in the callchain, its frames are skipped. Sets *inner to the entries at
 * the start of the callchain whose addresses are not in the stack. */
struct pk_address_walk pk_callchain_walk(const struct pk_dictionary *dictionary, uint32_t stack,
					 const struct pk_record *record,
					 const struct pk_u64s *chain, struct pk_u64s *inner);
/* Moves to the next frame. Returns false if there are no more frames except the name of the thread.
 */
bool pk_address_next(struct pk_address_walk *walk);

/* Returns the location of an address that belongs to the frame. */
struct pk_location pk_frame_locate(const struct pk_frame *frame, const struct pk_session *session,
				   const struct pk_thread *thread, uint64_t ip);
/* Returns true if the location is in the object of the frame, so that their addresses can be
 * compared. For frames of the kernel, the location can be in the kernel or in any module. */
bool pk_frame_has(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		  const struct pk_location *location);
/* Sets *address to the address of the frame. If the frame stands for a function, it is the address
 * of ip in the object. Returns false if it is unknown. */
bool pk_frame_address(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		      const struct pk_session *session, const struct pk_thread *thread, uint64_t ip,
		      uint64_t *address);

/* The texts of a frame. */
struct pk_frame_info {
	const char *function; /* NULL if it is unresolved */
	size_t function_size;
	const char *dso; /* NULL if there is none */
	bool in_file;	 /* dso is known and is not the kernel, so addresses in it have a meaning */
	bool inlined;
	const char *file; /* NULL if it is unknown */
	uint32_t line;
};

struct pk_frame_info pk_frame_info(const struct pk_dictionary *dictionary,
				   const struct pk_frame *frame);

#endif
