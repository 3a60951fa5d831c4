/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_COLUMNS_H
#define PK_SPAN_COLUMNS_H

/* The fields of spans that come from samples: those of the key, and those carried from the start or
 * the end. Their values are kept as bytes: a number is a u64, a text is its size as u64 and its
 * bytes, padded with zeros to a multiple of 8. So equal keys have equal bytes. */

#include "field.h"
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
	/* Keys whose fields have different sizes or signs on the two sides: the bytes of the
	 * smallest one, which are compared; else 0. */
	uint32_t common_size;
};

/* Parse a field of a key, "FIELD" or "FIELD_OF_START=FIELD_OF_END", and a carried field, "FIELD",
 * "start.FIELD" or "end.FIELD". FIELD can be several names, "NAME|NAME": the first that an event
 * has. "FIELD*FACTOR" is a carried number, multiplied by another if the event has it. False: out of
 * memory. */
bool pk_span_column_key(struct pk_span_column *column, const char *text, size_t size);
bool pk_span_column_carried(struct pk_span_column *column, const char *text, size_t size);
void pk_span_column_free(struct pk_span_column *column);
/* PK_NEED_* of its fields. */
unsigned int pk_span_column_needs(const struct pk_span_column *column);

/* The location of a column's value in the samples of one event. */
struct pk_span_source {
	/* Of a number: its place in the raw bytes, or in the record. size 0: by the binding. */
	struct pk_raw_number place;
	bool in_record;
	struct pk_binding binding;
	struct pk_binding factor;	  /* kind NONE: 1 */
	const struct pk_tracepoint *call; /* the value is computed from its samples; or NULL */
	bool moved;			  /* the value is that of pk_span_parts.moved */
};

struct pk_span_source pk_span_column_bind(const struct pk_span_column *column,
					  enum pk_span_side side, struct pk_context *context,
					  const struct pk_event *event);
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

/* Adds the sample's value to bytes; of a text, the first PK_SPAN_TEXT_MAX bytes. raw: the raw bytes
 * of the sample. False: the sample does not have it; then a zero or an empty text is added. */
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

#endif
