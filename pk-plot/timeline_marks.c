// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "cli.h"
#include "timeline_parts.h"

/* ---- Wakeups ---- */

/* The lane of the task that an arrow points to; 0: it is not drawn. */
static uint32_t target_of(const struct timeline_drawing *d, const struct piece *arrow)
{
	size_t size;
	const char *text = pk_texts_get(&d->timeline->names, arrow->name, &size);
	const uint32_t lane = pk_texts_find(&d->timeline->lanes.keys, text, size);

	return lane && lane != arrow->lane && d->lane_y[lane] > 0 ? lane : 0;
}

static void add_arrow(struct timeline_drawing *d, const struct piece *arrow, uint32_t target)
{
	const double x = time_axis_x(&d->axis, arrow->start);
	const double half = d->timeline->row_height / 2.0;
	const double to = d->lane_y[target] + half;
	/* The waker has no lane if it has no spans: the idle task, in interrupts. */
	const double from =
		d->lane_y[arrow->lane] > 0 ? d->lane_y[arrow->lane] + half : to - 1.5 * half;

	svg_raw(&d->svg, "<line");
	svg_exact(&d->svg, "x1", x, d->decimals);
	svg_exact(&d->svg, "x2", x, d->decimals);
	svg_attribute(&d->svg, "y1", from);
	svg_attribute(&d->svg, "y2", to);
	if (arrow->count > 1)
		svg_format(&d->svg, " data-n=\"%u\"", arrow->count);
	svg_raw(&d->svg, " marker-end=\"url(#pk-arrow)\"/>\n");
}

void timeline_arrows(struct timeline_drawing *d)
{
	const struct pieces *arrows = &d->timeline->arrows;

	for (size_t i = 0; i < arrows->count; i++)
		d->arrows += target_of(d, &arrows->items[i]) != 0;
	if (!d->arrows)
		return;
	svg_format(&d->svg, "<g class=\"arrows\"%s><title>wakeup</title>\n",
		   d->arrows > TIMELINE_ARROWS_MOST ? " style=\"display:none\"" : "");
	for (size_t i = 0; i < arrows->count; i++) {
		const uint32_t target = target_of(d, &arrows->items[i]);

		if (target)
			add_arrow(d, &arrows->items[i], target);
	}
	svg_raw(&d->svg, "</g>\n");
}

/* ---- Counts ---- */

static double rate_of(const struct counter_point *point)
{
	return point->end > point->start ? point->count / (double)(point->end - point->start) * 1e9
					 : 0;
}

static void add_points(struct timeline_drawing *d, const struct counter_line *line, double y,
		       double most)
{
	const double height = TIMELINE_COUNTER_HEIGHT - 8;

	svg_raw(&d->svg, "<polyline points=\"");
	for (size_t i = 0; i < line->count; i++) {
		const struct counter_point *point = &line->points[i];
		const double value = y + 4 + height * (1 - (most > 0 ? rate_of(point) / most : 0));

		svg_format(&d->svg, "%.3f,%.1f %.3f,%.1f ",
			   time_axis_x(&d->axis, d->axis.from + point->start), value,
			   time_axis_x(&d->axis, d->axis.from + point->end), value);
	}
	svg_raw(&d->svg, "\"/>\n");
}

void timeline_counter(struct timeline_drawing *d, const struct counter_line *line, double y)
{
	double most = 0, sum = 0;
	char number[32];

	for (size_t i = 0; i < line->count; i++) {
		most = fmax(most, rate_of(&line->points[i]));
		sum += line->points[i].count;
	}
	svg_raw(&d->svg, "<g class=\"counter\"><title>");
	svg_text(&d->svg, line->name.data, line->name.size, TIMELINE_NAME_MOST);
	svg_format(&d->svg, ": %s in total", pk_number(number, (uint64_t)fmin(sum, 1e18)));
	svg_format(&d->svg, ", at most %s per second</title>",
		   pk_number(number, (uint64_t)fmin(most, 1e18)));
	svg_raw(&d->svg, "<text class=\"lane\"");
	svg_attribute(&d->svg, "x", TIMELINE_MARGIN);
	svg_attribute(&d->svg, "y", y + d->line);
	svg_raw(&d->svg, ">");
	svg_text(
		&d->svg, line->name.data, line->name.size,
		(size_t)((d->axis.x - TIMELINE_MARGIN) / svg_character(&d->timeline->plot) / 0.85) -
			2);
	svg_raw(&d->svg, "</text>");
	svg_raw(&d->svg, "<text class=\"lane\"");
	svg_attribute(&d->svg, "x", TIMELINE_MARGIN);
	svg_attribute(&d->svg, "y", y + 2 * d->line);
	svg_format(&d->svg, ">to %s/s</text>\n", number);
	add_points(d, line, y, most);
	svg_raw(&d->svg, "</g>\n");
}
