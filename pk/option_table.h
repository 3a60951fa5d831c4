/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

/* The table of options of another program of pk. The program prints it with --list-options. */

#include "buffer.h"

/* A table that contains only zero bytes is empty. The caller frees text.data. */
struct option_table {
	struct buffer text;
};

/* Whether the next word on the command line is the value of an option. */
enum option_kind {
	OPTION_UNKNOWN,	    /* the table does not have the option */
	OPTION_ALONE,	    /* the option has no value, or the value is in the same word */
	OPTION_BEFORE_VALUE /* the next word is the value of the option */
};

/* Runs a program to get its table, if its name starts with "pk-". words[0] is the name. For other
 * programs, the table is empty. Returns 0, or prints a message and returns the exit status. */
int option_table_read(struct option_table *table, char *const *words);
/* Finds the option in the table. `word` must start with '-'. */
enum option_kind option_table_kind(const struct option_table *table, const char *word);

#endif
