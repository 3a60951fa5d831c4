/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FIELD_H
#define PK_FIELD_H

/*
 * The vocabulary of fields: everything that can be asked of a sample by a name. docs/fields.md
 * lists them. All programs take these names in all places: conditions, groups, weights, columns,
 * JSON members.
 *
 * A *field* is one of the table, which any sample may have. A *reference* is what the user wrote: a
 * field, or the name of a field of tracepoints and probes. A *binding* is where the samples of one
 * event have what is referred to. Values are numbers or texts. The *key* of a value is a number
 * that is equal for equal values of a session, as long as pk_context.epoch stays the same; texts
 * are compared, grouped and remembered by it.
 */

#include "context.h"
#include "pkprivate.h"

/* How a value is written. */
enum pk_value_kind {
	PK_VALUE_NONE,
	PK_VALUE_NUMBER, /* unsigned, decimal */
	PK_VALUE_SIGNED, /* 64 bits */
	PK_VALUE_INT,	 /* signed, 32 bits: pid, tid, cpu */
	PK_VALUE_HEX,	 /* addresses and bits */
	PK_VALUE_TIME,	 /* nanoseconds */
	PK_VALUE_TEXT,
};

struct pk_view;

struct pk_field {
	const char *name;
	const char *alias; /* perf's name where it differs; NULL */
	enum pk_value_kind kind;
	unsigned int needs;   /* PK_NEED_* */
	uint64_t sample_bits; /* any of these PERF_SAMPLE_*; 0: samples always have it */
	/* A number with a place of its own: the member of struct pk_layout that tells it, the bytes
	 * after that, and the number's size; 0: none. */
	uint8_t layout, offset, size;
	/* Any other: false if the sample does not have it. */
	bool (*key)(struct pk_view *view, uint64_t *key);
	/* The text of a key, valid until the next one is asked for. NULL: there is none. */
	const char *(*text)(struct pk_context *context, uint64_t key, size_t *size);
	bool of_stack;	   /* conditions are answered once for each stack */
	bool is_private;   /* tells of the recorded machine's names and addresses */
	const char *about; /* for lists: what it is, with its unit */
};

/* The fields one by one; NULL after the last. */
const struct pk_field *pk_field_at(size_t index);
/* By name or alias; NULL: there is none of that name. */
const struct pk_field *pk_field_find(const char *name, size_t size);

/* ---- References ---- */

struct pk_reference {
	const struct pk_field *field; /* NULL: only tracepoints and probes have it */
	char *event; /* of this event only: its name, with or without "system:"; NULL: any */
	char *name;  /* of the field in the event; NULL with `field` */
};

/*
 * "pid", "trace.pid", "sched_switch.prev_pid", "sched:sched_switch.prev_pid", "prev_pid". False:
 * out of memory.
 */
bool pk_reference_parse(struct pk_reference *reference, const char *text, size_t size);
void pk_reference_free(struct pk_reference *reference);
/* PK_NEED_* of what is referred to. */
unsigned int pk_reference_needs(const struct pk_reference *reference);
/* Is the event called so: by its name or a glob, a tracepoint also by its name without "system:"?
 */
bool pk_event_is_called(const struct pk_event *event, const char *pattern);

/* ---- Bindings ---- */

struct pk_binding {
	enum pk_value_kind kind; /* NONE: samples of the event do not have it */
	const struct pk_field *field;
	uint16_t at; /* in the record: of a number with a place of its own; 0: it has none */
	const struct pk_tracepoint *tracepoint; /* of a tracepoint's field: */
	const struct pk_tracepoint_field *trace;
	const struct pk_argument *argument; /* of a probe's argument */
};

/* Where samples of the event have it. The binding is valid until pk_context.epoch changes. */
struct pk_binding pk_bind(const struct pk_context *context, const struct pk_reference *reference,
			  const struct pk_event *event);

/* ---- Samples ---- */

/* A SAMPLE whose values are asked for. */
struct pk_view {
	struct pk_context *context;
	const struct pk_record *record;
	const struct pk_event *event; /* whose layout the record has */
	/* The event that the sample counts for, and how much: with counter values of a group this
	 * may be another one. */
	const struct pk_event *counted;
	uint64_t period;
	/* Worked out when asked for: */
	bool decoded, damaged, has_stack, has_place;
	bool again;	/* another view has counted that the sample has no stack */
	uint32_t stack; /* index, or PK_NO_STACK */
	uint32_t place; /* see place.h */
	const struct pk_thread *thread;
	struct pk_sample sample;
};

/* The record must have passed pk_sample_check(). */
static inline void pk_view_begin(struct pk_view *view, struct pk_context *context,
				 const struct pk_record *record)
{
	view->context = context;
	view->record = record;
	view->event = view->counted = record->event;
	view->decoded = view->damaged = view->has_stack = view->has_place = view->again = false;
	view->thread = NULL;
}

/* All of the sample; NULL: it cannot be read. */
const struct pk_sample *pk_view_sample(struct pk_view *view);
/* Its stack's index; PK_NO_STACK: none, or out of memory. */
uint32_t pk_view_stack(struct pk_view *view);
/* What its own address is in; image NULL: nothing, or out of memory, which pk_context.failed tells.
 */
struct pk_location pk_view_location(struct pk_view *view);

/*
 * The function that the sample was taken in, by the innermost frame of its stack that is not
 * inlined, and the sample's address in the frame's terms. NULL: none is known, or the stack does
 * not begin where the sample was taken.
 */
const struct pk_frame *pk_view_function(struct pk_view *view, uint64_t *address);

/* The key of its value; false: the sample does not have it. The key of a number is the number; of a
 * negative one, its two's complement. */
bool pk_view_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key);
/* Its value as a number of any sign; false: it has none, or a text. */
bool pk_view_number(struct pk_view *view, const struct pk_binding *binding, __int128 *number);
/* Its value as text; false: it has none, or a number. Valid until the next record. */
bool pk_view_text(struct pk_view *view, const struct pk_binding *binding, struct pk_bytes *text);

/* The text of a key that pk_view_key() gave for a binding of kind TEXT; NULL: it has none. */
const char *pk_key_text(struct pk_context *context, const struct pk_binding *binding, uint64_t key,
			size_t *size);

/* A number's text, by its kind. Returns its size. */
#define PK_VALUE_SIZE 24
size_t pk_number_text(enum pk_value_kind kind, uint64_t key, char text[PK_VALUE_SIZE]);

/* ---- Columns: a reference, bound to each event as it is met ---- */

struct pk_column {
	struct pk_reference reference; /* the caller's to set */
	struct pk_binding *bindings;   /* by event */
	bool *bound;
	size_t bindings_count, bound_count;
	uint64_t epoch;
	bool found; /* some event has it */
};

/* NULL: out of memory. */
const struct pk_binding *pk_column_bind(struct pk_column *column, const struct pk_context *context,
					const struct pk_event *event);
/* With its reference. */
void pk_column_free(struct pk_column *column);

/* How the values of a tracepoint's field are written; NONE: they are arrays. */
enum pk_value_kind pk_trace_field_kind(const struct pk_tracepoint_field *field);

/* The innermost frame of a stack that is no inlined function: that has the same address. NULL: it
 * is not code. */
const struct pk_frame *pk_leaf_function(const struct pk_dictionary *dictionary, uint32_t stack);

/* "kernel" and the like, for PERF_RECORD_MISC_CPUMODE_MASK. */
const char *pk_mode_name(uint16_t misc);

#endif
