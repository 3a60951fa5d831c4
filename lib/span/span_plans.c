// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "span_plans.h"
#include "vector.h"

/* ---- Rules ---- */

bool pk_span_rules_add(struct pk_span_rules *rules, const char *event)
{
	if (!pk_vector_reserve(rules, 1))
		return false;
	rules->items[rules->count++] = (struct pk_span_rule){.event = event};
	return true;
}

unsigned int pk_span_rules_needs(const struct pk_span_rules *rules)
{
	unsigned int needs = 0;

	for (size_t i = 0; i < rules->count; i++)
		if (rules->items[i].where)
			needs |= pk_expression_needs(rules->items[i].where);
	return needs;
}

bool pk_span_rules_init(struct pk_span_rules *rules, struct pk_context *context)
{
	for (size_t i = 0; i < rules->count; i++) {
		struct pk_span_rule *rule = &rules->items[i];

		if (!rule->where)
			continue;
		rule->condition = pk_condition_new(context, rule->where);
		if (!rule->condition)
			return false;
	}
	return true;
}

void pk_span_rules_end_session(struct pk_span_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->items[i].condition)
			pk_condition_end_session(rules->items[i].condition);
}

void pk_span_rules_free(struct pk_span_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		pk_condition_free(rules->items[i].condition);
		pk_expression_free(rules->items[i].where);
	}
	free(rules->items);
}

static void span_selector_free(struct pk_span_selector *selector)
{
	free(selector->conditions);
	*selector = (struct pk_span_selector){0};
}

/* Sets the selector, which is all zero. False: out of memory. A rule without a condition makes the
 * others unnecessary. */
static bool span_rules_select(struct pk_span_rules *rules, const struct pk_event *event,
			      struct pk_span_selector *selector)
{
	bool all = false;

	selector->conditions = calloc(rules->count + 1, sizeof(*selector->conditions));
	if (!selector->conditions)
		return false;
	for (size_t i = 0; i < rules->count; i++) {
		struct pk_span_rule *rule = &rules->items[i];
		const struct pk_program *program;

		if (!pk_event_is_called(event, rule->event))
			continue;
		rule->found = true;
		if (!event->layout.time)
			continue;
		selector->active = rule->timed = true;
		all |= !rule->condition;
		if (!rule->condition)
			continue;
		program = pk_condition_program(rule->condition, event);
		if (!program)
			return false;
		selector->conditions[selector->count++] = program;
	}
	if (all)
		selector->count = 0;
	return true;
}

/* ---- Plans ---- */

static void forget_role(struct pk_span_role_plan *plan)
{
	span_selector_free(&plan->selector);
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
	if (span_rules_select(&plans->rules[role], event, &plan->selector) &&
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

/* ---- Places ---- */

/* The callchain and the raw bytes of any sample. False: it is malformed. */
static bool read_decoded(struct pk_view *view, struct pk_span_place *place)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (!sample)
		return false;
	place->callchain = sample->callchain;
	place->raw = sample->raw;
	place->chain_flags = sample->chain_flags;
	return true;
}

static uint64_t load_u64(const struct pk_record *record, uint16_t at)
{
	return at ? pk_load_u64(record->data + at) : 0;
}

bool pk_span_place_read(struct pk_span_place *place, const struct pk_record *record,
			bool symbolized, struct pk_view *view)
{
	const struct pk_layout *layout = &record->event->layout;

	*place = (struct pk_span_place){
		.time = load_u64(record, layout->time),
		.ip = pk_sample_ip(record->event, record),
		.misc = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	if (layout->tid) {
		place->pid = pk_record_task(record, layout->tid)->pid;
		place->tid = pk_record_task(record, layout->tid)->tid;
	}
	if (layout->cpu)
		place->cpu = pk_load_u32(record->data + layout->cpu);
	if (symbolized)
		place->stack = pk_stack_trailer(record->data, record->size);
	return pk_sample_plain(record, &place->callchain, &place->raw) || read_decoded(view, place);
}
