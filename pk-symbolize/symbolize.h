/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOLIZE_H
#define PK_SYMBOLIZE_H

#include "run.h"
#include "symbols.h"

struct symbolize_options {
	const char *output; /* NULL selects stdout */
	const struct pk_symbols_options *symbols;
	size_t dictionary_max; /* limit in bytes; when it is exceeded, the dictionary is reset */
	size_t wait_max; /* limit in bytes for records that wait until a program has written its
			  * perf map */
	enum pk_frames_of frames;
	bool mark_truncated; /* add a marker frame to stacks that lack callers */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run, and writes them with a stack for every sample that can be decoded. The
 * caller must have set run->files and run->fail_on. Inputs that are already symbolized are written
 * unchanged. Returns the exit status. */
int symbolize(struct pk_run *run, struct pk_symbols *symbols,
	      const struct symbolize_options *options);

#endif
