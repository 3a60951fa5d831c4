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
#include "safe_text.h"
#include "time_axis.h"

enum buckets_form { BUCKETS_PICTURE, BUCKETS_TEXT, BUCKETS_CSV };

/* The options of a histogram. */
struct buckets_options {
	struct pk_common common;
	struct plot_options plot;
	struct distribution distribution;
	enum buckets_form form;
	/* height of a panel in pixels; 0 if it depends on the number of groups. */
	unsigned int height;
};

/* Returns the sum of a bucket. `group` is an index in distribution.layers. */
static inline uint64_t buckets_sum(const struct distribution *distribution, unsigned int group,
				   uint32_t bucket)
{
	return pk_density_cell(&distribution->density, distribution->layers[group].layer, 0,
			       bucket);
}

#define BUCKETS	     64
#define HEIGHT	     300
#define GROUP_HEIGHT 110
#define STARS	     40

/* Returns the largest sum of a bucket of a group. */
static uint64_t largest_sum(const struct distribution *distribution, unsigned int group)
{
	uint64_t largest = 0;

	for (uint32_t i = 0; i < distribution->density.y.count; i++) {
		const uint64_t sum = buckets_sum(distribution, group, i);

		largest = sum > largest ? sum : largest;
	}
	return largest;
}

/* ---- The picture ---- */

static void add_bar(struct panels *panels, unsigned int group, uint32_t bucket, uint64_t largest)
{
	const struct distribution *d = panels->distribution;
	const uint64_t sum = buckets_sum(d, group, bucket);
	const double share = (double)sum / (double)largest;
	const double height = fmax(panels->height * share, 1); /* small sums stay visible */
	struct svg *svg = &panels->svg;
	char text[QUANTITY_TEXT];

	svg_raw(svg, "<rect class=\"bar\"");
	svg_attribute(svg, "x", bucket + 0.05);
	svg_attribute(svg, "y", panels->height - height);
	svg_attribute(svg, "width", 0.9);
	svg_attribute(svg, "height", height);
	svg_format(svg, " data-n=\"%llu\"><title>", (unsigned long long)sum);
	quantity_range(d->value_kind, &d->density.y, bucket, text);
	svg_format(svg, "%s: ", text);
	panels_sum(panels, sum);
	svg_format(svg, " (%.2f%%)</title></rect>\n",
		   100 * (double)sum / (double)d->layers[group].total);
}

static void add_bars(struct panels *panels, unsigned int group, double top)
{
	const struct distribution *d = panels->distribution;
	const uint64_t largest = largest_sum(d, group);

	panels_cells(panels, top, d->density.y.count, panels->height);
	if (!group)
		panels_edges(panels, "data-edges", &d->density.y, d->value_kind);
	svg_raw(&panels->svg, ">\n");
	for (uint32_t i = 0; i < d->density.y.count; i++)
		if (buckets_sum(d, group, i))
			add_bar(panels, group, i, largest);
	svg_raw(&panels->svg, "</g>\n");
}

/* Adds labels with round sums at the left. */
static void add_sums(struct panels *panels, unsigned int group, double top)
{
	const struct pk_bin_axis axis = {
		.scale = {PK_SCALE_LINEAR, 0, 1},
		.count = 1,
		.width = pk_wide_of_u64(largest_sum(panels->distribution, group))};
	struct tick ticks[TICKS_MAX];
	const double spacing = panels->svg.options->font_size * 2 / panels->height;
	const unsigned int count =
		axis.width.low ? ticks_of(panels->unit, &axis, spacing, ticks) : 0;

	for (unsigned int i = 0; i < count; i++)
		panels_tick(panels, top + panels->height * (1 - ticks[i].place), ticks[i].text,
			    true);
}

static void add_numbers(struct panels *panels, double top)
{
	const struct distribution *d = panels->distribution;
	const double label = 9 * svg_character(panels->svg.options);
	struct svg *svg = &panels->svg;
	struct tick ticks[TICKS_MAX];
	const unsigned int count =
		ticks_of(d->value_kind, &d->density.y, label / panels->width, ticks);

	for (unsigned int i = 0; i < count; i++) {
		const double x = panels->left + panels->width * ticks[i].place;

		svg_raw(svg, "<line");
		svg_attribute(svg, "x1", x);
		svg_attribute(svg, "x2", x);
		svg_attribute(svg, "y1", top);
		svg_attribute(svg, "y2", top + panels->height + 3);
		svg_raw(svg, "/>");
		svg_label(svg, x, top + panels->height + svg->options->font_size * 1.3,
			  x + label / 2 > svg->width ? "end" : "middle", ticks[i].text);
	}
}

static bool draw(const struct buckets_options *options)
{
	char name[128];
	const struct distribution *d = &options->distribution;
	const struct pk_reference *field = &d->field.reference;
	struct panels panels = {.svg = {.file = stdout, .options = &options->plot},
				.distribution = d,
				.kind = "histogram",
				.title = "Histogram",
				.name = name,
				.unit = PK_VALUE_NUMBER};

	snprintf(name, sizeof(name), "%.40s, by %.60s", distribution_unit(d),
		 field->field ? field->field->name : field->name);
	if (!strcmp(distribution_unit(d), "nanoseconds"))
		panels.unit = PK_VALUE_DURATION;
	panels.height = options->height	      ? options->height
			: d->layers_count > 1 ? GROUP_HEIGHT
					      : HEIGHT;
	panels_start(&panels, 8);
	for (unsigned int i = 0; i < d->layers_count; i++) {
		const double top = panels_heading(&panels, i);

		svg_raw(&panels.svg, "<g class=\"axis\">\n");
		add_sums(&panels, i, top);
		svg_raw(&panels.svg, "</g>\n<g class=\"axis numbers\">\n");
		add_numbers(&panels, top);
		svg_raw(&panels.svg, "</g>\n");
		add_bars(&panels, i, top);
	}
	return panels_end(&panels) == PK_OK;
}

/* ---- Texts ---- */

/* The unit of the numbers in the table. It is the unit of --step if that unit has a name. */
struct table_unit {
	const char *name;
	uint64_t size;
};

static struct table_unit unit_of(const struct distribution *d)
{
	static const struct table_unit times[] = {
		{"secs", 1000000000}, {"msecs", 1000000}, {"usecs", 1000}, {"nsecs", 1}};
	const struct pk_reference *field = &d->field.reference;

	for (size_t i = 0; pk_kind_is_time(d->value_kind) && i < 4; i++)
		if (d->scale.unit % times[i].size == 0)
			return times[i];
	return (struct table_unit){field->field ? field->field->name : field->name, 1};
}

/* Calculates the smallest and the largest number of a bucket, in the unit of the table. */
static void limits_of(const struct distribution *d, uint32_t bucket, struct pk_wide *low,
		      struct pk_wide *high)
{
	const struct pk_wide size = pk_wide_of_u64(unit_of(d).size);
	const struct pk_wide end = pk_bin_axis_number(&d->density.y, bucket + 1);

	*low = pk_wide_floor_divide(pk_bin_axis_number(&d->density.y, bucket), size);
	*high = pk_wide_subtract(pk_wide_floor_divide(end, size), pk_wide_of(1));
}

/* Returns the width of the numbers at the left, in characters. */
static int width_of(const struct distribution *d)
{
	struct pk_wide low, high;
	char text[PK_WIDE_TEXT];
	size_t width = 10;

	for (uint32_t i = 0; i < d->density.y.count; i++) {
		limits_of(d, i, &low, &high);
		width = strlen(pk_wide_text(low, text)) > width ? strlen(pk_wide_text(low, text))
								: width;
		width = strlen(pk_wide_text(high, text)) > width ? strlen(pk_wide_text(high, text))
								 : width;
	}
	return (int)width;
}

static void print_row(const struct distribution *d, unsigned int group, uint32_t bucket, int width,
		      uint64_t largest)
{
	static const char stars[] = "****************************************";
	const uint64_t sum = buckets_sum(d, group, bucket);
	const int length = (int)((double)sum / (double)largest * STARS);
	struct pk_wide low, high;
	char from[PK_WIDE_TEXT], to[PK_WIDE_TEXT];

	limits_of(d, bucket, &low, &high);
	printf("%*s -> %-*s : %-8" PRIu64 " |%-*.*s|\n", width, pk_wide_text(low, from), width,
	       pk_wide_text(high, to), sum, STARS, length, stars);
}

/* Prints the buckets from the first to the last one that is not empty. */
static void print_group(const struct distribution *d, unsigned int group)
{
	const uint64_t largest = largest_sum(d, group);
	const int width = width_of(d);
	uint32_t first = 0, end = d->density.y.count;

	if (!largest)
		return;
	while (!buckets_sum(d, group, first))
		first++;
	while (!buckets_sum(d, group, end - 1))
		end--;
	if (*d->layers[group].name)
		printf("%s%s\n", group ? "\n" : "", d->layers[group].name);
	printf("%*s%-*s : %-8s distribution\n", width / 2, "", 2 * width + 4 - width / 2,
	       unit_of(d).name, "count");
	for (uint32_t i = first; i < end; i++)
		print_row(d, group, i, width, largest);
}

static bool print_text(const struct buckets_options *options)
{
	for (unsigned int i = 0; i < options->distribution.layers_count; i++)
		print_group(&options->distribution, i);
	return true;
}

static void print_quoted(const char *text)
{
	fputs(pk_is_formula(text, strlen(text)) ? "\"'" : "\"", stdout);
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

static bool print_csv(const struct buckets_options *options)
{
	const struct distribution *d = &options->distribution;
	char from[PK_WIDE_TEXT], to[PK_WIDE_TEXT];

	puts("group,from,to,sum");
	for (unsigned int group = 0; group < d->layers_count; group++) {
		for (uint32_t i = 0; i < d->density.y.count; i++) {
			const struct pk_wide end = pk_bin_axis_number(&d->density.y, i + 1);

			if (!buckets_sum(d, group, i))
				continue;
			print_quoted(d->layers[group].name);
			printf(",%s,%s,%" PRIu64 "\n",
			       pk_wide_text(pk_bin_axis_number(&d->density.y, i), from),
			       pk_wide_text(pk_wide_subtract(end, pk_wide_of(1)), to),
			       buckets_sum(d, group, i));
		}
	}
	return true;
}

/* ---- All ---- */

/* Returns the largest number of buckets. Buckets of powers of two are not joined, and neither are
 * buckets whose width the user has set. */
static uint32_t most_buckets(const struct distribution *distribution)
{
	const struct pk_scale *scale = &distribution->scale;

	if (scale->kind == PK_SCALE_LINEAR ? scale->unit != 1
					   : scale->kind == PK_SCALE_LOG2 && !scale->sub_bits)
		return distribution->density.y.max;
	return BUCKETS;
}

/* Prints a histogram of the inputs of run on stdout. Returns the exit status. */
static int buckets(struct pk_run *run, struct buckets_options *options)
{
	static bool (*const forms[])(const struct buckets_options *options) = {
		[BUCKETS_PICTURE] = draw,
		[BUCKETS_TEXT] = print_text,
		[BUCKETS_CSV] = print_csv,
	};
	struct distribution *distribution = &options->distribution;
	struct pk_density *density = &distribution->density;
	int result;

	if (distribution_read(distribution, run, &result) != PK_OK)
		return result;
	if (!distribution->samples)
		result = plot_nothing("there are no samples to count: the histogram is empty");
	pk_density_join_rows(density, pk_bin_axis_factor(&density->y, most_buckets(distribution)));
	return forms[options->form](options) ? result : pk_no_memory();
}

#define AT(member) PK_AT(struct buckets_options, member)

static const struct pk_option rows[] = {
	PK_TITLE("The histogram"),
	{0, "text", NULL, PK_SET, "a table with bars, for a terminal", AT(form),
	 .set = BUCKETS_TEXT},
	{0, "csv", NULL, PK_SET, "rows of comma-separated values", AT(form), .set = BUCKETS_CSV},
	{0, "height", "PIXELS", PK_NUMBER, "the height of the bars", AT(height), .least = 20,
	 .most = 10000},
	{.kind = PK_ROWS, .rows = distribution_rows, AT(distribution)},
	{.kind = PK_ROWS, .rows = plot_rows, AT(plot)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-plot histogram [OPTION...] [FILE...]\n"
		 "\n"
		 "Draws how many spans, or samples with a number, there are in each range of the\n"
		 "number. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples =
		"  pk-record -e syscalls -- ./app | pk-span syscalls | pk-plot histogram --text\n"
		"  pk-plot histogram --by name --scale hdr spans.pk > syscalls.svg\n",
};

static int run_histogram(const struct pk_common *common, int argc, char **argv)
{
	struct buckets_options options = {.common = *common, .plot = PLOT_DEFAULTS};
	struct pk_run run = {0};
	int result;

	distribution_init(&options.distribution, DISTRIBUTION_VALUES);
	options.distribution.scale.sub_bits = 0;
	result = pk_parse_options(&command, &options, &argc, &argv);
	if (result < 0) {
		result = plot_start(&options.common, argc, argv, &run);
		if (!result)
			result = pk_finish(buckets(&run, &options));
	}
	return distribution_free(&options.distribution, result);
}

const struct plot_kind plot_histogram = {
	"histogram", "how often ranges of durations or other numbers occur", run_histogram};
