/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAME_NAMES_H
#define PK_FRAME_NAMES_H

/* How frames are named in a folded line: the conventions of stackcollapse-perf.pl, which
 * flamegraph.pl's users know. */

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "pkstream.h"

struct pk_frame_options {
	bool addresses;				  /* unresolved frames keep theirs */
	bool modules;				  /* object`function */
	bool lines;				  /* function:file:line */
	bool hide_inlines;			  /* inlined frames have no names */
	bool mark_kernel, mark_jit, mark_inlines; /* _[k], _[j], _[i] behind the name */
};

/* The name of a thread, as the root of a line. Replaces *out. */
void pk_comm_name(struct buffer *out, const char *comm, size_t size);
/*
 * The names of a frame, callers first, each ended by a NUL: more than one where a "->" in the
 * function's name tells of inlined calls. java: the thread's name begins so. Replaces *out.
 */
void pk_frame_names(struct buffer *out, const struct pk_dictionary *dictionary,
		    const struct pk_frame *frame, bool java,
		    const struct pk_frame_options *options);

#endif
