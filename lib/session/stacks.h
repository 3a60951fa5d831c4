/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACKS_H
#define PK_STACKS_H

/* A sample's addresses -> a stack of the dictionary. */

#include "chain_source.h"
#include "locate.h"

struct pk_stacks;

/* Sums of all calls of pk_stacks_of(). frames counts addresses, without inlined frames.
 * stacks_unmerged counts stacks whose user half is in a later record. samples_bad counts samples
 * that cannot be decoded. They are not in samples. */
struct pk_stacks_count {
	uint64_t samples, frames, frames_unresolved, stacks_truncated, stacks_unmerged, samples_bad;
	struct pk_partial_chains partial;
};

/* What has its own frame in the dictionary: each function, or each address (with its function). The
 * results of resolve() are cached for a function, or for an address. */
enum pk_frames_of {
	PK_FRAMES_OF_FUNCTIONS,
	PK_FRAMES_OF_ADDRESSES,
	/* Addresses, but those of callers are in their calls: the return address minus 1. So each
	 * address can be looked up without the stack that it was in. */
	PK_FRAMES_OF_CALLS,
};

/* The address of a frame for PK_FRAMES_OF_CALLS. With called, it is a return address, unless a
 * function starts there (symbol_start). */
static inline uint64_t pk_call_address(uint64_t address, uint64_t symbol_start, bool called)
{
	return called && address && address != symbol_start ? address - 1 : address;
}

/* The dictionary stays the caller's. resolve may be NULL: all frames stay unresolved. */
struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, enum pk_frames_of frames,
				pk_resolve_fn resolve, void *arg);
/* Changes how frames are made. Call pk_stacks_forget() after it: the cached stacks have the
 * previous frames. */
void pk_stacks_frames(struct pk_stacks *stacks, enum pk_frames_of frames, pk_resolve_fn resolve,
		      void *arg);
void pk_stacks_free(struct pk_stacks *stacks);
/*
 * The stack of a SAMPLE in the dictionary: the comm at the root, then the callers, the leaf last.
 * The leaf is the function of the sample's ip. The callers are those of the callchain, or none if
 * there is no address in it. If the callchain starts elsewhere than at the ip, its first address
 * - is left out if it is in the function of the ip;
 * - is left out if its caller is in the function of the ip: the interrupt came after a call;
 * - else is that of the ip's caller: the interrupt came after a return.
 * Of a sample in user mode, the kernel's addresses are left out.
 * 0: the sample cannot be decoded, or memory is exhausted. Stacks are cached by their addresses,
 * maps, comm and processor mode.
 */
uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record);
/* Sets whether stacks have from now on only the comm and the frames of the innermost address (and
 * of those inlined there). Then frames and frames_unresolved count innermost addresses only, and no
 * stack counts as truncated. Call pk_stacks_forget() after it: the cached stacks are whole. */
void pk_stacks_leaves(struct pk_stacks *stacks, bool leaves);
/* Sets whether samples can have a chain trailer (PK_TRAILER_CHAIN) from now on. With mark, a stack
 * whose trailer reports missing callers gets a frame "[stack truncated]" in their place, next to
 * the root. */
void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark);
/* Clears the caches. Call it for a new session, which has other images and comms, and after a reset
 * of the dictionary. */
void pk_stacks_forget(struct pk_stacks *stacks);
/* Whether the last stack is known to lack callers. */
bool pk_stacks_truncated(const struct pk_stacks *stacks);
void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count);

#endif
