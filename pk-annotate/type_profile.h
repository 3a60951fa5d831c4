/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_PROFILE_H
#define PK_ANNOTATE_TYPE_PROFILE_H

/* Samples by the type, and its member, that the sampled instruction accesses. */

#include "annotate_report.h"
#include "type_tally.h"

/* Prints the types of some events side by side. False: out of memory. */
bool report_types(struct report *report, const uint32_t *events, unsigned int columns);

/* In type_table.c and type_json.c: what was counted, into report->out. */
struct type_profile {
	struct report *report;
	const uint32_t *events;
	unsigned int columns;
	struct type_tally *tally;
};
void type_profile_text(const struct type_profile *p);
void type_profile_json(const struct type_profile *p);

/* In percent of all samples of the column's event. */
double type_profile_share(const struct type_profile *p, unsigned int column,
			  const struct pk_count *count);
/* Is the type among those to be shown? The first ones are. */
bool type_profile_shows(const struct type_profile *p, size_t index, const struct type_share *type);

#endif
