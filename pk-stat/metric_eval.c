// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric_expr.h"

/* Whole numbers of what may be larger than they are; not of NaN. */
static int64_t whole(double value)
{
	if (value >= 0x1p63)
		return INT64_MAX;
	if (value <= -0x1p63)
		return INT64_MIN;
	return (int64_t)value;
}

static double bits(enum metric_op op, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	switch (op) {
	case METRIC_OR: return (double)(whole(a) | whole(b));
	case METRIC_XOR: return (double)(whole(a) ^ whole(b));
	default: return (double)(whole(a) & whole(b));
	}
}

static double modulo(double a, double b)
{
	if (isnan(a) || isnan(b) || !whole(b))
		return NAN;
	if (whole(b) == -1)
		return 0;
	return (double)(whole(a) % whole(b));
}

static double binary(enum metric_op op, double a, double b)
{
	switch (op) {
	case METRIC_LESS: return a < b;
	case METRIC_GREATER: return a > b;
	case METRIC_ADD: return a + b;
	case METRIC_SUBTRACT: return a - b;
	case METRIC_MULTIPLY: return a * b;
	case METRIC_DIVIDE: return b == 0 ? NAN : a / b;
	case METRIC_MODULO: return modulo(a, b);
	case METRIC_MIN: return a < b ? a : b;
	case METRIC_MAX: return a > b ? a : b;
	case METRIC_RATIO: return b == 0 ? 0 : a / b;
	default: return bits(op, a, b);
	}
}

static bool is_name(enum metric_op op)
{
	return op >= METRIC_ID && op <= METRIC_CPUID;
}

static double name_value(const struct metric_node *node, const struct metric_values *values)
{
	switch (node->op) {
	case METRIC_ID: return values->id(values->arg, node);
	case METRIC_SOURCE_COUNT: return values->source_count(values->arg, node);
	default: return values->known(values->arg, node);
	}
}

/* Of a node whose operands have been worked out. */
static double node_value(const struct metric_node *node, const double *known)
{
	switch (node->op) {
	case METRIC_NUMBER: return node->number;
	case METRIC_NEGATE: return -known[node->a];
	case METRIC_NOT: return known[node->a] == 0;
	case METRIC_IF: return known[node->b] != 0 ? known[node->a] : known[node->c];
	default: return binary(node->op, known[node->a], known[node->b]);
	}
}

double metric_expr_value(const struct metric_expr *expr, const struct metric_values *values,
			 double *scratch)
{
	for (size_t i = 0; i < expr->count; i++) {
		const struct metric_node *node = &expr->nodes[i];

		scratch[i] =
			is_name(node->op) ? name_value(node, values) : node_value(node, scratch);
	}
	return expr->count ? scratch[expr->count - 1] : NAN;
}

/* ---- What matters ---- */

static unsigned int operands(const struct metric_node *node, uint32_t list[3])
{
	list[0] = node->a;
	list[1] = node->b;
	list[2] = node->c;
	if (node->op == METRIC_IF)
		return 3;
	if (node->op == METRIC_NEGATE || node->op == METRIC_NOT)
		return 1;
	return node->op > METRIC_NOT ? 2 : 0;
}

/* The value of what does not change; NaN of the rest. */
static void fold(const struct metric_expr *expr, const struct metric_values *values, double *folded)
{
	for (size_t i = 0; i < expr->count; i++) {
		const struct metric_node *node = &expr->nodes[i];
		uint32_t list[3];
		bool known = node->op != METRIC_ID && node->op != METRIC_SOURCE_COUNT;

		for (unsigned int n = operands(node, list); n--;)
			known = known && !isnan(folded[list[n]]);
		if (!known)
			folded[i] = NAN;
		else
			folded[i] = is_name(node->op) ? name_value(node, values)
						      : node_value(node, folded);
	}
}

bool metric_expr_needed(const struct metric_expr *expr, const struct metric_values *values,
			bool *needed)
{
	double *folded = calloc(expr->count + 1, sizeof(*folded));

	if (!folded)
		return false;
	fold(expr, values, folded);
	memset(needed, 0, expr->count * sizeof(*needed));
	if (expr->count)
		needed[expr->count - 1] = true;
	for (size_t i = expr->count; i-- > 0;) {
		const struct metric_node *node = &expr->nodes[i];
		uint32_t list[3];
		unsigned int n = needed[i] ? operands(node, list) : 0;

		if (n == 3 && !isnan(folded[node->b])) {
			list[0] = folded[node->b] != 0 ? node->a : node->c;
			n = 1;
		}
		while (n--)
			needed[list[n]] = true;
	}
	free(folded);
	return true;
}
