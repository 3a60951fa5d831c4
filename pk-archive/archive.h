/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_H
#define PK_ARCHIVE_H

#include "run.h"
#include "symbols.h"

struct archive_options {
	const struct pk_symbols_options *files;
	const char *output; /* NULL: stdout */
	bool zstd, all;	    /* all: also mapped objects without samples */
};

/* Writes the archive for the inputs of run. Returns the exit status. */
int archive(struct pk_run *run, struct pk_symbols *symbols, const struct archive_options *options);

#endif
