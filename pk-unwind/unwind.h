/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_H
#define UNWIND_H

/* Unwinds a sample: finds the addresses of its functions from the registers and the stack dump, the
 * branches, or the link register. */

#include "resolve.h"
#include "second.h"

#define UNWIND_FRAMES_MAX 4096 /* more than a dump contains, except in a cycle */
#define UNWIND_IPS_MAX	  8192 /* more than fit into a record */

struct unwinder;

/* The caller keeps ownership of resolver. other is another library that unwinds, or NULL for none.
 * NULL: out of memory. */
struct unwinder *unwinder_new(struct resolver *resolver, const struct pk_second_unwinder *other,
			      struct pk_failures *failures);
void unwinder_free(struct unwinder *unwinder);
/* Call it at the start of a session, after resolver_start_session. */
void unwinder_start_session(struct unwinder *unwinder, const struct pk_session *session);

/* The address of a caller is the return address minus 1, which is in the call instruction. From the
 * branches, it is that of the call instruction plus 1. If a signal has interrupted the caller, it
 * is that of the interrupted instruction. The return address itself can be in another function: if
 * the called function never returns, the call can be the last instruction of the caller. */
struct unwound {
	uint64_t ips[UNWIND_IPS_MAX]; /* leaf first */
	size_t count;
	bool changed;	/* false: keep the callchain of the sample; ips is empty */
	uint32_t flags; /* PK_CHAIN_* */
	bool supported; /* false: unknown machine, its stacks cannot be unwound */
};

/* Finds the user part of the callchain from registers and stack dump. thread is the thread of the
 * sample, attr the attr of its event. in_kernel means that the sample was taken in the kernel. */
void unwinder_unwind(struct unwinder *unwinder, const struct pk_thread *thread,
		     const struct perf_attr *attr, const struct pk_sample *sample, bool in_kernel,
		     struct unwound *unwound);

/* For a sample of arm64 or x86 with a callchain from frame pointers: adds the caller of a function
 * that has no frame yet, which frame pointers skip. Its return address is in the link register, or
 * in the stack dump. Other samples are unchanged. */
void unwinder_add_caller(struct unwinder *unwinder, const struct pk_thread *thread,
			 const struct perf_attr *attr, const struct pk_sample *sample,
			 struct unwound *unwound);

/* Finds the user part of the callchain from the processor's call stack (LBR). */
void unwind_branches(const struct pk_sample *sample, bool in_kernel, struct unwound *unwound);

#endif
