/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_H
#define PK_ANNOTATE_H

#include "run.h"
#include "symbols.h"

/* Which events are shown side by side. */
enum annotate_group { GROUP_RECORDED, GROUP_NONE, GROUP_ALL };

struct annotate_options {
	const struct pk_symbols_options *symbols; /* that the store was made with */
	const char **functions; /* globs: FUNCTION or OBJECT:FUNCTION; none: the hottest */
	int functions_count;
	const char **events; /* globs; none: all */
	int events_count;
	bool by_samples; /* shares are of samples, not of periods */
	enum annotate_group group;
	bool of_all;	    /* shares are of all samples, not of the function's */
	uint32_t hottest;   /* so many functions of each event; 0: all */
	double min_percent; /* functions with less are not shown, unless named */
	bool only_hot;	    /* show no instructions but those within context of a hot one */
	uint32_t context;
	bool source, by_line, json, intel;
	bool types;	     /* of each memory access */
	bool type_profile;   /* only those, with all that was sampled in each */
	uint32_t cache_line; /* bytes */
	bool arrows, colour;
	bool ascii;	       /* of arrows: the terminal may not have more */
	const char **prefixes; /* OLD=NEW: of the names of source files */
	int prefixes_count;
};

/* Reads what run names and prints it on stdout. The exit status. */
int annotate(struct pk_run *run, struct pk_symbols *symbols,
	     const struct annotate_options *options);

#endif
