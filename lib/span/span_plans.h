/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans say what the samples of each event do. They say which samples start, end or cancel a span,
 * and where the values of columns are in these samples. A plan is made once for each event and
 * epoch. */
#ifndef PK_SPAN_PLANS_H
#define PK_SPAN_PLANS_H

#include "condition.h"
#include "field.h"
#include "pkutil.h"
#include "span_format.h"
#include "syscall_text.h"

/* The sample from which a value is: the start or the end of a span. */
enum pk_span_side { PK_SPAN_START, PK_SPAN_END, PK_SPAN_SIDES };

#define PK_SPAN_NAMES_MAX 8 /* maximum number of names of a field on one side */

/* A field of a key, or a carried field. */
struct pk_span_column {
	char name[PK_FIELD_NAME_SIZE]; /* name of the field in the span's format */
	char *text;		       /* text of the option, as the user wrote it */
	bool is_key;
	bool optional; /* if no event has the field, no error is reported */
	bool hidden;   /* spans do not get this field; the column is only needed for the task or the
			* level of a span */
	bool is_level;
	bool on[PK_SPAN_SIDES]; /* For a key, both sides are set. For a carried field, the sides
				 * that can have the field are set, and the start is tried first. */
	/* The names of the column. An event has at most one of these fields. own[i] is a field of
	 * the event with this name, and is tried first. general[i] is the other meaning of the
	 * name, such as a field of all samples. own[i].name is NULL if the user's text contains an
	 * event or "trace". */
	struct pk_span_names {
		struct pk_reference own[PK_SPAN_NAMES_MAX], general[PK_SPAN_NAMES_MAX];
		size_t count;
	} names[PK_SPAN_SIDES],
		/* If the event has one of these fields, the value is multiplied by it. */
		factors[PK_SPAN_SIDES];
	/* Computes "call" or "args" of a system call if the event has no such field: */
	void (*computed)(struct buffer *out, const struct pk_call_sample *sample);
	/* Set for the column "moved". If no event has this field, its value is whether the start
	 * and the end have different cpus. */
	bool compares_cpus;
	/* Set for each session: */
	bool active;		/* spans have this field */
	enum pk_span_side side; /* the side whose sample has the carried field */
	enum pk_value_kind kind;
	const struct pk_binding *words; /* for kind WORDS: the field of an event that has the words
					 * for the numbers */
	/* Used for a key if its fields have different sizes or signs on the two sides. It is the
	 * number of bytes of the smallest field, and only these bytes are compared. For all other
	 * columns, it is 0. */
	uint32_t common_size;
};

/* Parse a field of a key or a carried field.
 *   Key: "FIELD" or "FIELD_OF_START=FIELD_OF_END".
 *   Carried field: "FIELD", "start.FIELD" or "end.FIELD".
 * FIELD can be several names, "NAME|NAME". The first name that an event has is used. In a carried
 * field, "FIELD*FACTOR" is a number. It is multiplied by the field FACTOR if the event has that
 * field. */
PK_MUST_CHECK enum pk_status pk_span_column_key(struct pk_span_column *column, const char *text,
						size_t size);
PK_MUST_CHECK enum pk_status pk_span_column_carried(struct pk_span_column *column, const char *text,
						    size_t size);
void pk_span_column_free(struct pk_span_column *column);
/* Returns the PK_NEED_* bits of the column's fields. */
unsigned int pk_span_column_needs(const struct pk_span_column *column);

/* Where the value of a column is in the samples of one event. */
struct pk_span_source {
	/* The place of a number in the raw bytes, or in the record if in_record is set. If its size
	 * is 0, `binding` is used. */
	struct pk_raw_number place;
	bool in_record;
	struct pk_binding binding;
	struct pk_binding factor; /* the field by which the value is multiplied; if its kind is
				   * NONE, the value is not multiplied */
	const struct pk_tracepoint *call; /* the tracepoint of a system call, if the value is
					   * computed from its samples; otherwise NULL */
	bool moved;			  /* the value is pk_span_parts.moved */
};

static inline bool pk_span_source_exists(const struct pk_span_source *source)
{
	return source->call || source->moved || source->binding.kind != PK_VALUE_NONE;
}

/* Returns whether the value is the tid of a task. This is so for the tid of the sample, and for a
 * field of a tracepoint whose name is usual for a tid, such as "prev_pid". */
bool pk_span_source_is_task(const struct pk_span_source *source);
/* Sets the common size of a key, or makes it smaller, if `source` and `first` have different sizes
 * or signs. */
void pk_span_column_add_source(struct pk_span_column *column, const struct pk_span_source *source,
			       const struct pk_span_source *first);

/* Returns the kind of the field in the span. */
enum pk_value_kind pk_span_kind_of(const struct pk_span_source *source);

/* Appends the value that the sample has to `bytes`. A text is cut to PK_SPAN_TEXT_MAX bytes. `raw`
 * is the raw bytes of the sample. If the sample does not have the value, appends 0 or an empty
 * text, and returns false. */
#define PK_SPAN_TEXT_MAX 4096
/* What is needed to describe system calls. */
struct pk_span_calls {
	struct pk_calls all;
	/* Call of the current sample; set it to NULL before each sample. */
	const struct pk_call *known;
	enum pk_abi abi; /* valid if `known` is not NULL */
};
bool pk_span_value_add(struct buffer *bytes, const struct pk_span_column *column,
		       struct pk_view *view, const struct pk_bytes *raw,
		       const struct pk_span_source *source, struct pk_span_calls *calls);
/* Reads one value, and moves *at to the next value. A text in the result points into the bytes at
 * *at. */
static inline struct pk_span_value pk_span_value_next(const uint8_t **at, bool is_text)
{
	const uint64_t number = pk_load_u64(*at);

	*at += sizeof(number);
	if (pk_likely(!is_text))
		return (struct pk_span_value){.number = number};
	*at += PK_ALIGN8(number);
	return (struct pk_span_value){.text = {*at - PK_ALIGN8(number), number}};
}

/* ---- Rules ---- */

/* Rules select the samples that start, end or cancel a span. A rule has the name of an event, and
 * can have a condition. */

struct pk_span_rule {
	const char *event;	/* name or pattern; it is not copied or freed */
	const char *where_text; /* it is not copied or freed */
	/* NULL if the rule selects all samples; it is freed with the rules. */
	struct pk_expression *where;
	struct pk_condition *condition; /* the compiled `where` */
	bool found;			/* an event of any session so far has this name */
	bool timed; /* at least one event with this name has samples with times */
};

/* The rules of one role. If all bytes are zero, there are no rules. */
struct pk_span_rules {
	struct pk_span_rule *items;
	size_t count, capacity;
};

/* Adds a rule. The string `event` must stay valid until the rules are freed. */
PK_MUST_CHECK enum pk_status pk_span_rules_add(struct pk_span_rules *rules, const char *event);
/* Returns the PK_NEED_* bits of the conditions. */
unsigned int pk_span_rules_needs(const struct pk_span_rules *rules);
/* Compiles the conditions. Call it when all rules are complete, and after pk_context_init(). */
PK_MUST_CHECK enum pk_status pk_span_rules_init(struct pk_span_rules *rules,
						struct pk_context *context);
void pk_span_rules_end_session(struct pk_span_rules *rules);
void pk_span_rules_free(struct pk_span_rules *rules);

/* Selects samples of one event. It is valid during an epoch. If all bytes are zero, no sample is
 * selected. */
struct pk_span_selector {
	bool active;  /* at least one rule is for this event */
	size_t count; /* Number of conditions. A sample is selected if one of them holds. If it is
		       * 0, all samples are selected. */
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
	uint16_t misc; /* mode of the processor */
	uint32_t stack, chain_flags;
	struct pk_u64s callchain;
	struct pk_bytes raw;
};

/* Reads the place of a sample. The sample must have all fields of fixed size, and `view` must be
 * its view. `symbolized` says that samples have trailers with a stack. Returns false if the sample
 * is malformed. */
bool pk_span_place_read(struct pk_span_place *place, const struct pk_record *record,
			bool symbolized, struct pk_view *view);

/* ---- Plans ---- */

/* The roles that a sample of a rule can have. A sample that cancels a span has the same fields in
 * its key as a start. */
enum pk_span_role { PK_SPAN_STARTS, PK_SPAN_ENDS, PK_SPAN_CANCELS, PK_SPAN_RULES };

static inline enum pk_span_side pk_span_side_of(enum pk_span_role role)
{
	return role == PK_SPAN_ENDS ? PK_SPAN_END : PK_SPAN_START;
}

/* What the samples of one event do. */
struct pk_span_plan {
	uint64_t epoch; /* the epoch of the context in which the plan was made; 0 if it is not made
			 * yet */
	bool is_used;	/* samples of the event can have one of the roles */
	struct pk_span_role_plan {
		struct pk_span_selector selector;
		struct pk_span_source *sources; /* array with one source for each column */
		bool on_cpu;			/* the key contains the cpu of the sample */
	} roles[PK_SPAN_RULES];
};

/* The plans of all events, with the rules and columns from which they are made. */
struct pk_span_plans {
	/* Set by the caller: */
	struct pk_context *context;
	struct pk_span_rules rules[PK_SPAN_RULES];
	struct pk_span_columns {
		struct pk_span_column *items;
		size_t count, capacity;
	} columns;
	/* For reading: the plans, by index of the event. The caller frees them before a new
	 * session. */
	struct pk_span_plan *items;
	size_t count;
};

/* Frees the plans, but not the rules and the columns. */
void pk_span_plans_free(struct pk_span_plans *plans);
/* Makes the plan of an event. pk_span_plans_of() calls it if there is no valid plan. */
const struct pk_span_plan *pk_span_plans_make(struct pk_span_plans *plans,
					      const struct pk_event *event);
/* Returns whether samples of at least one event that has a plan can have the role. */
bool pk_span_plans_have(const struct pk_span_plans *plans, enum pk_span_role role);

/* Returns the plan of an event. If memory is exhausted, returns NULL and sets pk_context.failed. */
static inline const struct pk_span_plan *pk_span_plans_of(struct pk_span_plans *plans,
							  const struct pk_event *event)
{
	if (pk_likely(event->index < plans->count &&
		      plans->items[event->index].epoch == plans->context->epoch))
		return &plans->items[event->index];
	return pk_span_plans_make(plans, event);
}

#endif
