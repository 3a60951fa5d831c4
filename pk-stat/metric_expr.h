/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_METRIC_EXPR_H
#define PK_STAT_METRIC_EXPR_H

/*
 * Expressions of metrics, in the language of MetricExpr in the kernel's pmu-events. The operators,
 * from the lowest to the highest precedence, and the functions:
 *
 *     a if condition else b      |  ^  &      < >      + -      * / %      - !
 *     min(a, b)  max(a, b)  d_ratio(a, b)  source_count(EVENT)  aggr_nr(EVENT)
 *     has_event(EVENT)  strcmp_cpuid_str(PATTERN)  #literal  1.5e-9  EVENT  METRIC
 *
 * The number NaN is the value of what cannot be measured. In the names of events, '@' stands for
 * '/'. The characters '-', ',', '=' and '*' in names have a '\' before them, which can be left out
 * between two '@'.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* The operator or the kind of a node. */
enum metric_op {
	METRIC_NUMBER,
	METRIC_ID, /* an event or a metric */
	METRIC_LITERAL,
	METRIC_SOURCE_COUNT,
	METRIC_COUNTERS,
	METRIC_HAS_EVENT,
	METRIC_CPUID,
	METRIC_NEGATE,
	METRIC_NOT,
	METRIC_OR,
	METRIC_XOR,
	METRIC_AND,
	METRIC_LESS,
	METRIC_GREATER,
	METRIC_ADD,
	METRIC_SUBTRACT,
	METRIC_MULTIPLY,
	METRIC_DIVIDE,
	METRIC_MODULO,
	METRIC_MIN,
	METRIC_MAX,
	METRIC_RATIO,
	METRIC_IF, /* a if b else c */
};

/* A node of an expression. In the list of nodes, operands come before their operator. The last node
 * is the whole expression. */
struct metric_node {
	enum metric_op op;
	uint32_t a, b, c; /* indexes of the operands in metric_expr.nodes */
	double number;	  /* for METRIC_NUMBER */
	char *text;  /* The name of the event, metric or literal, in the syntax of events, such as
		      * "cpu/event=0x3c/". NULL if nodes of this kind have no name. */
	size_t link; /* a number for the caller, which can set it if `text` is not NULL */
};

struct metric_expr {
	struct metric_node *nodes;
	size_t count;
};

/* Why a text is not a valid expression. */
struct metric_error {
	size_t at; /* offset of the error in the text, in bytes */
	const char *what;
};

/* Callbacks that return the value of a name, or NaN if it is unknown. While events are counted, the
 * values that known() returns do not change. */
struct metric_values {
	double (*id)(void *arg, const struct metric_node *node);
	double (*source_count)(void *arg, const struct metric_node *node);
	double (*counters)(void *arg, const struct metric_node *node);
	/* Called for METRIC_LITERAL, METRIC_HAS_EVENT and METRIC_CPUID. */
	double (*known)(void *arg, const struct metric_node *node);
	void *arg;
};

/* Returns true if the value of a name depends on what is counted. */
bool metric_names_event(enum metric_op op);

/* If it fails, returns false and sets *error. *expr is empty then. */
bool metric_expr_parse(struct metric_expr *expr, const char *text, struct metric_error *error);
void metric_expr_free(struct metric_expr *expr);
/* Returns the value of an expression. Returns NaN if it is unknown, for example after a division by
 * zero. scratch has room for expr->count numbers. */
double metric_expr_value(const struct metric_expr *expr, const struct metric_values *values,
			 double *scratch);
/* Sets needed[i] for each node i. It is false if a constant condition makes the value of the node
 * irrelevant. Then the event of the node need not be counted. Calls only values->known(). */
PK_MUST_CHECK enum pk_status metric_expr_needed(const struct metric_expr *expr,
						const struct metric_values *values, bool *needed);

#endif
