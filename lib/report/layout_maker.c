// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout_maker.h"

bool pk_layout_is_word(const char *word, const char *text, size_t size)
{
	return word && strlen(word) == size && !memcmp(word, text, size);
}

enum layout_result pk_layout_fail(struct layout_maker *maker, const char *text)
{
	maker->error->text = text;
	return LAYOUT_BAD;
}

static bool has_name(const struct layout *layout, const char *name)
{
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (!strcmp(layout->columns[i].name, name))
			return true;
	return false;
}

/* The name of a new column: "period_2" if there is a column "period". NULL: out of memory. */
static char *make_name(const struct layout *layout, const char *text, size_t size)
{
	char *name = strndup(text, size), *longer;

	for (int number = 2; name && has_name(layout, name); number++) {
		if (asprintf(&longer, "%.*s_%d", (int)size, text, number) < 0)
			longer = NULL;
		free(name);
		name = longer;
	}
	return name;
}

enum layout_result pk_layout_add_column(struct layout_maker *maker, enum column_kind kind,
					const char *name, size_t size, struct column **added)
{
	struct layout *layout = maker->layout;
	struct column *column = &layout->columns[layout->columns_count];

	*added = NULL;
	if (layout->columns_count == LAYOUT_COLUMNS)
		return pk_layout_fail(maker, "too many columns");
	*column = (struct column){.kind = kind, .name = make_name(layout, name, size)};
	if (!column->name)
		return LAYOUT_NOMEM;
	column->title = column->name;
	layout->columns_count++;
	*added = column;
	return LAYOUT_OK;
}

bool pk_layout_is_same(const struct pk_reference *a, const struct pk_reference *b)
{
	if (a->field || b->field)
		return a->field == b->field;
	return !strcmp(a->name, b->name) && !a->event == !b->event &&
	       (!a->event || !strcmp(a->event, b->event));
}
