/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_H
#define PK_INJECT_H

#include "run.h"
#include "symbols.h"

/* How much of something is added. */
enum inject_what {
	INJECT_NONE,
	INJECT_TOUCHED, /* by samples */
	INJECT_WHOLE,	/* all there is, of what samples touch; build-ids: of everything mapped */
};

struct inject_options {
	enum inject_what build_ids, symbols, kernel, jit, lines;
	const struct pk_symbols_options *files;
	const char *output; /* NULL: stdout */
	int argc;
	char *const *argv;
};

/* Passes on what run names (its files and fail_on are set), with what is to be added. The exit
 * status. */
int inject(struct pk_run *run, struct pk_symbols *symbols, const struct inject_options *options);

#endif
