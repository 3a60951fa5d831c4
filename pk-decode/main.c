// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <string.h>

#include "decode.h"
#include "lookups.h"
#include "options.h"
#include "symbol_options.h"

/* The period of instructions. */
#define PT_INSTRUCTIONS_EVERY 100000

struct opts {
	struct pk_common common;
	struct decode_options decode;
	struct pk_symbols_options files;
	uint64_t every; /* 0 for the default of the trace */
	bool chosen;	/* an option has selected events */
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
	for (int i = 0; i < PT_EVENTS; i++) {
		if (fnmatch(text, pt_event_name((enum pt_event_number)i), 0))
			continue;
		opts->decode.pt.wanted[i] = any = true;
	}
	opts->chosen = true;
	return any ? PK_CONTINUE : pk_option_wrong(option, text);
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Options"),
	{'e', "event", "GLOB", PK_CALL, "make samples of these events", .parse = add_event,
	 .wants = "memory, branch, instructions, l1d-miss, l1d-access, llc-miss, llc-access, "
		  "tlb-miss, tlb-access, remote-access, branches or calls"},
	{0, "every", "N", PK_NUMBER,
	 "make samples of one of N operations (1), or instructions (100000)", AT(every), .least = 1,
	 .most = UINT32_MAX},
	{.kind = PK_ROWS, .rows = pk_symbol_rows, AT(files)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER(0, "itrace", "use --event, and --every for a period"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-decode [OPTION...] [FILE...]\n"
		 "\n"
		 "Reads perf.data files and streams of perf or pk. Replaces hardware traces by\n"
		 "samples: traces of Arm SPE, Intel PT and CoreSight. Other traces are passed on.\n"
		 "Writes a stream.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-decode perf.data | pk-symbolize | pk-report --event memory --view mem\n"
		    "  pk-decode -e branch perf.data | pk-symbolize | pk-fold > branches.folded\n",
};

int main(int argc, char **argv)
{
	struct pk_run run = {0};
	struct opts opts = {0};
	struct pk_symbols *symbols;
	int result;

	pk_cli_init("pk-decode");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result >= 0)
		return result;
	for (int i = 0; i < SPE_EVENTS && !opts.chosen; i++)
		opts.decode.wanted[i] = true;
	opts.decode.pt.wanted[PT_EVENT_BRANCHES] |= !opts.chosen;
	opts.decode.pt.wanted[PT_EVENT_INSTRUCTIONS] |= !opts.chosen;
	opts.decode.every = opts.every ? opts.every : 1;
	opts.decode.pt.every = opts.every ? opts.every : PT_INSTRUCTIONS_EVERY;
	opts.decode.pt.files = &opts.files;
	pk_common_apply(&opts.common, argc, argv, &run);
	opts.decode.output = opts.common.output;
	opts.decode.argc = argc;
	opts.decode.argv = argv;
	symbols = pk_symbols_new(&opts.files);
	if (!symbols)
		return pk_no_memory();
	result = decode(&run, symbols, &opts.decode);
	return pk_symbols_finish(symbols, result);
}
