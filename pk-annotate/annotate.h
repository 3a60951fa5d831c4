/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_H
#define PK_ANNOTATE_H

#include "tail.h"
#include "vector.h"

/* The events that are shown side by side: those that were recorded as a group, none, or all. */
enum annotate_group { GROUP_RECORDED, GROUP_NONE, GROUP_ALL };

struct annotate_options {
	struct pk_tail_options tail;
	/* Globs, FUNCTION or OBJECT:FUNCTION. If there are none, all functions are meant, the
	 * hottest first. */
	struct pk_text_list functions;
	struct pk_text_list events; /* globs; none: all */
	bool by_samples;	    /* percentages are of samples, not of periods */
	enum annotate_group group;
	bool of_all;	    /* percentages are of all samples, not of the function's */
	uint32_t hottest;   /* limit for the functions, lines or types of each group of events; the
			     * parts of a function count as one; 0: all */
	double min_percent; /* functions, lines or types with a smaller share of all samples are not
			     * shown; not for functions and their lines that `functions` names */
	bool only_hot;	    /* show only instructions at most `context` away from a hot one */
	uint32_t context;
	bool source, by_line, json, intel;
	bool blocks;	     /* show what ran between the branches of branch stacks */
	bool types;	     /* show the type of each memory access */
	bool type_profile;   /* show only types, with the samples of each */
	uint32_t cache_line; /* size of a cache line in bytes, for type_profile */
	bool arrows, colour;
	bool ascii;		      /* draw arrows in ASCII, if the terminal has no UTF-8 */
	struct pk_text_list prefixes; /* OLD=NEW, for names of source files */
};

/* Reads the inputs of run, and prints their functions, source lines or types on stdout. Returns the
 * exit status. */
int annotate(struct pk_run *run, struct annotate_options *options);

#endif
