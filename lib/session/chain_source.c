// SPDX-License-Identifier: BSD-2-Clause
#include "chain_source.h"
#include "pkutil.h"

enum pk_chain_source pk_chain_source_of(const struct pk_event *event)
{
	const uint64_t dump = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	const struct perf_attr *attr = &event->attr;
	const uint64_t type = attr->sample_type;

	if (pk_likely(!(type & (dump | PERF_SAMPLE_BRANCH_STACK))))
		return PK_CHAIN_WHOLE;
	if (attr->flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER)
		return (type & dump) == dump ? PK_CHAIN_OF_DUMP : PK_CHAIN_WHOLE;
	if (!(type & PERF_SAMPLE_CALLCHAIN))
		return PK_CHAIN_WHOLE;
	if (type & PERF_SAMPLE_BRANCH_STACK &&
	    attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
		return PK_CHAIN_OF_BRANCHES;
	/* pk-merge-callchains must complete deferred callchains first. */
	if (attr->flags & PERF_ATTR_DEFER_CALLCHAIN)
		return PK_CHAIN_WHOLE;
	return type & PERF_SAMPLE_STACK_USER || attr->sample_regs_user & PK_LINK_REGISTER
		       ? PK_CHAIN_LACKS_CALLER
		       : PK_CHAIN_WHOLE;
}
