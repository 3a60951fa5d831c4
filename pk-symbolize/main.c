// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"
#include "second.h"
#include "symbol_options.h"
#include "symbolize.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options symbols;
	struct pk_second second;
	uint64_t dictionary_max, wait_max;
	bool addresses, mark_truncated;
};

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Frames"),
	{0, "lines", NULL, PK_CLEAR, "look up source files, lines and columns",
	 AT(symbols.no_lines)},
	{0, "addresses", NULL, PK_FLAG, "make frames of addresses instead of functions",
	 AT(addresses)},
	{0, "mark-truncated", NULL, PK_FLAG, "add a frame where callers are missing",
	 AT(mark_truncated)},
	{0, "dictionary-size", "SIZE", PK_SIZE, "clear the dictionary when it is larger (256M)",
	 AT(dictionary_max)},
	{0, "wait-size", "SIZE", PK_SIZE, "hold back less until programs have named code (64M)",
	 AT(wait_max)},
	{0, "with", "libdw", PK_CALL, "read debugging information with this library", AT(second),
	 .wants = "libdw", .parse = pk_second_parse},
	{.kind = PK_ROWS, .rows = pk_function_rows, AT(symbols)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER('m', "modules", "modules are searched where they were loaded from"),
	PK_ANSWER(0, "srcline", "--lines"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-symbolize [OPTION...] [FILE...]\n"
		 "\n"
		 "Adds a stack of named frames to every sample, and writes a stream.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -a -g --for 10s | pk-symbolize | pk-fold > host.folded\n"
		    "  pk-symbolize --symfs rootfs --kallsyms kallsyms target.pk | pk-fold\n",
};

int main(int argc, char **argv)
{
	struct symbolize_options options = {.argc = argc, .argv = argv};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	struct opts opts = {.symbols = {.no_lines = true, .tried = pk_report_tried},
			    .dictionary_max = UINT64_C(256) << 20,
			    .wait_max = UINT64_C(64) << 20};
	int result;

	pk_cli_init("pk-symbolize");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result >= 0)
		return result;
	pk_common_apply(&opts.common, argc, argv, &run);
	options.output = opts.common.output;
	options.dictionary_max = opts.dictionary_max;
	options.wait_max = opts.wait_max;
	options.frames = opts.addresses ? PK_FRAMES_OF_ADDRESSES : PK_FRAMES_OF_FUNCTIONS;
	options.mark_truncated = opts.mark_truncated;
	opts.symbols.reader = opts.second.reader;
	options.symbols = &opts.symbols;
	symbols = pk_symbols_new(&opts.symbols);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = symbolize(&run, symbols, &options);
	return pk_symbols_finish(symbols, result);
}
