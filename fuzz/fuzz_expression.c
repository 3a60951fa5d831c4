/* SPDX-License-Identifier: BSD-2-Clause */
/* An expression of --where: positions of errors and of nodes must be inside of it. */
#include <string.h>

#include "check_that.h"
#include "expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_node(void *arg, struct pk_expression *node)
{
	const size_t *size = arg;

	check_that(node->at <= *size);
	check_that(node->op == PK_OP_NOT ? !node->right : (node->op >= PK_OP_FIELD) == !node->left);
	check_that(node->type != PK_IS_UNKNOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct pk_expression_error error = {0};
	struct pk_expression *expression;
	size_t length;

	check_that(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	length = strlen(text);
	expression = pk_expression_parse(text, &error);
	if (expression)
		pk_expression_walk(expression, check_node, &length);
	else
		check_that(error.text && *error.text && error.at <= length);
	pk_expression_free(expression);
	free(text);
	return 0;
}
