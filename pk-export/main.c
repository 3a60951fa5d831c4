// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "lookups.h"

static const struct export_format *const formats[] = {
	&export_pprof, &export_otlp, &export_callgrind, &export_speedscope, &export_firefox,
	&export_trace, &export_rows, &export_sqlite,	&export_perf_data,
};

#define FORMATS_COUNT (sizeof(formats) / sizeof(formats[0]))

/* The format of the command line, for help(). */
static const struct export_format *chosen;

enum { OPT_LIST = 256 };

static const struct option list_options[] = {
	{"list", no_argument, NULL, OPT_LIST},
	PK_COMMON_LONG,
};

static void help(void)
{
	if (chosen) {
		printf("Usage: pk-export %s [OPTION...] [FILE...]\n\n%s\n", chosen->name,
		       chosen->help);
		return;
	}
	puts("Usage: pk-export FORMAT [OPTION...] [FILE...]\n"
	     "\n"
	     "Writes a recording in a format of other programs.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n");
	for (size_t i = 0; i < FORMATS_COUNT; i++)
		printf("  %-12s %s\n", formats[i]->name, formats[i]->description);
	puts("\n"
	     "      --list            print the formats\n"
	     "      FORMAT --help     print the options of a format\n" PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize --lines | pk-export pprof -o "
	     "app.pb.gz\n"
	     "  pk-record -g -- ./app | pk-export perf.data -o perf.data && perf report");
}

static int list_formats(void)
{
	for (size_t i = 0; i < FORMATS_COUNT; i++)
		printf("%-12s %s\n", formats[i]->name, formats[i]->description);
	return pk_finish(PK_EXIT_OK);
}

/* Returns NULL if there is no such format. */
static const struct export_format *find_format(const char *name)
{
	for (size_t i = 0; i < FORMATS_COUNT; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

/* The options before the format. -1: continue; else the exit status. */
static int parse_start(int argc, char **argv, struct pk_common *common)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, "+" PK_COMMON_SHORT, list_options, NULL)) != -1) {
		if (c == OPT_LIST)
			return list_formats();
		result = pk_common_option(common, c);
		if (result >= 0)
			return result;
	}
	return -1;
}

/* The options of the chosen format. -1: continue; else the exit status. */
static int parse(int argc, char **argv, struct pk_common *common, struct exporter *exporter)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, chosen->options, NULL)) != -1) {
		result = chosen->option ? chosen->option(exporter, c) : 0;
		if (!result)
			result = sample_option(&exporter->options, c);
		if (!result)
			result = pk_common_option(common, c);
		if (result >= 0)
			return result;
	}
	return -1;
}

static int export(int argc, char **argv, struct pk_common *common)
{
	struct exporter *exporter = calloc(1, chosen->size);
	struct pk_run run = {0};
	int result;

	if (!exporter)
		return pk_exit_status(pk_no_memory());
	exporter->format = chosen;
	exporter->options = (struct sample_options)SAMPLE_OPTIONS_DEFAULTS;
	result = pk_tail_by(&exporter->options.tail, chosen->by ? chosen->by : "none",
			    PK_GROUP_COLUMNS);
	if (result < 0)
		result = parse(argc, argv, common, exporter);
	if (result < 0) {
		exporter->path = common->output;
		pk_common_apply(common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		result = export_inputs(exporter, &run);
	}
	pk_tail_options_free(&exporter->options.tail);
	free(exporter);
	return pk_exit_status(result);
}

int main(int argc, char **argv)
{
	struct pk_common common = {.help = help};
	int result, at;

	pk_cli_init("pk-export");
	result = parse_start(argc, argv, &common);
	if (result >= 0)
		return result;
	at = optind;
	if (at == argc)
		return pk_usage_error("the first operand must be a format; --list prints the "
				      "formats");
	chosen = find_format(argv[at]);
	if (!chosen)
		return pk_usage_error("%s: unknown format; --list prints the formats", argv[at]);
	argv[at] = argv[0]; /* for the messages of getopt_long */
	optind = 0;	    /* start again */
	return export(argc - at, argv + at, &common);
}
