/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PANELS_H
#define PK_PANELS_H

/* The frame of a picture of distributions: title, legend, and below each other a panel for each
 * group, with the same axes. */

#include "distribution.h"
#include "svg.h"
#include "time_axis.h"

/* ---- The legend ---- */

/* The legend of a picture: boxes and lines with texts, in as many rows as their widths need. */

enum legend_mark { LEGEND_NONE, LEGEND_BOX, LEGEND_LINE };

struct legend_item {
	enum legend_mark mark;
	char class[16]; /* of the box or line */
	char text[48];
};

#define LEGEND_MAX 32

struct legend {
	struct legend_item items[LEGEND_MAX];
	unsigned int count;
};

/* Does nothing if the legend is full. */
void legend_add(struct legend *legend, enum legend_mark mark, const char *class, const char *text);
/* Draws it from x on, with its top at y. */
void legend_draw(struct svg *svg, const struct legend *legend, double x, double y);

/* ---- Panels ---- */

struct panels {
	struct svg svg;
	const struct distribution *distribution;
	const char *kind;  /* class of the picture */
	const char *title; /* without --title */
	const char *name;  /* of the numbers of the vertical axis, for headings */
	struct legend legend;
	double height; /* of a panel without its heading and the labels below it, in pixels */
	enum pk_value_kind unit; /* of the sums: DURATION or NUMBER */
	/* Set by panels_start(): */
	double left, width, top; /* of the inside of the first panel */
	double step;		 /* from a panel to the next one */
	double bottom;		 /* of the panel of the last heading */
};

/* Sets the geometry, starts the document, and draws title and legend. left_labels is the number of
 * characters of the longest label at the left. */
void panels_start(struct panels *panels, size_t left_labels);
/* Draws the heading of a panel, and returns the top of its inside. */
double panels_heading(struct panels *panels, unsigned int panel);
/* Starts the group of the cells, without its last attributes and '>'. In it, columns are 1 wide,
 * and the panel is `height` high. */
void panels_cells(struct panels *panels, double top, uint32_t columns, double height);
/* A label at the left with a line. y is in pixels. */
void panels_tick(struct panels *panels, double y, const char *text, bool line);
/* Ends the document. */
PK_MUST_CHECK enum pk_status panels_end(struct panels *panels);

/* The share of all, "12.34%". */
void panels_share(struct panels *panels, uint64_t sum);
/* Adds an attribute for the script. It has the numbers where bins start, and where the last one
 * ends, and their kind. */
void panels_edges(struct panels *panels, const char *attribute, const struct pk_bin_axis *axis,
		  enum pk_value_kind kind);
/* Adds a sum of weights in its unit. */
void panels_sum(struct panels *panels, uint64_t sum);
/* Adds the start of a time bin since the first one, without its unit: as many decimals of seconds
 * as the bins need. */
void panels_seconds(struct panels *panels, const struct pk_bin_axis *axis, uint32_t index);

#endif
