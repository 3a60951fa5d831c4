// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "lookups.h"
#include "panels.h"
#include "plot_options.h"
#include "time_axis.h"

/* ---- Drawing ---- */

#define QUANTILES_MAX 8

/* The options of a heat map. */
struct heatmap_options {
	struct pk_common common;
	struct plot_options plot;
	struct distribution distribution;
	/* height of a panel in pixels; 0 if it depends on the number of panels. */
	unsigned int height;
	double quantiles[QUANTILES_MAX]; /* fractions from 0 to 1 */
	unsigned int quantiles_count;
};

#define COLUMN_PIXELS 4 /* the least width and height of a cell */
#define ROW_PIXELS    7
#define LEVELS	      10 /* number of colours */
#define HEIGHT	      400
#define GROUP_HEIGHT  160
#define CPU_PIXELS    20 /* maximum height of the row of a CPU in pixels */

/* The picture of a heat map while it is drawn. */
struct heatmap {
	const struct heatmap_options *options;
	struct distribution *distribution;
	struct pk_density *density;
	struct panels panels;
	uint64_t levels[LEVELS]; /* for each colour, the smallest sum of a cell that has this colour
				  */
	unsigned int levels_count;
	char name[64]; /* text of the vertical axis */
	double *lines; /* The values of the quantiles, ordered by panel, quantile and column. NAN if
			* a column has too few samples. */
};

static bool is_utilization(const struct heatmap *map)
{
	return map->distribution->kind == DISTRIBUTION_UTILIZATION;
}

static enum pk_value_kind value_kind(const struct heatmap *map)
{
	return map->distribution->kind == DISTRIBUTION_SUBSECOND ? PK_VALUE_DURATION
								 : map->distribution->value_kind;
}

/* ---- Colours ---- */

static int compare_sums(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Returns the sums of all cells that are not empty, sorted, and sets *count. Returns NULL if memory
 * is exhausted. */
static uint64_t *sorted_sums(const struct heatmap *map, size_t *count)
{
	const struct pk_density *density = map->density;
	const size_t cells = map->distribution->layers_count * (size_t)density->x.count *
			     (size_t)density->y.count;
	uint64_t *sums = calloc(cells + 1, sizeof(*sums));

	*count = 0;
	for (unsigned int i = 0; sums && i < map->distribution->layers_count; i++)
		for (uint32_t column = 0; column < density->x.count; column++)
			for (uint32_t row = 0; row < density->y.count; row++) {
				const uint64_t sum = pk_density_cell(
					density, map->distribution->layers[i].layer, column, row);

				if (sum)
					sums[(*count)++] = sum;
			}
	if (sums)
		qsort(sums, *count, sizeof(*sums), compare_sums);
	return sums;
}

static uint64_t column_width(const struct heatmap *map)
{
	const struct pk_bin_axis *x = &map->density->x;

	return pk_wide_subtract(pk_bin_axis_number(x, 1), pk_bin_axis_number(x, 0)).low;
}

/* Sets the levels so that each colour has about the same number of cells. Equal sums have the same
 * colour, so a frequent sum has a colour of its own, and the other cells share the other colours.
 */
static void set_levels_of(struct heatmap *map, const uint64_t *sums, size_t count)
{
	size_t from = 0, to;

	for (unsigned int left = LEVELS; left && from < count; left--, from = to) {
		map->levels[map->levels_count++] = sums[from];
		to = left > 1 ? from + (count - from + left - 1) / left : count;
		if (to < count && sums[to - 1] != sums[from])
			while (sums[to - 1] == sums[to])
				to--;
		while (to < count && sums[to] == sums[from])
			to++;
	}
}

/* Sets the levels. For utilization, they are tenths of the duration of a column. */
static void set_levels(struct heatmap *map)
{
	size_t count;
	uint64_t *sums = sorted_sums(map, &count);
	uint64_t least = 1;

	for (unsigned int i = 0; sums && count && is_utilization(map) && i < LEVELS; i++) {
		if (least > sums[count - 1])
			break;
		map->levels[map->levels_count++] = least;
		least = column_width(map) / LEVELS * (i + 1);
	}
	if (sums && !is_utilization(map))
		set_levels_of(map, sums, count);
	map->panels.svg.out.failed |= !sums;
	free(sums);
}

/* Returns the number of the colour of a level. Both are numbered from 1 on. If there are fewer
 * levels than colours, the levels are distributed over all colours. */
static unsigned int colour_of(const struct heatmap *map, unsigned int level)
{
	const unsigned int steps = map->levels_count - 1;

	if (is_utilization(map))
		return level;
	return steps ? 1 + ((level - 1) * (LEVELS - 1) + steps / 2) / steps : LEVELS / 2;
}

static unsigned int level_of(const struct heatmap *map, uint64_t sum)
{
	unsigned int level = 0;

	while (level < map->levels_count && sum >= map->levels[level])
		level++;
	return level;
}

/* Returns true if at least one column of a panel has enough samples for the quantile. */
static bool has_line(const struct heatmap *map, unsigned int quantile)
{
	const size_t columns = map->density->x.count;
	const unsigned int count = map->options->quantiles_count;

	for (unsigned int i = 0; i < map->distribution->layers_count; i++)
		for (size_t column = 0; column < columns; column++)
			if (!isnan(map->lines[(i * count + quantile) * columns + column]))
				return true;
	return false;
}

static void fill_legend(struct heatmap *map)
{
	struct legend *legend = &map->panels.legend;
	char text[QUANTITY_TEXT + 8], class[16];

	snprintf(text, sizeof(text), "%s of a cell, at least:",
		 is_utilization(map) ? "utilization" : distribution_unit(map->distribution));
	legend_add(legend, LEGEND_NONE, "", text);
	for (unsigned int i = 0; i < map->levels_count; i++) {
		if (is_utilization(map))
			snprintf(text, sizeof(text), "%s%u%%", i ? "" : ">", i * 10);
		else
			quantity_label(map->panels.unit, (double)map->levels[i], text);
		snprintf(class, sizeof(class), "k%u", colour_of(map, i + 1));
		legend_add(legend, LEGEND_BOX, class, text);
	}
	for (unsigned int i = 0; map->lines && i < map->options->quantiles_count; i++) {
		if (!has_line(map, i))
			continue;
		snprintf(text, sizeof(text), "p%g", map->options->quantiles[i] * 100);
		snprintf(class, sizeof(class), "q q%u", i + 1);
		legend_add(legend, LEGEND_LINE, class, text);
	}
}

/* ---- Cells ---- */

static void add_tooltip(struct heatmap *map, uint32_t column, uint32_t row, uint64_t sum)
{
	struct panels *panels = &map->panels;
	struct svg *svg = &panels->svg;
	char text[QUANTITY_TEXT];

	svg_raw(svg, "<title>");
	panels_seconds(panels, &map->density->x, column);
	svg_raw(svg, "-");
	panels_seconds(panels, &map->density->x, column + 1);
	quantity_range(value_kind(map), &map->density->y, row, text);
	svg_format(svg, " s, %s%s: ", is_utilization(map) ? "CPU " : "", text);
	if (is_utilization(map)) {
		svg_format(svg, "%.1f%%", 100 * (double)sum / (double)column_width(map));
	} else {
		panels_sum(panels, sum);
		svg_raw(svg, " (");
		panels_share(panels, sum);
		svg_raw(svg, ")");
	}
	svg_raw(svg, "</title>");
}

static void add_cell(struct heatmap *map, uint32_t column, uint32_t row, uint64_t sum)
{
	svg_format(&map->panels.svg,
		   "<rect class=\"k%u\" x=\"%" PRIu32 "\" y=\"%" PRIu32
		   "\" width=\"1\" height=\"1\" data-n=\"%" PRIu64 "\">",
		   colour_of(map, level_of(map, sum)), column, map->density->y.count - 1 - row,
		   sum);
	add_tooltip(map, column, row, sum);
	svg_raw(&map->panels.svg, "</rect>\n");
}

static void add_cells(struct heatmap *map, unsigned int panel, double top)
{
	const struct pk_density *density = map->density;
	const uint32_t layer = map->distribution->layers[panel].layer;
	struct panels *panels = &map->panels;
	struct svg *svg = &panels->svg;

	panels_cells(panels, top, density->x.count, density->y.count);
	svg_format(svg, " data-start=\"%" PRIu64 "\" data-step=\"%" PRIu64 "\"",
		   pk_bin_axis_number(&density->x, 0).low, column_width(map));
	if (is_utilization(map))
		svg_format(svg, " data-capacity=\"%.0f\"",
			   (double)column_width(map) * density->y.count);
	if (!panel && !is_utilization(map))
		panels_edges(panels, "data-rows", &density->y, value_kind(map));
	svg_raw(svg, ">\n");
	for (uint32_t column = 0; column < density->x.count; column++) {
		for (uint32_t row = 0; row < density->y.count; row++) {
			const uint64_t sum = pk_density_cell(density, layer, column, row);

			if (sum)
				add_cell(map, column, row, sum);
		}
	}
	svg_raw(svg, "</g>\n");
}

/* ---- Quantiles ---- */

/* Returns the quantile of a column. Returns NAN if the column has too few samples. For example, p99
 * needs 100 samples. */
static double quantile_of(const struct heatmap *map, unsigned int panel, uint32_t column,
			  double share)
{
	const uint32_t layer = map->distribution->layers[panel].layer;
	const struct pk_density *density = map->density;
	double number, sum = 0;

	for (uint32_t row = 0; row < density->y.count; row++)
		sum += (double)pk_density_cell(density, layer, column, row);
	if (sum * (1 - share) < 0.999 && share < 1)
		return NAN;
	return pk_density_quantile(density, layer, column, share, &number) ? number : NAN;
}

/* Calculates the quantiles. Call it before rows are joined. */
static enum pk_status find_quantiles(struct heatmap *map)
{
	const struct heatmap_options *options = map->options;
	const struct pk_density *density = map->density;
	double *line;

	if (map->distribution->kind != DISTRIBUTION_TIME || !options->quantiles_count ||
	    !density->x.count)
		return PK_OK;
	map->lines = line = calloc(map->distribution->layers_count * options->quantiles_count *
					   (size_t)density->x.count,
				   sizeof(*line));
	for (unsigned int i = 0; line && i < map->distribution->layers_count; i++)
		for (unsigned int quantile = 0; quantile < options->quantiles_count; quantile++)
			for (uint32_t column = 0; column < density->x.count; column++, line++)
				*line = quantile_of(map, i, column, options->quantiles[quantile]);
	return map->lines ? PK_OK : PK_NOMEM;
}

/* Draws one quantile: a horizontal line in each column, and vertical lines between neighbouring
 * columns. */
static void add_line(struct heatmap *map, const double *line, unsigned int quantile, double top)
{
	const struct panels *panels = &map->panels;
	const struct pk_bin_axis *y = &map->density->y;
	const double width = panels->width / map->density->x.count;
	struct svg *svg = &map->panels.svg;
	bool pen = false;

	svg_format(svg, "<path class=\"q q%u\" d=\"", quantile + 1);
	for (uint32_t i = 0; i < map->density->x.count; pen = !isnan(line[i]), i++) {
		double at;

		if (isnan(line[i]))
			continue;
		at = pk_bin_axis_place(y, pk_wide_of_real(line[i])) / y->count;
		at = top + panels->height * (1 - fmin(fmax(at, 0), 1));
		if (pen)
			svg_format(svg, "V%.1fH%.1f", at, panels->left + width * (i + 1));
		else
			svg_format(svg, "M%.1f %.1fH%.1f", panels->left + width * i, at,
				   panels->left + width * (i + 1));
	}
	svg_raw(svg, "\"/>\n");
}

static void add_lines(struct heatmap *map, unsigned int panel, double top)
{
	const unsigned int count = map->options->quantiles_count;

	for (unsigned int i = 0; map->lines && i < count; i++)
		add_line(map, map->lines + (panel * count + i) * (size_t)map->density->x.count, i,
			 top);
}

/* ---- Axes ---- */

/* The labels of an axis. */
struct labels {
	struct tick ticks[TICKS_MAX];
	unsigned int count;
	double shift; /* distance in pixels by which the labels are moved up */
};

/* Finds the labels of the rows of CPUs. A label is in the middle of its row, and has no line. */
static void find_labels(const struct heatmap *map, struct labels *labels)
{
	const struct pk_bin_axis *y = &map->density->y;

	labels->count =
		ticks_of(value_kind(map), y,
			 map->options->plot.font_size * 1.6 / map->panels.height, labels->ticks);
	if (is_utilization(map) && y->count)
		labels->shift = map->panels.height / y->count / 2;
}

static size_t longest(const struct labels *labels)
{
	size_t most = 1;

	for (unsigned int i = 0; i < labels->count; i++)
		most = strlen(labels->ticks[i].text) > most ? strlen(labels->ticks[i].text) : most;
	return most;
}

static void add_axes(struct heatmap *map, const struct labels *labels, double top)
{
	const struct pk_bin_axis *x = &map->density->x;
	struct panels *panels = &map->panels;
	const struct pk_wide end = pk_bin_axis_number(x, x->count);
	const struct time_axis axis = {pk_bin_axis_number(x, 0).low,
				       end.high ? UINT64_MAX : end.low, panels->left,
				       panels->width};

	time_axis_draw(&panels->svg, &axis, top, top + panels->height);
	svg_raw(&panels->svg, "<g class=\"axis\">\n");
	for (unsigned int i = 0; i < labels->count; i++) {
		const double y =
			top + panels->height * (1 - labels->ticks[i].place) - labels->shift;

		if (y >= top)
			panels_tick(panels, y, labels->ticks[i].text, labels->shift <= 0);
	}
	svg_raw(&panels->svg, "</g>\n");
}

/* ---- The picture ---- */

static const char *title_of(const struct heatmap *map)
{
	switch (map->distribution->kind) {
	case DISTRIBUTION_SUBSECOND: return "Subsecond Offset Heat Map";
	case DISTRIBUTION_UTILIZATION: return "CPU Utilization";
	default:
		return pk_kind_is_time(map->distribution->value_kind) ? "Latency Heat Map"
								      : "Heat Map";
	}
}

static const char *name_of(struct heatmap *map)
{
	const struct pk_reference *field = &map->distribution->field.reference;

	switch (map->distribution->kind) {
	case DISTRIBUTION_SUBSECOND: return "offset in the second, by second";
	case DISTRIBUTION_UTILIZATION: return "CPU, by time";
	default:
		snprintf(map->name, sizeof(map->name), "%.50s, by time",
			 field->field ? field->field->name : field->name);
		return map->name;
	}
}

/* Joins bins until the cells have at least the minimum size. */
static void set_cells(struct heatmap *map)
{
	const struct heatmap_options *options = map->options;
	const unsigned int panels = map->distribution->layers_count;
	double height = options->height ? options->height : panels > 1 ? GROUP_HEIGHT : HEIGHT;
	struct pk_density *density = map->density;

	pk_density_join_columns(
		density, pk_bin_axis_factor(&density->x, options->plot.width / COLUMN_PIXELS));
	if (find_quantiles(map) != PK_OK)
		map->panels.svg.out.failed = true;
	pk_density_join_rows(density,
			     pk_bin_axis_factor(&density->y, (uint32_t)(height / ROW_PIXELS)));
	if (is_utilization(map) && density->y.count)
		height = fmin(height, CPU_PIXELS * density->y.count);
	map->panels.height = height;
}

static enum pk_status draw(struct heatmap *map)
{
	struct panels *panels = &map->panels;
	struct labels labels = {0};

	if (!strcmp(distribution_unit(map->distribution), "nanoseconds"))
		panels->unit = PK_VALUE_DURATION;
	set_cells(map);
	set_levels(map);
	fill_legend(map);
	panels->title = title_of(map);
	panels->name = name_of(map);
	find_labels(map, &labels);
	panels_start(panels, longest(&labels));
	for (unsigned int i = 0; i < map->distribution->layers_count; i++) {
		const double top = panels_heading(panels, i);

		add_axes(map, &labels, top);
		add_cells(map, i, top);
		add_lines(map, i, top);
	}
	return panels_end(panels);
}

/* Draws a heat map of the inputs of run on stdout. Returns the exit status. */
static int heatmap(struct pk_run *run, struct heatmap_options *options)
{
	struct distribution *distribution = &options->distribution;
	struct heatmap map = {.options = options,
			      .distribution = distribution,
			      .density = &distribution->density,
			      .panels = {.svg = {.file = stdout, .options = &options->plot},
					 .distribution = distribution,
					 .kind = "heatmap",
					 .unit = PK_VALUE_NUMBER}};
	int result;

	if (distribution_read(distribution, run, &result) != PK_OK)
		return result;
	if (!distribution->samples)
		result = plot_nothing("there are no samples to draw: the picture is empty");
	if (draw(&map) != PK_OK)
		result = pk_no_memory();
	free(map.lines);
	return result;
}

/* ---- Options ---- */

static int set_quantiles(const struct pk_option *option, void *at, const char *text)
{
	struct heatmap_options *options = at;
	const char *next = text;
	char *end;

	options->quantiles_count = 0;
	if (!strcmp(text, "none"))
		return PK_CONTINUE;
	for (;; next = end + 1) {
		const double percent = strtod(next, &end);

		if (end == next || !(percent >= 0 && percent <= 100) || (*end && *end != ',') ||
		    options->quantiles_count == QUANTILES_MAX)
			return pk_option_wrong(option, text);
		options->quantiles[options->quantiles_count++] = percent / 100;
		if (!*end)
			return PK_CONTINUE;
	}
}

static int set_kind(const struct pk_option *option, void *at, const char *text)
{
	enum distribution_kind *kind = at;

	(void)text;
	if (*kind != DISTRIBUTION_TIME && *kind != option->set)
		return pk_usage_error("--subsecond and --utilization exclude each other");
	*kind = (enum distribution_kind)option->set;
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct heatmap_options, member)

static const struct pk_option rows[] = {
	PK_TITLE("The map"),
	{0, "subsecond", NULL, PK_CALL, "x is the second, y is the time in the second",
	 AT(distribution.kind), .parse = set_kind, .set = DISTRIBUTION_SUBSECOND},
	{0, "utilization", NULL, PK_CALL, "y is the CPU, the color is its utilization",
	 AT(distribution.kind), .parse = set_kind, .set = DISTRIBUTION_UTILIZATION},
	{0, "height", "PIXELS", PK_NUMBER, "the height of a map", AT(height), .least = 20,
	 .most = 10000},
	{0, "quantiles", "LIST", PK_CALL, "lines over the map: 50,90,99 is the default, or none",
	 .parse = set_quantiles, .wants = "none, or up to 8 numbers from 0 to 100, with commas"},
	{.kind = PK_ROWS, .rows = distribution_rows, AT(distribution)},
	{.kind = PK_ROWS, .rows = plot_rows, AT(plot)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-plot heatmap [OPTION...] [FILE...]\n"
		 "\n"
		 "Draws a heat map of spans, or of samples with a number: x is time, y is the\n"
		 "number, and the color is the number of samples. Without FILE, or if FILE is -,\n"
		 "reads stdin.\n",
	.options = rows,
	.examples =
		"  pk-record -e syscalls -- ./app | pk-span syscalls | pk-plot heatmap > app.svg\n"
		"  pk-record -F 99 -a --for 60s | pk-plot heatmap --subsecond > host.svg\n",
};

/* Refuses options about numbers if the vertical axis does not show a number, because they would
 * have no effect. */
static int check(const struct distribution *distribution)
{
	if (distribution->kind != DISTRIBUTION_TIME &&
	    (distribution->field_chosen || distribution->scale_chosen || distribution->has_min ||
	     distribution->has_max))
		return pk_usage_error(
			"--field, --scale, --min and --max are not for --subsecond and "
			"--utilization");
	return -1;
}

static int run_heatmap(const struct pk_common *common, int argc, char **argv)
{
	struct heatmap_options options = {.common = *common,
					  .plot = PLOT_DEFAULTS,
					  .quantiles = {0.5, 0.9, 0.99},
					  .quantiles_count = 3};
	struct pk_run run = {0};
	int result;

	distribution_init(&options.distribution, DISTRIBUTION_TIME);
	result = pk_parse_options(&command, &options, &argc, &argv);
	if (result < 0)
		result = check(&options.distribution);
	if (result < 0) {
		result = plot_start(&options.common, argc, argv, &run);
		if (!result)
			result = pk_finish(heatmap(&run, &options));
	}
	return distribution_free(&options.distribution, result);
}

const struct plot_kind plot_heatmap = {
	"heatmap", "heat map of durations or other numbers over time", run_heatmap};
