/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_H
#define PK_FOLD_H

#include "run.h"

enum fold_weight { FOLD_PERIOD, FOLD_SAMPLES };

struct fold_options {
	enum fold_weight weight;
	const char *event; /* NULL: of the first sample */
};

/* Reads what run names and prints its folded stacks on stdout. The exit status. */
int fold(struct pk_run *run, const struct fold_options *options);

#endif
