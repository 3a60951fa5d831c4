// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "legend.h"

#define MARK 1.6 /* width of a mark with the space after it, in heights of the font */

void legend_add(struct legend *legend, enum legend_mark mark, const char *class, const char *text)
{
	struct legend_item *item = &legend->items[legend->count];

	if (legend->count == LEGEND_MAX)
		return;
	item->mark = mark;
	snprintf(item->class, sizeof(item->class), "%s", class);
	snprintf(item->text, sizeof(item->text), "%s", text);
	legend->count++;
}

static double width_of(const struct legend_item *item, const struct plot_options *options)
{
	return (double)(strlen(item->text) + 2) * svg_character(options) +
	       (item->mark ? MARK * options->font_size : 0);
}

/* Where an item is drawn, if it follows another one at *x, *y. */
static void place(const struct legend_item *item, const struct plot_options *options, double left,
		  double *x, double *y)
{
	if (*x <= left || *x + width_of(item, options) <= options->width)
		return;
	*x = left;
	*y += options->font_size * 1.5;
}

double legend_height(const struct legend *legend, const struct plot_options *options)
{
	double x = 0, y = 0;

	for (unsigned int i = 0; i < legend->count; i++) {
		place(&legend->items[i], options, 0, &x, &y);
		x += width_of(&legend->items[i], options);
	}
	return legend->count ? y + options->font_size * 1.5 : 0;
}

static void draw_mark(struct svg *svg, const struct legend_item *item, double x, double y)
{
	const double size = svg->options->font_size;

	if (item->mark == LEGEND_BOX) {
		svg_format(svg, "<rect class=\"%s\"", item->class);
		svg_attribute(svg, "x", x);
		svg_attribute(svg, "y", y + size * 0.2);
		svg_attribute(svg, "width", size);
		svg_attribute(svg, "height", size);
		svg_raw(svg, "/>");
	} else if (item->mark == LEGEND_LINE) {
		svg_format(svg, "<path class=\"%s\" d=\"M%g %gh%g\"/>", item->class, x,
			   y + size * 0.7, size * 1.3);
	}
}

void legend_draw(struct svg *svg, const struct legend *legend, double x, double y)
{
	const struct plot_options *options = svg->options;
	const double left = x;

	svg_raw(svg, "<g class=\"legend\">\n");
	for (unsigned int i = 0; i < legend->count; i++) {
		const struct legend_item *item = &legend->items[i];

		place(item, options, left, &x, &y);
		draw_mark(svg, item, x, y);
		svg_label(svg, x + (item->mark ? MARK * options->font_size : 0),
			  y + options->font_size * 1.1, "start", item->text);
		x += width_of(item, options);
	}
	svg_raw(svg, "</g>\n");
}
