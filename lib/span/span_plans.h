/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_PLANS_H
#define PK_SPAN_PLANS_H

/* What the samples of each event do: which of them start, end, or cancel a span, and where the
 * values of columns are in them. A plan is made once for each event and epoch. */

#include "condition.h"
#include "field.h"
#include "pkutil.h"
#include "span_columns.h"

/* ---- Rules ---- */

/* Rules select the samples that start, end, or cancel a span: by the name of their event, and by a
 * condition. */

struct pk_span_rule {
	const char *event;		/* its name or a glob; borrowed */
	const char *where_text;		/* borrowed */
	struct pk_expression *where;	/* NULL: all samples; freed with the rules */
	struct pk_condition *condition; /* of where */
	bool found;			/* an event of any session has this name */
	bool timed;			/* the samples of such an event have times */
};

/* The rules of one role. All zero: none. */
struct pk_span_rules {
	struct pk_span_rule *items;
	size_t count, capacity;
};

/* The event stays the caller's. False: out of memory. */
bool pk_span_rules_add(struct pk_span_rules *rules, const char *event);
/* PK_NEED_* of the conditions. */
unsigned int pk_span_rules_needs(const struct pk_span_rules *rules);
/* Call when all rules are complete, after pk_context_init(). False: out of memory. */
bool pk_span_rules_init(struct pk_span_rules *rules, struct pk_context *context);
void pk_span_rules_end_session(struct pk_span_rules *rules);
void pk_span_rules_free(struct pk_span_rules *rules);

/* The rules for the samples of one event, valid during an epoch. All zero: no sample is selected.
 */
struct pk_span_selector {
	bool active;  /* samples can be selected */
	size_t count; /* of conditions, of which one must hold; 0: all samples are selected */
	const struct pk_program **conditions;
};

static inline bool pk_span_selects(const struct pk_span_selector *selector,
				   const struct pk_record *record)
{
	if (!selector->active)
		return false;
	for (size_t i = 0; i < selector->count; i++)
		if (pk_program_holds(selector->conditions[i], record))
			return true;
	return !selector->count;
}

/* ---- Places ---- */

/* Where and when a sample was taken: its time, task, cpu and stack. */

struct pk_span_place {
	uint64_t time, ip;
	uint32_t pid, tid, cpu;
	uint16_t misc; /* processor mode */
	uint32_t stack, chain_flags;
	struct pk_u64s callchain;
	struct pk_bytes raw;
};

/* Reads the place of a sample that has all fields of fixed size. symbolized: samples have trailers;
 * view: of the sample. False: it is malformed. */
bool pk_span_place_read(struct pk_span_place *place, const struct pk_record *record,
			bool symbolized, struct pk_view *view);

/* ---- Plans ---- */

/* What the samples of a rule do. Those that cancel have the fields of a start in
 * their key. */
enum pk_span_role { PK_SPAN_STARTS, PK_SPAN_ENDS, PK_SPAN_CANCELS, PK_SPAN_RULES };

static inline enum pk_span_side pk_span_side_of(enum pk_span_role role)
{
	return role == PK_SPAN_ENDS ? PK_SPAN_END : PK_SPAN_START;
}

struct pk_span_plan {
	uint64_t epoch; /* 0: not made yet */
	bool is_used;	/* samples can have one of the roles */
	struct pk_span_role_plan {
		struct pk_span_selector selector;
		struct pk_span_source *sources; /* by column */
		bool on_cpu;			/* the key has the cpu of the sample */
	} roles[PK_SPAN_RULES];
};

struct pk_span_plans {
	/* Set by the caller. */
	struct pk_context *context;
	struct pk_span_rules rules[PK_SPAN_RULES];
	struct pk_span_columns {
		struct pk_span_column *items;
		size_t count, capacity;
	} columns;
	/* For reading: by event; the caller frees them before a new session. */
	struct pk_span_plan *items;
	size_t count;
};

/* Frees the plans, not the rules and columns. */
void pk_span_plans_free(struct pk_span_plans *plans);
/* The part of pk_span_plans_of() that makes a plan. */
const struct pk_span_plan *pk_span_plans_make(struct pk_span_plans *plans,
					      const struct pk_event *event);
/* Whether samples of an event that has a plan can have the role. */
bool pk_span_plans_have(const struct pk_span_plans *plans, enum pk_span_role role);

/* The plan of an event. NULL: out of memory, which sets pk_context.failed. */
static inline const struct pk_span_plan *pk_span_plans_of(struct pk_span_plans *plans,
							  const struct pk_event *event)
{
	if (pk_likely(event->index < plans->count &&
		      plans->items[event->index].epoch == plans->context->epoch))
		return &plans->items[event->index];
	return pk_span_plans_make(plans, event);
}

#endif
