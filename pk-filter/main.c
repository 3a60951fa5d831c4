// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "run.h"

struct opts {
	struct pk_fail_on fail_on;
	const char *output;
	int verbose;
};

static void help(void)
{
	puts("Usage: pk-filter [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads perf or pk streams and writes them again as one pk stream each: from either "
	     "byte\n"
	     "order, out of zstd, with every record that was readable. Conditions are still to "
	     "come.\n"
	     "Without FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "      --fail-on=LIST    exit status 1 if more than PCT percent are lost, truncated "
	     "or\n"
	     "                        unresolved: lost[=PCT],truncated[=PCT],unresolved[=PCT]\n"
	     "  -o, --output=FILE     instead of stdout\n"
	     "  -v, --verbose         say more\n"
	     "  -q, --quiet           only errors\n"
	     "      --help, --version\n"
	     "\n"
	     "  pk-filter -o native.pk s390x.pk\n"
	     "  zstd -dc old.pk.zst | pk-filter | pk-script --dump");
}

enum { OPT_FAIL_ON = 256, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
	{"fail-on", required_argument, NULL, OPT_FAIL_ON},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c;

	while ((c = getopt_long(argc, argv, "o:vq", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_FAIL_ON:
			if (!pk_parse_fail_on(optarg, &opts->fail_on))
				return pk_usage_error("--fail-on=%s: unknown", optarg);
			break;
		case 'o': opts->output = optarg; break;
		case 'v': opts->verbose++; break;
		case 'q': opts->verbose = -1; break;
		case OPT_HELP: help(); return pk_finish(PK_EXIT_OK);
		case OPT_VERSION:
			printf("pk-filter %s\n", pk_version());
			return pk_finish(PK_EXIT_OK);
		default: return pk_usage_error("see above");
		}
	}
	return -1;
}

static enum pk_status pass(struct pk_run *run, const struct pk_record *record)
{
	if (record->type == PK_RECORD_BEGIN)
		return PK_OK;
	return pk_writer_copy(run->writer, run->reader, record);
}

int main(int argc, char **argv)
{
	struct pk_stage_options stage = {.program = "pk-filter", .argc = argc, .argv = argv};
	struct pk_run run = {.record = pass};
	struct opts opts = {0};
	int result;

	pk_cli_init(stage.program);
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	pk_cli_verbosity(opts.verbose);
	run.files = argv + optind;
	run.files_count = argc - optind;
	run.fail_on = opts.fail_on;
	return pk_run_stage(&run, &stage, opts.output, "pk-fold");
}
