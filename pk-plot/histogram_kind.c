// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "buckets.h"
#include "lookups.h"
#include "plot_options.h"

static void help(void)
{
	puts("Usage: pk-plot histogram [OPTION...] [FILE...]\n"
	     "\n"
	     "Draws how many spans, or samples with a number, there are in each range of the "
	     "number.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n"
	     "\n"
	     "      --text            a table with bars, for a terminal\n"
	     "      --csv             rows of comma-separated values\n"
	     "      --height=PIXELS   of the bars\n" PLOT_DISTRIBUTION_HELP PLOT_HELP PK_COMMON_HELP
	     "\n"
	     "  pk-record -e syscalls -- ./app | pk-span syscalls | pk-plot histogram --text\n"
	     "  pk-plot histogram --by name --scale hdr spans.pk > syscalls.svg");
}

enum {
	OPT_HEIGHT = 256,
	OPT_TEXT,
	OPT_CSV,
};

static const struct option long_options[] = {
	{"height", required_argument, NULL, OPT_HEIGHT},
	{"text", no_argument, NULL, OPT_TEXT},
	{"csv", no_argument, NULL, OPT_CSV},
	PLOT_DISTRIBUTION_LONG,
	PLOT_LONG,
	PK_COMMON_LONG,
};

static int parse_histogram(int c, struct buckets_options *options)
{
	switch (c) {
	case OPT_HEIGHT: return plot_parse_count("height", 20, 10000, &options->height);
	case OPT_TEXT: options->form = BUCKETS_TEXT; return -1;
	case OPT_CSV: options->form = BUCKETS_CSV; return -1;
	default: return 0;
	}
}

static int parse_option(void *arg, int c)
{
	struct buckets_options *options = arg;
	int result = distribution_option(&options->distribution, c);

	if (!result)
		result = plot_option(&options->plot, c);
	return result ? result : parse_histogram(c, options);
}

static int run_histogram(struct pk_common *common, int argc, char **argv)
{
	struct buckets_options options = {.plot = PLOT_DEFAULTS};
	const struct plot_command command = {common, long_options, parse_option, &options};
	struct pk_run run = {0};
	int result;

	common->help = help;
	distribution_init(&options.distribution, DISTRIBUTION_VALUES);
	options.distribution.scale.sub_bits = 0;
	result = plot_parse(&command, argc, argv);
	if (result < 0) {
		result = plot_start(&command, argc, argv, &run);
		if (!result)
			result = pk_finish(buckets(&run, &options));
	}
	return distribution_free(&options.distribution, result);
}

const struct plot_kind plot_histogram = {
	"histogram", "how often ranges of durations or other numbers occur", run_histogram};
