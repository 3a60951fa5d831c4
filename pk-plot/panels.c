// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "panels.h"
#include "svg.h"

/* ---- The legend ---- */

#define MARK 1.6 /* width of a mark and the space after it, as a multiple of the font size */

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

/* Moves *x and *y to the next line if the item does not fit into the current line. */
static void place(const struct legend_item *item, const struct plot_options *options, double left,
		  double *x, double *y)
{
	if (*x <= left || *x + width_of(item, options) <= options->width)
		return;
	*x = left;
	*y += options->font_size * 1.5;
}

/* Returns the height of the legend in pixels. */
static double legend_height(const struct legend *legend, const struct plot_options *options)
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

/* ---- Panels ---- */

#define MARGIN	  10   /* pixels */
#define NAME_MOST 1000 /* maximum number of characters of a heading */

static double line_of(const struct panels *panels)
{
	return panels->svg.options->font_size * 1.5;
}

static void draw_title(struct panels *panels, const char *title)
{
	const struct plot_options *plot = panels->svg.options;
	const double line = line_of(panels);

	svg_label(&panels->svg, panels->svg.width / 2, line * 1.5, "title middle", title);
	if (plot->subtitle)
		svg_label(&panels->svg, panels->svg.width / 2, line * 2.5, "subtitle middle",
			  plot->subtitle);
}

void panels_start(struct panels *panels, size_t left_labels)
{
	const struct plot_options *plot = panels->svg.options;
	const unsigned int count = panels->distribution->layers_count;
	const char *title = plot->title ? plot->title : panels->title;
	const double line = line_of(panels), legend = line * (plot->subtitle ? 3.2 : 2.2);

	panels->left = MARGIN + (double)left_labels * svg_character(plot) + 4;
	panels->width = fmax(plot->width - panels->left - 2 * MARGIN, 20);
	panels->top = legend + legend_height(&panels->legend, plot) + line * 2.2;
	panels->step = panels->height + line * 3.8;
	svg_begin(&panels->svg, panels->kind, title,
		  panels->top + panels->step * (count ? count : 1) + line, &cells_script);
	draw_title(panels, title);
	legend_draw(&panels->svg, &panels->legend, panels->left, legend);
}

double panels_heading(struct panels *panels, unsigned int panel)
{
	const struct distribution_layer *layer = &panels->distribution->layers[panel];
	const double top = panels->top + panel * panels->step;
	const size_t most = (size_t)(panels->width / svg_character(panels->svg.options));
	struct svg *svg = &panels->svg;
	char text[NAME_MOST + 200], number[32] = "";

	if (*layer->name)
		snprintf(number, sizeof(number), ", %.2f%%",
			 panels->distribution->total
				 ? 100 * (double)layer->total / (double)panels->distribution->total
				 : 0);
	snprintf(text, sizeof(text), "%s%s%.*s%s", panels->name, *layer->name ? ": " : "",
		 NAME_MOST, layer->name, number);
	panels->bottom = top + panels->height;
	svg_raw(svg, "<text class=\"heading\"");
	svg_attribute(svg, "x", panels->left);
	svg_attribute(svg, "y", top - line_of(panels) * 1.1);
	svg_raw(svg, ">");
	svg_text(svg, text, strlen(text), most > 2 ? most - 2 : 0);
	svg_raw(svg, "</text>\n");
	return top;
}

void panels_cells(struct panels *panels, double top, uint32_t columns, double height)
{
	const char *unit = distribution_unit(panels->distribution);
	struct svg *svg = &panels->svg;

	svg_format(svg,
		   "<g class=\"cells\" transform=\"translate(%.6g %.6g) scale(%.9g %.9g)\" "
		   "data-columns=\"%" PRIu32 "\" data-height=\"%g\" data-total=\"%" PRIu64
		   "\" data-unit=\"",
		   panels->left, top, panels->width / columns, panels->height / height, columns,
		   height, panels->distribution->total);
	svg_text(svg, unit, strlen(unit), NAME_MOST);
	svg_raw(svg, "\"");
}

void panels_tick(struct panels *panels, double y, const char *text, bool line)
{
	const double size = panels->svg.options->font_size;
	struct svg *svg = &panels->svg;

	if (line) {
		svg_raw(svg, "<line");
		svg_attribute(svg, "x1", panels->left - 3);
		svg_attribute(svg, "x2", panels->left + panels->width);
		svg_attribute(svg, "y1", y);
		svg_attribute(svg, "y2", y);
		svg_raw(svg, "/>");
	}
	/* Keep y inside the panel, because the labels of the other axis are above and below the
	 * panel. */
	y = fmax(fmin(y + size * 0.35, panels->bottom), panels->bottom - panels->height + size);
	svg_label(svg, panels->left - 5, y, "end", text);
}

enum pk_status panels_end(struct panels *panels)
{
	const double line = line_of(panels);

	svg_label(&panels->svg, MARGIN, panels->svg.height - 1.7 * line, "info", "");
	svg_label(&panels->svg, MARGIN, panels->svg.height - 0.7 * line, "info command", "");
	return svg_end(&panels->svg);
}

/* ---- Texts ---- */

void panels_share(struct panels *panels, uint64_t sum)
{
	const uint64_t total = panels->distribution->total;

	svg_format(&panels->svg, "%.2f%%", total ? 100 * (double)sum / (double)total : 0);
}

void panels_edges(struct panels *panels, const char *attribute, const struct pk_bin_axis *axis,
		  enum pk_value_kind kind)
{
	char text[PK_WIDE_TEXT];

	svg_format(&panels->svg, " data-kind=\"%s\" %s=\"",
		   pk_kind_is_time(kind)  ? "time"
		   : pk_kind_is_hex(kind) ? "hex"
					  : "number",
		   attribute);
	for (uint32_t i = 0; i <= axis->count; i++) {
		svg_raw(&panels->svg, i ? " " : "");
		svg_raw(&panels->svg, pk_wide_text(pk_bin_axis_number(axis, i), text));
	}
	svg_raw(&panels->svg, "\"");
}

void panels_sum(struct panels *panels, uint64_t sum)
{
	char text[QUANTITY_TEXT];

	quantity_text(panels->unit, pk_wide_of_u64(sum), text);
	svg_raw(&panels->svg, text);
}

void panels_seconds(struct panels *panels, const struct pk_bin_axis *axis, uint32_t index)
{
	const uint64_t width =
		pk_wide_subtract(pk_bin_axis_number(axis, 1), pk_bin_axis_number(axis, 0)).low;
	struct pk_wide part;
	const struct pk_wide seconds =
		pk_wide_divide(pk_wide_product(width, index), pk_wide_of(1000000000), &part);
	uint64_t unit = 1;
	int decimals = 9;

	for (; decimals > 0 && width % (unit * 10) == 0; decimals--)
		unit *= 10;
	svg_format(&panels->svg, "%" PRIu64, seconds.low);
	if (decimals)
		svg_format(&panels->svg, ".%0*u", decimals, (unsigned int)(part.low / unit));
}
