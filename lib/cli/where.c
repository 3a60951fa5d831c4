// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "unknown_field.h"
#include "vector.h"
#include "where.h"

int pk_add_event(const struct pk_option *option, void *at, const char *text)
{
	struct pk_weight_options *weigh = at;
	size_t capacity = (size_t)weigh->events_count;

	(void)option;
	if (pk_reserve(&weigh->events, &capacity, capacity, 1, sizeof(*weigh->events)) != PK_OK)
		return pk_no_memory();
	weigh->events[weigh->events_count++] = text;
	return PK_CONTINUE;
}

void pk_expression_complain(const char *what, const char *text, size_t at, const char *error)
{
	const char *line = text + at;

	while (line > text && line[-1] != '\n')
		line--;
	pk_error("%s: %s", what, error);
	fprintf(stderr, "  %.*s\n  %*s^\n", (int)strcspn(line, "\n"), line, (int)(text + at - line),
		"");
}

struct operands {
	const struct pk_context *context;
	const char *text;
	enum pk_status status; /* PK_FAILED if an unknown field was reported */
};

static void check_operand(void *arg, struct pk_expression *node)
{
	struct operands *operands = arg;
	char error[256];

	if (operands->status != PK_OK || node->op != PK_OP_FIELD ||
	    !pk_unknown_field(operands->context, &node->reference, NULL, error, sizeof(error)))
		return;
	pk_expression_complain("--where", operands->text, node->at, error);
	operands->status = PK_FAILED;
}

enum pk_status pk_check_where(const struct pk_context *context, struct pk_expression *where,
			      const char *text)
{
	struct operands operands = {.context = context, .text = text};

	pk_expression_walk(where, check_operand, &operands);
	return operands.status;
}

struct problems {
	const char *text;
	bool any;
};

static void report_one(void *arg, size_t at, const char *error)
{
	struct problems *problems = arg;

	problems->any = true;
	pk_expression_complain("--where", problems->text, at, error);
}

static void report_absent(void *arg, const char *name)
{
	(void)arg;
	pk_warn("no sample has the field %s: all comparisons with it are false", name);
}

bool pk_report_where(const struct pk_condition *condition, const char *text)
{
	struct problems problems = {.text = text};

	pk_condition_absent_fields(condition, report_absent, NULL);
	pk_condition_problems(condition, report_one, &problems);
	return !problems.any;
}

static int complain(const struct pk_option *option, const char *text, const char *error)
{
	if (!error)
		return PK_CONTINUE;
	return error == pk_expression_no_memory ? pk_no_memory()
						: pk_option_error(option, text, error);
}

int pk_add_condition(const struct pk_option *option, void *at, const char *text)
{
	return complain(option, text,
			pk_conditions_add(at, (enum condition_field)option->set, text));
}

int pk_add_time(const struct pk_option *option, void *at, const char *text)
{
	return complain(option, text, pk_conditions_add_time(at, text));
}

static void move_node(void *arg, struct pk_expression *node)
{
	node->at += *(const size_t *)arg;
}

/* Appends the text to conditions->where, and adds the expression to the conditions. If memory is
 * exhausted, frees the expression and returns PK_NOMEM. */
static enum pk_status add_where(struct conditions *conditions, struct pk_expression *expression,
				const char *added)
{
	const char *before = conditions->where ? conditions->where : "";
	size_t size = strlen(before) + (conditions->where != NULL);
	char *text;

	pk_expression_walk(expression, move_node, &size);
	if (asprintf(&text, "%s%s%s", before, size ? "\n" : "", added) < 0) {
		pk_expression_free(expression);
		return PK_NOMEM;
	}
	free(conditions->where);
	conditions->where = text;
	return pk_conditions_add_where(conditions, expression);
}

int pk_add_where(const struct pk_option *option, void *at, const char *text)
{
	struct pk_expression_error error;
	struct pk_expression *expression = pk_expression_parse(text, &error);

	(void)option;
	if (!expression && error.text != pk_expression_no_memory) {
		pk_expression_complain("--where", text, error.at, error.text);
		return pk_usage_hint();
	}
	return expression && add_where(at, expression, text) == PK_OK ? PK_CONTINUE
								      : pk_no_memory();
}
