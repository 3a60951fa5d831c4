/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_PROFILE_H
#define PK_ANNOTATE_TYPE_PROFILE_H

/* Counts samples by the type and member that the sampled instruction accesses. */

#include "annotate_report.h"
#include "type_tally.h"

/* Prints the types that the instructions access. The counts of the events are side by side. */
PK_MUST_CHECK enum pk_status report_types(struct report *report, const uint32_t *events,
					  unsigned int columns);

/* type_profile_text() in type_table.c and type_profile_json() in type_json.c append the counts to
 * report->out. */
struct type_profile {
	struct report *report;
	const uint32_t *events;
	unsigned int columns;
	struct type_tally *tally;
};
void type_profile_text(const struct type_profile *p);
void type_profile_json(const struct type_profile *p);

/* Returns the percentage that the count is of all samples of the column's event. */
static inline double type_profile_share(const struct type_profile *p, unsigned int column,
					const struct hit_count *count)
{
	const struct hit_count all = code_hits_total(p->report->hits, p->events[column]);
	const uint64_t whole = weight_of(p->report->options, &all);

	return whole ? 100 * (double)weight_of(p->report->options, count) / (double)whole : 0;
}

/* Returns true if --hottest and --min-percent allow to show the type. index is its index in the
 * sorted types. */
static inline bool type_profile_shows(const struct type_profile *p, size_t index,
				      const struct type_share *type)
{
	const struct annotate_options *options = p->report->options;

	return (!options->hottest || index < options->hottest) &&
	       type_profile_share(p, 0, &type->counts[0].all) >= options->min_percent;
}

#endif
