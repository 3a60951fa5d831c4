/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_ANNOTATION_H
#define PK_TOP_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "status.h"

/* ---- The process ---- */

/* How pk-annotate is run. */
struct annotate_command {
	char *const *files; /* paths of recordings */
	int files_count;
	const char *const *options; /* options for pk-annotate, such as --symfs=DIR */
	int options_count;
	const char *const *events; /* names or globs of the events to annotate; without any, all
				    * events are annotated */
	int events_count;
	bool source;
	bool symbolize; /* run pk-symbolize first, because a recording is not symbolized */
};

/* Runs pk-annotate for a function, and sets *out to its output. dso is the object of the function,
 * or NULL for any object. cancel() is called about every tenth of a second. It returns true to end
 * the run. Returns PK_FAILED if it was cancelled. If another error occurs, prints a message on
 * stderr and returns PK_FAILED. */
PK_MUST_CHECK enum pk_status annotate_run(const struct annotate_command *command, const char *dso,
					  const char *symbol, bool (*cancel)(void *arg), void *arg,
					  struct buffer *out);

/* ---- The listing ---- */

/* The output of pk-annotate for a function, divided into lines for the browser. A struct of zero
 * bytes is valid. */

struct annotation {
	unsigned int height; /* number of visible lines; set by the caller */
	/* The caller may read the following members: */
	struct annotation_line {
		const char *text;
		size_t size;
		double share; /* the percentage that pk-annotate prints at the line */
	} * lines;
	size_t count, selected, top;
	/* Private: */
	char *text;
	size_t size, capacity;
};

/* Splits a copy of a text into lines, and selects the line with the largest share. */
PK_MUST_CHECK enum pk_status annotation_set(struct annotation *annotation, const char *text,
					    size_t size);
void annotation_select(struct annotation *annotation, size_t line);
void annotation_move(struct annotation *annotation, long lines);
/* Selects the next line in the order of shares. With step 1, this is a line with a smaller share;
 * with -1, a line with a larger share. Lines with very small shares are skipped. After the last
 * line in this order, the first one follows. */
void annotation_next(struct annotation *annotation, int step);
/* Selects the next line that contains a text, see outline_text_search(). Returns false if there is
 * none. */
bool annotation_search(struct annotation *annotation, const char *text, int step);
void annotation_hottest(struct annotation *annotation);
void annotation_free(struct annotation *annotation);

#endif
