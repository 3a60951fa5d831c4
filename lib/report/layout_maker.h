/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LAYOUT_MAKER_H
#define PK_LAYOUT_MAKER_H

/* Private to report_layout.c and layout_*.c: the words of --by, --show and -F become columns. The
 * functions that add something return LAYOUT_BAD after pk_layout_fail(). */

#include "report_layout.h"

struct layout_maker {
	struct layout *layout;
	const struct layout_options *options;
	struct layout_error *error;
	unsigned int base; /* of new columns that compare, from 1 on */
};

/* Sets the text of the error, and returns LAYOUT_BAD. */
enum layout_result pk_layout_fail(struct layout_maker *maker, const char *text);
/* Whether text, of size bytes, is the word; false if the word is NULL. */
bool pk_layout_is_word(const char *word, const char *text, size_t size);
bool pk_layout_is_same(const struct pk_reference *a, const struct pk_reference *b);
/* Adds a column. *added NULL: there are too many, or out of memory. */
enum layout_result pk_layout_add_column(struct layout_maker *maker, enum column_kind kind,
					const char *name, size_t size, struct column **added);

/* Adds a number "samples", "avg(FIELD)", "wdiff:1,2" (layout_numbers.c). */
enum layout_result pk_layout_add_number(struct layout_maker *maker, const char *text, size_t size);
/* Whether the text is the name of a number, or an aggregate. Without --diff, the names of
 * comparisons are those of fields. */
bool pk_layout_is_number(const struct layout_maker *maker, const char *text, size_t size);
/* The kind of a number that is not an aggregate; false: the text is not the name of one. */
bool pk_layout_find_number(const char *text, size_t size, enum column_kind *kind);
/* Whether the number compares with a base. */
bool pk_layout_is_comparison(const char *text, size_t size);

/* Adds a field "comm", "time:100ms" (layout_fields.c). */
enum layout_result pk_layout_add_key(struct layout_maker *maker, const char *text, size_t size);
/* Adds the event to the fields, without a column: the first field. */
enum layout_result pk_layout_add_event(struct layout_maker *maker);

#endif
