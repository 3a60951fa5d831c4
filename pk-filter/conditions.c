// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "conditions.h"
#include "vector.h"

/* ---- Values of fields ---- */

/* first-last, or only one; moves *text behind it. */
static bool read_span(const char **text, uint64_t *first, uint64_t *last)
{
	char part[48], *dash;
	size_t size = strcspn(*text, ",");

	if (size >= sizeof(part))
		return false;
	memcpy(part, *text, size);
	part[size] = '\0';
	*text += size;
	dash = strchr(part, '-');
	if (dash)
		*dash = '\0';
	if (!pk_parse_u64(part, first) || !pk_parse_u64(dash ? dash + 1 : part, last))
		return false;
	return *first <= *last;
}

static struct where *one_span(enum where_field field, uint64_t first, uint64_t last)
{
	if (first == last)
		return where_compare(WHERE_EQ, field, first);
	return where_join(WHERE_AND, where_compare(WHERE_GE, field, first),
			  where_compare(WHERE_LE, field, last));
}

/* *where is NULL if nothing was wrong with the text but memory is exhausted. */
static bool numbers(enum where_field field, const char *text, struct where **where)
{
	uint64_t first, last;
	struct where *span;

	*where = NULL;
	for (;; text++) {
		if (!read_span(&text, &first, &last)) {
			where_free(*where);
			return false;
		}
		span = one_span(field, first, last);
		*where = *where ? where_join(WHERE_OR, *where, span) : span;
		if (!*where || !*text)
			return true;
	}
}

static bool is_number(enum where_field field)
{
	return field == WHERE_PID || field == WHERE_TID || field == WHERE_CPU;
}

const char *conditions_add(struct conditions *conditions, enum where_field field, const char *value)
{
	bool negated = *value == '!';
	struct where *where, **any = &conditions->any[field];

	value += negated;
	if (!*value)
		return "nothing to compare with";
	if (!is_number(field))
		where = where_match(WHERE_LIKE, field, value);
	else if (!numbers(field, value, &where))
		return "not a list of numbers: 1,3,5-9";
	if (!where)
		return where_no_memory;
	if (negated)
		return conditions_add_where(conditions, where_join(WHERE_NOT, where, NULL))
			       ? NULL
			       : where_no_memory;
	*any = *any ? where_join(WHERE_OR, *any, where) : where;
	return *any ? NULL : where_no_memory;
}

bool conditions_add_where(struct conditions *conditions, struct where *where)
{
	if (where && conditions->all)
		where = where_join(WHERE_AND, conditions->all, where);
	else if (!where)
		where_free(conditions->all);
	conditions->all = where;
	return where != NULL;
}

/* Numbers are compared first: they are the cheapest. */
bool conditions_take(struct conditions *conditions, struct where **where)
{
	bool good = true;

	*where = NULL;
	for (unsigned int field = 0; field <= WHERE_FIELDS; field++) {
		struct where **from =
			field < WHERE_FIELDS ? &conditions->any[field] : &conditions->all;

		if (*from && *where)
			good &= (*where = where_join(WHERE_AND, *where, *from)) != NULL;
		else if (*from)
			*where = *from;
		*from = NULL;
	}
	if (good)
		return true;
	where_free(*where);
	*where = NULL;
	return false;
}

void conditions_free(struct conditions *conditions)
{
	for (unsigned int field = 0; field < WHERE_FIELDS; field++)
		where_free(conditions->any[field]);
	where_free(conditions->all);
	free(conditions->ranges);
}

/* ---- Time ---- */

#define NS 1000000000

/* digits[.digits] in billionths; moves *text behind it. */
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

/* A%-B%, or the Kth part of N%: N%/K. */
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

bool time_range_parse(const char *text, struct time_range *range)
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

const char *conditions_add_time(struct conditions *conditions, const char *text)
{
	struct time_range range;

	if (!time_range_parse(text, &range))
		return "not FROM,TO in seconds, +FROM,+TO, A%-B% or N%/K";
	if (!pk_reserve(&conditions->ranges, &conditions->ranges_capacity, conditions->ranges_count,
			1, sizeof(range)))
		return where_no_memory;
	conditions->ranges[conditions->ranges_count++] = range;
	return NULL;
}
