/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_NAMES_H
#define PK_FRAME_NAMES_H

/* Names of frames in a folded line, in the conventions of stackcollapse-perf.pl, the usual input of
 * flamegraph.pl. */

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "pkstream.h"

struct pk_frame_options {
	bool addresses;	   /* unresolved frames get their address: [object]+0x1234; not those that
			    * stand for a function */
	bool modules;	   /* precede the function by its object: object`function */
	bool lines;	   /* add the source line: function:file:line */
	bool full;	   /* keep parameters, quotation marks, and the L of Java's classes */
	bool hide_inlines; /* omit inlined frames */
	bool mark_kernel, mark_jit, mark_inlines; /* add _[k], _[j], _[i] to the name */
};

/* Replaces *out by the name of a thread as the first name of a line: blanks become '_', semicolons
 * become ':', and bytes that could harm a terminal are replaced. */
void pk_comm_name(struct buffer *out, const char *comm, size_t size);
/* The names of a frame, callers first, each with a NUL. There is more than one if "->" separates
 * inlined calls in the name of generated code, or of a function of Java. There is none for an
 * inlined frame with hide_inlines. java means that the thread's name starts with "java". Then an L
 * at the start of a class name is removed. Replaces *out. */
void pk_frame_names(struct buffer *out, const struct pk_dictionary *dictionary,
		    const struct pk_frame *frame, bool java,
		    const struct pk_frame_options *options);

#endif
