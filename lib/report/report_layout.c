// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "layout_maker.h"
#include "number.h"

/* ---- Lists ---- */

typedef enum layout_result add_fn(struct layout_maker *maker, const char *text, size_t size);

/* Calls add for each word of a list. */
static enum layout_result add_list(struct layout_maker *maker, const char *option, const char *list,
				   add_fn *add)
{
	enum layout_result result = LAYOUT_OK;
	const char *word;
	size_t size;

	while (!result && pk_next_word(&list, &word, &size)) {
		*maker->error = (struct layout_error){option, word, (int)size, NULL};
		result = size ? add(maker, word, size) : pk_layout_fail(maker, "a name is missing");
	}
	return result;
}

/* A word of -F: a number, or a field. */
static enum layout_result add_either(struct layout_maker *maker, const char *text, size_t size)
{
	return pk_layout_is_number(maker, text, size) ? pk_layout_add_number(maker, text, size)
						      : pk_layout_add_key(maker, text, size);
}

/* A word of --sort: a number such as overhead, or a field. */
static enum layout_result add_sort(struct layout_maker *maker, const char *text, size_t size)
{
	enum column_kind kind;

	return pk_layout_find_number(text, size, &kind) ? pk_layout_add_number(maker, text, size)
							: pk_layout_add_key(maker, text, size);
}

/* The numbers of -F +LIST. */
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

/* The numbers that compare, for the second base and those after it. */
static enum layout_result add_if_comparison(struct layout_maker *maker, const char *text,
					    size_t size)
{
	return pk_layout_is_comparison(text, size) ? pk_layout_add_number(maker, text, size)
						   : LAYOUT_OK;
}

/* The columns of a list that compare with the second base and with those after it. */
static enum layout_result add_bases(struct layout_maker *maker, const char *option,
				    const char *list)
{
	enum layout_result result = LAYOUT_OK;

	for (maker->base = 2; maker->base <= maker->options->bases && !result; maker->base++)
		result = add_list(maker, option, list, add_if_comparison);
	maker->base = 1;
	return result;
}

/* The default of --show. */
static const char *default_numbers(const struct layout_options *options)
{
	if (!options->bases)
		return "share";
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

/* The default of --by. */
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

/* --parent without a column for it adds one. */
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

/* Each field is a level. A row of a level has the values of the fields up to this level. */
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

/* Numbers that comparisons are sorted by. */
static bool compares_shares(enum column_kind kind)
{
	return kind >= COLUMN_DELTA && kind <= COLUMN_WDIFF;
}

static enum layout_result set_order(struct layout_maker *maker)
{
	const char *text = maker->options->order;
	size_t size = text ? strlen(text) : 0;
	struct layout *layout = maker->layout;
	enum column_kind kind;
	bool known;

	layout->order = -1;
	for (unsigned int i = 0; !text && i < layout->columns_count; i++)
		if (compares_shares(layout->columns[i].kind)) {
			layout->order = (int)i;
			break;
		}
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
		if (pk_layout_is_word(layout->columns[i].name, text, size) ||
		    (known && kind == layout->columns[i].kind)) {
			layout->order = (int)i;
			return LAYOUT_OK;
		}
	return pk_layout_fail(maker, "not a column of --by or --show");
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
