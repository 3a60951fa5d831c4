// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "fold.h"
#include "options.h"

struct opts {
	struct pk_common common;
	struct fold_options fold;
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
	     "                        tracepoints)\n" PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-fold | flamegraph.pl > app.svg\n"
	     "  cat host*.pk | pk-fold | sort -k2nr | head");
}

enum { OPT_WEIGHT = 256, OPT_EVENT };

static const struct option long_options[] = {
	{"weight", required_argument, NULL, OPT_WEIGHT},
	{"event", required_argument, NULL, OPT_EVENT},
	PK_COMMON_LONG,
};

static bool parse_weight(const char *text, enum fold_weight *weight)
{
	*weight = strcmp(text, "samples") ? FOLD_PERIOD : FOLD_SAMPLES;
	return *weight == FOLD_SAMPLES || !strcmp(text, "period");
}

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = getopt_long(argc, argv, PK_COMMON_SHORT, long_options, NULL)) != -1) {
		switch (c) {
		case OPT_WEIGHT:
			if (!parse_weight(optarg, &opts->fold.weight))
				return pk_usage_error("--weight=%s: period or samples", optarg);
			break;
		case OPT_EVENT: opts->fold.event = optarg; break;
		default:
			result = pk_common_option(&opts->common, c);
			if (result >= 0)
				return result;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct opts opts = {.common.help = help};
	struct pk_run run = {0};
	const char *output;
	int result;

	pk_cli_init("pk-fold");
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	output = opts.common.output;
	if (output && strcmp(output, "-") && !freopen(output, "w", stdout)) {
		pk_error("%s: cannot be written", output);
		return PK_EXIT_FAILED;
	}
	pk_common_apply(&opts.common, argc, argv, &run);
	return pk_finish(fold(&run, &opts.fold));
}
