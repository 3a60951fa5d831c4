/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_H
#define PK_ANNOTATE_H

#include "tail.h"
#include "vector.h"

/* Which events have a column each in the same listing: the events of a group as it was recorded,
 * only one event, or all events. */
enum annotate_group { GROUP_RECORDED, GROUP_NONE, GROUP_ALL };

/* The options of pk-annotate. */
struct annotate_options {
	struct pk_tail_options tail;
	/* The functions to show, as globs. A glob is FUNCTION or OBJECT:FUNCTION. If there are no
	 * globs, all functions are shown, the hottest first. */
	struct pk_text_list functions;
	struct pk_text_list events; /* names or globs of the events to show; without any, all events
				     * are shown */
	bool by_samples;	    /* percentages count samples, not periods */
	enum annotate_group group;
	bool of_all; /* percentages are shares of the samples of all functions, and not of the
		      * samples of one function */
	/* The most functions, lines or types to show for each group of events, or 0 for no limit.
	 * Parts of a function, such as foo.cold, are not counted. */
	uint32_t hottest;
	/* Functions, lines or types with a smaller share of all samples (in percent) are not shown.
	 * This does not apply to the functions that `functions` names, and to their lines. */
	double min_percent;
	bool only_hot; /* show only instructions that are at most `context` rows away from an
			* instruction with samples */
	uint32_t context;
	bool source, by_line, json, intel;
	bool blocks; /* show how often each instruction ran, according to the branch stacks of the
		      * samples */
	bool types;  /* show the type of each memory access */
	bool type_profile;   /* show only the types, with the number of samples of each type */
	uint32_t cache_line; /* size of a cache line in bytes; used with type_profile */
	bool arrows, colour;
	bool ascii; /* draw arrows with ASCII characters, for a terminal without UTF-8 */
	struct pk_text_list prefixes; /* pairs OLD=NEW; a path of a source file that starts with OLD
				       * starts with NEW instead */
};

/* Reads the inputs of run, and prints their functions, source lines or types on stdout. Returns the
 * exit status. */
int annotate(struct pk_run *run, struct annotate_options *options);

#endif
