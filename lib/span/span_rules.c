// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "span_rules.h"
#include "vector.h"

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

void pk_span_selector_free(struct pk_span_selector *selector)
{
	free(selector->conditions);
	*selector = (struct pk_span_selector){0};
}

/* A rule without a condition makes the others unnecessary. */
bool pk_span_rules_select(struct pk_span_rules *rules, const struct pk_event *event,
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
