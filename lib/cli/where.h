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
/* For struct conditions: an option for the field `set`, --time=RANGE, and --where=EXPR. */
int pk_add_condition(const struct pk_option *option, void *at, const char *text);
int pk_add_time(const struct pk_option *option, void *at, const char *text);
int pk_add_where(const struct pk_option *option, void *at, const char *text);

/* Prints an error, the line of the text and a caret below the position. `what` is the option. */
void pk_expression_complain(const char *what, const char *text, size_t at, const char *error);
/* Call it if pk_fields_are_due(): if no event has a field of the expression, prints the error, and
 * returns PK_FAILED. */
PK_MUST_CHECK enum pk_status pk_check_where(const struct pk_context *context,
					    struct pk_expression *where, const char *text);
/* At the end: prints the fields that no event has, or that have another type. Returns false if
 * there were some. */
bool pk_report_where(const struct pk_condition *condition, const char *text);

#endif
