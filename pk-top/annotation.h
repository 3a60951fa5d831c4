/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_ANNOTATION_H
#define PK_TOP_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "status.h"

/* ---- The process ---- */

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

/* Runs pk-annotate for a function, and sets *out to its output. dso is NULL for any object.
 * cancel() is called about every tenth of a second. It returns true to end the run. Returns
 * PK_FAILED after a message on stderr, or if it was cancelled. */
PK_MUST_CHECK enum pk_status annotate_run(const struct annotate_command *command, const char *dso,
					  const char *symbol, bool (*cancel)(void *arg), void *arg,
					  struct buffer *out);

/* ---- The listing ---- */

/* The output of pk-annotate for a function, as lines to browse. All zero is valid. */

struct annotation {
	unsigned int height; /* number of visible lines; set by the caller */
	/* For reading: */
	struct annotation_line {
		const char *text;
		size_t size;
		double share; /* in percent */
	} * lines;
	size_t count, selected, top;
	/* Private: */
	char *text;
	size_t size, capacity;
};

/* Splits a copy of a text into lines, and selects the hottest one. */
PK_MUST_CHECK enum pk_status annotation_set(struct annotation *annotation, const char *text,
					    size_t size);
void annotation_select(struct annotation *annotation, size_t line);
void annotation_move(struct annotation *annotation, long lines);
/* Selects the next line in the order of shares: colder ones with step 1, hotter ones with -1. From
 * the coldest hot line, the hottest one follows. */
void annotation_next(struct annotation *annotation, int step);
void annotation_hottest(struct annotation *annotation);
void annotation_free(struct annotation *annotation);

#endif
