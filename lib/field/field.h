/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of samples. A field is a value that has a name in conditions, groups, weights, columns
 * and JSON members of all programs. docs/fields.md lists the fields.
 *
 * A *field* is an entry of the table, and applies to samples of any event. A *reference* is the
 * text that the user wrote: the name of a field of the table, or the name of a field of tracepoints
 * and probes. A *binding* describes where the samples of one event contain the value. Values are
 * numbers or texts. The *key* of a value is a number that stands for the value. While
 * pk_context.epoch does not change, equal values have equal keys. Texts are compared, grouped and
 * cached by their keys.
 */
#ifndef PK_FIELD_H
#define PK_FIELD_H

#include "field_kind.h"
#include "sample_view.h"

/* A field of the table. */
struct pk_field {
	const char *name;
	const char *alias; /* the name of the field in perf if it is different, or NULL */
	enum pk_value_kind kind;
	unsigned int needs;   /* a set of PK_NEED_* */
	uint64_t sample_bits; /* A set of PERF_SAMPLE_*. Samples have the field if their event has
			       * one of these bits. 0 means that all samples have it. */
	/* Members for a number at a fixed offset in the record. `layout` is the offset of the
	 * member of struct pk_layout that contains the offset in the record. `offset` is added to
	 * this offset. `size` is the size of the number in bytes, or 0 if the field has no fixed
	 * offset. */
	uint8_t layout, offset, size;
	/* For fields without a fixed offset. Sets *key. Returns false if the sample does not have
	 * the field. */
	bool (*key)(struct pk_view *view, uint64_t *key);
	/* Returns the text of a key. It is valid until the next call. Returns NULL if there is no
	 * text. */
	const char *(*text)(struct pk_context *context, uint64_t key, size_t *size);
	/* For a value that belongs to a single frame. Sets *key to the key for another frame of the
	 * stack. Returns false if that frame has no value. frame_key is NULL if the value does not
	 * belong to a frame. */
	bool (*frame_key)(const struct pk_frame *frame, uint64_t *key);
	bool of_stack; /* True if the value depends only on the stack. A condition is then evaluated
			* only once for each stack. */
	bool is_event; /* true if the value depends only on view->counted, the event for which the
			  sample is counted */
	bool is_private;   /* true if the value can contain names or addresses that belong to the
			    * recorded machine */
	const char *about; /* the description in lists, with the unit */
};

/* Returns the field with this index in the table, or NULL after the last field. */
const struct pk_field *pk_field_at(size_t index);
/* Finds a field by name or alias. Returns NULL if there is none. */
const struct pk_field *pk_field_find(const char *name, size_t size);

/* ---- References ---- */

/* The name of a field as the user wrote it, parsed. */
struct pk_reference {
	const struct pk_field *field; /* NULL for a field of tracepoints and probes */
	char *event; /* The name of an event, with or without "system:", if the reference is only
		      * for this event. NULL for all events. */
	char *name;  /* the name of the field in the event, or of the label; NULL if `field` is set
		      */
	bool is_label; /* true if the reference is a label of the recording (SPEC 9.16), such as
			* "label.service" */
	bool as_text;  /* true if the value is the text that the event prints for the field, as in
			* "text.exit_reason" */
};

/* Parses a reference. These are examples of all forms: "pid", "label.service", "trace.pid",
 * "text.vec", "sched_switch.prev_pid", "sched:sched_switch.prev_pid", "prev_pid". */
PK_MUST_CHECK enum pk_status pk_reference_parse(struct pk_reference *reference, const char *text,
						size_t size);
void pk_reference_free(struct pk_reference *reference);
/* Returns true if both references name the same field or label. */
bool pk_reference_is_equal(const struct pk_reference *a, const struct pk_reference *b);
/* Returns true if the reference is a field of tracepoints and probes whose name starts with these
 * `size` characters. */
bool pk_reference_starts_with(const struct pk_reference *reference, const char *name, size_t size);
/* Parses a list of fields as in the option --by, such as "comm,pid". "none" is an empty list. The
 * list has at most `most` references. Frees the previous references of the list. Ignores a repeated
 * reference. Returns NULL if this succeeds, or the text of the error. The list is empty after an
 * error. */
const char *pk_references_parse(struct pk_reference *references, unsigned int *count,
				unsigned int most, const char *text);
/* Writes the message that no event has the field. */
#define PK_MISSING_SIZE 256
void pk_reference_missing(const struct pk_reference *reference, char text[PK_MISSING_SIZE]);
/* Returns the set of PK_NEED_* of the field. */
unsigned int pk_reference_needs(const struct pk_reference *reference);
/* Returns true if the name or glob matches the name of the event. For a tracepoint, "system:" can
 * be left out. */
bool pk_event_is_called(const struct pk_event *event, const char *pattern);

/* ---- Bindings ---- */

/* Where the samples of one event contain the value of a reference. */
struct pk_binding {
	enum pk_value_kind kind; /* PK_VALUE_NONE if samples of the event do not have the value */
	const struct pk_field *field;
	uint16_t at;			  /* offset in the record; 0 if it is not fixed */
	struct pk_tracepoint *tracepoint; /* Only fields of tracepoints use this member and the next
					   * five members. */
	const struct pk_tracepoint_field *trace;
	/* The place of a number, and pk_fixed_raw() of the event. If the place has no size, the
	 * number must be read with pk_tracepoint_number(). */
	struct pk_raw_number place;
	uint16_t raw;
	bool as_text;	/* true if the value is the text that the event prints for the field */
	uint32_t shown; /* where this text is in the format of the event (pk_tracepoint_shows) */
	/* The argument if the field is an argument of a probe, otherwise NULL. */
	const struct pk_argument *argument;
	uint32_t label; /* For labels: the number that identifies the value in the session. It is 0
			 * for all other values. */
};

/* Finds where the samples of the event contain the value. The binding is valid until
 * pk_context.epoch changes. */
struct pk_binding pk_bind(const struct pk_context *context, const struct pk_reference *reference,
			  const struct pk_event *event);

/* ---- Values of samples ---- */

/* Sets *key to the key of the value in the sample. Returns false if the sample does not have the
 * value. The key of a number is the number itself. A negative number is in two's complement. */
bool pk_view_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key);
/* Sets *number to the value in the sample, as a signed or unsigned number. Returns false if the
 * sample does not have the value, or if the value is a text. */
bool pk_view_number(struct pk_view *view, const struct pk_binding *binding, struct pk_wide *number);
/* Sets *text to the value in the sample. Returns false if the sample does not have the value, or if
 * the value is a number. The text is valid until the next call or record. */
bool pk_view_text(struct pk_view *view, const struct pk_binding *binding, struct pk_bytes *text);

/* Sets *text to the text that all programs print for the value in the sample. For a number, it
 * depends on the kind of the number. Returns false if the sample does not have the value. The text
 * is valid until the next call or record, or until `number` changes. */
bool pk_view_shown(struct pk_view *view, const struct pk_binding *binding,
		   char number[PK_VALUE_SIZE], struct pk_bytes *text);

/* Returns a binding that may only be used for pk_key_text(). */
struct pk_binding pk_text_binding(const struct pk_reference *reference);
/* Returns the text of a key that pk_view_key() has set. The binding must be of kind PK_VALUE_TEXT.
 * Returns NULL if there is no text. */
const char *pk_key_text(struct pk_context *context, const struct pk_binding *binding, uint64_t key,
			size_t *size);

/*
 * Some numbers are shown as words (PK_VALUE_WORDS), such as flags, states and enumerations. Another
 * event can have other words for the same number. So groups and rows store the number and the words
 * together, as one text. The text consists of the number in eight bytes, followed by the words.
 */

/* Returns the key of this text for a number of the bound field. The key is the number that
 * identifies the text in the texts of the context. Returns 0 if memory is exhausted. */
uint32_t pk_words_key(struct pk_context *context, const struct pk_binding *binding, uint64_t value);

/* Splits a text of pk_words_key(). Returns the words. Sets *size to the size of the words in bytes,
 * and *value to the number. */
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

/* ---- Columns: references that are bound to each event at the first use ---- */

/* A reference, and its bindings to the events. */
struct pk_column {
	struct pk_reference reference; /* set by the caller */
	struct pk_binding *bindings;   /* the binding of the reference for each event; the index is
					* the index of the event */
	bool *bound;
	size_t bindings_count, bound_count;
	uint64_t epoch;
	bool found; /* true if an event of any session had the field */
};

/* Binds the column to an event for the first time. Called by pk_column_bind(). */
const struct pk_binding *pk_column_bind_event(struct pk_column *column,
					      const struct pk_context *context,
					      const struct pk_event *event);
/* Returns the binding for the event, or NULL if memory is exhausted. */
static inline const struct pk_binding *pk_column_bind(struct pk_column *column,
						      const struct pk_context *context,
						      const struct pk_event *event)
{
	return pk_likely(column->epoch == context->epoch && event->index < column->bound_count &&
			 column->bound[event->index])
		       ? &column->bindings[event->index]
		       : pk_column_bind_event(column, context, event);
}
/* Call this function at the end of a session. It sets `found` also if only an event without samples
 * has the field. */
PK_MUST_CHECK enum pk_status pk_column_end_session(struct pk_column *column,
						   const struct pk_context *context);
/* Frees the column and its reference. */
void pk_column_free(struct pk_column *column);

/* Returns the name of the processor mode in the misc of a record, such as "kernel" or "user".
 * Returns "unknown" for other modes. */
const char *pk_mode_name(uint16_t misc);

/* ---- Parents ---- */

/* The field "parent" is the name of the outermost frame of the stack that matches a glob, or
 * "[other]" if no frame matches. The field is not in the table of fields, because it depends on an
 * option. */

/* A context that has the field "parent" points to this (pk_context.parents). At first, the program
 * sets only `pattern`, and all other members must be zero. */
struct pk_parents {
	const char *pattern; /* set by the program */
	/* The following members are private. */
	/* The id of the string that is the value of "parent" for a stack. It is 0 if no frame of
	 * the stack matches. The index is the index of the stack. */
	uint32_t *names;
	size_t count, capacity;	  /* number of items and capacity of names */
	struct pk_table verdicts; /* The results of comparisons with the pattern. The key is the id
				   * of a name. The value is 2 if the name matches, otherwise 1. */
	uint64_t epoch;
};

extern const struct pk_field pk_parent_field;

void pk_parents_free(struct pk_parents *parents);

#endif
