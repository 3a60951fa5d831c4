// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "lookups.h"
#include "plot_options.h"

static const struct plot_kind *const kinds[] = {
	&plot_flame, &plot_chart, &plot_timeline, &plot_heatmap, &plot_histogram,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void help(void)
{
	puts("Usage: pk-plot KIND [OPTION...] [FILE...]\n"
	     "\n"
	     "Draws a recording as a picture: an SVG file, with its script, on stdout.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n");
	for (size_t i = 0; i < KINDS; i++)
		printf("  %-21s %s\n", kinds[i]->name, kinds[i]->about);
	puts("\n"
	     "Options of all kinds; pk-plot KIND --help prints those of a kind:\n"
	     "\n" PLOT_HELP PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot flame > app.svg\n"
	     "  pk-plot flame --diff=before.pk after.pk > diff.svg");
}

/* NULL after a message. */
static const struct plot_kind *find_kind(const char *name)
{
	char names[256] = "";

	for (size_t i = 0; i < KINDS; i++) {
		if (name && !strcmp(name, kinds[i]->name))
			return kinds[i];
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 i ? ", " : "", kinds[i]->name);
	}
	if (name)
		pk_usage_error("%s: unknown kind; kinds are: %s", name, names);
	else
		pk_usage_error("the first operand must be a kind: %s", names);
	return NULL;
}

/* Parses the options before the kind. -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct pk_common *common)
{
	static const struct option options[] = {PK_COMMON_LONG};
	int c, result;

	while ((c = pk_getopt(argc, argv, "+" PK_COMMON_SHORT, options, NULL)) != -1) {
		result = pk_common_option(common, c);
		if (result >= 0)
			return result;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct pk_common common = {.help = help};
	const struct plot_kind *kind;
	int result;

	pk_cli_init("pk-plot");
	result = parse(argc, argv, &common);
	if (result < 0) {
		kind = find_kind(argv[optind]);
		if (!kind)
			return pk_exit_status(PK_EXIT_USAGE);
		argv[optind] = argv[0];
		argc -= optind;
		argv += optind;
		optind = 0; /* getopt starts again */
		result = kind->run(&common, argc, argv);
	}
	return pk_exit_status(result);
}
