// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <string.h>

#include "option_rows.h"

static void add_rows(struct option_rows *rows, const struct pk_option *option,
		     struct option_row outer)
{
	for (; option->name || option->letter || option->kind == PK_ROWS; option++) {
		struct option_row row = outer;

		row.option = option;
		if (option->kind != PK_ROWS) {
			assert(rows->count < OPTION_ROWS_MAX);
			rows->items[rows->count++] = row;
			continue;
		}
		if (option->parse) {
			row.group = option;
			row.group_base = outer.base;
		}
		row.base += option->at;
		add_rows(rows, option->rows, row);
	}
}

void pk_option_rows_make(struct option_rows *rows, const struct pk_command *command, void *opts)
{
	rows->count = 0;
	add_rows(rows, command->options, (struct option_row){.base = opts});
}

bool pk_option_row_is_option(const struct pk_option *option)
{
	return option->kind != PK_HEADING && option->kind != PK_INSTEAD;
}

const struct option_row *pk_option_rows_find(const struct option_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (pk_option_row_is_option(rows->items[i].option) && rows->items[i].option->name &&
		    !strcmp(rows->items[i].option->name, name))
			return &rows->items[i];
	return NULL;
}
