/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_FORMAT_H
#define PK_SPAN_FORMAT_H

/* The format of a derived tracepoint (SPEC 9.15). It consists of fields. The functions write the
 * text of the format for TRACING_DATA, and the raw bytes of samples. */

#include "raw_format.h"
#include "tracepoint.h"

#define PK_SPAN_FIELDS_MAX 128 /* fields of one event */
/* The greatest size of all texts of one sample in bytes, without their NULs. Longer texts are cut.
 */
#define PK_SPAN_TEXTS_MAX 16384

/* The format of a derived tracepoint. */
struct pk_span_format {
	char name[PK_FIELD_NAME_SIZE]; /* name of the event, without the system */
	uint32_t id;
	bool big_endian;
	struct pk_span_field {
		char name[PK_FIELD_NAME_SIZE];
		enum pk_value_kind kind;
		/* For a field of kind WORDS: the field that has the words for the numbers, and the
		 * tracepoint of this field. NULL if there is none. */
		const struct pk_tracepoint *of;
		const struct pk_tracepoint_field *words;
		uint32_t offset;
	} fields[PK_SPAN_FIELDS_MAX];
	size_t count;
	uint8_t texts[PK_SPAN_FIELDS_MAX]; /* indexes of the fields that are texts */
	size_t texts_count;
	uint32_t size;	/* size of the raw bytes without texts */
	size_t address; /* index of the field with an address of data, or SIZE_MAX */
};

#define PK_SPAN_SYSTEM "pk"
#define PK_OPEN_SYSTEM "open" /* of the events that pk_pairing.every makes */

/* Starts a format that has no fields yet. The name must be valid. */
void pk_span_format_start(struct pk_span_format *format, const char *name, uint32_t id,
			  bool big_endian);
/* Adds a field. pk_field_name_make() makes its name from `name`. Returns false if there are too
 * many fields. */
bool pk_span_format_add(struct pk_span_format *format, const char *name, enum pk_value_kind kind);
/* Sets format->address to the field with this name. Returns false if no field of this name is a
 * number. */
bool pk_span_format_set_address(struct pk_span_format *format, const char *name);
/* Appends the text of the format. Sets text->failed if memory is exhausted. */
void pk_span_format_text(const struct pk_span_format *format, struct buffer *text);

/* The value of a field. It is `text` if the field is a text, otherwise `number`. */
struct pk_span_value {
	uint64_t number;
	struct pk_bytes text;
};

/* Returns the size of the raw bytes of a sample, at most PK_SPAN_RAW_MAX. `values` has one value
 * for each field. The size plus 4 (the u32 before the raw bytes) is a multiple of 8. */
#define PK_SPAN_RAW_MAX (8 + 9 * PK_SPAN_FIELDS_MAX + PK_SPAN_TEXTS_MAX + 8)
size_t pk_span_format_size(const struct pk_span_format *format, const struct pk_span_value *values);
/* Writes the raw bytes of a sample. `tid` is the value of the field common_pid. `size` is from
 * pk_span_format_size(). */
void pk_span_format_put(const struct pk_span_format *format, uint32_t tid,
			const struct pk_span_value *values, uint8_t *raw, size_t size);

#endif
