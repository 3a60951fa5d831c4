/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WHERE_H
#define PK_WHERE_H

/* Functions for the options that select samples, and for errors in the expression of --where. In
 * these functions, `text` is the expression as the user wrote it, or conditions.where. */

#include "condition.h"
#include "conditions.h"
#include "options.h"
#include "weights.h"

/* Callbacks for rows of options (options.h). pk_add_event() is for --event and struct
 * pk_weight_options. The user can give --event several times. */
int pk_add_event(const struct pk_option *option, void *at, const char *text);
/* Callbacks for struct conditions. pk_add_condition() is for an option that sets the field `set`,
 * pk_add_time() for --time=RANGE, and pk_add_where() for --where=EXPR. */
int pk_add_condition(const struct pk_option *option, void *at, const char *text);
int pk_add_time(const struct pk_option *option, void *at, const char *text);
int pk_add_where(const struct pk_option *option, void *at, const char *text);

/* Prints an error, the line of the text, and a caret under the position `at`. `what` is the name of
 * the option. */
void pk_expression_complain(const char *what, const char *text, size_t at, const char *error);
/* Call it if pk_fields_are_due() returns true. If no event has one of the fields in the expression,
 * prints an error and returns PK_FAILED. */
PK_MUST_CHECK enum pk_status pk_check_where(const struct pk_context *context,
					    struct pk_expression *where, const char *text);
/* Call it at the end of the program. Prints the fields that no event has, or that have another type
 * than expected. Returns false if there are such fields. */
bool pk_report_where(const struct pk_condition *condition, const char *text);

#endif
