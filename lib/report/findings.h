/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FINDINGS_H
#define PK_FINDINGS_H

/* Conditions on the rows of a comparison: --fail-if and --fail-on regression. */

#include "expression.h"
#include "results.h"

/* What makes a row a finding. If all members are zero, no row is one. */
struct finding_options {
	const char *condition; /* the argument of --fail-if, or NULL */
	bool regressions;      /* rows that have changed, and grew by more than this percentage */
	double regression;
	struct pk_expression *expression; /* from pk_findings_prepare() */
};

/* Parses the condition, and checks its names. Names are columns, and the numbers of comparisons
 * with the first base. Returns NULL, or the error. *at is then the place of the error in the text.
 */
const char *pk_findings_prepare(struct finding_options *options, const struct layout *layout,
				size_t *at);
/* Sets *is to whether a line of a comparison is a finding. */
PK_MUST_CHECK enum pk_status pk_is_finding(const struct finding_options *options,
					   const struct results *results, const struct sheet *sheet,
					   uint32_t line, bool *is);
static inline bool finding_options_set(const struct finding_options *options)
{
	return options->condition || options->regressions;
}

#endif
