/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOLIZE_H
#define PK_SYMBOLIZE_H

#include "run.h"
#include "symbols.h"

/*
 * Reads what run names, and writes it with the stack of every sample behind it. run->files, fail_on
 * and writer are set by the caller. The exit status.
 */
int symbolize(struct pk_run *run, struct pk_symbols *symbols, bool live, int argc,
	      char *const *argv);

#endif
