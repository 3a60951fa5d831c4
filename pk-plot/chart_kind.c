// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chart.h"
#include "embedded.h"
#include "kind.h"
#include "lookups.h"
#include "time_axis.h"

#define PIECES_MOST 16000 /* so that the file has less than 3 MB */
#define NAME_MOST   1000  /* characters of a name in a tooltip */
#define MARGIN	    10	  /* pixels, left and right */

struct drawing {
	struct chart *chart;
	struct svg svg;
	struct time_axis axis;
	unsigned int decimals;
	uint32_t *lanes; /* those that are drawn */
	size_t lanes_count;
	double line; /* height of a line of text */
};

/* ---- Frames ---- */

/* The name of a frame, with the object before it only if the names show it. */
struct frame_name {
	const char *name, *object;
	size_t size, object_size;
};

static struct frame_name name_of(const struct drawing *d, const struct piece *piece)
{
	struct frame_name name = {0};

	name.name = pk_texts_get(&d->chart->names, piece->name, &name.size);
	/* Spans have no object, and lanes of spans no data. */
	if (d->chart->objects && lanes_get(&d->chart->lanes, piece->lane)->data)
		name.size = frame_split(&name.name, name.size, &name.object, &name.object_size);
	return name;
}

/* "name (12.34 ms at 1.234 s; object)", "name and 12 others (...)" */
static void add_title(struct drawing *d, const struct piece *piece, const struct frame_name *name)
{
	char number[32], text[DURATION_TEXT], at[DURATION_TEXT];

	svg_raw(&d->svg, "<title>");
	svg_text(&d->svg, name->name, name->size, NAME_MOST);
	if (piece->count > 1)
		svg_format(&d->svg, " and %s others", pk_number(number, piece->count - 1));
	duration_text((double)piece->time, text);
	duration_text((double)(piece->start - d->axis.from), at);
	svg_format(&d->svg, " (%s at %s", text, at);
	if (name->object_size) {
		svg_raw(&d->svg, "; ");
		svg_text(&d->svg, name->object, name->object_size, NAME_MOST);
	}
	svg_raw(&d->svg, ")</title>");
}

static void add_frame(struct drawing *d, const struct piece *piece)
{
	const double x = time_axis_x(&d->axis, piece->start);
	const double width = time_axis_x(&d->axis, piece->end) - x;
	const struct chart *chart = d->chart;
	char colour[PALETTE_COLOUR], suffix;
	struct frame_name name = name_of(d, piece);

	palette_colour(&d->chart->palette, name.name, name.size, colour);
	name.size = frame_base(name.name, name.size, &suffix);
	svg_raw(&d->svg, piece->count > 1 ? "<g class=\"merged\">" : "<g>");
	add_title(d, piece, &name);
	svg_raw(&d->svg, "<rect");
	svg_exact(&d->svg, "x", x, d->decimals);
	svg_exact(&d->svg, "width", width, d->decimals);
	svg_attribute(&d->svg, "height", chart->row_height - 1);
	svg_format(&d->svg, " fill=\"%s\"/>", colour);
	svg_box_label(&d->svg, name.name, name.size, x,
		      svg_baseline(&chart->plot, chart->row_height), width);
	svg_raw(&d->svg, "</g>\n");
}

/* ---- Lanes ---- */

/* The pieces of a lane: from *begin on. */
static size_t find_pieces(const struct pieces *pieces, uint32_t lane, size_t *begin)
{
	size_t first = 0, end = pieces->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (pieces->items[middle].lane < lane)
			first = middle + 1;
		else
			end = middle;
	}
	*begin = first;
	for (end = first; end < pieces->count && pieces->items[end].lane == lane; end++)
		;
	return end;
}

static double lane_height(const struct drawing *d, uint32_t number)
{
	return d->line + lanes_get(&d->chart->lanes, number)->rows * d->chart->row_height + 4;
}

static void add_lane_label(struct drawing *d, uint32_t number, double y)
{
	const struct lane *lane = lanes_get(&d->chart->lanes, number);
	char text[DURATION_TEXT];

	duration_text((double)lane->time, text);
	svg_raw(&d->svg, "<text class=\"lane\"");
	svg_attribute(&d->svg, "x", MARGIN);
	svg_attribute(&d->svg, "y", y + d->line * 0.75);
	svg_raw(&d->svg, ">");
	svg_text(&d->svg, lane->label.data, lane->label.size, 80);
	svg_format(&d->svg, ": %s</text>\n", text);
}

static void add_lane(struct drawing *d, size_t index, double y)
{
	const struct pieces *pieces = &d->chart->pieces;
	size_t i;
	const size_t end = find_pieces(pieces, d->lanes[index], &i);

	while (i < end) {
		const uint16_t row = pieces->items[i].row;

		svg_format(
			&d->svg,
			"<g data-lane=\"%zu\" data-row=\"%u\" transform=\"translate(0 %.0f)\">\n",
			index, row, y + d->line + row * d->chart->row_height);
		for (; i < end && pieces->items[i].row == row; i++)
			add_frame(d, &pieces->items[i]);
		svg_raw(&d->svg, "</g>\n");
	}
}

static double add_lanes(struct drawing *d, double top)
{
	double y = top;

	for (size_t i = 0; i < d->lanes_count; y += lane_height(d, d->lanes[i++]))
		add_lane_label(d, d->lanes[i], y);
	time_axis_draw(&d->svg, &d->axis, top, y);
	svg_format(&d->svg,
		   "<g class=\"frames\" data-lanes=\"%zu\" data-x=\"%g\" data-width=\"%g\">\n",
		   d->lanes_count, d->axis.x, d->axis.width);
	y = top;
	for (size_t i = 0; i < d->lanes_count; y += lane_height(d, d->lanes[i++]))
		add_lane(d, i, y);
	svg_raw(&d->svg, "</g>\n");
	return y;
}

/* ---- The picture ---- */

static void add_notes(struct drawing *d, double y)
{
	const struct chart *chart = d->chart;
	const uint64_t merged = pieces_merged(&chart->pieces);
	char number[32], step[DURATION_TEXT], text[200] = "";
	size_t missing = 0;

	for (size_t i = 0; i < chart->lanes.count; i++)
		missing += chart->lanes.items[i].count != 0;
	missing -= d->lanes_count;
	duration_text((double)chart->pieces.step, step);
	if (merged)
		snprintf(text, sizeof(text), "%s frames shorter than %s are merged",
			 pk_number(number, merged), step);
	if (missing)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%s lanes with less time are not drawn", merged ? "; " : "",
			 pk_number(number, missing));
	if (*text)
		svg_label(&d->svg, d->svg.width - MARGIN, y, "hidden end", text);
}

static void draw(struct drawing *d)
{
	const struct plot_options *plot = &d->chart->plot;
	const char *title = plot->title ? plot->title : "Flame Chart";
	double height = d->line * (plot->subtitle ? 4 : 3), y = d->line * 1.5;
	const double top = height;

	for (size_t i = 0; i < d->lanes_count; i++)
		height += lane_height(d, d->lanes[i]);
	svg_begin(&d->svg, "flame icicle chart", title, height + 3 * d->line, &flame_script);
	svg_label(&d->svg, d->svg.width / 2, y, "title middle", title);
	if (plot->subtitle)
		svg_label(&d->svg, d->svg.width / 2, y += d->line, "subtitle middle",
			  plot->subtitle);
	add_lanes(d, top);
	y = d->svg.height - d->line * 0.7;
	svg_label(&d->svg, MARGIN, y, "info", "");
	add_notes(d, y);
}

/* PK_EXIT_FAILED: there is nothing to draw. */
static int report(const struct chart *chart)
{
	char number[32];

	if (chart->without_time)
		pk_warn("%s samples have no time, skipped", pk_number(number, chart->without_time));
	if (chart->lanes.dropped)
		pk_warn("%s samples are of further lanes than %d, skipped",
			pk_number(number, chart->lanes.dropped), LANES_MAX);
	if (chart->cut)
		pk_warn("%s samples have over %d frames, which are cut",
			pk_number(number, chart->cut), CHART_ROWS);
	if (chart->shortened)
		pk_warn("%s samples have only their %d innermost frames: together, the stacks are "
			"too "
			"large for so small an input; pk-filter --time=FROM,TO before pk-plot "
			"draws "
			"less time, and all frames",
			pk_number(number, chart->shortened), PK_STACK_SHORT);
	return chart->pieces.count
		       ? PK_EXIT_OK
		       : plot_nothing("there are no samples with stacks: the picture is empty");
}

static int chart(struct pk_run *run, struct chart *chart)
{
	struct drawing d = {.chart = chart, .svg = {.file = stdout, .options = &chart->plot}};
	int result = chart_read(chart, run);
	const int nothing = report(chart);
	bool done;

	result = result ? result : nothing;
	d.line = chart->plot.font_size * 1.5;
	d.axis = (struct time_axis){chart->first, chart->last, MARGIN,
				    chart->plot.width - 2 * MARGIN};
	d.decimals = time_axis_decimals(&d.axis);
	d.lanes = lanes_order(&chart->lanes, chart->lanes_most, &d.lanes_count);
	if (!d.lanes)
		return pk_no_memory();
	draw(&d);
	done = svg_end(&d.svg);
	free(d.lanes);
	return done ? result : pk_no_memory();
}

/* ---- Options ---- */

static void help(void)
{
	puts("Usage: pk-plot chart [OPTION...] [FILE...]\n"
	     "\n"
	     "Draws a flame chart: the stacks of threads over time, from samples, or spans.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n"
	     "\n" PLOT_HELP "      --height=PIXELS   of a frame\n"
	     "      --colors=PALETTE  kind (default), module, package, hot, mem, io, java, js ...\n"
	     "      --by=FIELD,...    lanes (tid)\n"
	     "      --lanes=N         draw N lanes, those with the most time (50)\n"
	     "      --modules, --full-names   add the object to names, keep "
	     "parameters\n" PLOT_SAMPLES_HELP PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot chart > app.svg\n"
	     "  pk-span functions calls.pk | pk-plot chart --by pid,tid > calls.svg");
}

enum { OPT_HEIGHT = 256, OPT_COLORS, OPT_BY, OPT_LANES, OPT_MODULES, OPT_FULL_NAMES };

static const struct option long_options[] = {
	{"height", required_argument, NULL, OPT_HEIGHT},
	{"colors", required_argument, NULL, OPT_COLORS},
	{"color", required_argument, NULL, OPT_COLORS},
	{"by", required_argument, NULL, OPT_BY},
	{"lanes", required_argument, NULL, OPT_LANES},
	{"modules", no_argument, NULL, OPT_MODULES},
	{"full-names", no_argument, NULL, OPT_FULL_NAMES},
	PLOT_LONG,
	PLOT_SAMPLES_LONG,
	PK_COMMON_LONG,
};

static int parse_option(void *arg, int c)
{
	struct chart *chart = arg;
	int result = plot_option(&chart->plot, c);

	if (!result)
		result = sample_source_option(&chart->source, c);
	if (result)
		return result;
	switch (c) {
	case OPT_HEIGHT: return plot_parse_count("height", 1, 200, &chart->row_height);
	case OPT_COLORS: return palette_option(&chart->palette);
	case OPT_BY: return lanes_option(&chart->lanes);
	case OPT_LANES: return plot_parse_count("lanes", 1, 1000, &chart->lanes_most);
	case OPT_MODULES: chart->frames.modules = true; return -1;
	case OPT_FULL_NAMES: chart->frames.full = true; return -1;
	default: return 0;
	}
}

static int run_chart(struct pk_common *common, int argc, char **argv)
{
	struct chart options = {
		.plot = PLOT_DEFAULTS,
		.lanes_most = 50,
		.frames = {.mark_kernel = true, .mark_jit = true, .mark_inlines = true},
		.pieces.most = PIECES_MOST};
	const struct plot_command command = {common, long_options, parse_option, &options};
	struct pk_run run = {0};
	int result;

	common->help = help;
	palette_find(&options.palette, "kind");
	options.source.symbols.no_lines = true;
	options.source.symbols.tried = pk_report_tried;
	result = plot_parse(&command, argc, argv);
	if (result < 0) {
		options.frames.modules |= palette_is_by_module(&options.palette);
		options.objects = !options.frames.modules;
		options.frames.modules = true;
		if (!options.row_height)
			options.row_height = (unsigned int)lround(options.plot.font_size + 4);
		result = plot_start(&command, argc, argv, &run);
		if (!result)
			result = pk_finish(chart(&run, &options));
	}
	return chart_free(&options, result);
}

const struct plot_kind plot_chart = {"chart", "flame chart: stacks of threads over time",
				     run_chart};
