/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_RULES_H
#define PK_SPAN_RULES_H

/* Rules select the samples that start, end, or cancel a span: by the name of their event, and by a
 * condition. */

#include "condition.h"

struct pk_span_rule {
	const char *event;		/* its name or a glob; borrowed */
	const char *where_text;		/* borrowed */
	struct pk_expression *where;	/* NULL: all samples; freed with the rules */
	struct pk_condition *condition; /* of where */
	bool found;			/* an event of any session has this name */
	bool timed;			/* the samples of such an event have times */
};

/* The rules of one role. All zero: none. */
struct pk_span_rules {
	struct pk_span_rule *items;
	size_t count, capacity;
};

/* The event stays the caller's. False: out of memory. */
bool pk_span_rules_add(struct pk_span_rules *rules, const char *event);
/* PK_NEED_* of the conditions. */
unsigned int pk_span_rules_needs(const struct pk_span_rules *rules);
/* Call when all rules are complete, after pk_context_init(). False: out of memory. */
bool pk_span_rules_init(struct pk_span_rules *rules, struct pk_context *context);
void pk_span_rules_end_session(struct pk_span_rules *rules);
void pk_span_rules_free(struct pk_span_rules *rules);

/* The rules for the samples of one event, valid during an epoch. All zero: no sample is selected.
 */
struct pk_span_selector {
	bool active;  /* samples can be selected */
	size_t count; /* of conditions, of which one must hold; 0: all samples are selected */
	const struct pk_program **conditions;
};

/* Sets the selector, which is all zero. False: out of memory. */
bool pk_span_rules_select(struct pk_span_rules *rules, const struct pk_event *event,
			  struct pk_span_selector *selector);
void pk_span_selector_free(struct pk_span_selector *selector);

static inline bool pk_span_selects(const struct pk_span_selector *selector,
				   const struct pk_record *record)
{
	if (!selector->active)
		return false;
	for (size_t i = 0; i < selector->count; i++)
		if (pk_program_holds(selector->conditions[i], record))
			return true;
	return !selector->count;
}

#endif
