// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "conditions.h"
#include "number.h"
#include "vector.h"

static const char *const names[CONDITION_FIELDS] = {
	[CONDITION_PID] = "pid",       [CONDITION_TID] = "tid",	      [CONDITION_CPU] = "cpu",
	[CONDITION_EVENT] = "event",   [CONDITION_MODE] = "mode",     [CONDITION_COMM] = "comm",
	[CONDITION_CGROUP] = "cgroup", [CONDITION_DSO] = "dso",	      [CONDITION_SYMBOL] = "symbol",
	[CONDITION_STACK] = "stack",   [CONDITION_SOCKET] = "socket",
};

/* ---- Values of fields ---- */

static struct pk_expression *one_span(enum condition_field field, uint64_t first, uint64_t last)
{
	if (first == last)
		return pk_expression_compare(PK_OP_EQ, names[field], first);
	return pk_expression_join(PK_OP_AND, pk_expression_compare(PK_OP_GE, names[field], first),
				  pk_expression_compare(PK_OP_LE, names[field], last));
}

struct number_list {
	enum condition_field field;
	struct pk_expression *expression;
	bool no_memory;
};

static bool add_numbers(void *arg, uint64_t first, uint64_t last)
{
	struct number_list *list = arg;
	struct pk_expression *span = one_span(list->field, first, last);

	list->expression =
		list->expression ? pk_expression_join(PK_OP_OR, list->expression, span) : span;
	list->no_memory = !list->expression;
	return list->expression;
}

/* Returns PK_CORRUPT if the text is malformed. If the text is valid but memory is exhausted,
 * returns PK_OK and sets *expression to NULL. */
static enum pk_status numbers(enum condition_field field, const char *text,
			      struct pk_expression **expression)
{
	struct number_list list = {.field = field};

	if (!pk_parse_ranges(text, UINT64_MAX, add_numbers, &list) && !list.no_memory) {
		pk_expression_free(list.expression);
		return PK_CORRUPT;
	}
	*expression = list.expression;
	return PK_OK;
}

static bool is_number(enum condition_field field)
{
	return field == CONDITION_PID || field == CONDITION_TID || field == CONDITION_CPU ||
	       field == CONDITION_SOCKET;
}

const char *pk_conditions_add(struct conditions *conditions, enum condition_field field,
			      const char *value)
{
	bool negated = *value == '!';
	struct pk_expression *expression, **any = &conditions->any[field];

	value += negated;
	if (!*value)
		return "nothing to compare with";
	if (!is_number(field))
		expression = pk_expression_match(PK_OP_LIKE, names[field], value);
	else if (numbers(field, value, &expression) != PK_OK)
		return "not a list of numbers: 1,3,5-9";
	if (!expression)
		return pk_expression_no_memory;
	if (negated)
		return pk_conditions_add_where(
			       conditions, pk_expression_join(PK_OP_NOT, expression, NULL)) == PK_OK
			       ? NULL
			       : pk_expression_no_memory;
	*any = *any ? pk_expression_join(PK_OP_OR, *any, expression) : expression;
	return *any ? NULL : pk_expression_no_memory;
}

enum pk_status pk_conditions_add_where(struct conditions *conditions,
				       struct pk_expression *expression)
{
	if (expression && conditions->all)
		expression = pk_expression_join(PK_OP_AND, conditions->all, expression);
	else if (!expression)
		pk_expression_free(conditions->all);
	conditions->all = expression;
	return expression ? PK_OK : PK_NOMEM;
}

/* The fields of condition_field come first, and numbers are the first of them, because they are
 * compared fastest. */
enum pk_status pk_conditions_combine(struct conditions *conditions,
				     struct pk_expression **expression)
{
	bool good = true;

	*expression = NULL;
	for (unsigned int field = 0; field <= CONDITION_FIELDS; field++) {
		struct pk_expression **from =
			field < CONDITION_FIELDS ? &conditions->any[field] : &conditions->all;

		if (*from && *expression)
			good &= (*expression = pk_expression_join(PK_OP_AND, *expression, *from)) !=
				NULL;
		else if (*from)
			*expression = *from;
		*from = NULL;
	}
	if (good)
		return PK_OK;
	pk_expression_free(*expression);
	*expression = NULL;
	return PK_NOMEM;
}

void pk_conditions_free(struct conditions *conditions)
{
	for (unsigned int field = 0; field < CONDITION_FIELDS; field++)
		pk_expression_free(conditions->any[field]);
	pk_expression_free(conditions->all);
	free(conditions->where);
	free(conditions->ranges);
}

/* ---- Time ---- */

#define NS 1000000000

/* Parses digits[.digits] as seconds, converts them to nanoseconds, and moves *text to the end of
 * the number. */
static bool read_seconds(const char **text, uint64_t *ns)
{
	uint64_t seconds = 0, unit = NS / 10;
	const char *at = *text;

	for (; *at >= '0' && *at <= '9'; at++) {
		seconds = seconds * 10 + (uint64_t)(*at - '0');
		if (seconds > UINT64_MAX / NS - 1)
			return false;
	}
	if (at == *text)
		return false;
	*ns = seconds * NS;
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++, unit /= 10)
			*ns += (uint64_t)(*at - '0') * unit;
	*text = at;
	return true;
}

/* Parses A%-B%, or N%/K, which is the Kth range of N percent. */
static bool parse_percent(const char *text, struct time_range *range)
{
	uint64_t from, to, part;

	range->kind = TIME_PERCENT;
	if (!read_seconds(&text, &from) || *text++ != '%' || from > (uint64_t)100 * NS)
		return false;
	if (*text == '/') {
		if (!pk_parse_u64(text + 1, &part) || !part || !from ||
		    part > ((uint64_t)100 * NS - 1) / from + 1)
			return false;
		range->from = (part - 1) * from / 1000;
		range->to = part * from / 1000;
		return true;
	}
	if (*text++ != '-' || !read_seconds(&text, &to) || strcmp(text, "%") ||
	    to > (uint64_t)100 * NS || to < from)
		return false;
	range->from = from / 1000;
	range->to = to / 1000;
	return true;
}

static bool read_end(const char **text, bool relative, uint64_t *ns)
{
	if (relative && *(*text)++ != '+')
		return false;
	return read_seconds(text, ns);
}

bool pk_time_range_parse(const char *text, struct time_range *range)
{
	const char *comma = strchr(text, ',');
	bool relative = *text == '+' || (comma && comma[1] == '+');

	if (strchr(text, '%'))
		return parse_percent(text, range);
	*range = (struct time_range){.kind = relative ? TIME_RELATIVE : TIME_ABSOLUTE,
				     .to = UINT64_MAX};
	if (!*text || !strcmp(text, ","))
		return false;
	if (*text != ',' && !read_end(&text, relative, &range->from))
		return false;
	if (!*text)
		return true;
	if (*text++ != ',')
		return false;
	if (*text && !read_end(&text, relative, &range->to))
		return false;
	return !*text && range->from <= range->to;
}

const char *pk_conditions_add_time(struct conditions *conditions, const char *text)
{
	struct time_range range;

	if (!pk_time_range_parse(text, &range))
		return "not FROM,TO in seconds, +FROM,+TO, A%-B% or N%/K";
	if (pk_reserve(&conditions->ranges, &conditions->ranges_capacity, conditions->ranges_count,
		       1, sizeof(range)) != PK_OK)
		return pk_expression_no_memory;
	conditions->ranges[conditions->ranges_count++] = range;
	return NULL;
}

static bool is_in(const struct time_range *range, const struct time_span *span, uint64_t time)
{
	struct pk_wide rest;
	uint64_t length;

	switch (range->kind) {
	case TIME_RELATIVE: time = time > span->start ? time - span->start : 0; break;
	case TIME_PERCENT:
		length = span->last - span->first;
		if (!span->last || time < span->first)
			return false;
		time = length ? pk_wide_divide(pk_wide_product(time - span->first, 100000000),
					       pk_wide_of_u64(length), &rest)
					.low
			      : 0;
		/* a range that ends at 100% includes the last sample */
		return time >= range->from && (time < range->to || range->to == 100000000);
	default: break;
	}
	return time >= range->from && time <= range->to;
}

bool pk_conditions_in_time(const struct conditions *conditions, const struct time_span *span,
			   uint64_t time)
{
	for (size_t i = 0; i < conditions->ranges_count; i++)
		if (is_in(&conditions->ranges[i], span, time))
			return true;
	return false;
}
