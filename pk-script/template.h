/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEMPLATE_H
#define TEMPLATE_H

/* The option --format. It describes a line of text that is printed for each sample and contains the
 * values of fields. pk-script.1 describes the syntax. */

#include "fields.h"

enum template_kind {
	TEMPLATE_TEXT,
	TEMPLATE_FIELD,
	TEMPLATE_MARK,
	TEMPLATE_COLUMN, /* pad to `width` columns, counted from the last mark */
};

/* The form in which a field is printed. */
enum template_unit {
	TEMPLATE_PLAIN,
	TEMPLATE_SECONDS,
	TEMPLATE_MILLISECONDS,
	TEMPLATE_MICROSECONDS,
	TEMPLATE_HEX,
	TEMPLATE_RESULT, /* result of the system call of the same sample */
};

struct template_piece {
	enum template_kind kind;
	const char *text; /* for TEMPLATE_TEXT; not NUL-terminated */
	size_t size;
	/* Indexes in fields.more. The last three are set for TEMPLATE_RESULT. They are the name of
	 * the call, its arguments, and the field that tells whether the call has not ended. */
	size_t field, call, arguments, unfinished;
	enum template_unit unit;
	bool relative; /* print the time since the first sample */
	char align;    /* '<' or '>'; if it is 0, numbers are aligned to the right and texts to the
			* left */
	int width, precision; /* `precision` is -1 if it is not given */
};

struct template
{
	struct template_piece *items; /* the pieces of a line; NULL without --format */
	size_t count, capacity;
	size_t start; /* index in fields.more of the field that has the start of spans */
};

/* Parses the argument of --format, and selects the fields that it names. The pieces refer to text,
 * so it must stay valid. Returns NULL, or the text of an error. */
const char *template_parse(struct template *line, struct fields *fields, const char *text);
void template_free(struct template *line);

#endif
