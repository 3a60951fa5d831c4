/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_NAMES_H
#define PK_FRAME_NAMES_H

/* Makes the names of frames in a folded line. They follow the conventions of stackcollapse-perf.pl,
 * whose output is the usual input of flamegraph.pl. */

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "pkstream.h"

/* What the name of a frame contains. */
struct pk_frame_options {
	bool addresses; /* Append the address to frames without a function: [object]+0x1234. Frames
			 * that stand for a whole function have no address. */
	bool modules;	/* put the name of the object before the function: object`function */
	bool lines;	/* append the source line: function:file:line */
	bool full; /* keep the parameters, the quotation marks, and the L at the start of names of
		    * Java classes */
	bool hide_inlines; /* omit inlined frames */
	bool mark_kernel, mark_jit,
		mark_inlines; /* append _[k] to names of kernel code, _[j] to generated code, and
			       * _[i] to inlined functions */
};

/* Replaces *out by the name of a thread, in the form of the first name of a line. Blanks become
 * '_', semicolons become ':', and bytes that could harm a terminal are replaced. */
void pk_comm_name(struct buffer *out, const char *comm, size_t size);
/* Replaces *out by the names of a frame, each with a NUL. Callers come first. There is more than
 * one name if "->" separates inlined calls in the name of generated code or of a Java function.
 * There is no name for an inlined frame if hide_inlines is set. java means that the name of the
 * thread starts with "java". In this case, an L at the start of the name of a class is removed. */
void pk_frame_names(struct buffer *out, const struct pk_dictionary *dictionary,
		    const struct pk_frame *frame, bool java,
		    const struct pk_frame_options *options);

#endif
