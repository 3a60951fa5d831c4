/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RAW_FORMAT_H
#define PK_RAW_FORMAT_H

/* The layout of a C struct, and its format as that of a tracepoint (SPEC 6.3). */

#include "format_head.h"
#include "syscall_table.h"

enum pk_raw_kind {
	PK_RAW_UNSIGNED,
	PK_RAW_SIGNED,
	PK_RAW_POINTER,
	PK_RAW_TEXT,  /* an array of char */
	PK_RAW_BYTES, /* u8 elements that are printed in hexadecimal */
};

#define PK_RAW_FIELDS_MAX 128

struct pk_raw_field {
	char name[PK_FIELD_NAME_SIZE];
	enum pk_raw_kind kind;
	uint32_t offset;
	uint32_t size;	/* of an element: 1, 2, 4 or 8 bytes */
	uint32_t count; /* number of elements; 0: not an array */
};

struct pk_raw_layout {
	struct pk_raw_field fields[PK_RAW_FIELDS_MAX];
	size_t count;
	uint32_t size;	 /* bytes */
	size_t left_out; /* number of members that cannot be fields */
};

/* Adds a field, with a name by pk_field_name_make. False: there are too many fields. */
bool pk_raw_layout_add(struct pk_raw_layout *layout, const char *name,
		       const struct pk_raw_field *field);
/* NULL: no such field. */
const struct pk_raw_field *pk_raw_layout_find(const struct pk_raw_layout *layout, const char *name);
/* Whether the field is a number that pk_raw_number() reads. */
bool pk_raw_is_number(const struct pk_raw_field *field);
/* The number in a field of host byte order, sign-extended. 0: it is not in the data. */
uint64_t pk_raw_number(const struct pk_raw_field *field, const uint8_t *data, size_t size);
/* Adds the text of the format. The raw bytes of samples start with a struct pk_common_fields. The
 * name must be valid (pk_field_name_is_valid). A number called syscall_nr is
 * printed as the name of a system call of this interface. Sets text->failed if memory is exhausted.
 */
void pk_raw_format_text(const struct pk_raw_layout *layout, const char *name, uint32_t id,
			enum pk_abi abi, struct buffer *text);

#endif
