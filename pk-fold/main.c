// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fold.h"

struct opts {
	struct fold_options fold;
	struct pk_fail_on fail_on;
	const char *output;
	int verbose;
};

static void help(void)
{
	puts("Usage: pk-fold [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads symbolized streams and prints folded stacks, one line for each distinct one:\n"
	     "thread;caller;...;leaf WEIGHT. This is what flamegraph.pl and inferno take. Without\n"
	     "FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "      --weight=WHAT     period (the default; tracepoints count 1) or samples\n"
	     "      --event=NAME      fold this event (default: that of the first sample, and\n"
	     "                        tracepoints)\n"
	     "      --fail-on=LIST    exit status 1 if more than PCT percent are lost, truncated "
	     "or\n"
	     "                        unresolved: lost[=PCT],truncated[=PCT],unresolved[=PCT]\n"
	     "  -o, --output=FILE     instead of stdout\n"
	     "  -v, --verbose         say more\n"
	     "  -q, --quiet           only errors\n"
	     "      --help, --version\n"
	     "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-fold | flamegraph.pl > app.svg\n"
	     "  cat host*.pk | pk-fold | sort -k2nr | head");
}

enum { OPT_WEIGHT = 256, OPT_EVENT, OPT_FAIL_ON, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
	{"weight", required_argument, NULL, OPT_WEIGHT},
	{"event", required_argument, NULL, OPT_EVENT},
	{"fail-on", required_argument, NULL, OPT_FAIL_ON},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static bool parse_weight(const char *text, enum fold_weight *weight)
{
	*weight = strcmp(text, "samples") ? FOLD_PERIOD : FOLD_SAMPLES;
	return *weight == FOLD_SAMPLES || !strcmp(text, "period");
}

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c;

	while ((c = getopt_long(argc, argv, "o:vq", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_WEIGHT:
			if (!parse_weight(optarg, &opts->fold.weight))
				return pk_usage_error("--weight=%s: period or samples", optarg);
			break;
		case OPT_EVENT: opts->fold.event = optarg; break;
		case OPT_FAIL_ON:
			if (!pk_parse_fail_on(optarg, &opts->fail_on))
				return pk_usage_error("--fail-on=%s: unknown", optarg);
			break;
		case 'o': opts->output = optarg; break;
		case 'v': opts->verbose++; break;
		case 'q': opts->verbose = -1; break;
		case OPT_HELP: help(); return pk_finish(PK_EXIT_OK);
		case OPT_VERSION:
			printf("pk-fold %s\n", pk_version());
			return pk_finish(PK_EXIT_OK);
		default: return pk_usage_error("see above");
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct opts opts = {0};
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-fold");
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	pk_cli_verbosity(opts.verbose);
	if (opts.output && strcmp(opts.output, "-") && !freopen(opts.output, "w", stdout)) {
		pk_error("%s: cannot be written", opts.output);
		return PK_EXIT_FAILED;
	}
	run.files = argv + optind;
	run.files_count = argc - optind;
	run.fail_on = opts.fail_on;
	return pk_finish(fold(&run, &opts.fold));
}
