/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_VIEWS_H
#define PK_VIEWS_H

/* Views: options under a name, and sets of events. They are lines of the file share/pk/views, which
 * is installed beside the programs, and of the user's file. docs/views.md describes the files. */

#include <stdbool.h>
#include <stddef.h>

#include "data_lines.h"

/* The memory of the views of a command line. All zero at first. */
struct pk_views {
	void **blocks;
	size_t count, capacity;
	struct data_lines lines;
	bool read;	    /* the lines */
	unsigned int depth; /* number of options --view so far */
	int status;	    /* after pk_event_set() has failed: the exit status */
};

/* Handles --view NAME, with the name in text: replaces *argc and *argv by those with the
 * options of the view after the option. "list" prints the views of this program. -1: continue; else
 * the exit status. */
int pk_view_option(struct pk_views *views, const char *text, int *argc, char ***argv);
/* Handles an operand like --view, if a view of this program has its name, or it is "list":
 * sets *is_view. */
int pk_view_operand(struct pk_views *views, const char *text, int *argc, char ***argv,
		    bool *is_view);
/* Prints which programs make the input of the last view, after a message that the input lacks
 * something. Prints nothing the second time, or if there was no view, or if its line "needs" is
 * missing. */
void pk_view_report_needs(void);
/* Call when the arguments are no longer used. */
void pk_views_free(struct pk_views *views);

/* The function event_list.find_set; arg: struct pk_views. */
bool pk_event_set(void *arg, const char *name, const char *const **words);
/* Calls show for each set of events. False after a message. */
bool pk_event_sets(void (*show)(void *arg, const char *name, const char *about), void *arg);

#endif
