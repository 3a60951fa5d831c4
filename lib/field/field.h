/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of samples: everything that has a name in conditions, groups, weights, columns and
 * JSON members of all programs. docs/fields.md lists them.
 *
 * A *field* is an entry of the table, for samples of any event. A *reference* is what the user
 * wrote: a field, or the name of a field of tracepoints and probes. A *binding* is the location of
 * the referred value in the samples of one event. Values are numbers or texts. The *key* of a value
 * is a number that is equal for equal values of a session, while pk_context.epoch does not change.
 * Texts are compared, grouped and cached by it.
 */
#ifndef PK_FIELD_H
#define PK_FIELD_H

#include "field_kind.h"
#include "sample_view.h"

struct pk_field {
	const char *name;
	const char *alias; /* perf's name of the field if it differs, or NULL */
	enum pk_value_kind kind;
	unsigned int needs;   /* PK_NEED_* */
	uint64_t sample_bits; /* needs one of these PERF_SAMPLE_*; 0: samples always have it */
	/* For a number at a fixed offset in the record: the offset of the member of struct
	 * pk_layout, the bytes to add to the value of that member, and the size of the number in
	 * bytes. size 0: not at a fixed offset. */
	uint8_t layout, offset, size;
	/* For other fields: sets *key. Returns false if the sample does not have the field. */
	bool (*key)(struct pk_view *view, uint64_t *key);
	/* The text of a key, valid until the next call. NULL: none. */
	const char *(*text)(struct pk_context *context, uint64_t key, size_t *size);
	/* For a value of a single frame: the key for another frame of the stack. Returns false if
	 * there is none. Returns NULL if the value is not that of a frame. */
	bool (*frame_key)(const struct pk_frame *frame, uint64_t *key);
	bool of_stack;	   /* the value depends only on the stack: conditions are evaluated once for
			    * each stack */
	bool is_event;	   /* the value depends only on the event that the sample counts for */
	bool is_private;   /* contains names and addresses of the recorded machine */
	const char *about; /* for lists: the description, with the unit */
};

/* The field with this index in the table, or NULL after the last one. */
const struct pk_field *pk_field_at(size_t index);
/* Finds a field by name or alias. Returns NULL if there is none. */
const struct pk_field *pk_field_find(const char *name, size_t size);

/* ---- References ---- */

struct pk_reference {
	const struct pk_field *field; /* NULL: a field of tracepoints and probes */
	char *event;   /* only of this event: its name, with or without "system:"; NULL: any */
	char *name;    /* of the field in the event, or of the label; NULL if `field` is set */
	bool is_label; /* a label of the recording (SPEC 9.16): "label.service" */
	bool as_text;  /* as the event prints it: "text.exit_reason" */
};

/* Parses "pid", "label.service", "trace.pid", "text.vec", "sched_switch.prev_pid",
 * "sched:sched_switch.prev_pid", "prev_pid". */
PK_MUST_CHECK enum pk_status pk_reference_parse(struct pk_reference *reference, const char *text,
						size_t size);
void pk_reference_free(struct pk_reference *reference);
/* Whether both name the same. */
bool pk_reference_is_equal(const struct pk_reference *a, const struct pk_reference *b);
/* Parses the list of --by, such as "comm,pid", or "none", which is empty, into at most `most`
 * references. The references that the list had are freed. A repeated reference is ignored. Returns
 * NULL, or the error. The list is empty after an error. */
const char *pk_references_parse(struct pk_reference *references, unsigned int *count,
				unsigned int most, const char *text);
/* The message that no event has the field. */
#define PK_MISSING_SIZE 256
void pk_reference_missing(const struct pk_reference *reference, char text[PK_MISSING_SIZE]);
/* PK_NEED_* of the referred field. */
unsigned int pk_reference_needs(const struct pk_reference *reference);
/* Returns true if the name or glob matches the event's name. For a tracepoint, "system:" can be
 * missing. */
bool pk_event_is_called(const struct pk_event *event, const char *pattern);

/* ---- Bindings ---- */

struct pk_binding {
	enum pk_value_kind kind; /* NONE: samples of the event do not have it */
	const struct pk_field *field;
	uint16_t at; /* offset in the record of a number at a fixed offset; 0: none */
	struct pk_tracepoint *tracepoint; /* for a tracepoint's field: */
	const struct pk_tracepoint_field *trace;
	bool as_text;			    /* as the event prints it, */
	uint32_t shown;			    /* at this place of its format (pk_tracepoint_shows) */
	const struct pk_argument *argument; /* for a probe's argument */
	uint32_t label; /* for a label: the number of its value in the session */
};

/* The location of the value in samples of the event. The binding is valid until pk_context.epoch
 * changes. */
struct pk_binding pk_bind(const struct pk_context *context, const struct pk_reference *reference,
			  const struct pk_event *event);

/* ---- Values of samples ---- */

/* The key of the sample's value. Returns false if the sample does not have it. The key of a number
 * is the number itself, in two's complement. */
bool pk_view_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key);
/* The sample's value as a signed or unsigned number. Returns false if there is none, or it is a
 * text. */
bool pk_view_number(struct pk_view *view, const struct pk_binding *binding, struct pk_wide *number);
/* The sample's value as text. Returns false if there is none, or it is a number. The text is valid
 * until the next call or record. */
bool pk_view_text(struct pk_view *view, const struct pk_binding *binding, struct pk_bytes *text);

/* The sample's value as all programs print it: a text, or the text of a number of that kind.
 * Returns false if it has none. Valid until the next call or record, and as long as `number`. */
bool pk_view_shown(struct pk_view *view, const struct pk_binding *binding,
		   char number[PK_VALUE_SIZE], struct pk_bytes *text);

/* A binding for pk_key_text() alone. */
struct pk_binding pk_text_binding(const struct pk_reference *reference);
/* The text of a key from pk_view_key() for a binding of kind TEXT, or NULL if there is none. */
const char *pk_key_text(struct pk_context *context, const struct pk_binding *binding, uint64_t key,
			size_t *size);

/*
 * Numbers with words (PK_VALUE_WORDS): flags, states, enumerations. The words of a number are those
 * of one event; another event can have other words for it. So groups and rows keep both together,
 * as a text of eight bytes, which are the number, and the words.
 */

/* The number among the texts of the context for a number of the bound field. Returns 0 if memory is
 * exhausted. */
uint32_t pk_words_key(struct pk_context *context, const struct pk_binding *binding, uint64_t value);

/* Splits such a text: returns the words, and sets *size to their size and *value to the number. */
static inline const char *pk_words_split(const char *text, size_t *size, uint64_t *value)
{
	if (!text || *size < sizeof(*value)) {
		*size = 0;
		*value = 0;
		return "";
	}
	memcpy(value, text, sizeof(*value));
	*size -= sizeof(*value);
	return text + sizeof(*value);
}

/* ---- Columns: a reference, bound to each event on first use ---- */

struct pk_column {
	struct pk_reference reference; /* set by the caller */
	struct pk_binding *bindings;   /* by event */
	bool *bound;
	size_t bindings_count, bound_count;
	uint64_t epoch;
	bool found; /* an event of any session had the field */
};

/* NULL: out of memory. */
const struct pk_binding *pk_column_bind(struct pk_column *column, const struct pk_context *context,
					const struct pk_event *event);
/* Call at the end of a session: `found` is then true for a field of an event without samples,
 * too. */
PK_MUST_CHECK enum pk_status pk_column_end_session(struct pk_column *column,
						   const struct pk_context *context);
/* Also frees its reference. */
void pk_column_free(struct pk_column *column);

/* The name of the processor mode in a record's misc, such as "kernel" or "user". It is "unknown"
 * for other modes. */
const char *pk_mode_name(uint16_t misc);

/* ---- Parents ---- */

/* The field "parent": the name of the outermost frame of the stack that matches a glob, or
 * "[other]". It is not in the table of fields because it depends on an option. */

/* A context with this field refers to it (pk_context.parents). All zero but `pattern` is valid. */
struct pk_parents {
	const char *pattern; /* set by the program */
	/* Private: */
	uint32_t *names;	  /* ids of strings by index of the stack; 0: no frame matches */
	size_t count, capacity;	  /* of names */
	struct pk_table verdicts; /* 1: does not match, 2: matches; by id of the name */
	uint64_t epoch;
};

extern const struct pk_field pk_parent_field;

void pk_parents_free(struct pk_parents *parents);

#endif
