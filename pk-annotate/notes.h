/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_NOTES_H
#define PK_ANNOTATE_NOTES_H

/* What else is said of instructions, behind each of them: "# data-type: ...". */

#include "buffer.h"
#include "function.h"

struct notes {
	/* Of a function whose rows are printed next; *state is handed to the others. NULL:
	 * nothing to say of it. False: out of memory. */
	bool (*begin)(void *arg, const struct function *f, void **state);
	/* Adds the text for a row, without a line end; or nothing. */
	void (*add)(void *state, uint32_t row, struct buffer *text);
	/* The same as members of JSON: each begins with a comma. */
	void (*add_json)(void *state, uint32_t row, struct buffer *text);
	void (*end)(void *state);
	void *arg;
};

#endif
