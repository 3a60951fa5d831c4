/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_GRAPH_TEXT_H
#define PK_REPORT_GRAPH_TEXT_H

/* Prints the tree of callers or callees below a row of the table, in the layouts of perf report -g.
 */

#include "buffer.h"
#include "call_forest.h"
#include "call_tree.h"

/* The greatest depth of branches. Each level indents its lines by 11 more characters. */
#define GRAPH_LEVELS_MAX 64

/* How trees are printed, and what could not be printed. */
struct graph_text {
	const struct graph_options *options;
	const struct forest *forest;
	bool caller, children; /* as the parameters of pk_forest_row() */
	bool skip_first;       /* omit the first name, because the row shows it */
	const char *separator; /* text between the names of a folded line; NULL means ";" */
	bool colour;	       /* print percentages in colour */
	struct pk_allowance *allowance; /* limit for the text of all trees */
	uint64_t rows_cut; /* number of trees that are cut or missing because the allowance was
			    * spent */
	uint64_t cut; /* number of branches that are printed without their sub-branches, because of
		       * GRAPH_LEVELS_MAX */
};

/* Appends the tree of a row. `weight` is the weight of the row, `total` is the weight of the table.
 */
PK_MUST_CHECK enum pk_status pk_graph_text(struct graph_text *text, struct buffer *out,
					   uint32_t row, uint64_t weight, uint64_t total);

#endif
