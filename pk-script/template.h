/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEMPLATE_H
#define TEMPLATE_H

/* The option --format. It describes a line of text that is printed for each sample and contains the
 * values of fields. pk-script.1 describes the syntax. */

#include "fields.h"

/* The kinds of pieces of a template. */
enum template_kind {
	TEMPLATE_TEXT,
	TEMPLATE_FIELD,
	TEMPLATE_MARK,
	TEMPLATE_COLUMN, /* blanks up to the column `width`, counted from the last mark */
};

/* The form in which a field is printed. */
enum template_unit {
	TEMPLATE_PLAIN,
	TEMPLATE_SECONDS,
	TEMPLATE_MILLISECONDS,
	TEMPLATE_MICROSECONDS,
	TEMPLATE_HEX,
	TEMPLATE_RESULT, /* the result of a system call: the field has the number, and other fields
			  * of the sample tell what it means */
};

/* A piece of a template: a fixed text, a field, a mark, or blanks up to a column. */
struct template_piece {
	enum template_kind kind;
	const char *text; /* the text of TEMPLATE_TEXT; it does not end with a NUL */
	size_t size;
	/* Indexes in fields.more. The last three are set for TEMPLATE_RESULT. They are the name of
	 * the call, its arguments, and the field that tells whether the call has not ended. */
	size_t field, call, arguments, unfinished;
	enum template_unit unit;
	bool relative; /* print the time since the first sample instead of the time */
	char align; /* '<' aligns to the left, and '>' to the right. 0 aligns numbers to the right
		     * and texts to the left. */
	int width, precision; /* minimum number of columns, and number of decimals; `precision` is
			       * -1 if it is not given */
};

struct template
{
	/* The pieces of the line in their order; NULL if --format is not given. */
	struct template_piece *items;
	size_t count, capacity;
	size_t start; /* index in fields.more of the field that has the start of spans */
};

/* Parses the argument of --format, and selects the fields that it names. The pieces refer to text,
 * so it must stay valid. Returns NULL, or the text of an error. */
const char *template_parse(struct template *line, struct fields *fields, const char *text);
void template_free(struct template *line);

#endif
