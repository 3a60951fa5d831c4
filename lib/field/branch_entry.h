/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BRANCH_ENTRY_H
#define PK_BRANCH_ENTRY_H

/* An entry of the branch stack of a sample (SPEC 5.4). Entry 0 is the newest branch. */

#include "pkstream.h"

struct pk_branch {
	uint64_t from, to, flags;
};

enum {
	PK_BRANCH_MISPREDICTED = 1 << 0,
	PK_BRANCH_PREDICTED = 1 << 1,
	PK_BRANCH_IN_TX = 1 << 2,
	PK_BRANCH_ABORT = 1 << 3,
};

/* Returns whether the samples of an event have all branches that were taken. Otherwise, other
 * branches can be between the recorded ones. perf inject selects no kind for the branches that it
 * finds in hardware traces, and they are all taken branches. */
static inline bool pk_has_all_branches(const struct perf_attr *attr)
{
	const uint64_t kinds = attr->branch_sample_type & PERF_SAMPLE_BRANCH_KINDS;

	return !kinds ||
	       (kinds & PERF_SAMPLE_BRANCH_ANY && !(kinds & PERF_SAMPLE_BRANCH_CALL_STACK));
}

/* i must be less than branches->count. */
static inline struct pk_branch pk_branch_at(const struct pk_u64s *branches, uint64_t i)
{
	return (struct pk_branch){pk_u64s_at(branches, 3 * i), pk_u64s_at(branches, 3 * i + 1),
				  pk_branch_flags(branches, i)};
}

/* Returns the number of cycles since the previous branch, or 0 if the processor has not counted
 * them. */
static inline unsigned int pk_branch_cycles(uint64_t flags)
{
	return flags >> 4 & 0xffff;
}

/* Returns the type of the branch, as perf names it, or "" if it is unknown. */
const char *pk_branch_type(uint64_t flags);

#endif
