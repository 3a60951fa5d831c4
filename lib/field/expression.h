/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EXPRESSION_H
#define PK_EXPRESSION_H

/* Expressions that use fields, as texts and as trees of nodes. docs/where.md describes the grammar.
 * A tree only represents the text. condition.h evaluates it. */

#include "field.h"

/* What a node of an expression computes. */
enum pk_operator {
	PK_OP_OR,
	PK_OP_AND,
	PK_OP_NOT, /* negation; the operand is `left` */
	PK_OP_EQ,
	PK_OP_NE,
	PK_OP_LT,
	PK_OP_LE,
	PK_OP_GT,
	PK_OP_GE,
	PK_OP_LIKE,   /* the operator ~: a field matches a glob */
	PK_OP_UNLIKE, /* the operator !~: a field does not match a glob */
	PK_OP_BITS,   /* the operator &: the bitwise AND of two numbers */
	PK_OP_FIELD,
	PK_OP_NUMBER,
	PK_OP_STRING,
};

/* The type of the value of a node. */
enum pk_expression_type {
	PK_IS_CONDITION,
	PK_IS_NUMBER,
	PK_IS_TEXT,
	PK_IS_UNKNOWN, /* A field of tracepoints or probes. Its type is known when its format is
			* known. */
};

/* A node of an expression. */
struct pk_expression {
	enum pk_operator op;
	enum pk_expression_type type;
	struct pk_expression *left, *right; /* the operands of the operator `op` */
	size_t at, size; /* where the node is in the text: the offset of its first byte, and its
			  * size in bytes */
	/* Only for PK_OP_FIELD. */
	struct pk_reference reference;
	enum pk_expression_type wanted; /* the type that the operator around the field needs, if the
					 * type of the field is not known yet */
	/* Only for PK_OP_NUMBER and PK_OP_STRING. */
	struct pk_wide number;
	char *text;
};

/* pk_expression_error.text has this address if memory is exhausted. */
extern const char pk_expression_no_memory[];

/* The error of an expression, and its position in the text. */
struct pk_expression_error {
	size_t at;
	const char *text; /* a constant text, which is never freed */
};

/* Parses an expression and checks its types. The types of fields of tracepoints are checked later,
 * when their formats are known. If the text is invalid, returns NULL and sets *error to the reason.
 */
struct pk_expression *pk_expression_parse(const char *text, struct pk_expression_error *error);
/* Like pk_expression_parse(), for conditions on rows of tables: numbers can be percentages, such as
 * 2.5%. The number of the node is then in units of 1/PK_EXPRESSION_PERCENT percent. */
struct pk_expression *pk_expression_parse_rows(const char *text, struct pk_expression_error *error);
#define PK_EXPRESSION_PERCENT 1000000
void pk_expression_free(struct pk_expression *expression);

/* Functions that build a node. They take ownership of their operands. If memory is exhausted, they
 * free the operands and return NULL. */
struct pk_expression *pk_expression_join(enum pk_operator op, struct pk_expression *left,
					 struct pk_expression *right);
struct pk_expression *pk_expression_compare(enum pk_operator op, const char *field,
					    uint64_t number);
struct pk_expression *pk_expression_match(enum pk_operator op, const char *field, const char *text);

/* Returns the set of PK_NEED_* for all fields of the expression. */
unsigned int pk_expression_needs(const struct pk_expression *expression);
/* Calls each for every node. The operands of a node come before the node. */
void pk_expression_walk(struct pk_expression *expression,
			void (*each)(void *arg, struct pk_expression *node), void *arg);

#endif
