/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_METRIC_EXPR_H
#define PK_STAT_METRIC_EXPR_H

/*
 * Expressions of metrics, in the language of pmu-events' MetricExpr, lowest precedence first:
 *
 *     a if condition else b      |  ^  &      < >      + -      * / %      - !
 *     min(a, b)  max(a, b)  d_ratio(a, b)  source_count(EVENT)  has_event(EVENT)
 *     strcmp_cpuid_str(PATTERN)  #literal  1.5e-9  EVENT  METRIC
 *
 * In the names of events, '@' stands for '/', and '\' precedes '-', ',', '=' and '*'.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

enum metric_op {
	METRIC_NUMBER,
	METRIC_ID, /* an event or a metric */
	METRIC_LITERAL,
	METRIC_SOURCE_COUNT,
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

/* A node of an expression. In the list of nodes, operands precede their operator. The last node is
 * the whole expression. */
struct metric_node {
	enum metric_op op;
	uint32_t a, b, c; /* indexes of the operands */
	double number;	  /* METRIC_NUMBER */
	char *text;  /* name of the event, metric or literal, in event syntax: "cpu/event=0x3c/";
		      * NULL: no name */
	size_t link; /* for use by the caller, if text is set */
};

struct metric_expr {
	struct metric_node *nodes;
	size_t count;
};

struct metric_error {
	size_t at; /* offset in the text, in bytes */
	const char *what;
};

/* Functions that return the values of names, or NaN if they are unknown. The values of known() are
 * constant while events are counted. */
struct metric_values {
	double (*id)(void *arg, const struct metric_node *node);
	double (*source_count)(void *arg, const struct metric_node *node);
	/* known(): for METRIC_LITERAL, METRIC_HAS_EVENT and METRIC_CPUID. */
	double (*known)(void *arg, const struct metric_node *node);
	void *arg;
};

/* Returns false with *error. *expr is empty then. */
bool metric_expr_parse(struct metric_expr *expr, const char *text, struct metric_error *error);
void metric_expr_free(struct metric_expr *expr);
/* The value of an expression, or NaN if it is unknown, for example after a division by zero.
 * scratch is space for expr->count numbers. */
double metric_expr_value(const struct metric_expr *expr, const struct metric_values *values,
			 double *scratch);
/* Sets needed[i] for each node i: false if a constant condition makes its value irrelevant, so that
 * its event need not be counted. Calls only values->known(). */
PK_MUST_CHECK enum pk_status metric_expr_needed(const struct metric_expr *expr,
						const struct metric_values *values, bool *needed);

#endif
