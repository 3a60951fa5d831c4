/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-stat/metric_expr.c pk-stat/metric_literal.c */
/* Tests expressions of metrics. Operands must come before operators, and positions of errors must
 * be inside the text. Nodes that are not needed must not change the value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "metric_expr.h"
#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The value of a name is its length. A name that is not needed has no value. */
static double id_value(void *arg, const struct metric_node *node)
{
	const bool *without = arg;

	return *without && !node->link ? 1e9 : (double)strlen(node->text) - 1;
}

static double source_count(void *arg, const struct metric_node *node)
{
	return id_value(arg, node);
}

static double known(void *arg, const struct metric_node *node)
{
	(void)arg;
	return (double)(node->text[strlen(node->text) - 1] % 3);
}

static void check(struct metric_expr *expr)
{
	bool without = false, *needed = calloc(expr->count, sizeof(*needed));
	const struct metric_values values = {id_value, source_count, source_count, known, &without};
	double *scratch = calloc(expr->count, sizeof(*scratch)), first, second;

	check_that(needed && scratch && expr->count);
	for (size_t i = 0; i < expr->count; i++) {
		const struct metric_node *node = &expr->nodes[i];

		check_that(node->a <= i && node->b <= i && node->c <= i);
	}
	first = metric_expr_value(expr, &values, scratch);
	check_that(metric_expr_needed(expr, &values, needed) == PK_OK);
	for (size_t i = 0; i < expr->count; i++)
		expr->nodes[i].link = needed[i];
	without = true;
	second = metric_expr_value(expr, &values, scratch);
	check_that(first == second || (isnan(first) && isnan(second)));
	free(needed);
	free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct metric_expr expr;
	struct metric_error error;

	check_that(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (metric_expr_parse(&expr, text, &error)) {
		check(&expr);
		metric_expr_free(&expr);
	} else {
		check_that(error.at <= strlen(text) && error.what);
	}
	free(text);
	return 0;
}
