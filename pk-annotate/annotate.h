/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_H
#define PK_ANNOTATE_H

#include "tail.h"
#include "vector.h"

/* Which events are shown side by side: the events of a group of the recording, no events, or all
 * events. */
enum annotate_group { GROUP_RECORDED, GROUP_NONE, GROUP_ALL };

struct annotate_options {
	struct pk_tail_options tail;
	/* The functions to show, as globs. A glob is FUNCTION or OBJECT:FUNCTION. If there are no
	 * globs, all functions are shown, the hottest first. */
	struct pk_text_list functions;
	struct pk_text_list events; /* globs; all events if there is no glob */
	bool by_samples;	    /* percentages count samples, not periods */
	enum annotate_group group;
	bool of_all; /* percentages are of the samples of all functions, not of one function */
	/* The most functions, lines or types to show for each group of events, or 0 for no limit.
	 * Parts of a function, such as foo.cold, are not counted. */
	uint32_t hottest;
	double min_percent; /* functions, lines or types with a smaller share of all samples are not
			     * shown, except functions that `functions` names, and their lines */
	bool only_hot; /* show no instructions that are more than `context` rows away from a hot one
			*/
	uint32_t context;
	bool source, by_line, json, intel;
	bool blocks;	     /* show how often instructions ran, from branch stacks */
	bool types;	     /* show the type of each memory access */
	bool type_profile;   /* show only types, with the samples of each type */
	uint32_t cache_line; /* size of a cache line in bytes, for type_profile */
	bool arrows, colour;
	bool ascii; /* draw arrows with ASCII characters, for a terminal without UTF-8 */
	struct pk_text_list prefixes; /* OLD=NEW, for paths of source files */
};

/* Reads the inputs of run, and prints their functions, source lines or types on stdout. Returns the
 * exit status. */
int annotate(struct pk_run *run, struct annotate_options *options);

#endif
