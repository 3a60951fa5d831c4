/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLOT_OPTIONS_H
#define PK_PLOT_OPTIONS_H

/* The options of all kinds of pictures, for pk_getopt. */

#include <getopt.h>
#include <stdbool.h>

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

#endif
