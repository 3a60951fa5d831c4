// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "embedded.h"
#include "timeline_draw.h"
#include "timeline_parts.h"

#define LABELS_MOST 220 /* pixels for the labels of lanes */

/* ---- Lanes ---- */

/* The rows that the lane has, from the top. Returns the height. */
static double set_rows(struct timeline_drawing *d, uint32_t number)
{
	const struct timeline *timeline = d->timeline;
	const struct timeline_sum *sums = lanes_get(&d->timeline->lanes, number)->data;
	double y = 0;

	for (unsigned int row = 0; row < timeline->rows; row++) {
		bool used = false;

		for (unsigned int kind = 0; kind < timeline->kinds_count; kind++)
			used |= timeline->kinds[kind].row == row && sums[kind].count;
		d->row_y[number][row] = y;
		y += used ? timeline->row_height : 0;
	}
	return y + 3;
}

/* The lane's sums, as the tooltip of its label. */
static void add_sums(struct timeline_drawing *d, const struct lane *lane)
{
	const struct timeline_sum *sums = lane->data;
	char number[32], text[DURATION_TEXT];

	svg_raw(&d->svg, "<title>");
	svg_text(&d->svg, lane->label.data, lane->label.size, TIMELINE_NAME_MOST);
	for (unsigned int i = 0; i < d->timeline->kinds_count; i++) {
		const char *name = timeline_kind_name(d->timeline, i);

		if (!sums[i].count)
			continue;
		svg_raw(&d->svg, "\n");
		svg_text(&d->svg, name, strlen(name), TIMELINE_NAME_MOST);
		duration_text((double)sums[i].time, text);
		svg_format(&d->svg, ": %s, %s spans", text, pk_number(number, sums[i].count));
	}
	svg_raw(&d->svg, "</title>");
}

static void add_lane_labels(struct timeline_drawing *d)
{
	const double most =
		(d->axis.x - TIMELINE_MARGIN) / svg_character(&d->timeline->plot) / 0.85;

	svg_raw(&d->svg, "<g class=\"labels\">\n");
	for (size_t i = 0; i < d->lanes_count; i++) {
		const struct lane *lane = lanes_get(&d->timeline->lanes, d->lanes[i]);

		svg_format(&d->svg, "<g data-lane=\"%u\">", d->lanes[i]);
		add_sums(d, lane);
		svg_raw(&d->svg, "<text class=\"lane\"");
		svg_attribute(&d->svg, "x", TIMELINE_MARGIN);
		svg_attribute(&d->svg, "y",
			      d->lane_y[d->lanes[i]] +
				      svg_baseline(&d->timeline->plot, d->timeline->row_height));
		svg_raw(&d->svg, ">");
		svg_text(&d->svg, lane->label.data, lane->label.size, (size_t)most - 2);
		svg_raw(&d->svg, "</text></g>\n");
	}
	svg_raw(&d->svg, "</g>\n");
}

/* ---- The picture ---- */

/* Draws the colours of kinds, in as many lines as they need. Returns the height. With draw false,
 * only returns it. */
static double add_legend(struct timeline_drawing *d, double y, bool drawn)
{
	const double letter = svg_character(&d->timeline->plot), size = d->timeline->plot.font_size;
	double x = TIMELINE_MARGIN, start = y;

	for (unsigned int i = 0; i < d->timeline->kinds_count; i++) {
		const char *name = timeline_kind_name(d->timeline, i);
		const double width = size + 6 + ((double)fmin(strlen(name), 30) + 3) * letter;
		char colour[PALETTE_COLOUR];

		if (!d->timeline->kinds[i].is_state)
			continue;
		if (x > TIMELINE_MARGIN && x + width > d->svg.width - TIMELINE_MARGIN) {
			x = TIMELINE_MARGIN;
			y += d->line;
		}
		if (drawn) {
			svg_format(&d->svg,
				   "<rect x=\"%.0f\" y=\"%.0f\" width=\"%g\" height=\"%g\" "
				   "fill=\"%s\"/>",
				   x, y, size, size,
				   timeline_fill(d, i, name, strlen(name), colour));
			svg_format(&d->svg, "<text x=\"%.0f\" y=\"%.0f\">", x + size + 6,
				   y + size * 0.9);
			svg_text(&d->svg, name, strlen(name), 30);
			svg_raw(&d->svg, "</text>\n");
		}
		x += width;
	}
	return x > TIMELINE_MARGIN ? y + d->line - start : 0;
}

/* Adds a note to the line at the bottom. */
static void note(char *text, size_t size, uint64_t count, const char *what)
{
	char number[32];

	if (count)
		snprintf(text + strlen(text), size - strlen(text), "%s%s %s", *text ? "; " : "",
			 pk_number(number, count), what);
}

static void add_notes(struct timeline_drawing *d, double y)
{
	const struct timeline *timeline = d->timeline;
	char step[DURATION_TEXT], merged[64], text[300] = "";
	size_t lanes = 0;

	for (size_t i = 0; i < timeline->lanes.count; i++)
		lanes += timeline->lanes.items[i].count != 0;
	duration_text((double)timeline->pieces.step, step);
	snprintf(merged, sizeof(merged), "spans shorter than %s are merged", step);
	note(text, sizeof(text), pieces_merged(&timeline->pieces), merged);
	note(text, sizeof(text), lanes - d->lanes_count, "lanes with less time are not drawn");
	note(text, sizeof(text), d->arrows > TIMELINE_ARROWS_MOST ? d->arrows : 0,
	     "wakeups are drawn after a zoom");
	if (*text)
		svg_label(&d->svg, d->svg.width - TIMELINE_MARGIN, y, "hidden end", text);
}

static double place_lanes(struct timeline_drawing *d, double y)
{
	for (size_t i = 0; i < d->lanes_count; i++) {
		d->lane_y[d->lanes[i]] = y;
		y += set_rows(d, d->lanes[i]);
	}
	return y;
}

static void draw_lanes(struct timeline_drawing *d, double top, double bottom, double counters)
{
	time_axis_draw(&d->svg, &d->axis, top, bottom);
	add_lane_labels(d);
	timeline_rows(d);
	timeline_arrows(d);
	svg_raw(&d->svg, "<g class=\"counters\">\n");
	for (size_t i = 0; i < d->timeline->counters.count; i++)
		timeline_counter(d, &d->timeline->counters.items[i],
				 counters + (double)i * TIMELINE_COUNTER_HEIGHT);
	svg_raw(&d->svg, "</g>\n");
}

static void draw(struct timeline_drawing *d)
{
	const struct plot_options *plot = &d->timeline->plot;
	const char *title = plot->title ? plot->title : "Timeline";
	const double legend_y = d->line * (plot->subtitle ? 3.3 : 2.3);
	double y = d->line * 1.5, top, counters, bottom;

	d->svg.width = plot->width;
	top = legend_y + add_legend(d, legend_y, false) + d->line;
	counters = place_lanes(d, top);
	bottom = counters + (double)d->timeline->counters.count * TIMELINE_COUNTER_HEIGHT;
	svg_begin(&d->svg, "timeline", title, bottom + 3 * d->line, &timeline_script);
	svg_raw(&d->svg, timeline_patterns);
	svg_label(&d->svg, d->svg.width / 2, y, "title middle", title);
	if (plot->subtitle)
		svg_label(&d->svg, d->svg.width / 2, y + d->line, "subtitle middle",
			  plot->subtitle);
	add_legend(d, legend_y, true);
	draw_lanes(d, top, bottom, counters);
	y = d->svg.height - d->line * 0.6;
	svg_label(&d->svg, TIMELINE_MARGIN, y, "info", "");
	add_notes(d, y);
}

/* The width of the labels: of the longest one, within limits. */
static double labels_width(const struct timeline_drawing *d)
{
	const double letter = svg_character(&d->timeline->plot) * 0.85;
	size_t longest = 12;

	for (size_t i = 0; i < d->lanes_count; i++) {
		const size_t size = lanes_get(&d->timeline->lanes, d->lanes[i])->label.size;

		longest = size > longest ? size : longest;
	}
	for (size_t i = 0; i < d->timeline->counters.count; i++)
		longest = d->timeline->counters.items[i].name.size > longest
				  ? d->timeline->counters.items[i].name.size
				  : longest;
	return fmin(fmin(LABELS_MOST, d->timeline->plot.width / 3.0),
		    (double)(longest + 3) * letter);
}

bool timeline_draw(struct timeline *timeline)
{
	struct timeline_drawing d = {.timeline = timeline,
				     .svg = {.file = stdout, .options = &timeline->plot},
				     .line = timeline->plot.font_size * 1.5};
	bool done = false;
	double x;

	palette_find(&d.palette, "name");
	d.lanes = lanes_order(&timeline->lanes, timeline->lanes_most, &d.lanes_count);
	d.lane_y = calloc(timeline->lanes.count + 1, sizeof(*d.lane_y));
	d.row_y = calloc(timeline->lanes.count + 1, sizeof(*d.row_y));
	if (d.lanes && d.lane_y && d.row_y) {
		x = TIMELINE_MARGIN + labels_width(&d);
		d.axis = (struct time_axis){timeline->first, timeline->last, x,
					    timeline->plot.width - TIMELINE_MARGIN - x};
		d.decimals = time_axis_decimals(&d.axis);
		draw(&d);
		done = svg_end(&d.svg);
	}
	free(d.lanes);
	free(d.lane_y);
	free(d.row_y);
	return done;
}
