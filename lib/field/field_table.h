/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FIELD_TABLE_H
#define PK_FIELD_TABLE_H

/* The parts of the table of fields (field.h), and macros for their entries. Only field.c, and the
 * files that contain the parts, include this file. */

#include <stddef.h>
#include <string.h>

#include "field.h"

struct pk_fields {
	const struct pk_field *items;
	size_t count;
};

extern const struct pk_fields pk_fields_of_samples, pk_fields_of_stacks, pk_fields_of_memory,
	pk_fields_of_branches;

/* Makes a struct pk_fields from an array. */
#define FIELDS(array)                                                                              \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}

#define PLACED(member, after, bytes)                                                               \
	.layout = offsetof(struct pk_layout, member), .offset = (after), .size = (bytes)
#define TEXT(name)	    .kind = PK_VALUE_TEXT, .key = name##_key, .text = name##_text
#define FRAME_TEXT(name)    TEXT(name), .frame_key = name##_frame_key
#define NUMBER(name, shown) .kind = (shown), .key = name##_key
/* A text that is built for each sample. Its key is the number that identifies it in the texts of
 * the context. */
#define BUILT(name) .kind = PK_VALUE_TEXT, .key = name##_key, .text = pk_built_text
/* A text that is the name of an object in the maps of the session. */
#define OBJECT(name) .kind = PK_VALUE_TEXT, .key = name##_key, .text = pk_object_text

/* Defines the function NAME_key(), whose value is the member NAME of struct pk_sample. */
#define DECODED(name)                                                                              \
	static bool name##_key(struct pk_view *view, uint64_t *key)                                \
	{                                                                                          \
		const struct pk_sample *sample = pk_view_sample(view);                             \
                                                                                                   \
		if (sample)                                                                        \
			*key = sample->name;                                                       \
		return sample;                                                                     \
	}

static inline const char *pk_with_size(const char *text, size_t *size)
{
	if (text)
		*size = strlen(text);
	return text;
}

/* Sets *key to the key of the text in the scratch buffer. If memory is exhausted, returns false and
 * sets pk_context.failed. */
bool pk_built_key(struct pk_context *context, uint64_t *key);
const char *pk_built_text(struct pk_context *context, uint64_t key, size_t *size);

/* Functions for addresses of a sample that are not in its stack: */
/* Sets *key to the number that identifies a text in the texts of the context. The text is the name
 * of the symbol. If offset is true, the offset in the symbol is appended, as in "name+0x10". If
 * there is no symbol, the text is the address. If memory is exhausted, returns false and sets
 * pk_context.failed. */
bool pk_view_name_address(struct pk_view *view, uint64_t address, bool offset, uint64_t *key);
/* Sets *key to the key of the object at the address. Returns false if there is no object. If memory
 * is exhausted, returns false and sets pk_context.failed. */
bool pk_view_object_of(struct pk_view *view, uint64_t address, uint64_t *key);
const char *pk_object_text(struct pk_context *context, uint64_t key, size_t *size);

#endif
