/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAIRING_H
#define PK_PAIRING_H

/*
 * Spans from the samples of a stream: rules select the samples that start and end a span, keys tell
 * which start and end belong together. A program passes samples in order, and gets a call of emit()
 * for each span, when it ends.
 */

#include "open_spans.h"
#include "pkstream.h"
#include "span_fields.h"
#include "table.h"
#include "user_halves.h"

/* ---- Losses ---- */

/* Where records were lost: whether a span can lack records between its start and its end. Losses
 * are numbered in the order of the stream. */

struct pk_loss_marks {
	uint64_t last;			 /* number of the last loss */
	uint64_t anywhere;		 /* number of the last one without a cpu and task */
	struct pk_table on_cpu, of_task; /* cpu, tid -> number of the last loss there */
};
/* True if records were lost on this cpu or of this task after the loss `since`. */
static inline bool pk_loss_marks_after(const struct pk_loss_marks *marks, uint64_t since,
				       uint32_t cpu, uint32_t tid)
{
	return marks->last > since &&
	       (marks->anywhere > since || pk_table_get_u64(&marks->on_cpu, cpu) > since ||
		pk_table_get_u64(&marks->of_task, tid) > since);
}

/* ---- Pairs ---- */

/* A span. It is valid during the call of emit(). */
struct pk_span {
	const struct pk_span_place *place;  /* of the side pk_pairing.place_of */
	const struct pk_span_place *inner;  /* of the end, if pk_pairing.both; else NULL */
	uint32_t pid, tid;		    /* of the place, or of pk_pairing_set_task() */
	uint64_t end, duration;		    /* ns */
	bool gap;			    /* records were lost meanwhile */
	const struct pk_span_value *values; /* one for each field of the format */
};

/* Numbers of spans. starts = spans + unended + open + unused + cancelled + task_ended + dropped. */
struct pk_span_counts {
	uint64_t starts, spans;
	uint64_t exited;	   /* those of spans that the end of their task has ended */
	uint64_t unended, dropped; /* unended: another start of the same key has replaced them */
	uint64_t open;		   /* at the end of the session */
	uint64_t unused;	   /* starts of a key that had an open span, with PK_AGAIN_KEEP */
	uint64_t cancelled;	   /* ended by a cancel event: they are no spans */
	uint64_t task_ended;	   /* their task has ended */
	uint64_t unstarted;	   /* ends without a start */
	uint64_t shorter;	   /* spans that are not emitted because they are short */
	uint64_t gaps;		   /* spans during which records were lost */
	uint64_t keyless; /* starts and ends that lack a field of the key: they are not used */
};

struct pk_pairing {
	/* Set by the program. */
	struct pk_open_spans open;  /* pool and again */
	uint64_t shortest;	    /* ns: shorter spans are not emitted */
	enum pk_span_side place_of; /* the side that gives the place */
	bool both;		    /* spans have the stacks of both sides; place_of is the start */
	bool unfinished; /* emit the open spans at the end, of tasks that end, and if replaced */
	bool task_ends;	 /* the end of a task ends its open spans */
	struct pk_user_halves
		*halves; /* of all pairings of the pool; NULL: cookies stay in callchains */
	enum pk_status (*emit)(void *arg, const struct pk_span *span);
	void *arg;

	/* Filled by the functions below. */
	struct pk_span_plans plans;   /* its rules and columns are the definition */
	struct pk_span_counts counts; /* of the session */

	/* Private. */
	bool prepared;	   /* the format of the session is complete */
	uint32_t end_task; /* the value of --task at the current end */
	struct pk_span_fields fields;
	struct pk_span_values values;
	struct pk_view view;
	struct pk_span_place place; /* of the current sample */
	struct buffer chain;	    /* temporary */
	uint64_t last;		    /* the largest time of a record */
	uint64_t resets;	    /* number of RESET definitions: they make older stacks void */
	struct pk_loss_marks losses;
};

/* The strings stay the caller's; a field's text is copied. Add at most PK_SPAN_FIELDS_MAX - 8
 * fields. */
PK_MUST_CHECK enum pk_status pk_pairing_add_rule(struct pk_pairing *pairing, enum pk_span_role role,
						 const char *event);
PK_MUST_CHECK enum pk_status pk_pairing_add_key(struct pk_pairing *pairing, const char *text,
						size_t size);
PK_MUST_CHECK enum pk_status pk_pairing_add_carried(struct pk_pairing *pairing, const char *text,
						    size_t size);
/* The field of the start or the end whose value is the tid of the span's task. */
PK_MUST_CHECK enum pk_status pk_pairing_set_task(struct pk_pairing *pairing, const char *text,
						 size_t size);
/* Adds a level to spans. It is the sum of a field of the starts, or with "1" the number of starts,
 * over the spans that are open when a span starts, itself included. Spans also get the number of
 * spans that start while they are open. */
PK_MUST_CHECK enum pk_status pk_pairing_set_level(struct pk_pairing *pairing, const char *text,
						  size_t size);
/* PK_NEED_* of all fields and conditions. */
unsigned int pk_pairing_needs(const struct pk_pairing *pairing);
/* Call it after these functions, and after pk_context_init(). The context has the needs of
 * pk_pairing_needs(). */
PK_MUST_CHECK enum pk_status pk_pairing_init(struct pk_pairing *pairing,
					     struct pk_context *context);
void pk_pairing_free(struct pk_pairing *pairing);

/* Call when the session's events and formats are known, before its first sample. Adds the fields of
 * spans to the format, which was started, and must stay valid during the session. complain() gets a
 * text for each field that no event on its side has. If memory is exhausted, sets
 * pk_context.failed. */
void pk_pairing_prepare(struct pk_pairing *pairing, struct pk_span_format *format,
			void (*complain)(void *arg, const char *text), void *arg);
/* A record that is not a SAMPLE, with record->event set: notes losses, and RESET, not what `halves`
 * notes. */
PK_MUST_CHECK enum pk_status pk_pairing_record(struct pk_pairing *pairing,
					       const struct pk_record *record);
/* Takes a SAMPLE whose event is record->event. It is not used if it lacks fields. Sets *paired if
 * it has started a span, or ended one. Returns the result of emit(), or PK_NOMEM. */
PK_MUST_CHECK enum pk_status pk_pairing_sample(struct pk_pairing *pairing,
					       const struct pk_record *record, bool *paired);
/* Ends a task at this time. If `task_ends` is set, emits the open spans that have its tid in their
 * key. */
PK_MUST_CHECK enum pk_status pk_pairing_exit(struct pk_pairing *pairing, uint32_t tid,
					     uint64_t time);
/* A task has ended at this time, and no later sample belongs to its spans: removes the open spans
 * that have its tid in their key. */
PK_MUST_CHECK enum pk_status pk_pairing_end_task(struct pk_pairing *pairing, uint32_t tid,
						 uint64_t time);
/* Whether an event of the session starts spans. It is valid after pk_pairing_prepare(). */
bool pk_pairing_has_starts(const struct pk_pairing *pairing);
/* Call at the end of a session: emits the open spans if `unfinished` is set. The counts are
 * complete then, until pk_pairing_start_session(). */
PK_MUST_CHECK enum pk_status pk_pairing_end(struct pk_pairing *pairing);
void pk_pairing_start_session(struct pk_pairing *pairing);

#endif
