/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_H
#define UNWIND_H

/* A sample's registers and stack dump, branches or link register -> the addresses of its functions.
 */

#include "resolve.h"

#define UNWIND_FRAMES_MAX 4096 /* more than a dump has, unless it goes in a circle */
#define UNWIND_IPS_MAX	  8192 /* more than a record has room for */

struct unwinder;

/* resolver stays the caller's. NULL: out of memory. */
struct unwinder *unwinder_new(struct resolver *resolver, struct pk_failures *failures);
void unwinder_free(struct unwinder *unwinder);
/* To be called when a session begins, behind resolver_start_session. */
void unwinder_start_session(struct unwinder *unwinder, const struct pk_session *session);

/*
 * Callers are addresses in the call, which is one byte less than where it returns to: a function
 * that never returns may be called by the last instruction of its caller.
 */
struct unwound {
	uint64_t ips[UNWIND_IPS_MAX]; /* leaf first */
	size_t count;
	bool changed;	/* else the callchain is all there is to know */
	uint32_t flags; /* PK_CHAIN_* */
	bool supported; /* false: nobody knows how to unwind the stacks of such a machine */
};

/* The user part of a sample that has registers: thread is its thread, attr its event's; it may have
 * been taken in the kernel. */
void unwinder_unwind(struct unwinder *unwinder, const struct pk_thread *thread,
		     const struct perf_attr *attr, const struct pk_sample *sample, bool in_kernel,
		     struct unwound *unwound);

/* The user part of a sample of arm64 that has a callchain, with the caller of a function that had
 * not saved the link register: frame pointers lead past it. */
void unwinder_add_caller(struct unwinder *unwinder, const struct pk_thread *thread,
			 const struct perf_attr *attr, const struct pk_sample *sample,
			 struct unwound *unwound);

/* The user part of a sample that has the processor's call stack. */
void unwind_branches(const struct pk_sample *sample, bool in_kernel, struct unwound *unwound);

/* Index in the callchain of the user's part, behind its marker; its count: there is none. */
uint64_t unwind_user_part(const struct pk_u64s *callchain);

#endif
