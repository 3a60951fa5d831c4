/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_PLANS_H
#define PK_SPAN_PLANS_H

/* What the samples of each event do: which of them start, end, or cancel a span, and where the
 * values of columns are in them. A plan is made once for each event and epoch. */

#include "pkutil.h"
#include "span_columns.h"
#include "span_place.h"
#include "span_rules.h"

/* What the samples of a rule do. Those that cancel have the fields of a start in
 * their key. */
enum pk_span_role { PK_SPAN_STARTS, PK_SPAN_ENDS, PK_SPAN_CANCELS, PK_SPAN_RULES };

static inline enum pk_span_side pk_span_side_of(enum pk_span_role role)
{
	return role == PK_SPAN_ENDS ? PK_SPAN_END : PK_SPAN_START;
}

struct pk_span_plan {
	uint64_t epoch; /* 0: not made yet */
	bool is_used;	/* samples can have one of the roles */
	struct pk_span_role_plan {
		struct pk_span_selector selector;
		struct pk_span_source *sources; /* by column */
		bool on_cpu;			/* the key has the cpu of the sample */
	} roles[PK_SPAN_RULES];
};

struct pk_span_plans {
	/* Set by the caller. */
	struct pk_context *context;
	struct pk_span_rules rules[PK_SPAN_RULES];
	struct pk_span_columns {
		struct pk_span_column *items;
		size_t count, capacity;
	} columns;
	/* For reading: by event; the caller frees them before a new session. */
	struct pk_span_plan *items;
	size_t count;
};

/* Frees the plans, not the rules and columns. */
void pk_span_plans_free(struct pk_span_plans *plans);
/* The part of pk_span_plans_of() that makes a plan. */
const struct pk_span_plan *pk_span_plans_make(struct pk_span_plans *plans,
					      const struct pk_event *event);
/* Whether samples of an event that has a plan can have the role. */
bool pk_span_plans_have(const struct pk_span_plans *plans, enum pk_span_role role);

/* The plan of an event. NULL: out of memory, which sets pk_context.failed. */
static inline const struct pk_span_plan *pk_span_plans_of(struct pk_span_plans *plans,
							  const struct pk_event *event)
{
	if (pk_likely(event->index < plans->count &&
		      plans->items[event->index].epoch == plans->context->epoch))
		return &plans->items[event->index];
	return pk_span_plans_make(plans, event);
}

#endif
