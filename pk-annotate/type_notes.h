/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_NOTES_H
#define PK_ANNOTATE_TYPE_NOTES_H

/* Types of accesses in a listing. */

#include "buffer.h"
#include "typing.h"

/* After an instruction that accesses memory: "# data-type: struct foo +0x10 (list.next)". */
void type_note_text(const struct pk_function_types *f, uint32_t row, struct buffer *text);
/* The same as members of JSON: each starts with a comma. */
void type_note_json(const struct pk_function_types *f, uint32_t row, struct buffer *text);

#endif
