/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of branches and of the code between them, for the optimizers of compilers. Each distinct
 * trace is stored once. */
#ifndef PGO_TRACES_H
#define PGO_TRACES_H

#include <stdint.h>

#include "table.h"

/* A trace is a taken branch, and the code that ran after it: from the target of the branch to the
 * next taken branch. Addresses are offsets in the file of one object. Offsets of 4 GiB and more are
 * not counted. */
#define PGO_OFFSET_MAX (UINT32_MAX - 1)
#define PGO_NONE       UINT32_MAX

struct pgo_trace {
	uint32_t from;	 /* the branch; PGO_NONE if it is outside of the object */
	uint32_t to;	 /* its target; PGO_NONE if it is outside of the object */
	uint32_t end;	 /* the next branch; PGO_NONE if it is unknown */
	uint32_t missed; /* how often the branch was predicted wrongly, at most UINT32_MAX */
	uint64_t count;
};

/* A set of traces. A struct of zero bytes is empty. */
struct pgo_traces {
	struct pgo_trace *items;
	size_t count, capacity;
	struct pk_table numbers; /* finds the index + 1 of a trace by its addresses */
};

/* Returns the trace with these addresses. If there is none, adds it with a count of 0. Returns NULL
 * if memory is exhausted, or if the set has already `most` traces. *full is set in the second case.
 */
struct pgo_trace *pgo_traces_get(struct pgo_traces *traces, uint32_t from, uint32_t to,
				 uint32_t end, size_t most, bool *full);
/* The orders of traces. */
enum pgo_order {
	PGO_BY_BRANCH, /* by `from`, `to` and `end` */
	PGO_BY_RANGE,  /* by `to`, `end` and `from` */
};
/* Sorts the traces. PGO_NONE comes before all offsets. No traces can be added afterwards. */
void pgo_traces_sort(struct pgo_traces *traces, enum pgo_order order);
void pgo_traces_free(struct pgo_traces *traces);

#endif
