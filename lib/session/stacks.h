/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACKS_H
#define PK_STACKS_H

/* Converts the addresses of a sample to a stack of the dictionary. */

#include "chain_source.h"
#include "locate.h"

struct pk_stacks;

/* The sums for all calls of pk_stacks_of(). frames counts addresses, without inlined frames.
 * stacks_unmerged counts stacks whose user addresses are in a later record. stacks_torn counts
 * stacks that lack frames of an interpreter (PK_CHAIN_TORN). samples_bad counts samples that cannot
 * be decoded, and samples does not include these. */
struct pk_stacks_count {
	uint64_t samples, frames, frames_unresolved, stacks_truncated, stacks_unmerged, stacks_torn,
		samples_bad;
	struct pk_partial_chains partial;
};

/* Determines whether each function or each address (with its function) has a frame in the
 * dictionary. The results of resolve() are cached for each function or for each address. */
enum pk_frames_of {
	PK_FRAMES_OF_FUNCTIONS,
	PK_FRAMES_OF_ADDRESSES,
	/* Each address has a frame. For callers, it is the address in the call instruction: the
	   return address minus 1. So each address can be looked up without its stack. */
	PK_FRAMES_OF_CALLS,
};

/* Returns the address of a frame for PK_FRAMES_OF_CALLS. called means that the address is a return
 * address. But if a function starts at the address (symbol_start), it is not a return address. */
static inline uint64_t pk_call_address(uint64_t address, uint64_t symbol_start, bool called)
{
	return called && address && address != symbol_start ? address - 1 : address;
}

/* The caller keeps the dictionary. If resolve is NULL, all frames stay unresolved. Returns NULL if
 * memory is exhausted. */
struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, enum pk_frames_of frames,
				pk_resolve_fn resolve, void *arg);
/* Changes how frames are made. Call pk_stacks_forget() afterwards, because the cached stacks have
 * the previous frames. */
void pk_stacks_frames(struct pk_stacks *stacks, enum pk_frames_of frames, pk_resolve_fn resolve,
		      void *arg);
void pk_stacks_free(struct pk_stacks *stacks);
/*
 * Returns the stack of a SAMPLE in the dictionary. The root is the name of the thread, then come
 * the callers, and the last frame is the function of the sample's ip. The callers are those of the
 * callchain. There are none if the callchain has no address. If the callchain does not start at the
 * ip, its first address is handled as follows:
 *   - It is left out if it is in the function of the ip.
 *   - It is left out if its caller is in the function of the ip. In this case, the interrupt
 *     came after a call.
 *   - Otherwise it is the address of the caller of the ip. The interrupt came after a return.
 * If the sample is in user mode, kernel addresses are left out. Returns 0 if the sample cannot be
 * decoded, or if memory is exhausted. Stacks are cached by their addresses, maps, thread name and
 * processor mode.
 */
uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record);
/* If leaves is true, stacks have from now on only the name of the thread and the frames of the
 * innermost address, including the functions that are inlined there. Then frames and
 * frames_unresolved count only innermost addresses, and no stack is counted as truncated. Call
 * pk_stacks_forget() afterwards, because the cached stacks are different. */
void pk_stacks_leaves(struct pk_stacks *stacks, bool leaves);
/* If present is true, samples can have a chain trailer (PK_TRAILER_CHAIN) from now on. If mark is
 * also true, and a trailer reports missing callers, the stack gets a frame "[stack truncated]" at
 * their place, next to the root. */
void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark);
/* Clears the caches. Call it for a new session, which has other images and thread names, and after
 * a reset of the dictionary. */
void pk_stacks_forget(struct pk_stacks *stacks);
/* Returns true if the last stack is known to lack callers. */
bool pk_stacks_truncated(const struct pk_stacks *stacks);
/* Returns true if the last stack has frames of JIT code that have no name. */
bool pk_stacks_nameless_jit(const struct pk_stacks *stacks);
void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count);
/* Sets the counts back to `count`, an earlier result of pk_stacks_counted(). The caller will make
 * the stacks of the samples since then again, when there can be new names. So the caches are
 * cleared, too. */
void pk_stacks_restore(struct pk_stacks *stacks, const struct pk_stacks_count *count);

#endif
