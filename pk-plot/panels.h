/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PANELS_H
#define PK_PANELS_H

/* The parts that are the same in all pictures of distributions: a title, a legend, and a panel for
 * each group. The panels lie below each other and have the same axes. */

#include "distribution.h"
#include "svg.h"
#include "time_axis.h"

/* ---- The legend ---- */

/* The legend of a picture. It has boxes or lines with texts, in as many rows as their widths need.
 */

enum legend_mark { LEGEND_NONE, LEGEND_BOX, LEGEND_LINE };

/* An item of a legend: a mark and its text. */
struct legend_item {
	enum legend_mark mark;
	char class[16]; /* CSS class of the box or line */
	char text[48];
};

#define LEGEND_MAX 32

struct legend {
	struct legend_item items[LEGEND_MAX];
	unsigned int count;
};

/* Does nothing if the legend is full. */
void legend_add(struct legend *legend, enum legend_mark mark, const char *class, const char *text);
/* Draws the legend. Its left edge is at x, and its top is at y. */
void legend_draw(struct svg *svg, const struct legend *legend, double x, double y);

/* ---- Panels ---- */

/* A picture of a distribution while it is drawn. */
struct panels {
	struct svg svg;
	const struct distribution *distribution;
	const char *kind;  /* CSS class of the svg element */
	const char *title; /* the title of the picture if --title is not given */
	const char *name;  /* what the numbers on the vertical axis are, for headings */
	struct legend legend;
	double height; /* height of a panel in pixels, without its heading and the labels below it
			*/
	enum pk_value_kind unit; /* what the sums are: PK_VALUE_DURATION or a plain number */
	/* Set by panels_start(): */
	double left, width, top; /* place and size in pixels of the area of the first panel in which
				  * cells are drawn */
	double step;		 /* distance from the top of a panel to the top of the next panel */
	double bottom;		 /* bottom of the panel whose heading was drawn last, in pixels */
};

/* Sets the geometry, starts the document, and draws the title and the legend. left_labels is the
 * number of characters of the longest label at the left. */
void panels_start(struct panels *panels, size_t left_labels);
/* Draws the heading of a panel. Returns the y of the top of the panel's inside. */
double panels_heading(struct panels *panels, unsigned int panel);
/* Starts the SVG group of the cells. The caller adds its last attributes and the '>'. In the group,
 * each column is 1 wide, and the panel is `height` high. */
void panels_cells(struct panels *panels, double top, uint32_t columns, double height);
/* Draws a label at the left. If `line` is set, also draws a line. y is in pixels. */
void panels_tick(struct panels *panels, double y, const char *text, bool line);
/* Ends the document. */
PK_MUST_CHECK enum pk_status panels_end(struct panels *panels);

/* Adds the share of a sum in the sum of all weights, such as "12.34%". */
void panels_share(struct panels *panels, uint64_t sum);
/* Adds an attribute for the script. It has the kind of the numbers, the number at which each bin
 * starts, and the number at which the last bin ends. */
void panels_edges(struct panels *panels, const char *attribute, const struct pk_bin_axis *axis,
		  enum pk_value_kind kind);
/* Adds a sum of weights in its unit. */
void panels_sum(struct panels *panels, uint64_t sum);
/* Adds the start of a time bin in seconds, counted from the first bin, without the unit. It has as
 * many decimals as the bins need. */
void panels_seconds(struct panels *panels, const struct pk_bin_axis *axis, uint32_t index);

#endif
