/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

/* The options of another program of pk, which prints them with --list-options. */

#include "buffer.h"

/* All zero at first. Free text.data. */
struct option_table {
	struct buffer text;
};

enum option_kind {
	OPTION_UNKNOWN,	    /* not in the table */
	OPTION_ALONE,	    /* has no value, or has it in the same word */
	OPTION_BEFORE_VALUE /* the next word is its value */
};

/* Runs the program, if its name begins with "pk-". The table of others is empty. 0, or the exit
 * status after a message. */
int option_table_read(struct option_table *table, const char *program);
/* word starts with '-'. */
enum option_kind option_table_kind(const struct option_table *table, const char *word);

#endif
