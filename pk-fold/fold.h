/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_H
#define PK_FOLD_H

#include "paths.h"
#include "run.h"
#include "weights.h"

struct fold_options {
	struct pk_weight_options weigh;
	/* What samples are kept apart by, but the name of the thread; stacks.prefix has the order.
	 */
	struct pk_reference by[PK_GROUP_COLUMNS];
	unsigned int by_count;
	struct pk_path_options stacks;
	const char *base; /* what to compare with; NULL: nothing */
	uint64_t live;	  /* print every so many nanoseconds of the stream; 0: at the end */
	bool by_weight;	  /* the order of the lines; else by name */
	const struct pk_symbols_options *symbols; /* for fields that need the code of objects */
};

/* Reads what run names and prints its folded stacks on stdout. The exit status. Takes over the
 * references. */
int fold(struct pk_run *run, const struct fold_options *options);

#endif
