// SPDX-License-Identifier: BSD-2-Clause
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

/* A merged piece is as high as the part of its time that the spans fill. */
static void add_piece(struct timeline_drawing *d, const struct piece *piece, bool bottom)
{
	const double x = time_axis_x(&d->axis, piece->start);
	const double width = time_axis_x(&d->axis, piece->end) - x;
	const double height = d->timeline->row_height - 1;
	/* The ends of a merged piece need not be exact. */
	const unsigned int decimals =
		piece->count > 1 && width > 0
			? (unsigned int)fmin(d->decimals, fmax(2, 3 - log10(width)))
			: d->decimals;
	const double part =
		piece->end > piece->start
			? fmin(1, (double)piece->time / (double)(piece->end - piece->start))
			: 1;

	svg_raw(&d->svg, "<rect");
	svg_exact(&d->svg, "x", x, decimals);
	svg_exact(&d->svg, "width", width, decimals);
	svg_attribute(&d->svg, "height", height * part);
	if (piece->count > 1) {
		if (bottom)
			svg_attribute(&d->svg, "y", height * (1 - part));
		svg_format(&d->svg, " data-n=\"%u\" data-t=\"%.0f\"", piece->count,
			   (double)piece->time);
	}
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
	size_t size, i = 0;
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
	for (; i < count && pieces[i].group == pieces->group && pieces[i].name == pieces->name; i++)
		add_piece(d, &pieces[i], style && style->bottom);
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

	svg_format(&d->svg, "<g class=\"pieces\" data-x=\"%g\" data-width=\"%g\">\n", d->axis.x,
		   d->axis.width);
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
