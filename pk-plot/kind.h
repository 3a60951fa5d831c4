/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_KIND_H
#define PK_KIND_H

/* The kinds of pictures: one source file each, and one entry in the table of main.c. */

#include "options.h"
#include "plot_options.h"

struct plot_kind {
	const char *name;  /* the first operand of pk-plot */
	const char *about; /* one line of --help */
	/* Parses the options and operands after the name, and draws. argv[0] is the program.
	 * common has the options before the name. Returns the exit status. */
	int (*run)(struct pk_common *common, int argc, char **argv);
};

extern const struct plot_kind plot_flame, plot_chart, plot_timeline, plot_heatmap, plot_histogram;

/* The command line of a kind. */
struct plot_command {
	struct pk_common *common; /* `help` is that of the kind */
	const struct option *options;
	/* Handles a result of pk_getopt, with optarg. -1: it was one of the kind's options; 0: it
	 * was not; else the exit status. */
	int (*option)(void *arg, int c);
	void *arg;
};

/* Parses the options. -1: continue; else the exit status. */
int plot_parse(const struct plot_command *command, int argc, char **argv);
/* Call it after that, and after further inputs were declared (pk_protect_input): sets the operands
 * of run, and opens the output. Returns the exit status. */
int plot_start(const struct plot_command *command, int argc, char **argv, struct pk_run *run);
/* Reports why there is nothing to draw. The empty picture replaces no file. Returns
 * PK_EXIT_FAILED. */
int plot_nothing(const char *reason);

#endif
