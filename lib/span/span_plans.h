/* SPDX-License-Identifier: BSD-2-Clause */
/* What the samples of each event do: which of them start, end, or cancel a span, and where the
 * values of columns are in them. A plan is made once for each event and epoch. */
#ifndef PK_SPAN_PLANS_H
#define PK_SPAN_PLANS_H

#include "condition.h"
#include "field.h"
#include "pkutil.h"
#include "span_format.h"
#include "syscall_text.h"

enum pk_span_side { PK_SPAN_START, PK_SPAN_END, PK_SPAN_SIDES };

#define PK_SPAN_NAMES_MAX 8 /* for one field, on one side */

struct pk_span_column {
	char name[PK_FIELD_NAME_SIZE]; /* in the span's format */
	char *text;		       /* as the user wrote it */
	bool is_key;
	bool optional; /* carried only if there is such a field */
	bool hidden;   /* spans do not have the field: it is the task or the level */
	bool is_level;
	bool on[PK_SPAN_SIDES]; /* keys: both; carried: where to look, first at the start */
	/* The names, of which an event can have one. Each is looked up in the event first: own is
	 * its field of that name, general what the name means elsewhere. own.name NULL: the user
	 * has named an event, or "trace". */
	struct pk_span_names {
		struct pk_reference own[PK_SPAN_NAMES_MAX], general[PK_SPAN_NAMES_MAX];
		size_t count;
	} names[PK_SPAN_SIDES],
		/* The value is multiplied by these, if the event has one of them. */
		factors[PK_SPAN_SIDES];
	/* "call" and "args" of system calls, where the event has no such field: */
	void (*computed)(struct buffer *out, const struct pk_call_sample *sample);
	/* "moved", where events have no such field: whether start and end have different cpus. */
	bool compares_cpus;
	/* Set for each session: */
	bool active;		/* spans have the field */
	enum pk_span_side side; /* of a carried field */
	enum pk_value_kind kind;
	const struct pk_binding *words; /* of kind WORDS: the field whose words these are */
	/* For keys whose fields have different sizes or signs on the two sides: the bytes of the
	 * smallest one, which are compared. Otherwise 0. */
	uint32_t common_size;
};

/* Parse a field of a key, "FIELD" or "FIELD_OF_START=FIELD_OF_END", and a carried field, "FIELD",
 * "start.FIELD" or "end.FIELD". FIELD can be several names, "NAME|NAME": the first that an event
 * has. "FIELD*FACTOR" is a carried number, multiplied by another if the event has it. */
PK_MUST_CHECK enum pk_status pk_span_column_key(struct pk_span_column *column, const char *text,
						size_t size);
PK_MUST_CHECK enum pk_status pk_span_column_carried(struct pk_span_column *column, const char *text,
						    size_t size);
void pk_span_column_free(struct pk_span_column *column);
/* PK_NEED_* of its fields. */
unsigned int pk_span_column_needs(const struct pk_span_column *column);

/* The location of a column's value in the samples of one event. */
struct pk_span_source {
	/* For a number: its place in the raw bytes, or in the record. With a size of 0, the binding
	 * is used. */
	struct pk_raw_number place;
	bool in_record;
	struct pk_binding binding;
	struct pk_binding factor;	  /* kind NONE: 1 */
	const struct pk_tracepoint *call; /* the value is computed from its samples; or NULL */
	bool moved;			  /* the value is that of pk_span_parts.moved */
};

static inline bool pk_span_source_exists(const struct pk_span_source *source)
{
	return source->call || source->moved || source->binding.kind != PK_VALUE_NONE;
}

/* Whether the value is the tid of a task: the sample's, or a field of a tracepoint with such a
 * name.
 */
bool pk_span_source_is_task(const struct pk_span_source *source);
/* Reduces the common size of a key to that of a source. */
void pk_span_column_add_source(struct pk_span_column *column, const struct pk_span_source *source,
			       const struct pk_span_source *first);

/* The kind of field that the values become. */
enum pk_value_kind pk_span_kind_of(const struct pk_span_source *source);

/* Adds the sample's value to bytes. Of a text, it adds the first PK_SPAN_TEXT_MAX bytes. raw is the
 * raw bytes of the sample. Returns false if the sample does not have the value. Then a zero or an
 * empty text is added. */
#define PK_SPAN_TEXT_MAX 4096
struct pk_span_calls {
	struct pk_calls all;
	const struct pk_call *known; /* of the current sample: set it to NULL before each */
	enum pk_abi abi;	     /* valid with it */
};
bool pk_span_value_add(struct buffer *bytes, const struct pk_span_column *column,
		       struct pk_view *view, const struct pk_bytes *raw,
		       const struct pk_span_source *source, struct pk_span_calls *calls);
/* Reads one value, which stays in the bytes, and moves *at after it. */
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

/* The rules of one role. Zeroed, there are none. */
struct pk_span_rules {
	struct pk_span_rule *items;
	size_t count, capacity;
};

/* The event stays the caller's. */
PK_MUST_CHECK enum pk_status pk_span_rules_add(struct pk_span_rules *rules, const char *event);
/* PK_NEED_* of the conditions. */
unsigned int pk_span_rules_needs(const struct pk_span_rules *rules);
/* Call when all rules are complete, after pk_context_init(). */
PK_MUST_CHECK enum pk_status pk_span_rules_init(struct pk_span_rules *rules,
						struct pk_context *context);
void pk_span_rules_end_session(struct pk_span_rules *rules);
void pk_span_rules_free(struct pk_span_rules *rules);

/* The rules for the samples of one event, valid during an epoch. Zeroed, no sample is selected. */
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

/* Reads the place of a sample that has all fields of fixed size. symbolized means that samples have
 * trailers. view is that of the sample. Returns false if it is malformed. */
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
	/* The plans for reading, by event. The caller frees them before a new session. */
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

/* The plan of an event. Returns NULL if memory is exhausted, which sets pk_context.failed. */
static inline const struct pk_span_plan *pk_span_plans_of(struct pk_span_plans *plans,
							  const struct pk_event *event)
{
	if (pk_likely(event->index < plans->count &&
		      plans->items[event->index].epoch == plans->context->epoch))
		return &plans->items[event->index];
	return pk_span_plans_make(plans, event);
}

#endif
