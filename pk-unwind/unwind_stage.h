/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_STAGE_H
#define UNWIND_STAGE_H

#include "run.h"
#include "symbols.h"

struct unwind_options {
	const char *output; /* NULL: stdout */
	const struct pk_symbols_options *symbols;
	bool keep; /* keep registers, stacks and branches in the samples */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run (its files and fail_on are set), and writes them with callchains instead
 * of registers and stacks. Returns the exit status. */
int unwind_stream(struct pk_run *run, struct pk_symbols *symbols,
		  const struct unwind_options *options);

#endif
