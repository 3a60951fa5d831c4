// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"
#include "second.h"
#include "symbol_options.h"
#include "unwind_stage.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options symbols;
	struct pk_second second;
	bool keep;
};

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Options"),
	{0, "symfs", "DIR", PK_TEXT, "search for the recorded files below DIR", AT(symbols.symfs)},
	{0, "keep", NULL, PK_FLAG, "keep registers, stacks and branches in the samples", AT(keep)},
	{0, "with", "libdw|libunwind", PK_CALL, "unwind with this library", AT(second),
	 .wants = "libdw or libunwind", .parse = pk_second_parse},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER('g', "call-graph", "use pk-record --call-graph dwarf"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage =
		"Usage: pk-unwind [OPTION...] [FILE...]\n"
		"\n"
		"Reads perf.data files and streams of perf or pk whose samples have registers and\n"
		"a part of the stack, or the processor's call stack (LBR). Writes a stream whose\n"
		"samples have a callchain instead. Adds callers that arm64 frame pointers lack.\n"
		"Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record --call-graph dwarf ./app | pk-unwind | pk-symbolize | pk-fold\n"
		    "  pk-unwind --symfs rootfs target.data > target.pk\n",
};

int main(int argc, char **argv)
{
	struct unwind_options options = {.argc = argc, .argv = argv};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	struct opts opts = {0};
	int result;

	pk_cli_init("pk-unwind");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result >= 0)
		return result;
	pk_common_apply(&opts.common, argc, argv, &run);
	options.output = opts.common.output;
	options.keep = opts.keep;
	options.other = opts.second.unwinder;
	options.symbols = &opts.symbols;
	symbols = pk_symbols_new(&opts.symbols);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = unwind_stream(&run, symbols, &options);
	return pk_symbols_finish(symbols, result);
}
