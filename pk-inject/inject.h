/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_H
#define PK_INJECT_H

#include "run.h"
#include "symbols.h"

/* The extent of the additions. */
enum inject_what {
	INJECT_NONE,
	INJECT_TOUCHED, /* only what samples refer to */
	INJECT_WHOLE,	/* everything about sampled objects; build-ids: of all mapped objects */
};

struct inject_options {
	enum inject_what build_ids, symbols, kernel, jit, lines;
	const struct pk_symbols_options *files;
	const char *output; /* NULL: stdout */
	int argc;
	char *const *argv;
};

/* Passes the inputs of run (its files and fail_on are set) on, with the additions. Returns the exit
 * status. */
int inject(struct pk_run *run, struct pk_symbols *symbols, const struct inject_options *options);

#endif
