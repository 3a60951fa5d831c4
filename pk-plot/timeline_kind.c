// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>

#include "kind.h"
#include "lookups.h"
#include "timeline_draw.h"

#define PIECES_MOST   45000 /* see PIECES_BYTES, too */
#define MERGED_AS_ONE 12
#define ARROWS_MOST   4000

static void help(void)
{
	puts("Usage: pk-plot timeline [OPTION...] [FILE...]\n"
	     "\n"
	     "Draws spans of threads or processors over time, wakeups, and counts of pk-stat.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n"
	     "\n" PLOT_HELP "      --height=PIXELS   of a row\n"
	     "      --by=FIELD,...    lanes (tid); cpu: processors\n"
	     "      --lanes=N         draw N lanes, those with the most time "
	     "(60)\n" PLOT_SAMPLES_HELP PK_COMMON_HELP "\n"
	     "  pk-span sched --pass sched.pk | pk-plot timeline > threads.svg\n"
	     "  pk-span sched sched.pk | pk-plot timeline --event run --by cpu > processors.svg");
}

enum { OPT_HEIGHT = 256, OPT_BY, OPT_LANES };

static const struct option long_options[] = {
	{"height", required_argument, NULL, OPT_HEIGHT},
	{"by", required_argument, NULL, OPT_BY},
	{"lanes", required_argument, NULL, OPT_LANES},
	PLOT_LONG,
	PLOT_SAMPLES_LONG,
	PK_COMMON_LONG,
};

static int parse_option(void *arg, int c)
{
	struct timeline *timeline = arg;
	int result = plot_option(&timeline->plot, c);

	if (!result)
		result = sample_source_option(&timeline->source, c);
	if (result)
		return result;
	switch (c) {
	case OPT_HEIGHT: return plot_parse_count("height", 2, 200, &timeline->row_height);
	case OPT_BY: return lanes_option(&timeline->lanes);
	case OPT_LANES: return plot_parse_count("lanes", 1, 1000, &timeline->lanes_most);
	default: return 0;
	}
}

/* PK_EXIT_FAILED: there is nothing to draw. */
static int report(const struct timeline *timeline)
{
	char number[32];

	if (timeline->without_time)
		pk_warn("%s samples have no time, skipped",
			pk_number(number, timeline->without_time));
	if (timeline->lanes.dropped)
		pk_warn("%s samples are of further lanes than %d, skipped",
			pk_number(number, timeline->lanes.dropped), LANES_MAX);
	if (timeline->counters.dropped)
		pk_warn("%s counts are of further events than %d, skipped",
			pk_number(number, timeline->counters.dropped), COUNTERS_MAX);
	if (timeline->other)
		pk_info("%s samples are no spans, skipped", pk_number(number, timeline->other));
	if (!timeline->spans && timeline->other)
		pk_warn("there are no spans: run pk-span before pk-plot timeline");
	return timeline->spans || timeline->counters.count
		       ? PK_EXIT_OK
		       : plot_nothing("there are no spans and counts: the picture is empty");
}

static int timeline(struct pk_run *run, struct timeline *timeline)
{
	int result = timeline_read(timeline, run);
	const int nothing = report(timeline);

	result = result ? result : nothing;
	return timeline_draw(timeline) ? result : pk_no_memory();
}

static int run_timeline(struct pk_common *common, int argc, char **argv)
{
	struct timeline options = {.plot = PLOT_DEFAULTS,
				   .lanes_most = 60,
				   .pieces.most = PIECES_MOST,
				   .pieces.merged_as_one = MERGED_AS_ONE,
				   .arrows.most = ARROWS_MOST};
	const struct plot_command command = {common, long_options, parse_option, &options};
	struct pk_run run = {0};
	int result;

	common->help = help;
	result = plot_parse(&command, argc, argv);
	if (result < 0) {
		if (!options.row_height)
			options.row_height = (unsigned int)lround(options.plot.font_size + 4);
		result = plot_start(&command, argc, argv, &run);
		if (!result)
			result = pk_finish(timeline(&run, &options));
	}
	return timeline_free(&options, result);
}

const struct plot_kind plot_timeline = {"timeline", "spans of threads or processors over time",
					run_timeline};
