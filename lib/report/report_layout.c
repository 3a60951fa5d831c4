// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_names.h"
#include "field.h"
#include "number.h"
#include "report_keys.h"
#include "report_layout.h"

/* ---- Makers ---- */

/* Makes columns from the words of --by, --show and -F. The functions that add something return
 * LAYOUT_BAD if layout_fail() has set an error. */

struct layout_maker {
	struct layout *layout;
	const struct layout_options *options;
	struct layout_error *error;
	unsigned int base; /* the base, from 1 on, that new columns compare with */
};

/* Returns whether the first `size` bytes of `text` are exactly `word`. Returns false if `word` is
 * NULL. */
static bool layout_is_word(const char *word, const char *text, size_t size)
{
	return word && strlen(word) == size && !memcmp(word, text, size);
}

/* Sets the text of the error, and returns LAYOUT_BAD. */
static enum layout_result layout_fail(struct layout_maker *maker, const char *text)
{
	maker->error->text = text;
	return LAYOUT_BAD;
}

static bool has_name(const struct layout *layout, const char *name)
{
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (!strcmp(layout->columns[i].name, name))
			return true;
	return false;
}

/* Makes a unique name for a new column. If a column "period" exists, the name is "period_2".
 * Returns NULL if memory is exhausted. */
static char *make_name(const struct layout *layout, const char *text, size_t size)
{
	char *name = strndup(text, size), *longer;

	for (int number = 2; name && has_name(layout, name); number++) {
		if (asprintf(&longer, "%.*s_%d", (int)size, text, number) < 0)
			longer = NULL;
		free(name);
		name = longer;
	}
	return name;
}

/* Adds a column. *added is NULL if there are too many columns, or if memory is exhausted. */
static enum layout_result layout_add_column(struct layout_maker *maker, enum column_kind kind,
					    const char *name, size_t size, struct column **added)
{
	struct layout *layout = maker->layout;
	struct column *column = &layout->columns[layout->columns_count];

	*added = NULL;
	if (layout->columns_count == LAYOUT_COLUMNS)
		return layout_fail(maker, "too many columns");
	*column = (struct column){.kind = kind, .name = make_name(layout, name, size)};
	if (!column->name)
		return LAYOUT_NOMEM;
	column->title = column->name;
	layout->columns_count++;
	*added = column;
	return LAYOUT_OK;
}

/* ---- Layout fields ---- */

/* This key exists only with --parent. Without this option, "parent" is a field of tracepoints. */
static const struct report_key parent_key = {"parent", "parent", "Parent symbol", STYLE_PLAIN,
					     NULL};

static const struct report_key *find_key(const struct layout_options *options, const char *text,
					 size_t size)
{
	if (options->parent && layout_is_word(parent_key.name, text, size))
		return &parent_key;
	return pk_report_key_find(text, size, options->perf_keys);
}

static enum layout_result add_field(struct layout_maker *maker, const struct report_key *key,
				    const char *text, size_t size, const char *bucket)
{
	struct layout *layout = maker->layout;
	const unsigned int index = layout->fields_count;
	const char *field = key ? key->field : text;
	struct pk_reference *reference = &layout->fields[index];

	if (index == PK_GROUP_COLUMNS)
		return layout_fail(maker, "too many fields");
	if (bucket && !pk_bucket_parse(&layout->buckets[index], bucket))
		return layout_fail(maker,
				   "after the colon: log2, a number, or a time such as 100ms");
	if (key == &parent_key)
		*reference = (struct pk_reference){.field = &pk_parent_field};
	else if (!strcmp(key ? key->field : "", "event"))
		*reference = (struct pk_reference){.field = &pk_report_event_field};
	else if (pk_reference_parse(reference, field, key ? strlen(field) : size) != PK_OK)
		return LAYOUT_NOMEM;
	layout->shown[index] = reference->field;
	layout->fields_count++;
	if (bucket && reference->field && reference->field->kind == PK_VALUE_TEXT)
		return layout_fail(maker, "a text has no buckets");
	return LAYOUT_OK;
}

/* Sets *index to the index of a field, which is added if it is new. The index of the event is 0,
 * because samples are always grouped by event. */
static enum layout_result find_or_add_field(struct layout_maker *maker,
					    const struct report_key *key, const char *text,
					    size_t size, const char *bucket, unsigned int *index)
{
	struct layout *layout = maker->layout;
	const enum layout_result result = add_field(maker, key, text, size, bucket);
	const unsigned int last = layout->fields_count - 1;

	if (result)
		return result;
	for (*index = 0; *index < last; ++*index)
		if (pk_reference_is_equal(&layout->fields[*index], &layout->fields[last]) &&
		    layout->buckets[*index].step == layout->buckets[last].step &&
		    layout->buckets[*index].log2 == layout->buckets[last].log2)
			break;
	if (*index < last)
		pk_reference_free(&layout->fields[--layout->fields_count]);
	layout->one_table |= *index == 0;
	return LAYOUT_OK;
}

static bool has_field(const struct layout *layout, unsigned int field)
{
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD && layout->columns[i].field == field)
			return true;
	return false;
}

/* Returns the size of the name in "name:bucket". The text "system:event.field" also has a colon,
 * but no bucket. A bucket that contains a point begins with a digit, but a field does not. */
static size_t size_of_name(const char *text, size_t size)
{
	bool point = false;

	for (size_t i = size; i-- > 1;) {
		point |= text[i] == '.';
		if (text[i] == ':')
			return point && !isdigit((unsigned char)text[i + 1]) ? size : i;
	}
	return size;
}

/* Adds a field, such as "comm" or "time:100ms", and its column. */
static enum layout_result pk_layout_add_key(struct layout_maker *maker, const char *text,
					    size_t size)
{
	struct layout *layout = maker->layout;
	const size_t name = size_of_name(text, size);
	const struct report_key *key = find_key(maker->options, text, name);
	char bucket[32] = "";
	struct column *column;
	enum layout_result result;
	unsigned int field;

	if (!name)
		return layout_fail(maker, "a field is missing");
	if (size - name > sizeof(bucket))
		return layout_fail(maker,
				   "after the colon: log2, a number, or a time such as 100ms");
	if (size > name)
		memcpy(bucket, text + name + 1, size - name - 1);
	if (maker->options->perf_keys && !key && layout_is_word(parent_key.name, text, name))
		return layout_fail(maker, "needs --parent");
	result = find_or_add_field(maker, key, text, name,
				   size > name ? bucket
				   : key       ? key->bucket
					       : NULL,
				   &field);
	if (result || has_field(layout, field))
		return result;
	result = layout_add_column(maker, COLUMN_FIELD, text, size, &column);
	if (result)
		return result;
	column->field = field;
	if (key) {
		column->title = key->title;
		column->style = key->style;
	}
	layout->has_tasks |= column->style == STYLE_TASK;
	return LAYOUT_OK;
}

/* Adds the event as the first field, without a column. */
static enum layout_result pk_layout_add_event(struct layout_maker *maker)
{
	struct layout *layout = maker->layout;
	const enum layout_result result =
		add_field(maker, pk_report_key_find("event", 5, false), NULL, 0, NULL);

	if (maker->options->merge_events && !result) {
		layout->fields[0].field = layout->shown[0] = &pk_report_any_event_field;
		layout->one_table = true;
	}
	return result;
}

/* ---- Numbers ---- */

/* The field of an aggregate if the user gives none. */
static const char default_field[] = "duration";

static const struct number {
	const char *name, *alias; /* `alias` is perf's name, or NULL */
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
	{"base-rate", NULL, COLUMN_BASE_RATE, "Base rate"},
	{"rate", NULL, COLUMN_RATE, "Rate"},
	{"change", NULL, COLUMN_CHANGE, "Change"},
	{"change-low", NULL, COLUMN_CHANGE_LOW, "From"},
	{"change-high", NULL, COLUMN_CHANGE_HIGH, "To"},
	{"fdr", NULL, COLUMN_DISCOVERY, "FDR"},
	{"detectable", NULL, COLUMN_DETECTABLE, "Detectable"},
	{"needs", NULL, COLUMN_NEEDS, "Needs"},
	{"mark", NULL, COLUMN_MARK, "Mark"},
};

static const struct number *find_number(const char *text, size_t size)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (layout_is_word(numbers[i].name, text, size) ||
		    layout_is_word(numbers[i].alias, text, size))
			return &numbers[i];
	return NULL;
}

/* Sets *index to the measure of a field. The measure is added if it is new. */
static enum layout_result find_measure(struct layout_maker *maker, const char *field, size_t size,
				       unsigned int *index)
{
	struct layout *layout = maker->layout;
	struct pk_reference reference;

	if (pk_reference_parse(&reference, field, size) != PK_OK)
		return LAYOUT_NOMEM;
	for (*index = 0; *index < layout->measures_count; ++*index)
		if (pk_reference_is_equal(&layout->measures[*index].column.reference, &reference)) {
			pk_reference_free(&reference);
			return LAYOUT_OK;
		}
	if (layout->measures_count == LAYOUT_MEASURES) {
		pk_reference_free(&reference);
		return layout_fail(maker, "too many fields");
	}
	layout->measures[layout->measures_count++].column.reference = reference;
	return LAYOUT_OK;
}

/* Adds the column of an aggregate, such as "p99(duration)", "sum" or "first". */
static enum layout_result add_aggregate(struct layout_maker *maker, const char *text, size_t size)
{
	const char *open = memchr(text, '(', size), *field = default_field;
	size_t name = open ? (size_t)(open - text) : size, field_size = strlen(default_field);
	enum layout_result result;
	struct pk_aggregate aggregate;
	struct pk_measure *measure;
	struct column *column;

	if (!pk_aggregate_parse(&aggregate, text, name))
		return layout_fail(maker,
				   "not a number of a group: share, children, samples, period, "
				   "sum(FIELD), avg, min, max, peak, p99, stddev, distinct, first, "
				   "last, maxtime, nonzero");
	if ((aggregate.of_base || aggregate_compares(&aggregate)) && !maker->options->bases)
		return layout_fail(maker, "needs --diff");
	if (open && text[size - 1] != ')')
		return layout_fail(maker, "a parenthesis is missing");
	if (open) {
		field = open + 1;
		field_size = size - name - 2;
	} else if (aggregate.kind == PK_AGGREGATE_FIRST || aggregate.kind == PK_AGGREGATE_LAST) {
		field = "time";
		field_size = 4;
	}
	if (!field_size)
		return layout_fail(maker, "a field is missing");
	result = layout_add_column(maker, COLUMN_AGGREGATE, text, size, &column);
	if (result)
		return result;
	column->aggregate = aggregate;
	result = find_measure(maker, field, field_size, &column->measure);
	if (result)
		return result;
	measure = &maker->layout->measures[column->measure];
	measure->quantiles_needed |=
		aggregate.kind == PK_AGGREGATE_QUANTILE || aggregate_compares(&aggregate);
	measure->distinct_needed |= aggregate.kind == PK_AGGREGATE_DISTINCT;
	measure->peaks_needed |= aggregate.kind == PK_AGGREGATE_PEAK;
	measure->deviation_needed |= aggregate.kind == PK_AGGREGATE_STDDEV;
	measure->ends_needed |=
		aggregate.kind == PK_AGGREGATE_FIRST || aggregate.kind == PK_AGGREGATE_LAST;
	return LAYOUT_OK;
}

static bool compares(enum column_kind kind)
{
	return kind >= COLUMN_BASELINE && kind <= COLUMN_MARK;
}

/* Sets the title and the name of a column. They contain the number of the base if there are several
 * bases. */
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
		return layout_fail(maker, "needs --diff");
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == number->kind && layout->columns[i].base == base)
			return LAYOUT_OK;
	layout->has_latency |= number->kind == COLUMN_LATENCY;
	result =
		layout_add_column(maker, number->kind, number->name, strlen(number->name), &column);
	if (result)
		return result;
	column->base = base;
	layout->has_differences |= column_is_difference(column);
	column->new_weight = column->base_weight = 1;
	return set_names(maker, column, number->title) ? LAYOUT_OK : LAYOUT_NOMEM;
}

/* In "wdiff:1:2", the numbers are factors. The first factor multiplies the weight of the base, the
 * second one the weight of the new side. */
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
		return layout_fail(maker, "weights are missing, such as wdiff:1:2");
	memcpy(digits[0], at, (size_t)(colon - at));
	memcpy(digits[1], colon + 1, (size_t)(end - colon) - 1);
	for (unsigned int i = 0; i < 2; i++)
		if (!pk_parse_u64(digits[i], &values[i]))
			return layout_fail(maker, "weights are missing, such as wdiff:1:2");
	result = add_known_number(maker, find_number("wdiff", 5));
	if (!result && layout->columns_count > before) {
		layout->columns[before].base_weight = (int64_t)values[0];
		layout->columns[before].new_weight = (int64_t)values[1];
	}
	return result;
}

/* Adds the column of a number, such as "samples", "avg(FIELD)" or "wdiff:1:2". */
static enum layout_result pk_layout_add_number(struct layout_maker *maker, const char *text,
					       size_t size)
{
	const struct number *number = find_number(text, size);

	if (is_wdiff(text, size))
		return add_wdiff(maker, text, size);
	return number ? add_known_number(maker, number) : add_aggregate(maker, text, size);
}

/* Returns whether the text names a number that compares with a base. */
static bool pk_layout_is_comparison(const char *text, size_t size)
{
	const struct number *number = find_number(text, size);

	return is_wdiff(text, size) || (number && compares(number->kind));
}

/* Returns whether the text is the name of a number, or an aggregate. Without --diff, the names of
 * comparisons mean fields, not numbers. */
static bool pk_layout_is_number(const struct layout_maker *maker, const char *text, size_t size)
{
	struct pk_aggregate aggregate;
	const char *open = memchr(text, '(', size);

	if (pk_layout_is_comparison(text, size))
		return maker->options->bases;
	if (find_number(text, size))
		return true;
	return open && pk_aggregate_parse(&aggregate, text, (size_t)(open - text));
}

/* Finds the kind of a number that is not an aggregate. Returns false if the text is not the name of
 * a number, or if it is an aggregate. */
static bool pk_layout_find_number(const char *text, size_t size, enum column_kind *kind)
{
	const struct number *number = find_number(text, size);

	if (number)
		*kind = number->kind;
	return number;
}

bool pk_layout_row_number(const char *name, size_t size, enum column_kind *kind)
{
	return pk_layout_find_number(name, size, kind) &&
	       (compares(*kind) || *kind == COLUMN_SHARE || *kind == COLUMN_SAMPLES ||
		*kind == COLUMN_PERIOD);
}

/* ---- Lists ---- */

typedef enum layout_result add_fn(struct layout_maker *maker, const char *text, size_t size);

/* Calls `add` for each word of a list. */
static enum layout_result add_list(struct layout_maker *maker, const char *option, const char *list,
				   add_fn *add)
{
	enum layout_result result = LAYOUT_OK;
	const char *word;
	size_t size;

	while (!result && pk_next_word(&list, &word, &size)) {
		*maker->error = (struct layout_error){option, word, (int)size, NULL};
		result = size ? add(maker, word, size) : layout_fail(maker, "a name is missing");
	}
	return result;
}

/* Adds a word of -F, which is a number or a field. */
static enum layout_result add_either(struct layout_maker *maker, const char *text, size_t size)
{
	return pk_layout_is_number(maker, text, size) ? pk_layout_add_number(maker, text, size)
						      : pk_layout_add_key(maker, text, size);
}

/* Adds a word of --sort, which is a number, such as "overhead", or a field. */
static enum layout_result add_sort(struct layout_maker *maker, const char *text, size_t size)
{
	enum column_kind kind;

	return pk_layout_find_number(text, size, &kind) ? pk_layout_add_number(maker, text, size)
							: pk_layout_add_key(maker, text, size);
}

/* Adds a word of -F +LIST if the word is a number. */
static enum layout_result add_if_number(struct layout_maker *maker, const char *text, size_t size)
{
	return pk_layout_is_number(maker, text, size) ? pk_layout_add_number(maker, text, size)
						      : LAYOUT_OK;
}

static enum layout_result add_if_field(struct layout_maker *maker, const char *text, size_t size)
{
	return pk_layout_is_number(maker, text, size) ? LAYOUT_OK
						      : pk_layout_add_key(maker, text, size);
}

/* Adds a word if it is a number that compares with a base. It is called for the second base and for
 * the bases after it. */
static enum layout_result add_if_comparison(struct layout_maker *maker, const char *text,
					    size_t size)
{
	return pk_layout_is_comparison(text, size) ? pk_layout_add_number(maker, text, size)
						   : LAYOUT_OK;
}

/* Adds the comparing columns of a list again for the second base and for each base after it. */
static enum layout_result add_bases(struct layout_maker *maker, const char *option,
				    const char *list)
{
	enum layout_result result = LAYOUT_OK;

	for (maker->base = 2; maker->base <= maker->options->bases && !result; maker->base++)
		result = add_list(maker, option, list, add_if_comparison);
	maker->base = 1;
	return result;
}

/* Returns the default of --show. */
static const char *default_numbers(const struct layout_options *options)
{
	if (!options->bases)
		return "share";
	if (options->decides)
		return "baseline,share,change,change-low,change-high,mark,needs";
	return options->period ? "baseline,base-period,delta-abs,period" : "baseline,delta-abs";
}

static enum layout_result add_numbers(struct layout_maker *maker)
{
	const struct layout_options *options = maker->options;
	const char *more = options->fields && *options->fields == '+' ? options->fields + 1 : NULL;
	const char *show = options->show ? options->show : default_numbers(options);
	enum layout_result result = LAYOUT_OK;

	if (options->children == CHILDREN_YES ||
	    (options->children != CHILDREN_NO && !options->show))
		result = pk_layout_add_number(maker, "children", 8);
	if (!result)
		result = add_list(maker, "--show", show, pk_layout_add_number);
	if (!result)
		result = add_bases(maker, "--show", show);
	if (!result && options->samples)
		result = pk_layout_add_number(maker, "samples", 7);
	if (!result && options->period)
		result = pk_layout_add_number(maker, "period", 6);
	if (!result && more)
		result = add_list(maker, "-F", more, add_if_number);
	return result || !more ? result : add_bases(maker, "-F", more);
}

/* Returns the default of --by. */
static const char *default_keys(const struct layout_options *options)
{
	return options->bases ? "dso,symbol" : "comm,dso,symbol";
}

static enum layout_result add_keys(struct layout_maker *maker)
{
	const struct layout_options *options = maker->options;
	const char *more = options->fields && *options->fields == '+' ? options->fields + 1 : NULL;
	enum layout_result result = LAYOUT_OK;

	if (!options->by || strcmp(options->by, "none") != 0)
		result = add_list(maker, options->perf_keys ? "--sort" : "--by",
				  options->by ? options->by : default_keys(options),
				  options->perf_keys ? add_sort : pk_layout_add_key);
	return result || !more ? result : add_list(maker, "-F", more, add_if_field);
}

/* If --parent is given but no column shows the parent, adds a column for the parent. */
static enum layout_result add_parent(struct layout_maker *maker)
{
	*maker->error = (struct layout_error){"--parent", "parent", 6, NULL};
	return maker->options->parent ? pk_layout_add_key(maker, "parent", 6) : LAYOUT_OK;
}

/* ---- Sets and levels ---- */

static enum layout_result set_sets(struct layout_maker *maker)
{
	const struct layout_options *options = maker->options;
	struct layout *layout = maker->layout;
	const unsigned int index = layout->fields_count;

	layout->set_field = -1;
	if (options->group) {
		layout->sets = SETS_EVENTS;
		layout->set_field = 0;
	}
	if (!options->bases)
		return LAYOUT_OK;
	layout->sets = SETS_SIDES;
	layout->bases = options->bases;
	layout->set_field = (int)index;
	layout->fields[index] = (struct pk_reference){.field = options->side_field};
	layout->shown[index] = options->side_field;
	layout->fields_count++;
	return LAYOUT_OK;
}

/* Makes a level for each field. A row of a level has the values of the fields up to this level. */
static enum layout_result set_levels(struct layout_maker *maker)
{
	struct layout *layout = maker->layout;
	uint32_t deeper = 0;

	if (layout->sets == SETS_EVENTS && layout->one_table) {
		*maker->error = (struct layout_error){"--group", "event", 5, "--by has the event"};
		return LAYOUT_BAD;
	}
	for (unsigned int i = layout->columns_count; i-- && maker->options->hierarchy;)
		if (layout->columns[i].kind == COLUMN_FIELD)
			layout->levels_count++;
	for (unsigned int i = layout->columns_count, level = layout->levels_count; level; i--) {
		if (layout->columns[i - 1].kind != COLUMN_FIELD)
			continue;
		layout->levels[--level] = deeper;
		deeper |= UINT32_C(1) << layout->columns[i - 1].field;
	}
	return LAYOUT_OK;
}

/* ---- Order ---- */

/* Returns whether comparisons are sorted by a number of this kind. If there is a mark, they are
 * sorted by the mark. */
static bool compares_shares(enum column_kind kind)
{
	return (kind >= COLUMN_DELTA && kind <= COLUMN_WDIFF) || kind == COLUMN_MARK;
}

static enum layout_result set_order(struct layout_maker *maker)
{
	const char *text = maker->options->order;
	size_t size = text ? strlen(text) : 0;
	struct layout *layout = maker->layout;
	enum column_kind kind;
	bool known;

	layout->order = -1;
	for (unsigned int i = layout->columns_count; !text && i--;)
		if (compares_shares(layout->columns[i].kind) &&
		    (layout->order < 0 || layout->columns[layout->order].kind != COLUMN_MARK ||
		     layout->columns[i].kind == COLUMN_MARK))
			layout->order = (int)i;
	if (!text)
		return LAYOUT_OK;
	*maker->error = (struct layout_error){"--order", text, (int)size, NULL};
	if (size > 4 && !strcmp(text + size - 4, ":asc")) {
		layout->ascending = true;
		size -= 4;
	} else if (size > 5 && !strcmp(text + size - 5, ":desc")) {
		size -= 5;
	}
	known = pk_layout_find_number(text, size, &kind);
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout_is_word(layout->columns[i].name, text, size) ||
		    (known && kind == layout->columns[i].kind)) {
			layout->order = (int)i;
			return LAYOUT_OK;
		}
	return layout_fail(maker, "not a column of --by or --show");
}

enum layout_result pk_layout_make(struct layout *layout, const struct layout_options *options,
				  struct layout_error *error)
{
	struct layout_maker maker = {layout, options, error, 1};
	enum layout_result result = LAYOUT_OK;

	*error = (struct layout_error){"--by", "event", 5, NULL};
	result = pk_layout_add_event(&maker);
	result = result ? result : set_sets(&maker);
	if (!result && options->fields && *options->fields != '+') {
		result = add_list(&maker, "-F", options->fields, add_either);
		result = result ? result : add_bases(&maker, "-F", options->fields);
		if (!result && options->by)
			result = add_keys(&maker);
	} else {
		result = result ? result : add_numbers(&maker);
		result = result ? result : add_keys(&maker);
	}
	result = result ? result : add_parent(&maker);
	result = result ? result : set_levels(&maker);
	return result ? result : set_order(&maker);
}

bool pk_layout_has_children(const struct layout *layout)
{
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_CHILDREN)
			return true;
	return false;
}

bool pk_column_is_share(const struct column *column)
{
	return column->kind == COLUMN_SHARE || column->kind == COLUMN_CHILDREN ||
	       column->kind == COLUMN_LATENCY || column->kind == COLUMN_BASELINE;
}

void pk_layout_drop_children(struct layout *layout)
{
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		if (layout->columns[i].kind != COLUMN_CHILDREN)
			continue;
		free(layout->columns[i].name);
		memmove(&layout->columns[i], &layout->columns[i + 1],
			(layout->columns_count - i - 1) * sizeof(layout->columns[0]));
		layout->columns_count--;
		if (layout->order == (int)i)
			layout->order = -1;
		else if (layout->order > (int)i)
			layout->order--;
		return;
	}
}

unsigned int pk_layout_needs(const struct layout *layout)
{
	unsigned int needs = layout->has_latency ? PK_NEED_PARALLELISM : 0;

	if (layout->has_tasks)
		needs |= PK_NEED_NAMES;
	for (unsigned int i = 0; i < layout->fields_count; i++)
		needs |= pk_reference_needs(&layout->fields[i]);
	for (unsigned int i = 0; i < layout->measures_count; i++)
		needs |= pk_reference_needs(&layout->measures[i].column.reference);
	return needs;
}

void pk_layout_free(struct layout *layout)
{
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		free(layout->columns[i].name);
		free(layout->columns[i].own_title);
	}
	for (unsigned int i = 0; i < layout->fields_count; i++)
		pk_reference_free(&layout->fields[i]);
	for (unsigned int i = 0; i < layout->measures_count; i++)
		pk_measure_free(&layout->measures[i]);
}
