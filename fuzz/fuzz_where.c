/* SPDX-License-Identifier: BSD-2-Clause */
/* An expression of --where: errors point into it, and each node of a good one lies in it. */
#include <string.h>

#include "check_that.h"
#include "where.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_node(void *arg, struct where *node)
{
	const size_t *size = arg;

	check_that(node->at <= *size);
	check_that(node->op == WHERE_NOT ? !node->right : (node->op >= WHERE_FIELD) == !node->left);
	check_that(node->type != WHERE_IS_UNKNOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct where_error error = {0};
	struct where *where;
	size_t length;

	check_that(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	length = strlen(text);
	where = where_parse(text, &error);
	if (where)
		where_walk(where, check_node, &length);
	else
		check_that(error.text && *error.text && error.at <= length);
	where_free(where);
	free(text);
	return 0;
}
