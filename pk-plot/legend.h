/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LEGEND_H
#define PK_LEGEND_H

/* The legend of a picture: boxes and lines with texts, in as many rows as their widths need. */

#include "svg.h"

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
/* The height in pixels. */
double legend_height(const struct legend *legend, const struct plot_options *options);
/* Draws it from x on, with its top at y. */
void legend_draw(struct svg *svg, const struct legend *legend, double x, double y);

#endif
