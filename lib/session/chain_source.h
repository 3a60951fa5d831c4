/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHAIN_SOURCE_H
#define PK_CHAIN_SOURCE_H

#include "pkstream.h"

/* The data in the samples of an event from which the user callers can be found. pk-unwind makes
 * callchains from this data. */
enum pk_chain_source {
	PK_CHAIN_WHOLE, /* the complete callchain, or no callchain; pk-unwind does not change it */
	PK_CHAIN_OF_DUMP,     /* user registers and the top of the user stack */
	PK_CHAIN_OF_BRANCHES, /* the call stack that the processor records (LBR) */
	/* The callchain from frame pointers, and the return address of the innermost function,
	   which may have no frame. On arm64, it is in the link register. On x86, it is the word at
	   the stack pointer. */
	PK_CHAIN_LACKS_CALLER,
	PK_CHAIN_SOURCES
};

/* The bit in sample_regs_user for the link register of arm64. */
#define PK_LINK_REGISTER (UINT64_C(1) << 30)

/* The size in bytes of a stack dump that contains only the return address. The samples have no
 * registers. pk-record requests this dump for probes at the first instruction of a function. perf
 * does not unwind these samples. */
#define PK_RETURN_WORD 8

enum pk_chain_source pk_chain_source_of(const struct pk_event *event);

/* Returns true if the link register or the stack dump was recorded only for PK_CHAIN_LACKS_CALLER.
 * If so, pk-unwind removes this data from samples. If not, the user has requested the data, or it
 * contains arguments of a probe. */
static inline bool pk_is_only_for_caller(const struct perf_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		return attr->sample_stack_user == PK_RETURN_WORD &&
		       !(attr->sample_type & PERF_SAMPLE_REGS_USER);
	return attr->sample_regs_user == PK_LINK_REGISTER;
}

/* The numbers of samples whose callchains pk-unwind has not completed, by pk_chain_source. */
struct pk_partial_chains {
	uint64_t samples[PK_CHAIN_SOURCES];
};

/* Counts a sample of the event, unless its source is PK_CHAIN_WHOLE. */
static inline void pk_partial_chains_count(struct pk_partial_chains *partial,
					   const struct pk_event *event)
{
	const enum pk_chain_source source = pk_chain_source_of(event);

	/* If pk-unwind does not remove the data, the sample does not show whether pk-unwind has
	 * completed it. Such a sample is not counted. */
	if (source && (source != PK_CHAIN_LACKS_CALLER || pk_is_only_for_caller(&event->attr)))
		partial->samples[source]++;
}

#endif
