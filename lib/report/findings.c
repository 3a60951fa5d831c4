// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"

/* A value of a row: a number, a text, or nothing. */
struct row_value {
	enum { VALUE_MISSING, VALUE_REAL, VALUE_STRING } kind;
	double real;
	const char *text; /* not terminated by a zero byte */
	size_t size;
};

/* What is evaluated: the expression with its text, and the line. */
struct evaluation {
	const char *text;
	const struct results *results;
	const struct sheet *sheet;
	uint32_t line;
	bool failed; /* memory was exhausted */
};

/* ---- Names ---- */

/* Finds the column of a name. Numbers that every row has need not be shown. */
static bool find_column(const struct layout *layout, const char *name, size_t size,
			struct column *column)
{
	enum column_kind kind;

	for (unsigned int i = 0; i < layout->columns_count; i++) {
		const char *known = layout->columns[i].name;

		if (strlen(known) == size && !memcmp(known, name, size)) {
			*column = layout->columns[i];
			return true;
		}
	}
	if (!pk_layout_row_number(name, size, &kind))
		return false;
	*column = (struct column){
		.kind = kind,
		.base = kind == COLUMN_SHARE || kind == COLUMN_SAMPLES || kind == COLUMN_PERIOD ? 0
												: 1,
		.new_weight = 1,
		.base_weight = 1,
	};
	return true;
}

/* The check of all names, for pk_expression_walk(). */
struct checking {
	const struct layout *layout;
	const char *text;
	const struct pk_expression *unknown;
};

static void check_name(void *arg, struct pk_expression *node)
{
	struct checking *checking = arg;
	struct column column;

	if (node->op == PK_OP_FIELD && !checking->unknown &&
	    !find_column(checking->layout, checking->text + node->at, node->size, &column))
		checking->unknown = node;
}

const char *pk_findings_prepare(struct finding_options *options, const struct layout *layout,
				size_t *at)
{
	struct pk_expression_error error = {0};
	struct checking checking = {.layout = layout, .text = options->condition};

	if (!options->condition)
		return NULL;
	options->expression = pk_expression_parse_rows(options->condition, &error);
	*at = error.at;
	if (!options->expression)
		return error.text;
	pk_expression_walk(options->expression, check_name, &checking);
	if (!checking.unknown)
		return NULL;
	*at = checking.unknown->at;
	return "this is not a column of --by or --show, and not a number of rows";
}

/* ---- Values ---- */

static struct row_value column_value(const struct evaluation *e, const struct pk_expression *node)
{
	struct column column;
	struct pk_amount amount = {0};

	if (find_column(e->results->layout, e->text + node->at, node->size, &column))
		amount = pk_results_value(e->results, e->sheet, &column, e->line, 0);
	switch (amount.kind) {
	case PK_AMOUNT_INTEGER:
	case PK_AMOUNT_REAL: return (struct row_value){.kind = VALUE_REAL, .real = amount.real};
	case PK_AMOUNT_TEXT:
		return (struct row_value){
			.kind = VALUE_STRING, .text = amount.text, .size = amount.size};
	default: return (struct row_value){0};
	}
}

static struct row_value value_of(const struct evaluation *e, const struct pk_expression *node)
{
	struct row_value value = {.kind = VALUE_REAL};

	switch (node->op) {
	case PK_OP_FIELD: return column_value(e, node);
	case PK_OP_STRING:
		return (struct row_value){
			.kind = VALUE_STRING, .text = node->text, .size = strlen(node->text)};
	case PK_OP_NUMBER:
		value.real = pk_wide_real(node->number);
		if (e->text[node->at + node->size - 1] == '%')
			value.real /= PK_EXPRESSION_PERCENT;
		return value;
	default: return (struct row_value){0};
	}
}

/* Returns the order of two values of the same kind, or 2 if they cannot be compared. */
static int order_of(const struct row_value *left, const struct row_value *right)
{
	if (left->kind != right->kind || left->kind == VALUE_MISSING)
		return 2;
	if (left->kind == VALUE_REAL)
		return (left->real > right->real) - (left->real < right->real);
	return left->size != right->size || memcmp(left->text, right->text, left->size);
}

/* Matches a glob. A missing text matches no glob. */
static bool is_like(struct evaluation *e, const struct row_value *value,
		    const struct pk_expression *glob)
{
	char *text = value->kind == VALUE_STRING ? strndup(value->text, value->size) : NULL;
	const bool like = text && !fnmatch(glob->text, text, 0);

	e->failed |= value->kind == VALUE_STRING && !text;
	free(text);
	return like;
}

/* ---- Conditions ---- */

static bool is_true(struct evaluation *e, const struct pk_expression *node)
{
	struct row_value left, right;
	int order;

	switch (node->op) {
	case PK_OP_OR: return is_true(e, node->left) || is_true(e, node->right);
	case PK_OP_AND: return is_true(e, node->left) && is_true(e, node->right);
	case PK_OP_NOT: return !is_true(e, node->left);
	case PK_OP_LIKE:
	case PK_OP_UNLIKE:
		left = value_of(e, node->left);
		return is_like(e, &left, node->right) == (node->op == PK_OP_LIKE);
	case PK_OP_FIELD:
	case PK_OP_NUMBER:
		left = value_of(e, node);
		return left.kind == VALUE_REAL && left.real != 0;
	default: break;
	}
	if (!node->left || !node->right)
		return false;
	left = value_of(e, node->left);
	right = value_of(e, node->right);
	order = order_of(&left, &right);
	switch (node->op) {
	case PK_OP_EQ: return order == 0;
	case PK_OP_NE: return order != 0;
	case PK_OP_LT: return order == -1;
	case PK_OP_LE: return order == -1 || order == 0;
	case PK_OP_GT: return order == 1;
	case PK_OP_GE: return order == 1 || order == 0;
	default: return false;
	}
}

/* A regression is a changed row whose rate has grown. A row that the base lacks has grown by more
 * than any percentage. */
static bool is_regression(const struct finding_options *options,
			  const struct difference *difference)
{
	return difference->mark == DIFFERENCE_CHANGED &&
	       difference->current > difference->base * (1 + options->regression / 100);
}

enum pk_status pk_is_finding(const struct finding_options *options, const struct results *results,
			     const struct sheet *sheet, uint32_t line, bool *is)
{
	struct evaluation evaluation = {options->condition, results, sheet, line, false};

	*is = (options->regressions &&
	       is_regression(options, pk_difference_of(results, line, 1))) ||
	      (options->expression && is_true(&evaluation, options->expression));
	return evaluation.failed ? PK_NOMEM : PK_OK;
}
