/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PRESETS_H
#define PK_PRESETS_H

/* Presets are options with a name (called views in messages for the user), and sets of events. Each
 * preset is a line in the file share/pk/views, which is installed with the programs, or in the
 * user's own file. docs/views.md describes the files. */

#include <stdbool.h>
#include <stddef.h>

#include "data_lines.h"
#include "nearest.h"
#include "status.h"

/* The memory for the presets of a command line. At first, all members are zero. */
struct pk_presets {
	void **blocks;
	size_t count, capacity;
	struct data_lines lines;
	bool read;	    /* true if the files with the presets were read */
	unsigned int depth; /* how many presets were inserted until now; the number is limited,
			     * because a preset can contain itself */
	int status;	    /* the exit status if pk_event_set() has failed */
};

/* Handles --view NAME. `text` is NAME. Replaces *argc and *argv by arguments that have the options
 * of the preset after --view NAME. If NAME is "list", prints the presets of this program. Returns
 * -1 to continue, or an exit status. */
int pk_preset_option(struct pk_presets *presets, const char *text, int *argc, char ***argv);
/* Handles an operand. If the operand is the name of a preset of this program, or "list", does the
 * same as --view and sets *is_preset to true. */
int pk_preset_operand(struct pk_presets *presets, const char *text, int *argc, char ***argv,
		      bool *is_preset);
/* Prints which programs make the input of the last preset. Call it after a message that the input
 * lacks something. Prints nothing on the second call, if there was no preset, or if the preset has
 * no "needs" line. */
void pk_preset_report_needs(void);
/* Finds the commands of a program in the line that says what makes the input of the last preset.
 * Sets *argc and *argv to the command with this index, starting with 0. The options of presets are
 * in place of their names. Sets *argv to NULL if there is no such command or no such preset. */
PK_MUST_CHECK enum pk_status pk_preset_needs(struct pk_presets *presets, const char *program,
					     size_t index, int *argc, char ***argv);
/* Frees the memory of the presets. The words that pk_preset_option() has put into argv are in this
 * memory. So call this function when the program does not use argv any more. */
void pk_presets_free(struct pk_presets *presets);

/* The callback event_list.find_set. `arg` is a struct pk_presets. */
bool pk_event_set(void *arg, const char *name, const char *const **words);
/* The callback event_list.try_sets. `arg` is a struct pk_presets. */
void pk_event_sets_try(void *arg, struct pk_nearest *nearest);
/* Calls `show` for each set of events. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status
pk_event_sets(void (*show)(void *arg, const char *name, const char *about), void *arg);

#endif
