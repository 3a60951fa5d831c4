/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEMPLATE_H
#define TEMPLATE_H

/* --format: a line of text with the values of fields for each sample. pk-script.1 describes it. */

#include "fields.h"

enum template_kind {
	TEMPLATE_TEXT,
	TEMPLATE_FIELD,
	TEMPLATE_MARK,
	TEMPLATE_COLUMN, /* pad to `width` columns after the last mark */
};

/* What is printed of a field. */
enum template_unit {
	TEMPLATE_PLAIN,
	TEMPLATE_SECONDS,
	TEMPLATE_MILLISECONDS,
	TEMPLATE_MICROSECONDS,
	TEMPLATE_HEX,
	TEMPLATE_RESULT, /* of the system call of the same sample */
};

struct template_piece {
	enum template_kind kind;
	const char *text; /* TEXT; not NUL-terminated */
	size_t size;
	/* indexes in fields.more. The others, for RESULT: the name and arguments of the call, and
	 * whether it has no end */
	size_t field, call, arguments, unfinished;
	enum template_unit unit;
	bool relative;	      /* the time since the first sample */
	char align;	      /* '<', '>', or 0: numbers right, texts left */
	int width, precision; /* precision -1: not given */
};

struct template
{
	struct template_piece *items; /* one line; NULL: none */
	size_t count, capacity;
	size_t start; /* index in fields.more of the start of spans */
};

/* Parses the argument of --format, which the pieces refer to, and selects its fields. Returns NULL,
 * or the error. */
const char *template_parse(struct template *line, struct fields *fields, const char *text);
void template_free(struct template *line);

#endif
