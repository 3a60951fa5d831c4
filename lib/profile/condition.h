/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONDITION_H
#define PK_CONDITION_H

/*
 * Expressions evaluated on samples. An expression is compiled once for each event, to steps that
 * compare one thing each and tell which step follows; what an event decides (a field that its
 * samples do not have, its name) takes no step. Whether a text fits is worked out once for each
 * distinct text, object, thread or stack.
 *
 * A comparison with a field that a sample does not have is false.
 */

#include "expression.h"

struct pk_condition;
struct pk_program; /* the steps for one event */

/* Both stay the caller's, and must outlive it. NULL: out of memory. */
struct pk_condition *pk_condition_new(struct pk_context *context,
				      const struct pk_expression *expression);
void pk_condition_free(struct pk_condition *condition);

/* The program for an event's samples, valid until pk_context.epoch changes. NULL: out of memory. */
const struct pk_program *pk_condition_program(struct pk_condition *condition,
					      const struct pk_event *event);
bool pk_program_holds(const struct pk_program *program, struct pk_view *view);
/* Both at once. Without memory the answer is false, and pk_context.failed is set. */
bool pk_condition_holds(struct pk_condition *condition, struct pk_view *view);

/* At the end of a session: fields are known of events that have no samples, too. */
void pk_condition_end_session(struct pk_condition *condition);
/* Calls each for every field that no event had, or of another type than the expression needs, with
 * the field's place in the text. */
void pk_condition_problems(const struct pk_condition *condition,
			   void (*each)(void *arg, size_t at, const char *text), void *arg);

#endif
