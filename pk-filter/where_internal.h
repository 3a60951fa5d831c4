/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_WHERE_INTERNAL_H
#define PK_FILTER_WHERE_INTERNAL_H

/* The leaves of expressions. NULL: out of memory. */

#include "where.h"

struct where *where_number(__int128 number);
/* op: STRING or FIELD; copies size bytes of text. */
struct where *where_text(enum where_op op, enum where_type type, const char *text, size_t size);

#endif
