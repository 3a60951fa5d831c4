/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTION_ROWS_H
#define PK_OPTION_ROWS_H

/* An array of all rows of a command's table of options. It includes the rows of the tables that the
 * command's table refers to. */

#include "options.h"

#define OPTION_ROWS_MAX 256

/* The rows of all tables of a command. */
struct option_rows {
	struct option_row {
		const struct pk_option *option; /* the row, whose kind is never PK_ROWS */
		/* The row of kind PK_ROWS that includes this row, if that row has a callback
		 * `parse`. Otherwise NULL. */
		const struct pk_option *group;
		char *base;	  /* the struct in which this row stores its value */
		char *group_base; /* the struct to which the row `group` belongs */
	} items[OPTION_ROWS_MAX];
	size_t count;
};

void pk_option_rows_make(struct option_rows *rows, const struct pk_command *command, void *opts);
/* Returns true if the row is an option or an alias. */
bool pk_option_row_is_option(const struct pk_option *option);
/* Returns the row of the option with this name, or NULL if there is no such option. */
const struct option_row *pk_option_rows_find(const struct option_rows *rows, const char *name);

/* These functions print the texts of --help and --list-options. They return the exit status. */
int pk_option_rows_help(const struct option_rows *rows, const struct pk_command *command);
int pk_option_rows_list(const struct option_rows *rows);

#endif
