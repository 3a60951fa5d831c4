/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WHERE_H
#define PK_WHERE_H

/* Options that select samples, and errors in the expression of --where. `text` is the expression,
 * as the user wrote it, or conditions.where. */

#include "condition.h"
#include "conditions.h"
#include "options.h"
#include "weights.h"

/* Functions of rows (options.h). --event, which can be given several times, for struct
 * pk_weight_options: */
int pk_add_event(const struct pk_option *option, void *at, const char *text);
/* For struct conditions: an option for the field `set`; --time=RANGE; and --where=EXPR. */
int pk_add_condition(const struct pk_option *option, void *at, const char *text);
int pk_add_time(const struct pk_option *option, void *at, const char *text);
int pk_add_where(const struct pk_option *option, void *at, const char *text);

/* An option that is a condition on a field. */
struct pk_condition_option {
	int option;
	enum condition_field field;
	const char *name, *value; /* value NULL: the option's argument */
};

/* Adds the condition of option c, with its argument in optarg. Returns 0 if the table does not have
 * the option, -1 to continue, else the exit status. */
int pk_condition_option(const struct pk_condition_option *options, size_t count, int c,
			struct conditions *conditions);
/* --time=RANGE and --where=EXPR with their arguments in optarg. -1: continue; else the exit status.
 */
int pk_time_option(struct conditions *conditions);
int pk_where_option(struct conditions *conditions);
/* The same for --event, which can be given several times. */
int pk_event_option(struct pk_weight_options *weigh);

/* Prints an error, the line of the text and a caret below the position; what: the option. */
void pk_expression_complain(const char *what, const char *text, size_t at, const char *error);
/* Call it if pk_fields_are_due(): if no event has a field of the expression, prints the error, and
 * exits with PK_EXIT_USAGE. */
void pk_exit_if_where_unknown(const struct pk_context *context, struct pk_expression *where,
			      const char *text);
/* At the end: prints the fields that no event has, or that have another type. False: there were
 * some. */
bool pk_report_where(const struct pk_condition *condition, const char *text);

#endif
