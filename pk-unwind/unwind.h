/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_H
#define UNWIND_H

/* Unwinds a sample. This means that it finds the addresses of the sample's functions. They come
 * from the registers and the stack dump, from the branches, or from the link register. */

#include "resolve.h"
#include "second.h"

#define UNWIND_FRAMES_MAX 4096 /* a dump has fewer frames, unless they form a cycle */
#define UNWIND_IPS_MAX	  8192 /* a record has room for fewer addresses */

struct unwinder;

/* Creates an unwinder. The caller owns resolver. `other` is another library that unwinds, or NULL.
 * Returns NULL if memory is exhausted. */
struct unwinder *unwinder_new(struct resolver *resolver, const struct pk_second_unwinder *other,
			      struct pk_failures *failures);
void unwinder_free(struct unwinder *unwinder);
/* Call this at the start of a session, after pk_resolver_start_session(). */
void unwinder_start_session(struct unwinder *unwinder, const struct pk_session *session);

/* The user part of a callchain. The address of a caller is the return address minus 1, which is in
 * the call instruction. (The return address itself can be in another function: if the called
 * function never returns, the call can be the last instruction of the caller.) A caller that a
 * signal has interrupted has the address of the interrupted instruction. A caller that was found
 * from branches has the address of the call instruction plus 1. */
struct unwound {
	uint64_t ips[UNWIND_IPS_MAX]; /* the innermost function first */
	size_t count;
	bool changed;	/* false if the callchain of the sample is not replaced; `ips` is then empty
			 */
	uint32_t flags; /* flags of the callchain, PK_CHAIN_* */
	bool supported; /* false if the machine is unknown, so its stacks cannot be unwound */
};

/* Finds the user part of the callchain from the registers and the stack dump. thread is the thread
 * of the sample. attr is the attr of the sample's event. in_kernel is true if the sample was taken
 * in the kernel. */
void unwinder_unwind(struct unwinder *unwinder, const struct pk_thread *thread,
		     const struct perf_attr *attr, const struct pk_sample *sample, bool in_kernel,
		     struct unwound *unwound);

/* Adds a missing caller to a callchain of arm64 or x86-64 that was made with frame pointers. If the
 * innermost function has no frame yet, frame pointers skip its caller. The return address of this
 * function is in the link register or in the stack dump. Other samples are not changed. */
void unwinder_add_caller(struct unwinder *unwinder, const struct pk_thread *thread,
			 const struct perf_attr *attr, const struct pk_sample *sample,
			 struct unwound *unwound);

/* Finds the user part of the callchain from the processor's call stack (LBR). */
void unwind_branches(const struct pk_sample *sample, bool in_kernel, struct unwound *unwound);

#endif
