// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline_parts.h"

/* ---- Colours ---- */

/* The states of tasks have patterns, too, so that they differ without colours. */
static const struct style {
	const char *name, *fill;
	bool bottom; /* the part of a merged piece is at the bottom of the row */
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

const char *timeline_fill(struct timeline_drawing *d, unsigned int kind, const char *name,
			  size_t size, char colour[PALETTE_COLOUR])
{
	const struct style *style = d->timeline->kinds[kind].is_state ? style_of(name) : NULL;

	if (style)
		return style->fill;
	palette_colour(&d->palette, name, size, colour);
	return colour;
}

/* ---- Pieces ---- */

#define LEVELS 100 /* of the height of a merged piece */

static void add_piece(struct timeline_drawing *d, const struct piece *piece)
{
	const double x = time_axis_x(&d->axis, piece->start);

	svg_raw(&d->svg, "<rect");
	svg_exact(&d->svg, "x", x, d->decimals);
	svg_exact(&d->svg, "width", time_axis_x(&d->axis, piece->end) - x, d->decimals);
	svg_attribute(&d->svg, "height", d->timeline->row_height - 1);
	svg_raw(&d->svg, "/>\n");
}

/* The part of its cell that the spans of a merged piece fill. */
static int level_of(const struct piece *piece, uint64_t step)
{
	const double part = (double)piece->time / (double)step;

	return (int)fmax(1, round(fmin(1, part) * LEVELS));
}

/* A path in which a cell is 1 wide: `v` to its level and `h1` for each merged piece; gaps are on
 * the base line. That is a few bytes for each piece. */
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

/* The numbers of spans of the merged pieces: 5 bits in a character, the low ones first; 32: more
 * follow. */
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

/* The merged pieces of a name: a path whose areas are sums of time. */
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

/* Pieces of the same kind and name are in one element, which has the tooltip and the colour. */
static int by_name(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->group != b->group)
		return a->group > b->group ? -1 : 1; /* run is the first kind: it is on top */
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

/* The names of pieces, except those that overlap others: their names could overlap, too. The pieces
 * are sorted by start. */
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

/* The pieces of a row of a lane. */
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

void timeline_rows(struct timeline_drawing *d)
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
