/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_ANNOTATE_RUN_H
#define PK_TOP_ANNOTATE_RUN_H

#include <stdbool.h>

#include "buffer.h"

struct annotate_command {
	char *const *files; /* recordings */
	int files_count;
	const char *const *options; /* where to search for objects, such as --symfs=DIR */
	int options_count;
	const char *const *events; /* names or globs; none: all */
	int events_count;
	bool source;
	bool symbolize; /* run pk-symbolize before: a recording is not symbolized */
};

/* Runs pk-annotate for a function, and sets *out to its output. dso NULL: of any object. cancel()
 * is called about every tenth of a second; true ends the run. False after a message on stderr, or
 * if it was cancelled. */
bool annotate_run(const struct annotate_command *command, const char *dso, const char *symbol,
		  bool (*cancel)(void *arg), void *arg, struct buffer *out);

#endif
