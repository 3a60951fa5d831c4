// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "flame.h"
#include "flame_layout.h"
#include "kind.h"
#include "lookups.h"

#define NAME_MOST 1000 /* characters of a name in a tooltip */
#define MARGIN	  10   /* pixels, left and right */

struct drawing {
	struct flame_options *options;
	struct flame_layout layout;
	struct svg svg;
	struct palette palette;
	double total, base_total; /* the weights of the whole width */
	double pixels;		  /* for a weight of 1 */
	unsigned int row;	  /* height of a row, in pixels */
	unsigned int top;	  /* y of the first row of frames */
	const char *unit;
	int nothing; /* the exit status, if there is nothing to draw */
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

/* The name of a frame with its suffix, without its object. */
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

/* Adds "; object". */
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

/* How much the node's share has changed, in percent of all. */
static double change_of(const struct drawing *d, uint32_t node)
{
	return share((double)d->layout.totals[node], d->total) -
	       share((double)d->layout.bases[node], d->base_total);
}

/* "name (1,234 samples, 12.34%; self 0.12%; object)" */
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
		svg_format(&d->svg, "; %+.2f%%", change_of(d, node));
	if (d->options->objects && node)
		add_object(d, node);
	svg_raw(&d->svg, ")</title>");
}

/* The colour of a name; with --cp, that of earlier pictures. */
static void name_colour(struct drawing *d, const char *name, size_t size,
			char colour[PALETTE_COLOUR])
{
	palette_colour(&d->palette, name, size, colour);
	if (d->options->map.path && !palette_map_colour(&d->options->map, name, size, colour))
		d->svg.out.failed = true;
}

static void add_colour(struct drawing *d, uint32_t node, double greatest)
{
	char colour[PALETTE_COLOUR];
	size_t size;
	const char *name;

	if (d->layout.bases) {
		palette_change((d->options->negate ? -1 : 1) * change_of(d, node) / greatest,
			       colour);
	} else if (!node) {
		memcpy(colour, "#ccc", sizeof("#ccc"));
	} else {
		name = full_name(d, node, &size);
		name_colour(d, name, size, colour);
	}
	svg_raw(&d->svg, " fill=\"");
	svg_raw(&d->svg, colour);
	svg_raw(&d->svg, "\"");
}

/* Starts the element of a frame, with the attributes of --nameattr. Returns these; NULL: none. */
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

/* The greatest change of a frame's share; at least a little, so that noise is not red. */
static double greatest_change(const struct drawing *d)
{
	double greatest = 0.1;

	for (size_t i = 1; d->layout.bases && i < d->layout.count; i++)
		greatest = fmax(greatest, fabs(change_of(d, d->layout.boxes[i].node)));
	return greatest;
}

static void add_rows(struct drawing *d)
{
	const struct flame_layout *layout = &d->layout;
	const size_t rows = layout->rows_count - 1;
	const double greatest = greatest_change(d);

	svg_format(&d->svg, "<g class=\"frames\" data-x=\"%d\" data-width=\"%g\">\n", MARGIN,
		   d->svg.width - 2 * MARGIN);
	for (size_t i = 0; i < rows; i++) {
		svg_format(&d->svg, "<g transform=\"translate(0 %zu)\">\n",
			   d->top + d->row * (d->options->icicle ? i : rows - 1 - i));
		for (size_t box = layout->rows[i]; box < layout->rows[i + 1]; box++)
			add_frame(d, &layout->boxes[box], greatest);
		svg_raw(&d->svg, "</g>\n");
	}
	svg_raw(&d->svg, "</g>\n");
}

static void add_hidden(struct drawing *d, double y)
{
	char number[32], text[128];

	if (!d->layout.hidden)
		return;
	snprintf(text, sizeof(text), "%s frames thinner than %g%s are not drawn",
		 pk_number(number, d->layout.hidden), d->options->min_width,
		 d->options->min_is_share ? "%" : " px");
	svg_label(&d->svg, d->svg.width - MARGIN, y, "hidden end", text);
}

static void draw(struct drawing *d)
{
	const struct plot_options *plot = &d->options->plot;
	const size_t rows = d->layout.rows_count - 1;
	const char *title = plot->title		 ? plot->title
			    : d->layout.bases	 ? "Differential Flame Graph"
			    : d->layout.in_order ? "Flame Chart"
			    : d->options->icicle ? "Icicle Graph"
						 : "Flame Graph";
	const double line = plot->font_size * 1.5;
	double y = line * 1.5;

	d->top = (unsigned int)lround(line * (plot->subtitle ? 4 : 3));
	svg_begin(&d->svg, d->options->icicle ? "flame icicle" : "flame", title,
		  d->top + (double)(d->row * rows) + 2 * line, &flame_script);
	svg_label(&d->svg, d->svg.width / 2, y, "title middle", title);
	if (plot->subtitle)
		svg_label(&d->svg, d->svg.width / 2, y += line, "subtitle middle", plot->subtitle);
	add_rows(d);
	y = d->svg.height - line * 0.7;
	svg_label(&d->svg, MARGIN, y, "info", "");
	add_hidden(d, y);
}

static bool print(void *arg, const struct pk_fold_result *result)
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
	d->pixels = d->total > 0 ? inner / d->total : 0;
	least = options->min_width / (options->min_is_share ? 100 : inner) * d->total;
	d->layout = (struct flame_layout){.tree = result->tree,
					  .in_order = options->fold.in_order,
					  .allowance = result->allowance,
					  .objects = options->objects};
	if (!flame_layout(&d->layout, result->pairs, least))
		return false;
	d->layout.hidden += result->thin;
	if (d->layout.cut)
		pk_warn("the picture would be too large for so small an input: callees of %zu "
			"frames "
			"are not drawn; --max-depth or a larger --min-width draws fewer frames",
			(size_t)d->layout.cut);
	if (d->layout.count == 1)
		d->nothing = plot_nothing("there are no stacks: the picture is empty");
	draw(d);
	return svg_end(&d->svg);
}

/* Of text, frames that are too thin to be drawn need not be read. */
static void set_thin_share(struct flame_options *options)
{
	const double inner = options->plot.width - 2 * MARGIN;

	if (options->total <= 0)
		options->fold.thin_share =
			options->min_width / (options->min_is_share ? 100 : inner);
}

int flame(struct pk_run *run, struct flame_options *options)
{
	struct drawing d = {.options = options,
			    .palette = options->palette,
			    .svg = {.file = stdout, .options = &options->plot}};
	int result;

	d.row = options->frame_height ? options->frame_height
				      : (unsigned int)lround(options->plot.font_size + 4);
	set_thin_share(options);
	result = pk_fold(run, &options->fold, print, &d);
	flame_layout_free(&d.layout);
	name_attributes_report(&options->attributes);
	if (!palette_map_write(&options->map))
		result = PK_EXIT_FAILED;
	return result ? result : d.nothing;
}
