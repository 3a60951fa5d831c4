// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "flame.h"
#include "fold_option.h"
#include "kind.h"
#include "lookups.h"

static void help(void)
{
	puts("Usage: pk-plot flame [OPTION...] [FILE...]\n"
	     "\n"
	     "Draws a flame graph of streams, or of folded text (with one or two weights).\n"
	     "Without FILE, or if FILE is -, reads stdin.\n"
	     "\n" PLOT_HELP "      --height=PIXELS   of a frame\n"
	     "      --min-width=PIXELS   thinner frames are not drawn (0.1); N%: of the width\n"
	     "      --colors=PALETTE  kind (default), module, package, hot, mem, io, java, js ...\n"
	     "      --random          colors do not depend on names\n"
	     "      --icicle          the root above\n"
	     "      --countname=TEXT, --nametype=TEXT   unit of weights; text before names\n"
	     "      --factor=NUMBER   multiply weights by it  --total=NUMBER  weight of the width\n"
	     "      --diff=BASE       colors: change from BASE, a stream or folded text\n"
	     "      --negate          red is a decrease\n"
	     "      --flamechart      folded text: the lines in their order, as time\n"
	     "      --nameattr=FILE   links and other attributes of frames\n"
	     "      --cp[=FILE]       colors of earlier pictures (palette.map)\n"
	     "      --weight --event --where --by --root --leaf --reverse --collapse-recursion\n"
	     "      --max-depth --addresses --modules --lines --full-names --inlines --suffixes\n"
	     "      --symfs=DIR, --kallsyms=FILE, --vmlinux=FILE, --debug-dir=DIR, --no-inline "
	     "...\n"
	     "                        as in pk-fold\n" PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot flame > app.svg\n"
	     "  pk-plot flame --diff=before.pk after.pk > diff.svg");
}

enum {
	OPT_HEIGHT = 256,
	OPT_MIN_WIDTH,
	OPT_COLORS,
	OPT_HASH,
	OPT_RANDOM,
	OPT_ICICLE,
	OPT_COUNT_NAME,
	OPT_NAME_TYPE,
	OPT_FACTOR,
	OPT_TOTAL,
	OPT_NEGATE,
	OPT_NAME_ATTR,
	OPT_CP,
	OPT_FLAME_CHART,
};

/* The names of flamegraph.pl, and some of ours. */
static const struct option long_options[] = {
	{"height", required_argument, NULL, OPT_HEIGHT},
	{"min-width", required_argument, NULL, OPT_MIN_WIDTH},
	{"minwidth", required_argument, NULL, OPT_MIN_WIDTH},
	{"colors", required_argument, NULL, OPT_COLORS},
	{"color", required_argument, NULL, OPT_COLORS},
	{"hash", no_argument, NULL, OPT_HASH},
	{"random", no_argument, NULL, OPT_RANDOM},
	{"icicle", no_argument, NULL, OPT_ICICLE},
	{"inverted", no_argument, NULL, OPT_ICICLE},
	{"countname", required_argument, NULL, OPT_COUNT_NAME},
	{"nametype", required_argument, NULL, OPT_NAME_TYPE},
	{"factor", required_argument, NULL, OPT_FACTOR},
	{"total", required_argument, NULL, OPT_TOTAL},
	{"negate", no_argument, NULL, OPT_NEGATE},
	{"nameattr", required_argument, NULL, OPT_NAME_ATTR},
	{"cp", optional_argument, NULL, OPT_CP},
	{"flamechart", no_argument, NULL, OPT_FLAME_CHART},
	PLOT_LONG,
	PK_FOLD_LONG,
	PK_COMMON_LONG,
};

/* Pixels, or with '%' a share of the width. */
static int parse_min_width(struct flame_options *flame)
{
	const size_t size = strlen(optarg);

	flame->min_is_share = size && optarg[size - 1] == '%';
	if (flame->min_is_share)
		optarg[size - 1] = '\0';
	return plot_parse_number("min-width", 0, flame->min_is_share ? 100 : 1000,
				 &flame->min_width);
}

static int parse_flame(int c, struct flame_options *flame)
{
	switch (c) {
	case OPT_HEIGHT: return plot_parse_count("height", 1, 200, &flame->frame_height);
	case OPT_MIN_WIDTH: return parse_min_width(flame);
	case OPT_COLORS: return palette_option(&flame->palette);
	case OPT_HASH: flame->palette.random = false; return -1;
	case OPT_RANDOM: flame->palette.random = true; return -1;
	case OPT_ICICLE: flame->icicle = true; return -1;
	case OPT_COUNT_NAME: flame->count_name = optarg; return -1;
	case OPT_NAME_TYPE: flame->name_type = optarg; return -1;
	case OPT_FACTOR: return plot_parse_number("factor", 1e-18, 1e18, &flame->factor);
	case OPT_TOTAL: return plot_parse_number("total", 1, 1e19, &flame->total);
	case OPT_NEGATE: flame->negate = true; return -1;
	case OPT_NAME_ATTR:
		return name_attributes_read(&flame->attributes, optarg) ? -1 : PK_EXIT_FAILED;
	case OPT_CP:
		return palette_map_read(&flame->map, optarg ? optarg : "palette.map")
			       ? -1
			       : PK_EXIT_FAILED;
	case OPT_FLAME_CHART: flame->fold.in_order = true; return -1;
	default: return 0;
	}
}

static int parse_option(void *arg, int c)
{
	struct flame_options *flame = arg;
	int result = pk_fold_option(&flame->fold, c);

	if (!result)
		result = plot_option(&flame->plot, c);
	return result ? result : parse_flame(c, flame);
}

static int run_flame(struct pk_common *common, int argc, char **argv)
{
	struct flame_options options = {
		.fold = PK_FOLD_DEFAULTS, .plot = PLOT_DEFAULTS, .min_width = 0.1, .factor = 1};
	const struct plot_command command = {common, long_options, parse_option, &options};
	struct pk_run run = {0};
	int result;

	common->help = help;
	palette_find(&options.palette, "kind");
	options.fold.text = true;
	options.fold.tail.symbols.tried = pk_report_tried;
	options.fold.stacks.names.mark_kernel = options.fold.stacks.names.mark_jit = true;
	options.fold.stacks.names.mark_inlines = true;
	result = plot_parse(&command, argc, argv);
	if (result < 0) {
		options.fold.stacks.names.modules |= palette_is_by_module(&options.palette);
		/* A base can be text, whose names have no objects. */
		options.objects = !options.fold.stacks.names.modules && !options.fold.base;
		options.fold.stacks.names.modules |= options.objects;
		if (options.fold.base)
			pk_protect_input(options.fold.base);
		result = plot_start(&command, argc, argv, &run);
		if (!result)
			result = pk_finish(flame(&run, &options));
	}
	pk_tail_options_free(&options.fold.tail);
	palette_map_free(&options.map);
	name_attributes_free(&options.attributes);
	return result;
}

const struct plot_kind plot_flame = {"flame", "flame graph of samples or folded text", run_flame};
