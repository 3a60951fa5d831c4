/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLOT_OPTIONS_H
#define PK_PLOT_OPTIONS_H

/* The options of all kinds of pictures. */

#include <stdbool.h>

#include "options.h"
#include "tail.h"

/* ---- Options ---- */

struct plot_options {
	const char *title, *subtitle, *notes; /* NULL: the kind's title; none; none */
	const char *background; /* a colour: #rgb or #rrggbb; NULL: by the reader's light or dark
				   theme */
	const char *font;	/* NULL: monospace */
	double font_size;	/* pixels */
	unsigned int width;	/* of the picture, in pixels */
	bool html;
};

#define PLOT_DEFAULTS                                                                              \
	{                                                                                          \
		.width = 1200, .font_size = 12                                                     \
	}

/* For struct plot_options. The names are those of flamegraph.pl. */
extern const struct pk_option plot_rows[];
/* For struct pk_tail_options: samples that are drawn, and where their symbols are. */
extern const struct pk_option plot_sample_rows[];

/* For rows --colors=NAME and their alias, and struct palette. */
int palette_set(const struct pk_option *option, void *at, const char *text);

/* ---- Kinds ---- */

/* The kinds of pictures: one source file each, and one entry in the table of main.c. */

struct plot_kind {
	const char *name;  /* the first operand of pk-plot */
	const char *about; /* one line of --help */
	/* Parses the options and operands after the name, and draws. argv[0] is the program.
	 * common has the options before the name. Returns the exit status. */
	int (*run)(const struct pk_common *common, int argc, char **argv);
};

extern const struct plot_kind plot_flame, plot_chart, plot_timeline, plot_heatmap, plot_histogram,
	plot_page;

/* Call it after the options were parsed, and after further inputs were declared
 * (pk_protect_input): sets the operands of run, and opens the output. Returns the exit status. */
int plot_start(const struct pk_common *common, int argc, char **argv, struct pk_run *run);
/* pk_tail.report */
int plot_report(const struct pk_tail *tail);
/* Reports why there is nothing to draw. The empty picture replaces no file. Returns
 * PK_EXIT_FAILED. */
int plot_nothing(const char *reason);

#endif
