/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHAIN_SOURCE_H
#define PK_CHAIN_SOURCE_H

#include "pkstream.h"

/* What the samples of an event have for finding their user callers. pk-unwind makes callchains of
 * them. */
enum pk_chain_source {
	PK_CHAIN_WHOLE,	      /* the whole callchain, or none: nothing for pk-unwind */
	PK_CHAIN_OF_DUMP,     /* user registers and a part of the stack */
	PK_CHAIN_OF_BRANCHES, /* the processor's call stack (LBR) */
	/* The callchain from frame pointers, and the place of the return address of a function
	   without a frame: the link register (arm64), or the word at the stack pointer (x86). */
	PK_CHAIN_LACKS_CALLER,
	PK_CHAIN_SOURCES
};

/* The bit of arm64's link register in sample_regs_user. */
#define PK_LINK_REGISTER (UINT64_C(1) << 30)

/* The size of a stack dump, without registers, that has only the return address: pk-record requests
 * it for probes at the first instruction of a function. perf does not unwind such samples. */
#define PK_RETURN_WORD 8

enum pk_chain_source pk_chain_source_of(const struct pk_event *event);

/* Whether the register or the stack dump of PK_CHAIN_LACKS_CALLER is there for nothing else, so
 * that pk-unwind removes it. Others were requested by the user, or contain arguments of a probe. */
static inline bool pk_is_only_for_caller(const struct perf_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		return attr->sample_stack_user == PK_RETURN_WORD &&
		       !(attr->sample_type & PERF_SAMPLE_REGS_USER);
	return attr->sample_regs_user == PK_LINK_REGISTER;
}

/* Numbers of samples whose callchains pk-unwind has not completed, by pk_chain_source. */
struct pk_partial_chains {
	uint64_t samples[PK_CHAIN_SOURCES];
};

/* Counts a sample of the event, unless its source is PK_CHAIN_WHOLE. */
static inline void pk_partial_chains_count(struct pk_partial_chains *partial,
					   const struct pk_event *event)
{
	const enum pk_chain_source source = pk_chain_source_of(event);

	/* What pk-unwind keeps does not show whether it has run. */
	if (source && (source != PK_CHAIN_LACKS_CALLER || pk_is_only_for_caller(&event->attr)))
		partial->samples[source]++;
}

#endif
