// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "palette.h"
#include "plot_options.h"
#include "svg.h"
#include "time_axis.h"
#include "timeline.h"

#define TIMELINE_MARGIN		10  /* pixels, at the right and at the left of the labels */
#define TIMELINE_NAME_MOST	200 /* maximum number of characters in a tooltip */
#define TIMELINE_COUNTER_HEIGHT 40  /* height of a line of counts in pixels */
#define TIMELINE_ARROWS_MOST	300 /* if there are more, arrows are hidden until somebody zooms */

/* The picture of a timeline while it is drawn. */
struct timeline_drawing {
	struct timeline *timeline;
	struct svg svg;
	struct time_axis axis;
	struct palette palette;
	unsigned int decimals;
	double line; /* height of a line of text in pixels */
	uint32_t *lanes;
	size_t lanes_count;
	double *lane_y; /* for each lane, the y of its top; 0 if the lane is not drawn */
	double (*row_y)[TIMELINE_KINDS + 1]; /* y of the rows of each lane, relative to lane_y */
	size_t arrows;
	/* The number of the first cell of merged pieces. Cell n starts at the time n * step. */
	uint64_t first_cell;
	struct buffer title;
};

/* SVG definitions of the patterns, and of the arrow head. */
extern const char *const timeline_patterns;

/* ---- Colours ---- */

/* The states of tasks also have patterns, so that a reader can tell them apart without colours. */
static const struct style {
	const char *name, *fill;
	bool bottom; /* a merged piece fills the row from the bottom */
} styles[] = {
	{"run", "#5a5", true},
	{"delay", "url(#pk-delay)", false},
	{"sleep", "#ddd", false},
	{"offcpu", "url(#pk-offcpu)", false},
	{"wait", "url(#pk-wait)", false},
};

const char *const timeline_patterns =
	"<defs>\n"
	"<pattern id=\"pk-delay\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
	"patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f88\"/>"
	"<rect width=\"2\" height=\"6\" fill=\"#b22\"/></pattern>\n"
	"<pattern id=\"pk-offcpu\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<rect width=\"6\" height=\"6\" fill=\"#9be\"/><circle cx=\"3\" cy=\"3\" r=\"1.2\" "
	"fill=\"#246\"/></pattern>\n"
	"<pattern id=\"pk-wait\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
	"patternTransform=\"rotate(-45)\"><rect width=\"6\" height=\"6\" fill=\"#fc6\"/>"
	"<rect width=\"2\" height=\"6\" fill=\"#a60\"/></pattern>\n"
	"<marker id=\"pk-arrow\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" "
	"markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\"/></marker>\n"
	"</defs>\n";

static const struct style *style_of(const char *name)
{
	for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++)
		if (!strcmp(styles[i].name, name))
			return &styles[i];
	return NULL;
}

/* Returns the fill of pieces that have this kind and name. The result can be stored in colour. */
static const char *timeline_fill(struct timeline_drawing *d, unsigned int kind, const char *name,
				 size_t size, char colour[PALETTE_COLOUR])
{
	const struct style *style = d->timeline->kinds[kind].is_state ? style_of(name) : NULL;

	if (style)
		return style->fill;
	palette_colour(&d->palette, name, size, colour);
	return colour;
}

/* ---- Pieces ---- */

#define LEVELS 100 /* number of steps of the height of a merged piece */

static void add_piece(struct timeline_drawing *d, const struct piece *piece)
{
	const double x = time_axis_x(&d->axis, piece->start);

	svg_raw(&d->svg, "<rect");
	svg_exact(&d->svg, "x", x, d->decimals);
	svg_exact(&d->svg, "width", time_axis_x(&d->axis, piece->end) - x, d->decimals);
	svg_attribute(&d->svg, "height", d->timeline->row_height - 1);
	svg_raw(&d->svg, "/>\n");
}

/* Returns the part of a cell that the spans of a merged piece fill, from 1 to LEVELS. */
static int level_of(const struct piece *piece, uint64_t step)
{
	const double part = (double)piece->time / (double)step;

	return (int)fmax(1, round(fmin(1, part) * LEVELS));
}

/* Adds a path in which a cell is 1 wide. Each merged piece has a `v` to its level, and an `h1`. At
 * gaps, the path is on the base line. So each piece needs only a few bytes. */
static void add_levels(struct timeline_drawing *d, const struct piece *pieces, size_t count)
{
	const uint64_t step = d->timeline->pieces.step;
	uint64_t at = d->first_cell;
	int level = 0;
	char text[64];

	svg_raw(&d->svg, " d=\"M0 0");
	for (size_t i = 0; i < count; i++) {
		const uint64_t cell = pieces[i].start / step;
		const int next = level_of(&pieces[i], step);
		int size = 0;

		if (pieces[i].count == 1)
			continue;
		if (cell != at) {
			size += snprintf(text, sizeof(text), "%sh%" PRIu64, level ? "V0" : "",
					 cell - at);
			level = 0;
		}
		if (next != level)
			size += snprintf(text + size, sizeof(text) - (size_t)size, "v%d",
					 next - level);
		snprintf(text + size, sizeof(text) - (size_t)size, "h1");
		svg_raw(&d->svg, text);
		level = next;
		at = cell + 1;
	}
	svg_raw(&d->svg, "V0\"");
}

/* Adds the number of spans of each merged piece. Each character has 5 bits of the number, and the
 * low bits come first. Bit 32 of a character is set if another character follows. */
static void add_counts(struct timeline_drawing *d, const struct piece *pieces, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	svg_raw(&d->svg, " data-n=\"");
	for (size_t i = 0; i < count; i++) {
		uint32_t rest = pieces[i].count;

		for (; pieces[i].count > 1 && rest > 31; rest >>= 5)
			buffer_char(&d->svg.out, digits[32 | (rest & 31)]);
		if (pieces[i].count > 1)
			buffer_char(&d->svg.out, digits[rest]);
	}
	svg_raw(&d->svg, "\"");
}

/* Adds the merged pieces of a name as one path. The area of the path is proportional to the sum of
 * the times. */
static void add_merged(struct timeline_drawing *d, const struct piece *pieces, size_t count,
		       bool bottom)
{
	const struct time_axis *axis = &d->axis;
	const uint64_t step = d->timeline->pieces.step;
	const double scale = axis->width / fmax(1, (double)(axis->to - axis->from));
	const double height = d->timeline->row_height - 1;
	double time = 0;

	for (size_t i = 0; i < count; i++)
		time += pieces[i].count > 1 ? (double)pieces[i].time : 0;
	svg_format(&d->svg, "<path transform=\"translate(%.6f %g) scale(%.12g %g)\"",
		   axis->x - (double)(axis->from - d->first_cell * step) * scale,
		   bottom ? height : 0, (double)step * scale, (bottom ? -height : height) / LEVELS);
	svg_format(&d->svg, " data-t=\"%.0f\"", time);
	add_counts(d, pieces, count);
	add_levels(d, pieces, count);
	svg_raw(&d->svg, "/>\n");
}

/* Sorts pieces by kind and name. Pieces with the same kind and name become one element, which has
 * the tooltip and the colour. */
static int by_name(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->group != b->group)
		return a->group > b->group ? -1 : 1; /* "run" is the first kind, and is drawn last,
							over the other kinds */
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

static size_t add_named(struct timeline_drawing *d, const struct piece *pieces, size_t count)
{
	const struct timeline_kind *kind = &d->timeline->kinds[pieces->group];
	const char *event = timeline_kind_name(d->timeline, pieces->group);
	const struct style *style = style_of(event);
	char colour[PALETTE_COLOUR];
	size_t size, i = 0, merged = 0;
	const char *name = pk_texts_get(&d->timeline->names, pieces->name, &size);

	svg_format(&d->svg, "<g fill=\"%s\"><title>",
		   timeline_fill(d, pieces->group, name, size, colour));
	svg_text(&d->svg, name, size, TIMELINE_NAME_MOST);
	if (!kind->is_state) {
		svg_raw(&d->svg, " [");
		svg_text(&d->svg, event, strlen(event), TIMELINE_NAME_MOST);
		svg_raw(&d->svg, "]");
	}
	svg_raw(&d->svg, "</title>\n");
	for (; i < count && pieces[i].group == pieces->group && pieces[i].name == pieces->name;
	     i++) {
		if (pieces[i].count == 1)
			add_piece(d, &pieces[i]);
		else
			merged++;
	}
	if (merged)
		add_merged(d, pieces, i, style && style->bottom);
	svg_raw(&d->svg, "</g>\n");
	return i;
}

static int by_start(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* Adds the names of pieces. Pieces that overlap others get no names, because the names could
 * overlap, too. The pieces must be sorted by start. */
static void add_labels(struct timeline_drawing *d, const struct piece *pieces, size_t count)
{
	const struct timeline *timeline = d->timeline;
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		const double x = time_axis_x(&d->axis, pieces[i].start);
		const bool alone = pieces[i].start >= end &&
				   (i + 1 == count || pieces[i + 1].start >= pieces[i].end);
		size_t size;
		const char *name = pk_texts_get(&timeline->names, pieces[i].name, &size);

		if (!timeline->kinds[pieces[i].group].is_state && pieces[i].count == 1 && alone)
			svg_box_label(&d->svg, name, size, x,
				      svg_baseline(&timeline->plot, timeline->row_height),
				      time_axis_x(&d->axis, pieces[i].end) - x);
		end = pieces[i].end > end ? pieces[i].end : end;
	}
}

/* Adds the pieces of one row of a lane. */
static void add_row(struct timeline_drawing *d, struct piece *pieces, size_t count)
{
	const uint32_t lane = pieces->lane;
	const double y = d->lane_y[lane] + d->row_y[lane][pieces->row];

	svg_format(&d->svg, "<g class=\"row\" data-lane=\"%u\" transform=\"translate(0 %.0f)\">\n",
		   lane, y);
	qsort(pieces, count, sizeof(*pieces), by_name);
	for (size_t i = 0; i < count;)
		i += add_named(d, pieces + i, count - i);
	svg_raw(&d->svg, "<g class=\"names\">");
	qsort(pieces, count, sizeof(*pieces), by_start);
	add_labels(d, pieces, count);
	svg_raw(&d->svg, "</g></g>\n");
}

/* Adds the pieces of all lanes. */
static void timeline_rows(struct timeline_drawing *d)
{
	struct pieces *pieces = &d->timeline->pieces;
	size_t end;

	d->first_cell = pieces->step ? d->axis.from / pieces->step : 0;
	svg_format(&d->svg,
		   "<clipPath id=\"pk-inside\"><rect x=\"%g\" width=\"%g\" "
		   "height=\"%.0f\"/></clipPath>\n",
		   d->axis.x, d->axis.width, d->svg.height);
	svg_format(&d->svg,
		   "<g class=\"pieces\" data-x=\"%g\" data-width=\"%g\" data-height=\"%u\"",
		   d->axis.x, d->axis.width, d->timeline->row_height - 1);
	if (pieces->step)
		svg_format(&d->svg, " data-step=\"%" PRIu64 "\" data-before=\"%" PRIu64 "\"",
			   pieces->step, d->axis.from - d->first_cell * pieces->step);
	svg_raw(&d->svg, " clip-path=\"url(#pk-inside)\">\n");
	for (size_t i = 0; i < pieces->count; i = end) {
		for (end = i;
		     end < pieces->count && pieces->items[end].lane == pieces->items[i].lane &&
		     pieces->items[end].row == pieces->items[i].row;
		     end++)
			;
		if (d->lane_y[pieces->items[i].lane] > 0)
			add_row(d, &pieces->items[i], end - i);
	}
	svg_raw(&d->svg, "</g>\n");
}

/* ---- Wakeups ---- */

/* Returns the lane of the task that an arrow points to. Returns 0 if the arrow is not drawn. */
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
	/* A waker without spans has no lane. An example is the idle task, if an interrupt wakes a
	 * task. */
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

/* Draws the wakeups, and sets d->arrows to their number. */
static void timeline_arrows(struct timeline_drawing *d)
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

/* Draws a line of counts. Its top is at y. */
static void timeline_counter(struct timeline_drawing *d, const struct counter_line *line, double y)
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

/* ---- Drawing ---- */

#define LABELS_MOST 220 /* maximum width of the labels of lanes, in pixels */

/* ---- Lanes ---- */

/* Places the rows that the lane has, from top to bottom. Returns the height of the lane. */
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

/* Adds the sums of the lane as the tooltip of its label. */
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

/* Draws the legend with the colours of the kinds, in as many lines as it needs. Returns the height
 * of the legend. If `drawn` is false, only returns the height. */
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

/* Adds a note to the text at the bottom of the picture. Adds nothing if the count is 0. */
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
	note(text, sizeof(text), lanes - d->lanes_count,
	     "lanes with less time are not drawn (--lanes)");
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
	const char *title = plot->title ? plot->title : d->title.size ? d->title.data : "Timeline";
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
	svg_raw(&d->svg, "<g class=\"legend\">\n");
	add_legend(d, legend_y, true);
	svg_raw(&d->svg, "</g>\n");
	draw_lanes(d, top, bottom, counters);
	y = d->svg.height - d->line * 0.6;
	svg_label(&d->svg, TIMELINE_MARGIN, y, "info", "");
	add_notes(d, y);
}

/* Returns the width of the longest label in pixels, with a minimum and a maximum. */
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

/* Draws the timeline on stdout. timeline_read() must have been called. */
static enum pk_status timeline_draw(struct timeline *timeline)
{
	struct timeline_drawing d = {.timeline = timeline,
				     .svg = {.file = stdout, .options = &timeline->plot},
				     .line = timeline->plot.font_size * 1.5};
	enum pk_status status = PK_NOMEM;
	double x;

	palette_find(&d.palette, "name");
	d.lanes = lanes_order(&timeline->lanes, timeline->lanes_most, SIZE_MAX, &d.lanes_count);
	d.lane_y = calloc(timeline->lanes.count + 1, sizeof(*d.lane_y));
	d.row_y = calloc(timeline->lanes.count + 1, sizeof(*d.row_y));
	if (d.lanes && d.lane_y && d.row_y) {
		x = TIMELINE_MARGIN + labels_width(&d);
		d.axis = (struct time_axis){timeline->first, timeline->last, x,
					    timeline->plot.width - TIMELINE_MARGIN - x};
		d.decimals = time_axis_decimals(&d.axis);
		plot_origin_title(&timeline->origin, &timeline->samples, "", &d.title);
		draw(&d);
		d.svg.out.failed |= d.title.failed;
		status = svg_end(&d.svg);
	}
	free(d.title.data);
	free(d.lanes);
	free(d.lane_y);
	free(d.row_y);
	return status;
}

/* ---- Options ---- */

#define PIECES_MOST   45000 /* PIECES_BYTES is another limit */
#define MERGED_AS_ONE 12
#define ARROWS_MOST   4000

#define AT(member) PK_AT(struct timeline, member)

static const struct pk_option rows[] = {
	PK_TITLE("Lanes"),
	{0, "by", "FIELD,...", PK_CALL, "the fields that lanes stand for (tid); cpu: processors",
	 AT(selection), .parse = lanes_set},
	{0, "lanes", "N", PK_NUMBER, "draw N lanes, those with the most time (60)", AT(lanes_most),
	 .least = 1, .most = LANES_MAX},
	{0, "height", "PIXELS", PK_NUMBER, "the height of a row", AT(row_height), .least = 2,
	 .most = 200},
	{.kind = PK_ROWS, .rows = plot_rows, AT(plot)},
	{.kind = PK_ROWS, .rows = plot_sample_rows, AT(selection)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-plot timeline [OPTION...] [FILE...]\n"
		 "\n"
		 "Draws spans of threads or processors over time, wakeups, and counts of pk-stat.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-span sched --pass sched.pk | pk-plot timeline > threads.svg\n"
		    "  pk-span sched sched.pk | pk-plot timeline --event run --by cpu > "
		    "processors.svg\n",
};

/* Returns PK_EXIT_FAILED if there is nothing to draw. */
static int report(const struct timeline *timeline)
{
	char number[32];

	lanes_report(&timeline->lanes);
	if (timeline->counters.dropped)
		pk_warn("%s counts are of further events than %d, skipped",
			pk_number(number, timeline->counters.dropped), COUNTERS_MAX);
	if (timeline->other)
		pk_info("%s samples are no spans, skipped", pk_number(number, timeline->other));
	if (!timeline->spans && timeline->other)
		pk_warn("there are no spans: run pk-span before pk-plot timeline");
	return timeline->spans || timeline->counters.count
		       ? PK_EXIT_OK
		       : plot_nothing("there are no spans and counts: the picture is empty");
}

static int timeline(struct pk_run *run, struct timeline *timeline)
{
	int result = timeline_read(timeline, run), nothing;

	if (run->nothing)
		return result;
	nothing = report(timeline);
	result = result ? result : nothing;
	return timeline_draw(timeline) == PK_OK ? result : pk_no_memory();
}

static int run_timeline(const struct pk_common *common, int argc, char **argv)
{
	struct timeline options = {.common = *common,
				   .plot = PLOT_DEFAULTS,
				   .lanes_most = 60,
				   .pieces.most = PIECES_MOST,
				   .pieces.merged_as_one = MERGED_AS_ONE,
				   .arrows.most = ARROWS_MOST};
	struct pk_run run = {0};
	int result;

	result = pk_parse_options(&command, &options, &argc, &argv);
	if (result < 0) {
		if (!options.row_height)
			options.row_height = (unsigned int)lround(options.plot.font_size + 4);
		result = plot_start(&options.common, argc, argv, &run);
		if (!result)
			result = pk_finish(timeline(&run, &options));
	}
	return timeline_free(&options, result);
}

const struct plot_kind plot_timeline = {"timeline", "spans of threads or processors over time",
					run_timeline};
