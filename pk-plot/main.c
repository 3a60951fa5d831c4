// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "lookups.h"
#include "nearest.h"
#include "plot_options.h"

static const struct plot_kind *const kinds[] = {
	&plot_page, &plot_flame, &plot_chart, &plot_timeline, &plot_heatmap, &plot_histogram,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void list_kinds(void)
{
	putchar('\n');
	for (size_t i = 0; i < KINDS; i++)
		printf("  %-21s %s\n", kinds[i]->name, kinds[i]->about);
	puts("\npk-plot KIND --help prints the options of a kind.");
}

/* Returns NULL and prints a message if no kind has this name. */
static const struct plot_kind *find_kind(const char *name)
{
	char names[256] = "";
	struct pk_nearest nearest = {.wanted = name};

	for (size_t i = 0; i < KINDS; i++) {
		if (name && !strcmp(name, kinds[i]->name))
			return kinds[i];
		if (name)
			pk_nearest_try(&nearest, kinds[i]->name);
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 i ? ", " : "", kinds[i]->name);
	}
	if (name)
		pk_usage_error("%s: unknown kind%s; kinds are: %s", name, pk_nearest_hint(&nearest),
			       names);
	else
		pk_usage_error("the first operand must be a kind: %s", names);
	return NULL;
}

static const struct pk_command command = {
	.usage = "Usage: pk-plot KIND [OPTION...] [FILE...]\n"
		 "\n"
		 "Draws a recording as a picture: an SVG file, with its script, on\n"
		 "stdout; or as a page for a browser.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.list = list_kinds,
	.options = pk_common_rows,
	.examples = "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot flame > app.svg\n"
		    "  pk-plot flame --diff=before.pk after.pk > diff.svg\n",
	.stops = true,
};

int main(int argc, char **argv)
{
	struct pk_common common = {0};
	const struct plot_kind *kind;
	int result;

	pk_cli_init("pk-plot");
	result = pk_parse_options(&command, &common, &argc, &argv);
	if (result < 0) {
		kind = find_kind(argv[optind]);
		if (!kind)
			return pk_exit_status(PK_EXIT_USAGE);
		argv[optind] = argv[0];
		result = kind->run(&common, argc - optind, argv + optind);
	}
	return pk_exit_status(result);
}
