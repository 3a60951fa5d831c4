/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_GRAPH_TEXT_H
#define PK_REPORT_GRAPH_TEXT_H

/* The tree of callers or callees below a row of the table, in the layouts of perf report -g. */

#include "buffer.h"
#include "call_forest.h"
#include "call_tree.h"

/* Levels of branches. Each one indents its lines by 11 more characters. */
#define GRAPH_LEVELS_MAX 64

struct graph_text {
	const struct graph_options *options;
	const struct forest *forest;
	bool caller, children;		/* see pk_forest_row() */
	bool skip_first;		/* omit the first name: the row has it */
	const char *separator;		/* of folded lines; NULL: ";" */
	bool colour;			/* of percentages */
	struct pk_allowance *allowance; /* what the text may cost */
	uint64_t rows_cut; /* number of trees that are cut or missing because it was spent */
	uint64_t cut;	   /* number of branches whose own branches are not printed */
};

/* Appends the tree of a row. weight is that of the row. total is that of the table. */
PK_MUST_CHECK enum pk_status pk_graph_text(struct graph_text *text, struct buffer *out,
					   uint32_t row, uint64_t weight, uint64_t total);

#endif
