/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_FORMAT_H
#define PK_SPAN_FORMAT_H

/* The format of a derived tracepoint (SPEC 9.15): its fields, their text for TRACING_DATA, and the
 * raw bytes of its samples. */

#include "raw_format.h"
#include "tracepoint.h"

#define PK_SPAN_FIELDS_MAX 128 /* of one event */
/* The most bytes of all texts of one sample, without their NULs. Longer texts are cut. */
#define PK_SPAN_TEXTS_MAX 16384

struct pk_span_format {
	char name[PK_FIELD_NAME_SIZE]; /* of the event, after the system */
	uint32_t id;
	bool big_endian;
	struct pk_span_field {
		char name[PK_FIELD_NAME_SIZE];
		enum pk_value_kind kind;
		/* For WORDS: the field whose words these are, or NULL if there is none. */
		const struct pk_tracepoint *of;
		const struct pk_tracepoint_field *words;
		uint32_t offset;
	} fields[PK_SPAN_FIELDS_MAX];
	size_t count;
	uint8_t texts[PK_SPAN_FIELDS_MAX]; /* the fields that are texts */
	size_t texts_count;
	uint32_t size;	/* of the raw bytes without texts */
	size_t address; /* the field that is an address of data, or SIZE_MAX */
};

#define PK_SPAN_SYSTEM "pk"

/* Starts a format without fields. The name must be valid. */
void pk_span_format_start(struct pk_span_format *format, const char *name, uint32_t id,
			  bool big_endian);
/* Adds a field, with a name by pk_field_name_make. Returns false if there are too many fields. */
bool pk_span_format_add(struct pk_span_format *format, const char *name, enum pk_value_kind kind);
/* Sets format->address. Returns false if the format has no number of this name. */
bool pk_span_format_set_address(struct pk_span_format *format, const char *name);
/* Adds the text of the format. Sets text->failed if memory is exhausted. */
void pk_span_format_text(const struct pk_span_format *format, struct buffer *text);

/* The value of a field: `text` if the field is a text, else `number`. */
struct pk_span_value {
	uint64_t number;
	struct pk_bytes text;
};

/* The size of the raw bytes of a sample with these values, one for each field, at most
 * PK_SPAN_RAW_MAX. With the u32 of its size, it is a multiple of 8. */
#define PK_SPAN_RAW_MAX (8 + 9 * PK_SPAN_FIELDS_MAX + PK_SPAN_TEXTS_MAX + 8)
size_t pk_span_format_size(const struct pk_span_format *format, const struct pk_span_value *values);
/* Writes these bytes; tid is the value of the field common_pid. */
void pk_span_format_put(const struct pk_span_format *format, uint32_t tid,
			const struct pk_span_value *values, uint8_t *raw, size_t size);

#endif
