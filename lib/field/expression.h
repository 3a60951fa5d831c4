/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EXPRESSION_H
#define PK_EXPRESSION_H

/* Expressions over fields, as text and as trees of nodes. docs/where.md has the grammar. A tree
 * only represents the text; condition.h evaluates it. */

#include "field.h"

enum pk_operator {
	PK_OP_OR,
	PK_OP_AND,
	PK_OP_NOT, /* of `left` */
	PK_OP_EQ,
	PK_OP_NE,
	PK_OP_LT,
	PK_OP_LE,
	PK_OP_GT,
	PK_OP_GE,
	PK_OP_LIKE,   /* ~: a field matches a glob */
	PK_OP_UNLIKE, /* !~ */
	PK_OP_BITS,   /* &: bitwise AND of two numbers */
	PK_OP_FIELD,
	PK_OP_NUMBER,
	PK_OP_STRING,
};

enum pk_expression_type {
	PK_IS_CONDITION,
	PK_IS_NUMBER,
	PK_IS_TEXT,
	PK_IS_UNKNOWN, /* a field of tracepoints or probes: its type is known when its format is */
};

struct pk_expression {
	enum pk_operator op;
	enum pk_expression_type type;
	struct pk_expression *left, *right; /* operands */
	size_t at, size;		    /* offset and size in the text, in bytes */
	/* FIELD */
	struct pk_reference reference;
	enum pk_expression_type
		wanted; /* for a field of unknown type: the type that the expression needs */
	/* NUMBER, STRING */
	struct pk_wide number;
	char *text;
};

/* pk_expression_error.text has this address if memory is exhausted. */
extern const char pk_expression_no_memory[];

struct pk_expression_error {
	size_t at;
	const char *text; /* static */
};

/* Parses an expression and checks its types. Fields of tracepoints are checked when their formats
 * are known. Returns NULL if the text is invalid, and sets *error to the reason. */
struct pk_expression *pk_expression_parse(const char *text, struct pk_expression_error *error);
void pk_expression_free(struct pk_expression *expression);

/* Builders. They take ownership of their operands. They return NULL if memory is exhausted. The
 * operands are freed then. */
struct pk_expression *pk_expression_join(enum pk_operator op, struct pk_expression *left,
					 struct pk_expression *right);
struct pk_expression *pk_expression_compare(enum pk_operator op, const char *field,
					    uint64_t number);
struct pk_expression *pk_expression_match(enum pk_operator op, const char *field, const char *text);

/* PK_NEED_* of all its fields. */
unsigned int pk_expression_needs(const struct pk_expression *expression);
/* Calls each for every node, operands first. */
void pk_expression_walk(struct pk_expression *expression,
			void (*each)(void *arg, struct pk_expression *node), void *arg);

#endif
