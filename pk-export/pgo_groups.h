/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranges and branches of an object as llvm-profgen counts them: only code of functions, and
 * only ranges that can have run from their start to their end. */
#ifndef PGO_GROUPS_H
#define PGO_GROUPS_H

#include "pgo_code.h"

/* The traces that have an equal range or an equal branch, depending on the order of the traces. All
 * members are 0 before the first group. */
struct pgo_group {
	const struct pgo_trace *first, *next; /* the first trace, and the end of the traces */
	uint64_t number;		      /* sum of their counts */
};

/* Finds the next group that has a complete range (PGO_BY_RANGE), or a branch whose target is in the
 * object (PGO_BY_BRANCH). The traces must be sorted in this order. Returns false after the last. */
bool pgo_group_next(const struct pgo_traces *traces, enum pgo_order order, struct pgo_group *group);

/* Replaces the addresses that are not in functions by PGO_NONE. Replaces the ends of ranges that
 * have a jump, call or return inside, and adds their counts to *crossing. The traces are then
 * sorted by ranges. */
void pgo_groups_clean(const struct pgo_target *target, struct pgo_code *code, uint64_t *crossing);
/* Prints a warning if the sum of the counts is not 0. */
void pgo_groups_report(uint64_t crossing);

#endif
