/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAIRING_H
#define PK_PAIRING_H

/*
 * Makes spans from the samples of a stream. Rules select the samples that start or end a span. Keys
 * say which start and which end belong together. A program passes samples in the order of their
 * times. It gets a call of emit() for each span when the span ends.
 */

#include "open_spans.h"
#include "pkstream.h"
#include "span_fields.h"
#include "table.h"
#include "user_halves.h"

/* ---- Losses ---- */

/* Notes where records were lost. This shows whether records can be missing between the start and
 * the end of a span. Losses are numbered in the order of the stream. */

struct pk_loss_marks {
	uint64_t last; /* the last loss so far; the first loss is 1, and 0 means that there was none
			*/
	uint64_t anywhere;		 /* the last loss whose cpu and task are unknown, or 0 */
	struct pk_table on_cpu, of_task; /* by cpu, and by tid: the last loss of this cpu or task */
};
/* Returns true if records of this cpu or of this task were lost after the loss with the number
 * `since`. */
static inline bool pk_loss_marks_after(const struct pk_loss_marks *marks, uint64_t since,
				       uint32_t cpu, uint32_t tid)
{
	return marks->last > since &&
	       (marks->anywhere > since || pk_table_get_u64(&marks->on_cpu, cpu) > since ||
		pk_table_get_u64(&marks->of_task, tid) > since);
}

/* ---- Pairs ---- */

/* A span. It is valid only during the call of emit(). */
struct pk_span {
	const struct pk_span_place *
		place; /* time, task, cpu and stack of the sample on the side pk_pairing.place_of */
	const struct pk_span_place *inner; /* the place of the end of the span if pk_pairing.both is
					    * set, otherwise NULL */
	uint32_t pid, tid;	/* the task of the span: from `place`, or from the field of
				 * pk_pairing_set_task() */
	uint64_t end, duration; /* in ns */
	uint64_t period; /* of the sample: the duration, or for pk_pairing.every, the amount of
			  * the level, or 1 */
	bool gap;	 /* records were lost during the span */
	/* values of the span, one for each field of the format. */
	const struct pk_span_value *values;
};

/* Numbers of spans. starts = spans + unended + open + unused + cancelled + task_ended + dropped. */
struct pk_span_counts {
	uint64_t starts, spans;
	uint64_t exited; /* number of those spans in `spans` that ended because their task ended */
	/* `unended`: spans that were replaced by another start of the same key. `dropped`: spans
	 * that were dropped because a limit of the pool was reached. */
	uint64_t unended, dropped;
	uint64_t open;	     /* spans that are open at the end of the session */
	uint64_t unused;     /* starts that are ignored because their key has an open span
			      * (PK_AGAIN_KEEP) */
	uint64_t cancelled;  /* spans that were removed by a cancel event */
	uint64_t task_ended; /* spans that were removed because their task has ended, and that are
			      * not in `exited` */
	uint64_t unstarted;  /* ends whose start is missing */
	uint64_t shorter;    /* spans that are not emitted because they are too short */
	uint64_t gaps;	     /* spans during which records were lost */
	uint64_t keyless; /* starts and ends that are ignored because their sample lacks a field of
			   * the key */
};

/* A definition of spans, and the state of pairing their starts and ends. */
struct pk_pairing {
	/* Set by the program: */
	/* The program sets the members `pool` and `again` of this struct. */
	struct pk_open_spans open;
	uint64_t shortest;	    /* the shortest duration of spans that are emitted, in ns */
	enum pk_span_side place_of; /* the side whose place is pk_span.place */
	bool both; /* each span has the stacks of its start and of its end; place_of must be the
		    * start */
	/* Also emit spans that have no end. These are spans that are open at the end of the session
	 * or of their task, and spans that another start replaces. */
	bool unfinished;
	/* If this is not 0, emits no spans when they end. Instead, emits all open spans at each
	 * multiple of this time in ns. They have the field "age" instead of "duration". */
	uint64_t every;
	bool chainless; /* spans have no callchain */
	bool task_ends; /* when a task ends, its open spans end */
	/* User parts of deferred callchains, shared by all pairings of the pool. If it is NULL,
	 * callchains keep their cookies. */
	struct pk_user_halves *halves;
	enum pk_status (*emit)(void *arg, const struct pk_span *span);
	void *arg;

	/* Set by the functions below: */
	/* The plans; their rules and columns define which spans are made. */
	struct pk_span_plans plans;
	struct pk_span_counts counts; /* counts of the session */

	/* Private: */
	bool prepared;	   /* the format is complete for this session */
	uint32_t end_task; /* value of the field of pk_pairing_set_task() in the current end sample,
			    * or 0 */
	struct pk_span_fields fields;
	struct pk_span_values values;
	struct pk_view view;
	struct pk_span_place place; /* place of the current sample */
	struct buffer chain;	    /* memory for the callchain of the span that is being emitted */
	uint64_t last;		    /* largest time of all records so far, in ns */
	uint64_t resets; /* number of RESET definitions so far; a RESET makes the ids of all older
			  * stacks invalid */
	uint64_t names;	 /* number of COMM records so far */
	/* By tid: the number of COMM records up to the last one of the task. */
	struct pk_table named;
	struct pk_loss_marks losses;
};

/* Add a rule, a field of the key, or a carried field. The string `event` must stay valid, and
 * `text` is copied. Add at most PK_SPAN_FIELDS_MAX - 8 fields. */
PK_MUST_CHECK enum pk_status pk_pairing_add_rule(struct pk_pairing *pairing, enum pk_span_role role,
						 const char *event);
PK_MUST_CHECK enum pk_status pk_pairing_add_key(struct pk_pairing *pairing, const char *text,
						size_t size);
PK_MUST_CHECK enum pk_status pk_pairing_add_carried(struct pk_pairing *pairing, const char *text,
						    size_t size);
/* Sets the field of the start or end event whose value is the tid of the span's task. */
PK_MUST_CHECK enum pk_status pk_pairing_set_task(struct pk_pairing *pairing, const char *text,
						 size_t size);
/* Gives each span a level, which is calculated when the span starts. It is the sum of the given
 * field in the starts of all spans that are open at this time, including the new span. If the text
 * is "1", the level is the number of these spans. Each span also gets the number of spans that
 * start while it is open. */
PK_MUST_CHECK enum pk_status pk_pairing_set_level(struct pk_pairing *pairing, const char *text,
						  size_t size);
/* Returns the PK_NEED_* bits of all fields and conditions. */
unsigned int pk_pairing_needs(const struct pk_pairing *pairing);
/* Prepares the pairing. Call it after the functions above and after pk_context_init(). The needs of
 * the context must include pk_pairing_needs(). */
PK_MUST_CHECK enum pk_status pk_pairing_init(struct pk_pairing *pairing,
					     struct pk_context *context);
void pk_pairing_free(struct pk_pairing *pairing);

/* Adds the fields of spans to the format. Call it when the events and formats of the session are
 * known, before the first sample. The format must be started already, and must stay valid during
 * the session. complain() gets a text for each field that no event on the field's side has. If
 * memory is exhausted, sets pk_context.failed. */
void pk_pairing_prepare(struct pk_pairing *pairing, struct pk_span_format *format,
			void (*complain)(void *arg, const char *text), void *arg);
/* Handles a record that is not a SAMPLE. record->event must be set. The function notes losses and
 * RESET definitions. It does not pass the record to `halves`. */
PK_MUST_CHECK enum pk_status pk_pairing_record(struct pk_pairing *pairing,
					       const struct pk_record *record);
/* Handles a SAMPLE, whose event is record->event. A sample that lacks needed fields is ignored.
 * Sets *paired if the sample has started, ended or cancelled a span. Returns the result of emit(),
 * or PK_NOMEM. */
PK_MUST_CHECK enum pk_status pk_pairing_sample(struct pk_pairing *pairing,
					       const struct pk_record *record, bool *paired);
/* Says that a task ends at this time. If `task_ends` is set, removes and emits the open spans that
 * have the tid in their key. */
PK_MUST_CHECK enum pk_status pk_pairing_exit(struct pk_pairing *pairing, uint32_t tid,
					     uint64_t time);
/* Says that a task has ended at this time and that no later sample belongs to its spans. Removes
 * the open spans that have the tid in their key. If `unfinished` is set, also emits them. */
PK_MUST_CHECK enum pk_status pk_pairing_end_task(struct pk_pairing *pairing, uint32_t tid,
						 uint64_t time);
/* Returns whether an event of the session starts spans. Call it after pk_pairing_prepare(). */
bool pk_pairing_has_starts(const struct pk_pairing *pairing);
/* Ends a session. If `unfinished` is set, emits the spans that are still open. From this call to
 * the next pk_pairing_start_session(), the counts are complete. */
PK_MUST_CHECK enum pk_status pk_pairing_end(struct pk_pairing *pairing);
void pk_pairing_start_session(struct pk_pairing *pairing);

#endif
