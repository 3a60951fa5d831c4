/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PRESETS_H
#define PK_PRESETS_H

/* Presets: options under a name (views, for the user), and sets of events. They are lines of the
 * file share/pk/views, which is installed beside the programs, and of the user's file.
 * docs/views.md describes the files. */

#include <stdbool.h>
#include <stddef.h>

#include "data_lines.h"
#include "nearest.h"
#include "status.h"

/* The memory of the presets of a command line. All zero at first. */
struct pk_presets {
	void **blocks;
	size_t count, capacity;
	struct data_lines lines;
	bool read;	    /* the lines */
	unsigned int depth; /* number of options --view so far */
	int status;	    /* after pk_event_set() has failed: the exit status */
};

/* Handles --view NAME, with the name in text: replaces *argc and *argv by those with the options of
 * the preset after the option. "list" prints those of this program. Returns -1 to continue, or the
 * exit status. */
int pk_preset_option(struct pk_presets *presets, const char *text, int *argc, char ***argv);
/* Handles an operand like --view, if a preset of this program has its name, or it is "list":
 * sets *is_preset. */
int pk_preset_operand(struct pk_presets *presets, const char *text, int *argc, char ***argv,
		      bool *is_preset);
/* Prints which programs make the input of the last preset, after a message that the input lacks
 * something. Prints nothing the second time, or if there was no preset, or if its line "needs" is
 * missing. */
void pk_preset_report_needs(void);
/* Call when the arguments are no longer used. */
void pk_presets_free(struct pk_presets *presets);

/* The function event_list.find_set. arg is a struct pk_presets. */
bool pk_event_set(void *arg, const char *name, const char *const **words);
/* event_list.try_sets */
void pk_event_sets_try(void *arg, struct pk_nearest *nearest);
/* Calls show for each set of events. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status
pk_event_sets(void (*show)(void *arg, const char *name, const char *about), void *arg);

#endif
