// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

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
	     "Reads perf.data files and streams of perf or pk, joins the kernel's half of "
	     "callchains\n"
	     "with the user's half that was recorded later (deferred callchains), and\n"
	     "writes streams. Without FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "      --keep-deferred   leave the records of the user's halves in the stream\n"
	     "      --max-wait=N[,SIZE]\n"
	     "                        no more than N samples, and SIZE of memory, wait for the "
	     "other\n"
	     "                        half (1000000,256M)\n" PK_COMMON_HELP "\n"
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

static bool parse_max_wait(const char *text, struct merger_options *wait)
{
	size_t length = strcspn(text, ",");
	char samples[32];

	if (length >= sizeof(samples) ||
	    (text[length] && !pk_parse_size(text + length + 1, &wait->bytes_max)))
		return false;
	memcpy(samples, text, length);
	samples[length] = '\0';
	return pk_parse_u64(samples, &wait->samples_max);
}

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, NULL)) != -1) {
		switch (c) {
		case OPT_KEEP_DEFERRED: opts->merge.keep = true; break;
		case OPT_MAX_WAIT:
			if (!parse_max_wait(optarg, &opts->merge.wait))
				return pk_usage_error("--max-wait=%s: neither a number nor one and "
						      "a size behind it",
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
