/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLOT_OPTIONS_H
#define PK_PLOT_OPTIONS_H

/* The options of all kinds of pictures, for pk_getopt. */

#include <getopt.h>
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

enum {
	PLOT_OPT_TITLE = 1300,
	PLOT_OPT_SUBTITLE,
	PLOT_OPT_NOTES,
	PLOT_OPT_WIDTH,
	PLOT_OPT_FONT,
	PLOT_OPT_FONT_SIZE,
	PLOT_OPT_BACKGROUND,
	PLOT_OPT_HTML,
	PLOT_OPT_ENCODING,
};

/* The names of flamegraph.pl. */
/* clang-format off */
#define PLOT_LONG                                                                                  \
	{"title", required_argument, NULL, PLOT_OPT_TITLE},                                        \
	{"subtitle", required_argument, NULL, PLOT_OPT_SUBTITLE},                                  \
	{"notes", required_argument, NULL, PLOT_OPT_NOTES},                                        \
	{"width", required_argument, NULL, PLOT_OPT_WIDTH},                                        \
	{"fonttype", required_argument, NULL, PLOT_OPT_FONT},                                      \
	{"fontsize", required_argument, NULL, PLOT_OPT_FONT_SIZE},                                 \
	{"bgcolors", required_argument, NULL, PLOT_OPT_BACKGROUND},                                \
	{"html", no_argument, NULL, PLOT_OPT_HTML},                                                \
	{"encoding", required_argument, NULL, PLOT_OPT_ENCODING}
/* clang-format on */

/* The lines of --help for these options. */
#define PLOT_HELP                                                                                  \
	"      --title=TEXT, --subtitle=TEXT, --notes=TEXT\n"                                      \
	"      --width=PIXELS    of the picture (1200)\n"                                          \
	"      --fonttype=FONT, --fontsize=PIXELS\n"                                               \
	"      --bgcolors=COLOR  #rrggbb, yellow, blue, green, grey\n"                             \
	"      --html            write an HTML page\n"

/* Handles a result of pk_getopt, with optarg. -1: it was one of these options; 0: it was not; else
 * the exit status. */
int plot_option(struct plot_options *plot, int c);

/* Parse the argument of an option, in optarg. -1: done; else the exit status, after a message. */
int plot_parse_number(const char *option, double least, double most, double *number);
int plot_parse_count(const char *option, unsigned int least, unsigned int most,
		     unsigned int *count);
/* --colors: a name of palette_find(). */
struct palette;
int palette_option(struct palette *palette);

/* ---- Kinds ---- */

/* The kinds of pictures: one source file each, and one entry in the table of main.c. */

struct plot_kind {
	const char *name;  /* the first operand of pk-plot */
	const char *about; /* one line of --help */
	/* Parses the options and operands after the name, and draws. argv[0] is the program.
	 * common has the options before the name. Returns the exit status. */
	int (*run)(struct pk_common *common, int argc, char **argv);
};

extern const struct plot_kind plot_flame, plot_chart, plot_timeline, plot_heatmap, plot_histogram;

/* The lines of --help about the options of PK_TAIL_LONG. */
#define PLOT_SAMPLES_HELP                                                                          \
	"      --event=GLOB, --where=EXPR   samples that are drawn\n"                              \
	"      --symfs=DIR, --kallsyms=FILE, --vmlinux=FILE, --debug-dir=DIR ...\n"                \
	"                        as in pk-symbolize\n"

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
/* pk_tail.report */
int plot_report(const struct pk_tail *tail);
/* Reports why there is nothing to draw. The empty picture replaces no file. Returns
 * PK_EXIT_FAILED. */
int plot_nothing(const char *reason);

#endif
