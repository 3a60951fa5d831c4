/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_H
#define PK_FOLD_H

#include "paths.h"
#include "run.h"
#include "weights.h"

struct fold_options {
	struct pk_weight_options weigh;
	/* The fields that group samples, except the name of the thread; stacks.prefix has the
	 * order. */
	struct pk_reference by[PK_GROUP_COLUMNS];
	unsigned int by_count;
	struct pk_path_options stacks;
	const char *base; /* the base of --diff; NULL: none */
	uint64_t live;	  /* interval in ns of the stream's clock between outputs; 0: print once, at
			   * the end */
	bool by_weight;	  /* sort by weight; else by name */
	const struct pk_symbols_options *symbols; /* for fields that need the code of objects */
};

/* Reads the inputs of run and prints their folded stacks on stdout. Returns the exit status. Takes
 * ownership of the references. */
int fold(struct pk_run *run, const struct fold_options *options);

#endif
