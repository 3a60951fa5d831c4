// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "inject.h"
#include "options.h"
#include "symbol_options.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options files;
	struct inject_options inject;
	bool chosen; /* an option has selected what to add */
};

static void choose_all(struct inject_options *inject)
{
	enum inject_what *const all[] = {&inject->build_ids, &inject->symbols, &inject->kernel,
					 &inject->jit, &inject->lines};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (*all[i] == INJECT_NONE)
			*all[i] = INJECT_TOUCHED;
}

/* Remembers that an option has selected what to add. */
static int note(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)text;
	((struct opts *)at)->chosen = true;
	return PK_CONTINUE;
}

static int choose_self(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)text;
	choose_all(at);
	return PK_CONTINUE;
}

static int choose(const struct pk_option *option, void *at, const char *text)
{
	*(enum inject_what *)at = text ? INJECT_WHOLE : INJECT_TOUCHED;
	return text && strcmp(text, "all") ? pk_option_wrong(option, text) : PK_CONTINUE;
}

#define AT(member) PK_AT(struct inject_options, member)

static const struct pk_option addition_rows[] = {
	PK_TITLE("What is added"),
	{0, "self-contained", NULL, PK_CALL,
	 "all of the following (the default if none of them is given)", .parse = choose_self},
	{0, "build-ids", "[all]", PK_CALL, "build-ids of sampled objects, or of all mapped objects",
	 AT(build_ids), .parse = choose, .wants = "all"},
	{0, "symbols", "[all]", PK_CALL, "sampled functions of programs, or all functions",
	 AT(symbols), .parse = choose, .wants = "all"},
	{0, "kernel", "[all]", PK_CALL,
	 "sampled functions of the kernel and its modules, or all functions", AT(kernel),
	 .parse = choose, .wants = "all"},
	{0, "jit", NULL, PK_CALL, "functions from perf-PID.map and jitdump", AT(jit),
	 .parse = choose},
	{0, "lines", NULL, PK_CALL, "inlined functions and source lines of sampled addresses",
	 AT(lines), .parse = choose},
	PK_OPTIONS_END,
};

#undef AT
#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	{.kind = PK_ROWS, .rows = addition_rows, .parse = note, AT(inject)},
	PK_TITLE("Where object files and symbols are searched"),
	{0, "symfs", "DIR", PK_TEXT, "search for the recorded files below DIR", AT(files.symfs)},
	{0, "kallsyms", "FILE", PK_INPUT, "kernel symbols, in the format of /proc/kallsyms",
	 AT(files.kallsyms)},
	{0, "no-demangle", NULL, PK_FLAG, "do not demangle names of C++ and Rust",
	 AT(files.no_demangle)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_input_rows},
	PK_ANSWER('b', NULL, "--build-ids"),
	PK_ANSWER(0, "buildid-all", "--build-ids=all"),
	PK_ANSWER('j', NULL, "--jit"),
	PK_ANSWER('k', "vmlinux", "use --kallsyms, or pk-symbolize --vmlinux"),
	PK_ANSWER('s', "sched-stat", "use pk-record --off-cpu"),
	PK_ANSWER(0, "aslr", "use pk-filter --anonymize"),
	PK_ANSWER(0, "guest-data", "use pk-symbolize --guest-vmlinux or --guest-symfs"),
	PK_ANSWER(0, "known-build-ids", "--build-ids"),
	PK_ANSWER('B', "mmap2-buildids", "--build-ids"),
	PK_ANSWER(0, "mmap2-buildid-all", "--build-ids=all"),
	PK_ANSWER(0, "strip", "use pk-filter --event"),
	PK_ANSWER(0, "convert-callchain", "use pk-unwind"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-inject [OPTION...] [FILE...]\n"
		 "\n"
		 "Adds names to a stream, so that another machine can analyse it. Run it on the\n"
		 "recorded machine. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -a -g --for 10s | pk-inject | ssh desk 'pk-symbolize | pk-fold'\n"
		    "  pk-inject perf.data > portable.pk\n",
};

int main(int argc, char **argv)
{
	struct opts opts = {0};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-inject");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result >= 0)
		return result;
	if (!opts.chosen)
		choose_all(&opts.inject);
	pk_common_apply(&opts.common, argc, argv, &run);
	opts.files.no_inlines = opts.files.no_lines = opts.inject.lines == INJECT_NONE;
	opts.inject.files = &opts.files;
	opts.inject.output = opts.common.output;
	opts.inject.argc = argc;
	opts.inject.argv = argv;
	symbols = pk_symbols_new(&opts.files);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = inject(&run, symbols, &opts.inject);
	return pk_symbols_finish(symbols, result);
}
