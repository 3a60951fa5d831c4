// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout_maker.h"
#include "number.h"

/* The field of aggregates without one. */
static const char default_field[] = "duration";

static const struct number {
	const char *name, *alias; /* alias: perf's name, or NULL */
	enum column_kind kind;
	const char *title;
} numbers[] = {
	{"share", "overhead", COLUMN_SHARE, "Overhead"},
	{"children", "overhead_children", COLUMN_CHILDREN, "Children"},
	{"samples", "sample", COLUMN_SAMPLES, "Samples"},
	{"count", NULL, COLUMN_SAMPLES, "Samples"},
	{"period", NULL, COLUMN_PERIOD, "Period"},
	{"latency", NULL, COLUMN_LATENCY, "Latency"},
	{"baseline", NULL, COLUMN_BASELINE, "Baseline"},
	{"base-period", NULL, COLUMN_BASE_PERIOD, "Base period"},
	{"delta", NULL, COLUMN_DELTA, "Delta"},
	{"delta-abs", NULL, COLUMN_DELTA_ABS, "Delta Abs"},
	{"ratio", NULL, COLUMN_RATIO, "Ratio"},
	{"wdiff", NULL, COLUMN_WDIFF, "Weighted diff"},
};

static const struct number *find_number(const char *text, size_t size)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (pk_layout_is_word(numbers[i].name, text, size) ||
		    pk_layout_is_word(numbers[i].alias, text, size))
			return &numbers[i];
	return NULL;
}

/* The measure of a field, added if it is new. */
static enum layout_result find_measure(struct layout_maker *maker, const char *field, size_t size,
				       unsigned int *index)
{
	struct layout *layout = maker->layout;
	struct pk_reference reference;

	if (!pk_reference_parse(&reference, field, size))
		return LAYOUT_NOMEM;
	for (*index = 0; *index < layout->measures_count; ++*index)
		if (pk_layout_is_same(&layout->measures[*index].column.reference, &reference)) {
			pk_reference_free(&reference);
			return LAYOUT_OK;
		}
	if (layout->measures_count == LAYOUT_MEASURES) {
		pk_reference_free(&reference);
		return pk_layout_fail(maker, "too many fields");
	}
	layout->measures[layout->measures_count++].column.reference = reference;
	return LAYOUT_OK;
}

/* "p99(duration)", "sum" or "first" */
static enum layout_result add_aggregate(struct layout_maker *maker, const char *text, size_t size)
{
	const char *open = memchr(text, '(', size), *field = default_field;
	size_t name = open ? (size_t)(open - text) : size, field_size = strlen(default_field);
	enum layout_result result;
	struct pk_aggregate aggregate;
	struct pk_measure *measure;
	struct column *column;

	if (!pk_aggregate_parse(&aggregate, text, name))
		return pk_layout_fail(
			maker, "not a number of a group: share, children, samples, period, "
			       "sum(FIELD), avg, min, max, peak, p99, stddev, distinct, first, "
			       "last, maxtime, nonzero");
	if (open && text[size - 1] != ')')
		return pk_layout_fail(maker, "a parenthesis is missing");
	if (open) {
		field = open + 1;
		field_size = size - name - 2;
	} else if (aggregate.kind == PK_AGGREGATE_FIRST || aggregate.kind == PK_AGGREGATE_LAST) {
		field = "time";
		field_size = 4;
	}
	if (!field_size)
		return pk_layout_fail(maker, "a field is missing");
	result = pk_layout_add_column(maker, COLUMN_AGGREGATE, text, size, &column);
	if (result)
		return result;
	column->aggregate = aggregate;
	result = find_measure(maker, field, field_size, &column->measure);
	if (result)
		return result;
	measure = &maker->layout->measures[column->measure];
	measure->quantiles_needed |= aggregate.kind == PK_AGGREGATE_QUANTILE;
	measure->distinct_needed |= aggregate.kind == PK_AGGREGATE_DISTINCT;
	measure->peaks_needed |= aggregate.kind == PK_AGGREGATE_PEAK;
	measure->ends_needed |=
		aggregate.kind == PK_AGGREGATE_FIRST || aggregate.kind == PK_AGGREGATE_LAST;
	return LAYOUT_OK;
}

static bool compares(enum column_kind kind)
{
	return kind >= COLUMN_BASELINE && kind <= COLUMN_WDIFF;
}

/* The title and the name of a column, with the number of the base if there are several. */
static bool set_names(struct layout_maker *maker, struct column *column, const char *title)
{
	char *name;

	column->title = title;
	if (!column->base || maker->options->bases == 1)
		return true;
	if (asprintf(&name, "%s/%u", column->name, column->base) < 0)
		return false;
	free(column->name);
	column->name = name;
	if (asprintf(&column->own_title, "%s/%u", title, column->base) < 0)
		column->own_title = NULL;
	column->title = column->own_title;
	return column->own_title;
}

static enum layout_result add_known_number(struct layout_maker *maker, const struct number *number)
{
	struct layout *layout = maker->layout;
	const unsigned int base = compares(number->kind) ? maker->base : 0;
	struct column *column;
	enum layout_result result;

	if (base && !maker->options->bases)
		return pk_layout_fail(maker, "needs --diff");
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == number->kind && layout->columns[i].base == base)
			return LAYOUT_OK;
	layout->has_latency |= number->kind == COLUMN_LATENCY;
	result = pk_layout_add_column(maker, number->kind, number->name, strlen(number->name),
				      &column);
	if (result)
		return result;
	column->base = base;
	column->new_weight = column->base_weight = 1;
	return set_names(maker, column, number->title) ? LAYOUT_OK : LAYOUT_NOMEM;
}

/* "wdiff:1:2": the numbers that the weights of the base and of the new side are multiplied by. */
static const char wdiff[] = "wdiff:";

static bool is_wdiff(const char *text, size_t size)
{
	return size > strlen(wdiff) && !memcmp(text, wdiff, strlen(wdiff));
}

static enum layout_result add_wdiff(struct layout_maker *maker, const char *text, size_t size)
{
	const char *at = text + strlen(wdiff), *end = text + size;
	const char *colon = memchr(at, ':', (size_t)(end - at));
	struct layout *layout = maker->layout;
	const unsigned int before = layout->columns_count;
	enum layout_result result;
	uint64_t values[2];
	char digits[2][16] = {"", ""};

	if (!colon || colon - at > 9 || end - colon > 10)
		return pk_layout_fail(maker, "weights are missing, such as wdiff:1:2");
	memcpy(digits[0], at, (size_t)(colon - at));
	memcpy(digits[1], colon + 1, (size_t)(end - colon) - 1);
	for (unsigned int i = 0; i < 2; i++)
		if (!pk_parse_u64(digits[i], &values[i]))
			return pk_layout_fail(maker, "weights are missing, such as wdiff:1:2");
	result = add_known_number(maker, find_number("wdiff", 5));
	if (!result && layout->columns_count > before) {
		layout->columns[before].base_weight = (int64_t)values[0];
		layout->columns[before].new_weight = (int64_t)values[1];
	}
	return result;
}

enum layout_result pk_layout_add_number(struct layout_maker *maker, const char *text, size_t size)
{
	const struct number *number = find_number(text, size);

	if (is_wdiff(text, size))
		return add_wdiff(maker, text, size);
	return number ? add_known_number(maker, number) : add_aggregate(maker, text, size);
}

bool pk_layout_is_comparison(const char *text, size_t size)
{
	const struct number *number = find_number(text, size);

	return is_wdiff(text, size) || (number && compares(number->kind));
}

bool pk_layout_is_number(const struct layout_maker *maker, const char *text, size_t size)
{
	struct pk_aggregate aggregate;
	const char *open = memchr(text, '(', size);

	if (pk_layout_is_comparison(text, size))
		return maker->options->bases;
	if (find_number(text, size))
		return true;
	return open && pk_aggregate_parse(&aggregate, text, (size_t)(open - text));
}

bool pk_layout_find_number(const char *text, size_t size, enum column_kind *kind)
{
	const struct number *number = find_number(text, size);

	if (number)
		*kind = number->kind;
	return number;
}
