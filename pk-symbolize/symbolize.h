/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOLIZE_H
#define PK_SYMBOLIZE_H

#include "run.h"
#include "session.h"
#include "symbols.h"

struct symbolize_options {
	const char *output; /* NULL: stdout */
	const struct pk_symbols_options *symbols;
	size_t dictionary_max; /* bytes; beyond this the dictionary begins anew */
	enum pk_frames_of frames;
	bool mark_truncated; /* stacks without their beginning have a frame that says so */
	int argc;
	char *const *argv;
};

/* Reads what run names (its files and fail_on are set), and writes it with the stack of every
 * sample behind it. The exit status. */
int symbolize(struct pk_run *run, struct pk_symbols *symbols,
	      const struct symbolize_options *options);

#endif
