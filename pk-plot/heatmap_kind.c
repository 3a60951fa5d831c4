// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heatmap.h"
#include "kind.h"
#include "lookups.h"

static void help(void)
{
	puts("Usage: pk-plot heatmap [OPTION...] [FILE...]\n"
	     "\n"
	     "Draws a heat map of spans, or of samples with a number: x is time, y is the number,\n"
	     "and the color is the number of samples. Without FILE, or if FILE is -, reads stdin.\n"
	     "\n"
	     "      --subsecond       x is the second, y is the time in the second\n"
	     "      --utilization     y is the CPU, the color is its utilization\n"
	     "      --height=PIXELS   of a map\n"
	     "      --quantiles=LIST  lines over the map: 50,90,99 is the default, or "
	     "none\n" PLOT_DISTRIBUTION_HELP PLOT_HELP PK_COMMON_HELP "\n"
	     "  pk-record -e syscalls -- ./app | pk-span syscalls | pk-plot heatmap > app.svg\n"
	     "  pk-record -F 99 -a --for 60s | pk-plot heatmap --subsecond > host.svg");
}

enum {
	OPT_HEIGHT = 256,
	OPT_SUBSECOND,
	OPT_UTILIZATION,
	OPT_QUANTILES,
};

static const struct option long_options[] = {
	{"height", required_argument, NULL, OPT_HEIGHT},
	{"subsecond", no_argument, NULL, OPT_SUBSECOND},
	{"utilization", no_argument, NULL, OPT_UTILIZATION},
	{"quantiles", required_argument, NULL, OPT_QUANTILES},
	PLOT_DISTRIBUTION_LONG,
	PLOT_LONG,
	PK_COMMON_LONG,
};

static int parse_quantiles(struct heatmap_options *options)
{
	char *end, *text = optarg;

	options->quantiles_count = 0;
	if (!strcmp(text, "none"))
		return -1;
	for (;; text = end + 1) {
		const double percent = strtod(text, &end);

		if (end == text || !(percent >= 0 && percent <= 100) || (*end && *end != ',') ||
		    options->quantiles_count == QUANTILES_MAX)
			return pk_usage_error("--quantiles=%s: must be none, or up to %d numbers "
					      "from 0 to 100, with commas",
					      optarg, QUANTILES_MAX);
		options->quantiles[options->quantiles_count++] = percent / 100;
		if (!*end)
			return -1;
	}
}

static int set_kind(struct distribution *distribution, enum distribution_kind kind)
{
	if (distribution->kind != DISTRIBUTION_TIME && distribution->kind != kind)
		return pk_usage_error("--subsecond and --utilization exclude each other");
	distribution->kind = kind;
	return -1;
}

static int parse_heatmap(int c, struct heatmap_options *options)
{
	switch (c) {
	case OPT_HEIGHT: return plot_parse_count("height", 20, 10000, &options->height);
	case OPT_SUBSECOND: return set_kind(&options->distribution, DISTRIBUTION_SUBSECOND);
	case OPT_UTILIZATION: return set_kind(&options->distribution, DISTRIBUTION_UTILIZATION);
	case OPT_QUANTILES: return parse_quantiles(options);
	default: return 0;
	}
}

static int parse_option(void *arg, int c)
{
	struct heatmap_options *options = arg;
	int result = distribution_option(&options->distribution, c);

	if (!result)
		result = plot_option(&options->plot, c);
	return result ? result : parse_heatmap(c, options);
}

/* Options about a number have no effect if y is not a number. */
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

static int run_heatmap(struct pk_common *common, int argc, char **argv)
{
	struct heatmap_options options = {
		.plot = PLOT_DEFAULTS, .quantiles = {0.5, 0.9, 0.99}, .quantiles_count = 3};
	const struct plot_command command = {common, long_options, parse_option, &options};
	struct pk_run run = {0};
	int result;

	common->help = help;
	distribution_init(&options.distribution, DISTRIBUTION_TIME);
	result = plot_parse(&command, argc, argv);
	if (result < 0)
		result = check(&options.distribution);
	if (result < 0) {
		result = plot_start(&command, argc, argv, &run);
		if (!result)
			result = pk_finish(heatmap(&run, &options));
	}
	return distribution_free(&options.distribution, result);
}

const struct plot_kind plot_heatmap = {
	"heatmap", "heat map of durations or other numbers over time", run_heatmap};
