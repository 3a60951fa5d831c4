// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "lookups.h"
#include "nearest.h"

static const struct export_format *const formats[] = {
	&export_pprof,	   &export_otlp,  &export_callgrind, &export_speedscope,
	&export_firefox,   &export_trace, &export_rows,	     &export_sqlite,
	&export_perf_data, &export_bolt,  &export_profgen,   &export_autofdo,
};

#define FORMATS_COUNT (sizeof(formats) / sizeof(formats[0]))

static void print_help(void)
{
	putchar('\n');
	for (size_t i = 0; i < FORMATS_COUNT; i++)
		printf("  %-12s %s\n", formats[i]->name, formats[i]->description);
	puts("\npk-export FORMAT --help prints the options of a format.");
}

static int list_formats(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)at;
	(void)text;
	for (size_t i = 0; i < FORMATS_COUNT; i++)
		printf("%-12s %s\n", formats[i]->name, formats[i]->description);
	return pk_finish(PK_EXIT_OK);
}

static const struct pk_option rows[] = {
	PK_TITLE("Options"),
	{0, "list", NULL, PK_CALL, "print the formats", .parse = list_formats},
	{.kind = PK_ROWS, .rows = pk_common_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-export FORMAT [OPTION...] [FILE...]\n"
		 "\n"
		 "Writes a recording in a format of other programs.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.list = print_help,
	.options = rows,
	.examples = "  pk-record -F 999 -g -- ./app | pk-symbolize --lines | pk-export pprof "
		    "-o app.pb.gz\n"
		    "  pk-record -g -- ./app | pk-export perf.data -o perf.data && perf report\n",
	.stops = true,
};

/* Returns NULL after an error message. */
static const struct export_format *find_format(const char *name)
{
	struct pk_nearest nearest = {.wanted = name};

	if (!name) {
		pk_usage_error("the first operand must be a format; --list prints the formats");
		return NULL;
	}
	for (size_t i = 0; i < FORMATS_COUNT; i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
		pk_nearest_try(&nearest, formats[i]->name);
	}
	pk_usage_error("%s: unknown format%s; --list prints the formats", name,
		       pk_nearest_hint(&nearest));
	return NULL;
}

/* Exports to a format. argv[0] is the program. The name of the format is not in argv. */
static int export(const struct export_format *format, const struct pk_common *common, int argc,
		  char **argv)
{
	struct exporter *exporter = calloc(1, format->size);
	struct pk_run run = {0};
	int result;

	if (!exporter)
		return pk_exit_status(pk_no_memory());
	exporter->format = format;
	exporter->common = *common;
	exporter->options = (struct sample_options)SAMPLE_OPTIONS_DEFAULTS;
	result = pk_tail_by(&exporter->options.tail, format->by ? format->by : "none",
			    PK_GROUP_COLUMNS);
	exporter->options.tail.by_default = true;
	if (result < 0)
		result = pk_parse_options(&format->command, exporter, &argc, &argv);
	if (result < 0) {
		exporter->path = exporter->common.output;
		pk_common_apply(&exporter->common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		result = export_inputs(exporter, &run);
	}
	pk_tail_options_free(&exporter->options.tail);
	free(exporter);
	return pk_exit_status(result);
}

int main(int argc, char **argv)
{
	struct pk_common common = {0};
	const struct export_format *format;
	int result;

	pk_cli_init("pk-export");
	result = pk_parse_options(&command, &common, &argc, &argv);
	if (result >= 0)
		return result;
	format = find_format(argv[optind]);
	if (!format)
		return PK_EXIT_USAGE;
	argv[optind] = argv[0];
	return export(format, &common, argc - optind, argv + optind);
}
