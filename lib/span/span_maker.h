/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_MAKER_H
#define PK_SPAN_MAKER_H

/*
 * Makes the spans of several definitions from the records of a session. The program passes all
 * records in the order of processing. It gets a call of emit() for each span, and converts the span
 * to a sample of a derived event.
 *
 *     pk_span_maker_connect(&maker); pk_context_init(maker.context); pk_span_maker_init(&maker);
 *     for each session:
 *         pk_span_maker_start_session(&maker);
 *         records without a time
 *         pk_span_maker_choose(&maker, events); pk_span_maker_prepare(&maker, &formats, ...);
 *         pk_span_maker_record(&maker, record) or pk_span_maker_sample(&maker, record, &any)
 *         pk_span_maker_end(&maker);
 */

#include "derived_event.h"
#include "open_spans.h"
#include "pairing.h"
#include "switch_samples.h"

#define PK_SPAN_DEFINITIONS_MAX 64

/* The definition of one kind of spans. */
struct pk_span_definition {
	const char *name;    /* name of the derived event, without PK_SPAN_SYSTEM */
	bool is_named;	     /* the user has given the name */
	const char *address; /* the field that is an address of data, or NULL */
	struct pk_pairing pairing;
};

/* The state of one definition. */
struct pk_span_kind {
	struct pk_span_maker *maker;
	const struct pk_span_definition *definition;
	struct pk_pairing *pairing;
	struct pk_derived_event *derived;
	struct pk_span_format format;
	uint64_t cut; /* for the program: number of spans whose callchain was cut */
};

struct pk_span_maker {
	/* Set by the caller. The maker owns none of these objects. */
	struct pk_context *context;
	struct pk_span_definition *const *definitions; /* at most PK_SPAN_DEFINITIONS_MAX */
	size_t count;
	struct pk_open_pool *pool;     /* shared by all definitions */
	struct pk_user_halves *halves; /* shared by all definitions */
	bool optional;		       /* events and fields may be missing */
	enum pk_status (*emit)(void *arg, struct pk_span_kind *kind, const struct pk_span *span);
	void (*complain)(void *arg, const char *text); /* for fields that no event has */
	void *arg;

	/* For reading: */
	struct pk_span_kind *kinds; /* one for each definition */
	struct pk_derived_event derived[PK_SPAN_DEFINITIONS_MAX];

	/* Private: */
	struct pk_ended_tasks ended;
	struct pk_switch_samples switches;
	uint64_t now; /* the largest time of a record so far */
};

/* Adds the needs of the definitions to context->needs. The rules, columns and limits of the
 * pairings must be set. */
PK_MUST_CHECK enum pk_status pk_span_maker_connect(struct pk_span_maker *maker);
/* Call it after pk_context_init(). */
PK_MUST_CHECK enum pk_status pk_span_maker_init(struct pk_span_maker *maker);
/* Frees the maker, but not its definitions. */
void pk_span_maker_free(struct pk_span_maker *maker);

/* ---- Sessions ---- */

void pk_span_maker_start_session(struct pk_span_maker *maker);
/* Chooses the derived events. `events` are the events of the session, at least one. */
void pk_span_maker_choose(struct pk_span_maker *maker, const struct pk_events *events);
/* Returns whether an event of the session starts spans. If memory is exhausted, sets
 * context->failed. */
bool pk_span_maker_has_starts(struct pk_span_maker *maker);
/* Prepares the formats of the derived events, and adds them to *formats, a payload of TRACING_DATA.
 * Call it before the first record that has a time. */
PK_MUST_CHECK enum pk_status pk_span_maker_prepare(struct pk_span_maker *maker,
						   struct buffer *formats, bool big_endian);
/* Ends the session. This function can emit spans. After the call, the counts of the pairings are
 * complete. */
PK_MUST_CHECK enum pk_status pk_span_maker_end(struct pk_span_maker *maker);

/* ---- Records ---- */

/* Handles a record that is neither a SAMPLE nor PK_RECORD_BEGIN. Call it before the context
 * evaluates the record. */
PK_MUST_CHECK enum pk_status pk_span_maker_record(struct pk_span_maker *maker,
						  const struct pk_record *record);
/* Handles a SAMPLE that has an event. Sets *any if one of the definitions used it. */
PK_MUST_CHECK enum pk_status pk_span_maker_sample(struct pk_span_maker *maker,
						  const struct pk_record *record, bool *any);

/* Returns whether formats must be prepared before this record. This is so if the record has a time.
 */
static inline bool pk_span_maker_is_due(const struct pk_record *record)
{
	return record->type == PERF_RECORD_SAMPLE ||
	       (record->type < PERF_RECORD_USER_START && record->time != PK_NO_TIME);
}

/* ---- Derived events ---- */

/* Writes the name of the derived event of a definition, such as "pk:syscall". */
#define PK_SPAN_NAME_SIZE (sizeof(PK_SPAN_SYSTEM) + 1 + PK_FIELD_NAME_SIZE + 8)
void pk_span_name(const char *definition, char name[PK_SPAN_NAME_SIZE]);
/* Returns the part of the name before the colon. */
const char *pk_span_system(const struct pk_pairing *pairing);
/* Returns the sample of a span. It has the stack of the span's start or end, but not of both.
 * `trailers` are the PK_TRAILER_* bits of the session. */
struct pk_derived_sample pk_span_kind_sample(const struct pk_span_kind *kind,
					     const struct pk_span *span, uint32_t trailers);

#endif
