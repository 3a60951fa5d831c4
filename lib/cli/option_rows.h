/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTION_ROWS_H
#define PK_OPTION_ROWS_H

/* The rows of a command's table and of the tables that it names, in one array. */

#include "options.h"

#define OPTION_ROWS_MAX 256

struct option_rows {
	struct option_row {
		const struct pk_option *option; /* not PK_ROWS */
		const struct pk_option *group;	/* the row of PK_ROWS with `parse`; NULL: none */
		char *base;			/* of the struct of the table */
		char *group_base;		/* of the table that has this row */
	} items[OPTION_ROWS_MAX];
	size_t count;
};

void pk_option_rows_make(struct option_rows *rows, const struct pk_command *command, void *opts);
/* Whether it is an option, also an alias. */
bool pk_option_row_is_option(const struct pk_option *option);
/* The option with this name, or NULL if there is none. */
const struct option_row *pk_option_rows_find(const struct option_rows *rows, const char *name);

/* --help and --list-options. Return the exit status. */
int pk_option_rows_help(const struct option_rows *rows, const struct pk_command *command);
int pk_option_rows_list(const struct option_rows *rows);

#endif
