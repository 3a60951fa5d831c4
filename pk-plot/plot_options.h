/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLOT_OPTIONS_H
#define PK_PLOT_OPTIONS_H

/* The options of all kinds of pictures. */

#include <stdbool.h>

#include "options.h"
#include "tail.h"

/* ---- Options ---- */

/* The options that all kinds of pictures have. */
struct plot_options {
	const char *title, *subtitle, *notes; /* NULL if the option is not given: `title` then has a
					       * default, and the other two are not drawn */
	const char *background; /* A colour (#rgb or #rrggbb). NULL selects the light or dark theme
				 * of the person who looks at the picture. */
	const char *font;	/* NULL selects monospace */
	double font_size;	/* pixels */
	unsigned int width;	/* width of the picture, in pixels */
	bool html;
};

#define PLOT_DEFAULTS                                                                              \
	{                                                                                          \
		.width = 1200, .font_size = 12                                                     \
	}

/* Options that set members of a struct plot_options. They have the same names as in flamegraph.pl.
 */
extern const struct pk_option plot_rows[];
/* Options that set members of a struct pk_tail_options. They select the samples to draw, and the
 * places of symbols. */
extern const struct pk_option plot_sample_rows[];

/* Parses the argument of --colors=NAME and of its alias. `at` is a struct palette. */
int palette_set(const struct pk_option *option, void *at, const char *text);

/* ---- Kinds ---- */

/* A kind of pictures. Each kind has one source file, and one entry in the table of main.c. */

struct plot_kind {
	const char *name;  /* the first operand of pk-plot */
	const char *about; /* one line of --help */
	/* Parses the options and operands that follow the name of the kind, and draws the picture.
	 * argv[0] is the program. `common` has the options before the name. Returns the exit
	 * status. */
	int (*run)(const struct pk_common *common, int argc, char **argv);
};

extern const struct plot_kind plot_flame, plot_chart, plot_timeline, plot_heatmap, plot_histogram,
	plot_page;

/* Sets the operands of run, and opens the output. Call it after the options were parsed, and after
 * further inputs were declared with pk_protect_input(). Returns the exit status. */
int plot_start(const struct pk_common *common, int argc, char **argv, struct pk_run *run);
/* The callback pk_tail.report. */
int plot_report(const struct pk_tail *tail);
/* Reports why there is nothing to draw. An output file keeps its old content, because an empty
 * picture does not replace it. Returns PK_EXIT_FAILED. */
int plot_nothing(const char *reason);

#endif
