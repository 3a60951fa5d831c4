/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_H
#define PK_INJECT_H

#include "run.h"
#include "symbols.h"

/* How much data of one kind is added to the recording. */
enum inject_what {
	INJECT_NONE,
	INJECT_TOUCHED, /* only what the addresses in samples need */
	INJECT_WHOLE,	/* all symbols of sampled objects, or the build-ids of all mapped objects */
};

/* The options of pk-inject. */
struct inject_options {
	enum inject_what build_ids, symbols, kernel, jit, lines;
	const struct pk_symbols_options *files;
	const char *output; /* path of the output; NULL selects stdout */
	int argc;
	char *const *argv;
};

/* Writes the inputs of run with the additions. The caller has set files and fail_on of run. Returns
 * the exit status. */
int inject(struct pk_run *run, struct pk_symbols *symbols, const struct inject_options *options);

#endif
