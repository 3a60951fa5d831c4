// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "span_plans.h"
#include "vector.h"

static void forget_role(struct pk_span_role_plan *plan)
{
	pk_span_selector_free(&plan->selector);
	free(plan->sources);
	*plan = (struct pk_span_role_plan){0};
}

void pk_span_plans_free(struct pk_span_plans *plans)
{
	for (size_t i = 0; i < plans->count; i++)
		for (int role = 0; role < PK_SPAN_RULES; role++)
			forget_role(&plans->items[i].roles[role]);
	free(plans->items);
	plans->items = NULL;
	plans->count = 0;
}

/* Finds the sources of the columns. */
static bool bind_columns(struct pk_span_plans *plans, struct pk_span_role_plan *plan,
			 enum pk_span_side side, const struct pk_event *event)
{
	const struct pk_span_columns *columns = &plans->columns;

	plan->sources = calloc(columns->count, sizeof(*plan->sources));
	if (!plan->sources)
		return false;
	for (size_t i = 0; i < columns->count; i++) {
		const struct pk_span_column *column = &columns->items[i];
		struct pk_span_source *source = &plan->sources[i];

		*source = pk_span_column_bind(column, side, plans->context, event);
		plan->on_cpu |= column->is_key && source->binding.field &&
				!strcmp(source->binding.field->name, "cpu");
	}
	return true;
}

static bool plan_role(struct pk_span_plans *plans, struct pk_span_role_plan *plan,
		      enum pk_span_role role, const struct pk_event *event)
{
	forget_role(plan); /* of an earlier epoch */
	if (pk_span_rules_select(&plans->rules[role], event, &plan->selector) &&
	    (!plan->selector.active || bind_columns(plans, plan, pk_span_side_of(role), event)))
		return true;
	forget_role(plan);
	return false;
}

static bool make_plan(struct pk_span_plans *plans, struct pk_span_plan *plan,
		      const struct pk_event *event)
{
	plan->is_used = false;
	for (int role = 0; role < PK_SPAN_RULES; role++) {
		if (!plan_role(plans, &plan->roles[role], (enum pk_span_role)role, event))
			return false;
		plan->is_used |= plan->roles[role].selector.active;
	}
	plan->epoch = plans->context->epoch;
	return true;
}

const struct pk_span_plan *pk_span_plans_make(struct pk_span_plans *plans,
					      const struct pk_event *event)
{
	if (pk_extend(&plans->items, &plans->count, event->index) &&
	    make_plan(plans, &plans->items[event->index], event))
		return &plans->items[event->index];
	plans->context->failed = true;
	return NULL;
}

bool pk_span_plans_have(const struct pk_span_plans *plans, enum pk_span_role role)
{
	for (size_t i = 0; i < plans->count; i++)
		if (plans->items[i].roles[role].selector.active)
			return true;
	return false;
}
