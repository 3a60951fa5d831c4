/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_GRAPH_OPTION_H
#define PK_REPORT_GRAPH_OPTION_H

/* The argument of -g, as in perf report: TYPE,THRESHOLD,LIMIT,ORDER,VALUE. */

#include <stdbool.h>
#include <stdint.h>

/* Frames of each path; perf has the same default for its stacks. */
#define GRAPH_DEPTH_DEFAULT 127

struct graph_options {
	enum graph_mode {
		GRAPH_NONE,
		GRAPH_ABSOLUTE, /* percentages of all samples */
		GRAPH_RELATIVE, /* percentages of the samples of the parent */
		GRAPH_FLAT,
		GRAPH_FOLDED,
	} mode;
	double threshold; /* hide branches below this share, in percent */
	uint64_t limit;	  /* branches of a node, or lines of a row; 0: all */
	uint32_t depth;	  /* frames of each path */
	bool ordered;	  /* `caller` is set by the user; else it is that of --children */
	bool caller;	  /* callers first */
	enum graph_value { GRAPH_PERCENT, GRAPH_PERIOD, GRAPH_COUNT } value;
};

/* Changes the options as the text says. NULL: done; else the reason why the text is invalid. */
const char *pk_graph_option_parse(struct graph_options *options, const char *text);

#endif
