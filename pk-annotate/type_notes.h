/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_NOTES_H
#define PK_ANNOTATE_TYPE_NOTES_H

/* Notes about the types of memory accesses, for a listing. */

#include "json.h"
#include "typing.h"

/* If the instruction accesses memory and the type is known, appends "# data-type: struct foo +0x10
 * (list.next)", in the format of perf annotate --code-with-type. For a per-CPU variable, adds "
 * per-CPU", or "(per-CPU variable)" if its type is unknown. */
void type_note_text(const struct pk_function_types *f, uint32_t row, struct buffer *text);
/* If the instruction accesses memory, appends members of JSON: whether it reads or
 * writes, and the type and member, or null and the reason. */
void type_note_json(const struct pk_function_types *f, uint32_t row, struct json *json);

#endif
