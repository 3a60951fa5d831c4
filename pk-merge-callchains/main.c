// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "merge.h"
#include "options.h"

struct opts {
	struct pk_common common;
	struct merge_options merge;
};

/* Parses SAMPLES[,SIZE[,TIME]]. */
static int set_max_wait(const struct pk_option *option, void *at, const char *text)
{
	struct merge_options *merge = at;
	struct merger_options *wait = &merge->wait;
	char copy[96], *size, *time;

	if (strlen(text) >= sizeof(copy))
		return pk_option_wrong(option, text);
	memcpy(copy, text, strlen(text) + 1);
	size = strchr(copy, ',');
	time = size ? strchr(size + 1, ',') : NULL;
	if (size)
		*size++ = '\0';
	if (time)
		*time++ = '\0';
	merge->has_time |= time != NULL;
	if (pk_parse_u64(copy, &wait->samples_max) &&
	    (!size || pk_parse_size(size, &wait->bytes_max)) &&
	    (!time || pk_parse_time(time, &wait->time_max)))
		return PK_CONTINUE;
	return pk_option_wrong(option, text);
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Options"),
	{0, "keep-deferred", NULL, PK_FLAG, "keep the records of the user halves in the stream",
	 AT(merge.wait.keep)},
	{0, "max-wait", "N[,SIZE[,TIME]]", PK_CALL,
	 "at most N samples wait for the other half, with SIZE of records after them, for TIME "
	 "(1000000,256M; 5s if the input is no file)",
	 AT(merge), .parse = set_max_wait, .wants = "SAMPLES, SAMPLES,SIZE or SAMPLES,SIZE,TIME"},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-merge-callchains [OPTION...] [FILE...]\n"
		 "\n"
		 "Reads perf.data files and streams of perf or pk. Joins the kernel half of\n"
		 "callchains with the user half that was recorded later (deferred callchains).\n"
		 "Writes a stream. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -a --call-graph fp,defer --for 10s | pk-merge-callchains |\n"
		    "    pk-symbolize | pk-fold > host.folded\n"
		    "  pk-merge-callchains -v perf.data | perf script -i -\n",
};

int main(int argc, char **argv)
{
	struct pk_run run = {0};
	struct opts opts = {
		.merge.wait = {.samples_max = 1000000, .bytes_max = UINT64_C(256) << 20},
	};
	int result;

	pk_cli_init("pk-merge-callchains");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result >= 0)
		return result;
	pk_common_apply(&opts.common, argc, argv, &run);
	opts.merge.output = opts.common.output;
	opts.merge.argc = argc;
	opts.merge.argv = argv;
	return merge(&run, &opts.merge);
}
