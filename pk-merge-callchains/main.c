// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "merge.h"
#include "options.h"

struct opts {
	struct pk_common common;
	struct merge_options merge;
};

static void help(void)
{
	puts("Usage: pk-merge-callchains [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads perf.data files and streams of perf or pk. Joins the kernel half of callchains "
	     "with\n"
	     "the user half that was recorded later (deferred callchains). Writes a stream.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n"
	     "\n"
	     "      --keep-deferred   keep the records of the user halves in the stream\n"
	     "      --max-wait=N[,SIZE[,TIME]]\n"
	     "                        at most N samples wait for the other half, with SIZE of "
	     "records\n"
	     "                        after them, for TIME (1000000,256M; 5s if the input is no "
	     "file)\n" PK_COMMON_HELP "\n"
	     "  pk-record -a --call-graph fp,defer --for 10s | pk-merge-callchains |\n"
	     "    pk-symbolize | pk-fold > host.folded\n"
	     "  pk-merge-callchains -v perf.data | perf script -i -");
}

enum { OPT_KEEP_DEFERRED = 256, OPT_MAX_WAIT };

static const struct option long_options[] = {
	{"keep-deferred", no_argument, NULL, OPT_KEEP_DEFERRED},
	{"max-wait", required_argument, NULL, OPT_MAX_WAIT},
	PK_COMMON_LONG,
};

/* SAMPLES[,SIZE[,TIME]] */
static bool parse_max_wait(const char *text, struct merge_options *options)
{
	struct merger_options *wait = &options->wait;
	char copy[96], *size, *time;

	if (strlen(text) >= sizeof(copy))
		return false;
	memcpy(copy, text, strlen(text) + 1);
	size = strchr(copy, ',');
	time = size ? strchr(size + 1, ',') : NULL;
	if (size)
		*size++ = '\0';
	if (time)
		*time++ = '\0';
	options->has_time |= time != NULL;
	return pk_parse_u64(copy, &wait->samples_max) &&
	       (!size || pk_parse_size(size, &wait->bytes_max)) &&
	       (!time || pk_parse_time(time, &wait->time_max));
}

/* -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, NULL)) != -1) {
		switch (c) {
		case OPT_KEEP_DEFERRED: opts->merge.wait.keep = true; break;
		case OPT_MAX_WAIT:
			if (!parse_max_wait(optarg, &opts->merge))
				return pk_usage_error(
					"--max-wait=%s: must be SAMPLES, SAMPLES,SIZE or "
					"SAMPLES,SIZE,TIME",
					optarg);
			break;
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
	struct pk_run run = {0};
	struct opts opts = {
		.common.help = help,
		.merge.wait = {.samples_max = 1000000, .bytes_max = UINT64_C(256) << 20},
	};
	int result;

	pk_cli_init("pk-merge-callchains");
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	pk_common_apply(&opts.common, argc, argv, &run);
	opts.merge.output = opts.common.output;
	opts.merge.argc = argc;
	opts.merge.argv = argv;
	return merge(&run, &opts.merge);
}
