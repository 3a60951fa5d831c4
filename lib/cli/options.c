// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>

#include "options.h"
#include "sandbox.h"

static int set_verbosity(const struct pk_option *option, void *at, const char *text)
{
	(void)at;
	(void)text;
	pk_cli_verbosity(option->letter == 'q' ? -1 : pk_cli_verbose() + 1);
	return PK_CONTINUE;
}

static int set_fail_on(const struct pk_option *option, void *at, const char *text)
{
	return pk_parse_fail_on(text, at) ? PK_CONTINUE : pk_option_error(option, text, "unknown");
}

static int leave_sandbox(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)at;
	(void)text;
	pk_sandbox_off();
	return PK_CONTINUE;
}

const struct pk_option pk_message_rows[] = {
	{'v', "verbose", NULL, PK_CALL, "print more messages; -vv: even more",
	 .parse = set_verbosity},
	{'q', "quiet", NULL, PK_CALL, "print errors only", .parse = set_verbosity},
	{.letter = 'h', .name = "help", .kind = PK_SHOW_HELP, .help = "print this text"},
	{.name = "version", .kind = PK_SHOW_VERSION, .help = "print the version"},
	PK_OPTIONS_END,
};

#define AT(member) PK_AT(struct pk_common, member)

const struct pk_option pk_common_unconfined_rows[] = {
	PK_TITLE("Common options"),
	{0, "fail-on", "LIST", PK_CALL,
	 "exit status 1 if more than PCT percent are lost[=PCT], truncated[=PCT], "
	 "unresolved[=PCT], "
	 "spans[=PCT] (have a gap)",
	 AT(fail_on), .parse = set_fail_on},
	{'o', "output", "FILE", PK_TEXT, "write to FILE, not stdout", AT(output)},
	{.kind = PK_ROWS, .rows = pk_message_rows},
	PK_OPTIONS_END,
};

const struct pk_option pk_common_rows[] = {
	{.kind = PK_ROWS, .rows = pk_common_unconfined_rows},
	{0, "no-sandbox", NULL, PK_CALL, "do not confine the program before it reads input",
	 .parse = leave_sandbox},
	PK_OPTIONS_END,
};

const struct pk_option pk_input_rows[] = {
	{.letter = 'i',
	 .name = "input",
	 .value = "FILE",
	 .kind = PK_OPERAND,
	 .help = "the same as FILE, as in perf"},
	PK_OPTIONS_END,
};

const struct pk_option pk_perf_rows[] = {
	PK_ANSWER('i', "input", "name the FILE without an option"),
	PK_ANSWER('f', "force", "files of other users are read, too"),
	PK_ANSWER('C', "cpu", "use pk-filter --cpu"),
	PK_ANSWER('c', "comm", "use pk-filter --comm"),
	PK_ANSWER('d', "dso", "use pk-filter --dso"),
	PK_ANSWER('S', "symbol", "use pk-filter --symbol"),
	PK_ANSWER(0, "comms", "use pk-filter --comm"),
	PK_ANSWER(0, "dsos", "use pk-filter --dso"),
	PK_ANSWER(0, "symbols", "use pk-filter --symbol"),
	PK_ANSWER(0, "symbol-filter", "use pk-filter --symbol"),
	PK_ANSWER(0, "pid", "use pk-filter --pid"),
	PK_ANSWER(0, "tid", "use pk-filter --tid"),
	PK_ANSWER(0, "time", "use pk-filter --time"),
	PK_ANSWER(0, "graph-function", "use pk-filter --stack-has"),
	PK_ANSWER(0, "per-event-dump", "use pk-filter --split-by event"),
	PK_ANSWER(0, "max-stack", "use pk-fold --max-depth"),
	PK_ANSWER('k', "vmlinux", "use pk-symbolize --vmlinux"),
	PK_ANSWER('D', "dump-raw-trace", "use pk-script --dump"),
	PK_ANSWER('I', "show-info", "use pk-script --show-info"),
	PK_ANSWER(0, "header", "use pk-script --header"),
	PK_ANSWER(0, "header-only", "use pk-script --header-only"),
	PK_ANSWER(0, "stats", "use pk-script --stats"),
	PK_ANSWER(0, "tasks", "use pk-script --tasks"),
	PK_ANSWER(0, "mmaps", "use pk-script --show-mmap-events"),
	PK_ANSWER(0, "itrace", "use pk-decode --event"),
	PK_ANSWER(0, "inline", "inlined functions are included by default: --no-inline"),
	PK_ANSWER(0, "demangle", "names are demangled by default: --no-demangle"),
	PK_ANSWER(0, "addr2line", "lines are looked up without addr2line"),
	PK_ANSWER(0, "addr2line-style", "lines are looked up without addr2line"),
	PK_ANSWER(0, "demangle-kernel", "names are demangled by default: --no-demangle"),
	PK_ANSWER(
		0, "ignore-vmlinux",
		"use pk-symbolize --kallsyms or --vmlinux, which select the symbols of the kernel"),
	PK_ANSWER(0, "modules", "modules are always looked up"),
	PK_ANSWER(0, "guestkallsyms", "use pk-symbolize --guest-kallsyms"),
	PK_ANSWER(0, "guestvmlinux", "use pk-symbolize --guest-vmlinux"),
	PK_ANSWER(0, "guestmodules", "use pk-symbolize --guest-modules"),
	PK_ANSWER(0, "guestmount", "use pk-symbolize --guest-symfs"),
	PK_ANSWER(0, "guest-code", "use pk-symbolize --guest-vmlinux or --guest-symfs"),
	PK_ANSWER(0, "switch-on", "use pk-filter --time, with the time of the event"),
	PK_ANSWER(0, "switch-off", "use pk-filter --time, with the time of the event"),
	PK_ANSWER(0, "show-on-off-events", "use pk-filter --time, with the time of the event"),
	PK_ANSWER(0, "unwind-style", "use pk-unwind --with=libdw or --with=libunwind"),
	PK_ANSWER(0, "stitch-lbr", "use pk-unwind"),
	PK_ANSWER(0, "disable-order", "records are always sorted by time"),
	PK_ANSWER(0, "full-source-path", "paths of sources are always complete"),
	PK_ANSWER(0, "vm-time-correlation", "hardware traces are not decoded"),
	PK_OPTIONS_END,
};

void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run)
{
	run->files = argv + optind;
	run->files_count = argc - optind;
	run->fail_on = common->fail_on;
	pk_sandbox_want();
}
