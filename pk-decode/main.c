// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <string.h>

#include "decode.h"
#include "options.h"

struct opts {
	struct pk_common common;
	struct decode_options decode;
	bool chosen; /* an option has selected events */
};

/* Selects the events whose names match. */
static int add_event(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;
	bool any = false;

	for (int i = 0; i < SPE_EVENTS; i++) {
		if (fnmatch(text, spe_event_name((enum spe_event)i), 0))
			continue;
		opts->decode.wanted[i] = any = true;
	}
	opts->chosen = true;
	return any ? PK_CONTINUE : pk_option_wrong(option, text);
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Options"),
	{'e', "event", "GLOB", PK_CALL, "make samples of these events (all)", .parse = add_event,
	 .wants = "memory, branch, instructions, l1d-miss, l1d-access, llc-miss, llc-access, "
		  "tlb-miss, tlb-access or remote-access"},
	{0, "every", "N", PK_NUMBER, "make samples of one of N operations (1)", AT(decode.every),
	 .least = 1, .most = UINT32_MAX},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER(0, "itrace", "use --event, and --every for a period"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-decode [OPTION...] [FILE...]\n"
		 "\n"
		 "Reads perf.data files and streams of perf or pk. Replaces hardware traces by\n"
		 "samples: traces of Arm SPE. Other traces are passed on. Writes a stream.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-decode perf.data | pk-symbolize | pk-report --event memory --view mem\n"
		    "  pk-decode -e branch perf.data | pk-symbolize | pk-fold > branches.folded\n",
};

int main(int argc, char **argv)
{
	struct pk_run run = {0};
	struct opts opts = {.decode.every = 1};
	int result;

	pk_cli_init("pk-decode");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result >= 0)
		return result;
	for (int i = 0; i < SPE_EVENTS && !opts.chosen; i++)
		opts.decode.wanted[i] = true;
	pk_common_apply(&opts.common, argc, argv, &run);
	opts.decode.output = opts.common.output;
	opts.decode.argc = argc;
	opts.decode.argv = argv;
	return decode(&run, &opts.decode);
}
