// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allowance.h"
#include "fold.h"
#include "fold_rows.h"
#include "folded.h"
#include "lookups.h"
#include "name_files.h"
#include "palette.h"
#include "plot_origin.h"
#include "paths.h"
#include "plot_options.h"
#include "svg.h"
#include "time_axis.h"
#include "tree.h"
#include "vector.h"

/* ---- Flame ---- */

/* The options of a flame graph. */
struct flame_options {
	struct pk_common common;
	struct plot_options plot;
	struct pk_fold_options fold;
	struct palette palette;
	struct palette_map map; /* colours of names from the file of --cp */
	struct name_attributes attributes;
	bool icicle;  /* draw the root at the top */
	bool objects; /* The names of frames start with their object. The picture shows the object
		       * in tooltips only. */
	bool negate;  /* in a comparison, decreases are red */
	double min_width;	   /* minimum width of a frame that is drawn, in pixels */
	bool min_is_share;	   /* min_width is a percentage of the width of all frames */
	unsigned int frame_height; /* height of a row in pixels; 0 if it depends on the size of the
				    * font */
	const char *count_name;	   /* the unit of weights; NULL selects the unit of the input */
	const char *name_type; /* text that is printed before the names of functions; NULL if there
				* is none */
	double total;  /* the weight to which the whole width corresponds; 0 selects the sum of all
			* stacks */
	double factor; /* weights are multiplied by this number before they are shown */
};

/* ---- Layout ---- */

/* The layout determines which nodes of a tree are drawn, and where. It consists of rows of boxes.
 * The first row has the roots. */

/* A frame of a flame graph, which is drawn as a box. */
struct flame_box {
	uint64_t start; /* sum of the weights to the left of the box */
	uint32_t node;	/* node of the tree; 0 if it is the box that contains all roots */
};

/* The boxes of a flame graph: their places, and the data from which they are calculated. */
struct flame_layout {
	/* ---- Set by the caller ---- */
	const struct pk_tree *tree;
	/* If it is true, children are in the order of their numbers, and nodes with the name
	 * FOLDED_GAP are gaps. If it is false, children are sorted by name. */
	bool in_order;
	bool objects; /* Names start with an object (see frame_split()). The sort order ignores the
		       * object. */

	struct pk_allowance *allowance; /* limit for the total size of the boxes */

	/* ---- Set by flame_layout() ---- */
	uint64_t *totals; /* The weight of each node, including the weights of its descendants. It
			   * determines the width of the box. */
	uint64_t *bases; /* the weights that the nodes have in the stacks of the base; NULL if there
			  * is no comparison */
	struct flame_box *boxes; /* the boxes, sorted by row, and in each row from left to right */
	size_t count, capacity;
	size_t *rows; /* The index of the first box of each row. The last item is the end of the
		       * last row. */
	size_t rows_count, rows_capacity;
	uint64_t hidden; /* number of nodes that are not drawn */
	uint64_t cut;	 /* The number of nodes that are not drawn because the allowance is spent.
			  * Their descendants are not drawn either, and are not counted here. */
};

struct child {
	const char *name;
	size_t size;
	uint32_t node;
};

struct children {
	struct child *items;
	size_t count, capacity;
};

static int by_number(const void *left, const void *right)
{
	const struct child *a = left, *b = right;

	return (a->node > b->node) - (a->node < b->node);
}

static int compare(const void *left, const void *right)
{
	const struct child *a = left, *b = right;
	int order = memcmp(a->name, b->name, a->size < b->size ? a->size : b->size);

	if (!order)
		order = (a->size > b->size) - (a->size < b->size);
	return order ? order : by_number(left, right);
}

/* Lists the children of a node whose weight is not 0, in the order in which they are drawn. */
static enum pk_status list_children(struct children *children, const struct flame_layout *layout,
				    uint32_t parent)
{
	const struct pk_tree *tree = layout->tree;

	children->count = 0;
	for (uint32_t node = tree->nodes[parent].first; node; node = tree->nodes[node].next) {
		const char *object;
		struct child *child;
		size_t object_size;

		if (!layout->totals[node])
			continue;
		PK_TRY(pk_vector_reserve(children, 1));
		child = &children->items[children->count++];
		child->node = node;
		child->name = pk_tree_text(tree, node, &child->size);
		if (layout->objects)
			child->size = frame_split(&child->name, child->size, &object, &object_size);
	}
	if (children->count > 1)
		qsort(children->items, children->count, sizeof(*children->items),
		      layout->in_order ? by_number : compare);
	return PK_OK;
}

static enum pk_status add_box(struct flame_layout *layout, uint32_t node, uint64_t start)
{
	PK_TRY(pk_reserve(&layout->boxes, &layout->capacity, layout->count, 1,
			  sizeof(*layout->boxes)));
	layout->boxes[layout->count++] = (struct flame_box){start, node};
	return PK_OK;
}

static enum pk_status add_row(struct flame_layout *layout)
{
	PK_TRY(pk_reserve(&layout->rows, &layout->rows_capacity, layout->rows_count, 1,
			  sizeof(*layout->rows)));
	layout->rows[layout->rows_count++] = layout->count;
	return PK_OK;
}

static bool is_gap(const struct flame_layout *layout, uint32_t node)
{
	size_t size;
	const char *name = pk_tree_text(layout->tree, node, &size);

	return layout->in_order && size == strlen(FOLDED_GAP) && !memcmp(name, FOLDED_GAP, size);
}

/* The size of a box in the picture in bytes, without its name. The name is written twice. */
#define BOX_COST 256

/* Subtracts the cost of a box from the allowance. If the allowance is too small, returns false, and
 * the box is not drawn. A box is only drawn if the box of its parent is drawn. */
static bool pay_box(struct flame_layout *layout, uint32_t node)
{
	size_t size;

	pk_tree_text(layout->tree, node, &size);
	if (pk_allowance_spend(layout->allowance, BOX_COST + 2 * (uint64_t)size))
		return true;
	layout->cut++;
	return false;
}

static enum pk_status add_children(struct flame_layout *layout, struct children *children,
				   size_t box, double least)
{
	uint64_t start = layout->boxes[box].start;

	PK_TRY(list_children(children, layout, layout->boxes[box].node));
	for (size_t i = 0; i < children->count; i++) {
		const struct child *child = &children->items[i];
		const uint64_t total = layout->totals[child->node];

		if ((double)total >= least && !is_gap(layout, child->node) &&
		    pay_box(layout, child->node))
			PK_TRY(add_box(layout, children->items[i].node, start));
		if (__builtin_add_overflow(start, total, &start))
			start = UINT64_MAX;
	}
	return PK_OK;
}

static enum pk_status lay_out_rows(struct flame_layout *layout, struct children *children,
				   double least)
{
	size_t first = 0;

	PK_TRY(add_row(layout));
	PK_TRY(add_box(layout, 0, 0));
	PK_TRY(add_row(layout));
	while (first < layout->count && layout->rows_count < PK_PATH_DEPTH_MAX) {
		const size_t end = layout->count;

		for (; first < end; first++)
			PK_TRY(add_children(layout, children, first, least));
		if (layout->count > end)
			PK_TRY(add_row(layout));
	}
	return PK_OK;
}

/* Lays out the nodes whose weight is at least `least`, up to 4096 rows. If `pairs` is set, the
 * second column of the tree determines the widths, and the first column has the weights of the
 * base. The caller calls flame_layout_free(), even after a failure. */
static enum pk_status flame_layout(struct flame_layout *layout, bool pairs, double least)
{
	const struct pk_tree *tree = layout->tree;
	struct children children = {0};
	enum pk_status status;

	layout->totals = pk_tree_totals(tree, pairs ? 1 : 0);
	layout->bases = pairs ? pk_tree_totals(tree, 0) : NULL;
	status = layout->totals && (!pairs || layout->bases)
			 ? lay_out_rows(layout, &children, least)
			 : PK_NOMEM;
	for (size_t node = 1; status == PK_OK && node < tree->count; node++)
		layout->hidden += layout->totals[node] != 0 && !is_gap(layout, (uint32_t)node);
	layout->hidden -= layout->count ? layout->count - 1 : 0;
	free(children.items);
	return status;
}

static void flame_layout_free(struct flame_layout *layout)
{
	free(layout->totals);
	free(layout->bases);
	free(layout->boxes);
	free(layout->rows);
}

/* ---- Drawing ---- */

#define NAME_MOST 1000 /* characters of a name in a tooltip */
#define MARGIN	  10   /* pixels, left and right */

/* The picture of a flame graph while it is drawn. */
struct drawing {
	struct flame_options *options;
	struct flame_layout layout;
	struct svg svg;
	struct palette palette;
	const struct difference *changes; /* by node; NULL if the nodes were not compared */
	double total, base_total;	  /* the weights that correspond to the whole width */
	double pixels;			  /* width of a weight of 1 */
	unsigned int row;		  /* height of a row, in pixels */
	unsigned int top;		  /* y of the first row of frames */
	const char *unit;
	int nothing; /* the exit status if there is nothing to draw */
	struct plot_origin origin;
	struct buffer title;
	size_t shown;  /* number of rows that are shown at first */
	bool has_deep; /* true if there are further rows */
};

/* ---- Numbers ---- */

/* Adds a weight with its unit. */
static void add_weight(struct drawing *d, double weight)
{
	static const char *const times[] = {"ns", "us", "ms", "s"};
	char number[32];
	unsigned int i = 0;

	weight *= d->options->factor;
	if (strcmp(d->unit, "nanoseconds")) {
		svg_raw(&d->svg, pk_number(number, (uint64_t)llround(weight)));
		svg_raw(&d->svg, " ");
		svg_text(&d->svg, d->unit, strlen(d->unit), NAME_MOST);
		return;
	}
	for (; weight >= 999.95 && i < 3; i++)
		weight /= 1000;
	svg_format(&d->svg, "%.*f %s", i ? 2 : 0, weight, times[i]);
}

static double share(double weight, double total)
{
	return total > 0 ? 100 * weight / total : 0;
}

/* ---- Frames ---- */

/* Returns the name of a frame with its suffix, such as _[k], and without its object. */
static const char *full_name(const struct drawing *d, uint32_t node, size_t *size)
{
	const char *name = pk_tree_text(d->layout.tree, node, size), *object;
	size_t object_size;

	if (d->options->objects)
		*size = frame_split(&name, *size, &object, &object_size);
	return name;
}

static const char *name_of(const struct drawing *d, uint32_t node, size_t *size)
{
	const char *name = "all";
	char suffix;

	*size = strlen(name);
	if (node)
		name = full_name(d, node, size);
	*size = frame_base(name, *size, &suffix);
	return name;
}

/* Adds "; " and the object. Adds nothing if the name has no object. */
static void add_object(struct drawing *d, uint32_t node)
{
	size_t size, object_size;
	const char *name = pk_tree_text(d->layout.tree, node, &size), *object;

	frame_split(&name, size, &object, &object_size);
	if (!object_size)
		return;
	svg_raw(&d->svg, "; ");
	svg_text(&d->svg, object, object_size, NAME_MOST);
}

/* Returns the change of the node's share compared to the base, in percentage points. */
static double change_of(const struct drawing *d, uint32_t node)
{
	return share((double)d->layout.totals[node], d->total) -
	       share((double)d->layout.bases[node], d->base_total);
}

/* Returns whether the change of a node can be chance. */
static bool can_be_chance(const struct drawing *d, uint32_t node)
{
	return d->changes && d->changes[node].mark != DIFFERENCE_CHANGED;
}

/* Adds a title such as "name (1,234 samples, 12.34%; self 0.12%; object)". */
static void add_title(struct drawing *d, uint32_t node)
{
	const uint64_t total = d->layout.totals[node];
	const uint64_t self = node ? d->layout.tree->nodes[node].self[d->layout.bases ? 1 : 0] : 0;
	size_t size;
	const char *name = name_of(d, node, &size);

	svg_raw(&d->svg, "<title>");
	if (d->options->name_type)
		svg_text(&d->svg, d->options->name_type, strlen(d->options->name_type), NAME_MOST);
	svg_text(&d->svg, name, size, NAME_MOST);
	svg_raw(&d->svg, " (");
	add_weight(d, (double)total);
	svg_format(&d->svg, ", %.2f%%", share((double)total, d->total));
	if (self && self < total)
		svg_format(&d->svg, "; self %.2f%%", share((double)self, d->total));
	if (d->layout.bases)
		svg_format(&d->svg, "; %+.2f%%%s", change_of(d, node),
			   can_be_chance(d, node) ? ", not significant" : "");
	if (d->options->objects && node)
		add_object(d, node);
	svg_raw(&d->svg, ")</title>");
}

/* Returns the colour of a name. With --cp, a name keeps the colour that it has in earlier pictures.
 */
static void name_colour(struct drawing *d, const char *name, size_t size,
			char colour[PALETTE_COLOUR])
{
	palette_colour(&d->palette, name, size, colour);
	if (d->options->map.path &&
	    palette_map_colour(&d->options->map, name, size, colour) != PK_OK)
		d->svg.out.failed = true;
}

/* The colour of frames whose change is not significant. */
#define CHANCE_COLOUR "#ccc"

/* Adds the colour of a change, from -1 (the greatest decrease) to 1 (the greatest increase). */
static void add_change(struct drawing *d, double change)
{
	char colour[PALETTE_COLOUR];

	palette_change(d->options->negate ? -change : change, colour);
	svg_raw(&d->svg, " fill=\"");
	svg_raw(&d->svg, colour);
	svg_raw(&d->svg, "\"");
}

static void add_colour(struct drawing *d, uint32_t node, double greatest)
{
	char colour[PALETTE_COLOUR];
	size_t size;
	const char *name;

	if (d->layout.bases && can_be_chance(d, node)) {
		svg_raw(&d->svg, " fill=\"" CHANCE_COLOUR "\"");
		return;
	}
	if (d->layout.bases) {
		add_change(d, change_of(d, node) / greatest);
		return;
	}
	if (!node) {
		memcpy(colour, "#ccc", sizeof("#ccc"));
	} else {
		name = palette_is_by_module(&d->palette) ? pk_tree_text(d->layout.tree, node, &size)
							 : full_name(d, node, &size);
		name_colour(d, name, size, colour);
	}
	svg_raw(&d->svg, " fill=\"");
	svg_raw(&d->svg, colour);
	svg_raw(&d->svg, "\"");
}

/* Starts the element of a frame, and adds the attributes of --nameattr. Returns these attributes,
 * or NULL if the name has none. */
static const struct name_values *add_element(struct drawing *d, uint32_t node)
{
	size_t size;
	const char *name = name_of(d, node, &size);
	const struct name_values *item = name_attributes_find(&d->options->attributes, name, size);

	svg_raw(&d->svg, item && item->values[NAME_HREF] ? "<a" : "<g");
	for (unsigned int i = NAME_TITLE + 1; item && i < NAME_ATTRIBUTES; i++) {
		if (!item->values[i])
			continue;
		svg_format(&d->svg, " %s=\"", name_attribute(i));
		svg_text(&d->svg, item->values[i], strlen(item->values[i]), SIZE_MAX);
		svg_raw(&d->svg, "\"");
	}
	if (item && item->values[NAME_TITLE]) {
		svg_raw(&d->svg, " data-name=\"");
		svg_text(&d->svg, name, size, NAME_MOST);
		svg_raw(&d->svg, "\"");
	}
	svg_raw(&d->svg, ">");
	return item;
}

static void add_given_title(struct drawing *d, const char *title)
{
	svg_raw(&d->svg, "<title>");
	svg_text(&d->svg, title, strlen(title), NAME_MOST);
	svg_raw(&d->svg, "</title>");
}

static double round_pixels(double value)
{
	return round(value * 100) / 100;
}

static void add_frame(struct drawing *d, const struct flame_box *box, double greatest)
{
	const double total = (double)d->layout.totals[box->node];
	const double x = round_pixels(MARGIN + (double)box->start * d->pixels);
	const double end = round_pixels(MARGIN + ((double)box->start + total) * d->pixels);
	const struct name_values *values;
	const char *name;
	size_t size;

	values = add_element(d, box->node);
	if (values && values->values[NAME_TITLE])
		add_given_title(d, values->values[NAME_TITLE]);
	else
		add_title(d, box->node);
	svg_raw(&d->svg, "<rect");
	svg_attribute(&d->svg, "x", x);
	svg_attribute(&d->svg, "width", end - x);
	svg_attribute(&d->svg, "height", d->row - 1);
	add_colour(d, box->node, greatest);
	svg_raw(&d->svg, "/>");
	name = name_of(d, box->node, &size);
	svg_box_label(&d->svg, name, size, x, svg_baseline(&d->options->plot, d->row), end - x);
	svg_raw(&d->svg, values && values->values[NAME_HREF] ? "</a>\n" : "</g>\n");
}

/* ---- The picture ---- */

/* Returns the greatest change of a frame's share. The result has a minimum, so that very small
 * changes do not become red. */
static double greatest_change(const struct drawing *d)
{
	double greatest = 0.1;

	for (size_t i = 1; d->layout.bases && i < d->layout.count; i++)
		greatest = fmax(greatest, fabs(change_of(d, d->layout.boxes[i].node)));
	return greatest;
}

/* Adds the colours of a comparison, from the greatest decrease of a share to the greatest increase.
 */
static void add_legend(struct drawing *d, double y, double greatest)
{
	const double width = 2 * svg_character(&d->options->plot);
	const double x = d->svg.width / 2 - 2.5 * width;
	char text[64];

	svg_raw(&d->svg, "<g class=\"legend\">\n");
	for (int i = 0; i < 5; i++) {
		svg_raw(&d->svg, "<rect");
		svg_attribute(&d->svg, "x", x + i * width);
		svg_attribute(&d->svg, "y", y - d->options->plot.font_size);
		svg_attribute(&d->svg, "width", width);
		svg_attribute(&d->svg, "height", d->options->plot.font_size);
		add_change(d, (i - 2) / 2.0);
		svg_raw(&d->svg, "/>\n");
	}
	snprintf(text, sizeof(text), "share -%.3g%%", greatest);
	svg_label(&d->svg, x - 5, y - 2, "end", text);
	snprintf(text, sizeof(text), "+%.3g%%", greatest);
	svg_label(&d->svg, x + 5 * width + 5, y - 2, "start", text);
	if (d->changes)
		svg_label(&d->svg, d->svg.width - MARGIN, y - 2, "end", "grey: not significant");
	svg_raw(&d->svg, "</g>\n");
}

/* ---- Towers ---- */

/* A few stacks that are much deeper than the others would make the picture so tall that its first
 * screen is empty. Rows beyond FLAME_ROWS_LEAST whose boxes have less than FLAME_ROW_SHARE of the
 * width are not shown at first, if there are at least FLAME_ROWS_DEEP such rows. Instead, there is
 * a row of marks. A click on a mark shows all rows. */
#define FLAME_ROWS_LEAST 40
#define FLAME_ROW_SHARE	 0.02
#define FLAME_ROWS_DEEP	 10

/* Returns the number of rows that are shown at first. */
static size_t shown_rows(const struct flame_layout *layout, double total)
{
	const size_t rows = layout->rows_count - 1;

	for (size_t i = FLAME_ROWS_LEAST; i + FLAME_ROWS_DEEP <= rows; i++) {
		double sum = 0;

		for (size_t box = layout->rows[i]; box < layout->rows[i + 1]; box++)
			sum += (double)layout->totals[layout->boxes[box].node];
		if (sum < total * FLAME_ROW_SHARE)
			return i;
	}
	return rows;
}

/* Returns the y of a row. Rows that are not shown at first are above or below the picture. */
static long row_y(const struct drawing *d, size_t row)
{
	const long rows = (long)(d->shown + d->has_deep), number = (long)row;

	return d->top + (long)d->row * (d->options->icicle ? number : rows - 1 - number);
}

/* Adds a mark for each frame of the first row that is not shown. */
static void add_marks(struct drawing *d)
{
	const struct flame_layout *layout = &d->layout;
	const size_t deep = layout->rows_count - 1 - d->shown;

	svg_format(&d->svg, "<g class=\"more\" transform=\"translate(0 %ld)\">\n",
		   row_y(d, d->shown));
	for (size_t box = layout->rows[d->shown]; box < layout->rows[d->shown + 1]; box++) {
		const struct flame_box *at = &layout->boxes[box];
		const double x = round_pixels(MARGIN + (double)at->start * d->pixels);
		const double width = (double)layout->totals[at->node] * d->pixels;

		svg_format(&d->svg,
			   "<g data-name=\"+%zu\"><title>The picture has %zu more rows. A click "
			   "shows them.</title><rect",
			   deep, deep);
		svg_attribute(&d->svg, "x", x);
		svg_attribute(&d->svg, "width", fmax(round_pixels(width), 1));
		svg_attribute(&d->svg, "height", d->row - 1);
		svg_raw(&d->svg, "/></g>\n");
	}
	svg_raw(&d->svg, "</g>\n");
}

static void add_rows(struct drawing *d, double greatest)
{
	const struct flame_layout *layout = &d->layout;
	const size_t rows = layout->rows_count - 1;

	svg_format(&d->svg, "<g class=\"frames\" data-x=\"%d\" data-width=\"%g\"", MARGIN,
		   d->svg.width - 2 * MARGIN);
	if (d->has_deep)
		svg_format(&d->svg, " data-deep=\"%zu\"", d->row * (rows - d->shown - 1));
	svg_raw(&d->svg, ">\n");
	for (size_t i = 0; i < rows; i++) {
		svg_format(&d->svg, "<g transform=\"translate(0 %ld)\"%s>\n", row_y(d, i),
			   i < d->shown ? "" : " class=\"deep\"");
		for (size_t box = layout->rows[i]; box < layout->rows[i + 1]; box++)
			add_frame(d, &layout->boxes[box], greatest);
		svg_raw(&d->svg, "</g>\n");
	}
	svg_raw(&d->svg, "</g>\n");
	if (d->has_deep)
		add_marks(d);
}

/* ---- Texts around the frames ---- */

static void add_hidden(struct drawing *d, double y)
{
	char number[32], text[256] = "";
	size_t size = 0;

	if (d->has_deep)
		size = (size_t)snprintf(text, sizeof(text),
					"%zu rows of few frames are not shown (dashed)",
					d->layout.rows_count - 1 - d->shown);
	if (d->layout.hidden)
		snprintf(text + size, sizeof(text) - size,
			 "%s%s frames thinner than %g%s are not drawn", size ? "; " : "",
			 pk_number(number, d->layout.hidden), d->options->min_width,
			 d->options->min_is_share ? "%" : " px");
	if (*text)
		svg_label(&d->svg, d->svg.width - MARGIN, y, "hidden end", text);
}

static void draw(struct drawing *d)
{
	const struct plot_options *plot = &d->options->plot;
	const char *title = plot->title		 ? plot->title
			    : d->title.size	 ? d->title.data
			    : d->layout.bases	 ? "Differential Flame Graph"
			    : d->layout.in_order ? "Flame Chart"
			    : d->options->icicle ? "Icicle Graph"
						 : "Flame Graph";
	const double line = plot->font_size * 1.5;
	const double greatest = greatest_change(d);
	char kind[32];
	double y = line * 1.5;

	d->shown = shown_rows(&d->layout, d->total);
	d->has_deep = d->shown < d->layout.rows_count - 1;
	d->top = (unsigned int)lround(line * (3 + !!plot->subtitle + !!d->layout.bases));
	snprintf(kind, sizeof(kind), "flame%s%s", d->options->icicle ? " icicle" : "",
		 d->layout.bases ? " diff" : "");
	svg_begin(&d->svg, kind, title,
		  d->top + (double)(d->row * (d->shown + d->has_deep)) + 2 * line, &flame_script);
	svg_label(&d->svg, d->svg.width / 2, y, "title middle", title);
	if (plot->subtitle)
		svg_label(&d->svg, d->svg.width / 2, y += line, "subtitle middle", plot->subtitle);
	if (d->layout.bases)
		add_legend(d, y + 1.5 * line, greatest);
	add_rows(d, greatest);
	y = d->svg.height - line * 0.7;
	svg_label(&d->svg, MARGIN, y, "info", "");
	add_hidden(d, y);
}

static enum pk_status print(void *arg, const struct pk_fold_result *result)
{
	struct drawing *d = arg;
	const struct flame_options *options = d->options;
	const double inner = options->plot.width - 2 * MARGIN;
	double least = 0;

	if (options->total <= 0) {
		d->total = pk_tree_sum(result->tree, result->pairs ? 1 : 0);
		d->base_total = pk_tree_sum(result->tree, 0);
	} else {
		d->total = d->base_total = options->total;
	}
	d->unit = options->count_name ? options->count_name
		  : result->unit      ? result->unit
				      : "samples";
	d->changes = result->changes;
	d->pixels = d->total > 0 ? inner / d->total : 0;
	least = options->min_width / (options->min_is_share ? 100 : inner) * d->total;
	d->layout = (struct flame_layout){.tree = result->tree,
					  .in_order = options->fold.in_order,
					  .allowance = result->allowance,
					  .objects = options->objects};
	PK_TRY(flame_layout(&d->layout, result->pairs, least));
	d->layout.hidden += result->thin;
	if (d->layout.cut)
		pk_warn("the picture would be too large for so small an input: callees of %zu "
			"frames "
			"are not drawn; --max-depth or a larger --min-width draws fewer frames",
			(size_t)d->layout.cut);
	if (d->layout.count == 1)
		d->nothing = plot_nothing("there are no stacks: the picture is empty");
	else if (result->samples->count && !result->samples->callchains)
		pk_warn("no sample has a callchain: each stack has one function; record with -g");
	plot_origin_title(&d->origin, result->samples, d->layout.bases ? "Difference: " : "",
			  &d->title);
	draw(d);
	d->svg.out.failed |= d->title.failed;
	return svg_end(&d->svg);
}

static enum pk_status note(void *arg, const struct pk_reader *reader,
			   const struct pk_record *record)
{
	return plot_origin_record(&((struct drawing *)arg)->origin, reader, record);
}

/* Text inputs can then skip frames that are too thin to be drawn. */
static void set_thin_share(struct flame_options *options)
{
	const double inner = options->plot.width - 2 * MARGIN;

	if (options->total <= 0)
		options->fold.thin_share =
			options->min_width / (options->min_is_share ? 100 : inner);
}

/* Draws a flame graph of the inputs of run on stdout. Returns the exit status. */
static int flame(struct pk_run *run, struct flame_options *options)
{
	struct drawing d = {.options = options,
			    .palette = options->palette,
			    .svg = {.file = stdout, .options = &options->plot}};
	int result;

	d.row = options->frame_height ? options->frame_height
				      : (unsigned int)lround(options->plot.font_size + 4);
	set_thin_share(options);
	options->fold.note = note;
	result = pk_fold(run, &options->fold, print, &d);
	flame_layout_free(&d.layout);
	plot_origin_free(&d.origin);
	free(d.title.data);
	name_attributes_report(&options->attributes);
	if (palette_map_write(&options->map) != PK_OK)
		result = PK_EXIT_FAILED;
	return result ? result : d.nothing;
}

/* ---- Options ---- */

/* Parses a width in pixels. With '%', the number is a percentage of the whole width. */
static int set_min_width(const struct pk_option *option, void *at, const char *text)
{
	struct flame_options *flame = at;
	char *end;

	flame->min_width = strtod(text, &end);
	flame->min_is_share = end > text && *end == '%';
	if (end == text || end[flame->min_is_share] || !(flame->min_width >= 0) ||
	    flame->min_width > (flame->min_is_share ? 100 : 1000))
		return pk_option_wrong(option, text);
	return PK_CONTINUE;
}

static int read_attributes(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	return name_attributes_read(at, text) == PK_OK ? PK_CONTINUE : PK_EXIT_FAILED;
}

static int read_map(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	return palette_map_read(at, text) == PK_OK ? PK_CONTINUE : PK_EXIT_FAILED;
}

#define AT(member) PK_AT(struct flame_options, member)

/* The options of flamegraph.pl, and some additional ones. */
static const struct pk_option rows[] = {
	PK_TITLE("Frames"),
	{0, "height", "PIXELS", PK_NUMBER, "the height of a frame", AT(frame_height), .least = 1,
	 .most = 200},
	{0, "min-width", "PIXELS|N%", PK_CALL,
	 "thinner frames are not drawn (0.1); N%: of the width", .parse = set_min_width,
	 .wants = "a number from 0 to 1000, or a percentage"},
	PK_ALSO(0, "minwidth", "PIXELS|N%", "min-width"),
	{0, "colors", "PALETTE", PK_CALL,
	 "kind (default), module, package, hot, mem, io, java, js ...", AT(palette),
	 .parse = palette_set},
	PK_ALSO(0, "color", "PALETTE", "colors"),
	{0, "hash", NULL, PK_CLEAR, "colors depend on names only (default)", AT(palette.random)},
	{0, "random", NULL, PK_FLAG, "colors do not depend on names", AT(palette.random)},
	{0, "icicle", NULL, PK_FLAG, "the root above", AT(icicle)},
	PK_ALSO(0, "inverted", NULL, "icicle"),
	{0, "countname", "TEXT", PK_TEXT, "the unit of weights", AT(count_name)},
	{0, "nametype", "TEXT", PK_TEXT, "a text before names", AT(name_type)},
	{0, "factor", "NUMBER", PK_REAL, "multiply weights by it", AT(factor), .least = 1e-18,
	 .most = 1e18},
	{0, "total", "NUMBER", PK_REAL, "the weight of the whole width", AT(total), .least = 1,
	 .most = 1e19},
	{0, "negate", NULL, PK_FLAG, "with --diff, red is a decrease", AT(negate)},
	{0, "flamechart", NULL, PK_FLAG, "folded text: the lines in their order, as time",
	 AT(fold.in_order)},
	{0, "nameattr", "FILE", PK_CALL, "links and other attributes of frames", AT(attributes),
	 .parse = read_attributes},
	{0, "cp", "[FILE]", PK_CALL, "colors of earlier pictures (palette.map)", AT(map),
	 .parse = read_map, .without = "palette.map"},
	{.kind = PK_ROWS, .rows = plot_rows, AT(plot)},
	{.kind = PK_ROWS, .rows = pk_fold_rows, AT(fold)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-plot flame [OPTION...] [FILE...]\n"
		 "\n"
		 "Draws a flame graph of streams, or of folded text (with one or two weights).\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot flame > app.svg\n"
		    "  pk-plot flame --diff=before.pk after.pk > diff.svg\n",
};

static int run_flame(const struct pk_common *common, int argc, char **argv)
{
	struct flame_options options = {.common = *common,
					.fold = PK_FOLD_DEFAULTS,
					.plot = PLOT_DEFAULTS,
					.min_width = 0.1,
					.factor = 1};
	struct pk_run run = {0};
	int result;

	palette_find(&options.palette, "kind");
	options.fold.text = true;
	options.fold.tail.symbols.tried = pk_report_tried;
	options.fold.stacks.names.mark_kernel = options.fold.stacks.names.mark_jit = true;
	options.fold.stacks.names.mark_inlines = true;
	result = pk_parse_options(&command, &options, &argc, &argv);
	if (result < 0) {
		/* A base can be a text file, whose names have no objects. */
		options.objects = !options.fold.stacks.names.modules && !options.fold.base;
		options.fold.stacks.names.modules |= options.objects;
		options.fold.compare = true;
		if (options.fold.base)
			pk_protect_input(options.fold.base);
		result = plot_start(&options.common, argc, argv, &run);
		if (!result)
			result = pk_finish(flame(&run, &options));
	}
	pk_tail_options_free(&options.fold.tail);
	palette_map_free(&options.map);
	name_attributes_free(&options.attributes);
	return result;
}

const struct plot_kind plot_flame = {"flame", "flame graph of samples or folded text", run_flame};
