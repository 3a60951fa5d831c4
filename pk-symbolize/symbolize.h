/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOLIZE_H
#define PK_SYMBOLIZE_H

#include "run.h"
#include "symbols.h"

struct symbolize_options {
	const char *output; /* NULL: stdout */
	const struct pk_symbols_options *symbols;
	size_t dictionary_max; /* bytes; a larger dictionary is reset */
	enum pk_frames_of frames;
	bool mark_truncated; /* add a marker frame to stacks whose callers are missing */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run, whose files and fail_on are set, and writes them with a stack for every
 * sample that can be decoded. Inputs that are symbolized already are written unchanged. Returns the
 * exit status. */
int symbolize(struct pk_run *run, struct pk_symbols *symbols,
	      const struct symbolize_options *options);

#endif
