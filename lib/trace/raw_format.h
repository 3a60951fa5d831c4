/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RAW_FORMAT_H
#define PK_RAW_FORMAT_H

/* The layout of a C struct, and the text that describes it as the format of a tracepoint
 * (SPEC 6.3). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "syscall_table.h"

/* ---- Common fields ---- */

/* The names and the first fields of all tracepoints that pk makes. */

#define PK_FIELD_NAME_SIZE 64 /* most bytes of a name, with the NUL */

/* The fields that all tracepoints have, at the start of the raw bytes of a sample. */
struct pk_common_fields {
	uint16_t type; /* ID of the format */
	uint8_t flags, preempt_count;
	uint32_t pid; /* tid of the thread */
};

/* Returns whether the text can be the name of an event. */
bool pk_field_name_is_valid(const char *name);
/* Sets *field to a valid name that is made from `name`. Characters that are not allowed become "_".
 * If all tracepoints have the name, or if is_used() returns true, "_2", "_3" and so on is added. An
 * empty name becomes "value". */
void pk_field_name_make(char field[PK_FIELD_NAME_SIZE], const char *name,
			bool (*is_used)(const void *arg, const char *name), const void *arg);

/* Appends the start of a format's text, with the fields that all tracepoints have. Sets
 * text->failed if memory is exhausted. */
void pk_format_head(const char *name, uint32_t id, struct buffer *text);

/* ---- Formats ---- */

/* What a field of the layout contains. */
enum pk_raw_kind {
	PK_RAW_UNSIGNED,
	PK_RAW_SIGNED,
	PK_RAW_POINTER,
	PK_RAW_TEXT,  /* an array of char */
	PK_RAW_BYTES, /* u8 elements that are printed in hexadecimal */
};

#define PK_RAW_FIELDS_MAX 128

/* A field of the layout. */
struct pk_raw_field {
	char name[PK_FIELD_NAME_SIZE];
	enum pk_raw_kind kind;
	uint32_t offset;
	uint32_t size;	/* size of an element: 1, 2, 4 or 8 bytes */
	uint32_t count; /* number of elements, or 0 if the field is not an array */
};

/* The fields of a C struct. */
struct pk_raw_layout {
	struct pk_raw_field fields[PK_RAW_FIELDS_MAX];
	size_t count;
	uint32_t size;	 /* in bytes */
	size_t left_out; /* number of members of the struct that cannot be fields */
};

/* Adds a field. pk_field_name_make() makes its name from `name`. Returns false if there are too
 * many fields. */
bool pk_raw_layout_add(struct pk_raw_layout *layout, const char *name,
		       const struct pk_raw_field *field);
/* Returns the field with this name, or NULL if there is none. */
const struct pk_raw_field *pk_raw_layout_find(const struct pk_raw_layout *layout, const char *name);
/* Returns whether the field is a number that pk_raw_number() can read. */
bool pk_raw_is_number(const struct pk_raw_field *field);
/* Returns the number in a field, sign-extended. The data must have the byte order of this machine.
 * Returns 0 if the field is outside of the data. */
uint64_t pk_raw_number(const struct pk_raw_field *field, const uint8_t *data, size_t size);
/* Returns the text of the format, which the caller frees. The raw bytes of its samples start with a
 * struct pk_common_fields. The name must be valid (pk_field_name_is_valid). A number with the name
 * syscall_nr is printed as the name of a system call of `abi`. Returns NULL if memory is exhausted.
 */
char *pk_raw_format_text(const struct pk_raw_layout *layout, const char *name, uint32_t id,
			 enum pk_abi abi);

#endif
