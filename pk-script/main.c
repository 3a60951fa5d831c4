// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"
#include "lookups.h"
#include "options.h"
#include "presets.h"
#include "recording_header.h"
#include "sandbox.h"
#include "script.h"
#include "second.h"
#include "stacks_text.h"
#include "symbol_options.h"

struct opts {
	struct pk_common common;
	struct script_options script;
	struct pk_presets presets;
	bool chosen; /* -F was given */
	bool dump, hex, json, stats, tasks, skeleton;
};

static int set_fields(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;
	struct field_error error;

	(void)option;
	opts->chosen = true;
	if (fields_parse(&opts->script.fields, text, &error))
		return PK_CONTINUE;
	return pk_usage_error("-F %s: %.*s: %s", text, error.length, error.word, error.why);
}

static int refuse(const struct pk_option *option, const char *text, const char *why)
{
	if (!why)
		return PK_CONTINUE;
	if (why == fields_no_memory)
		return pk_no_memory();
	return pk_usage_error("--%s '%s': %s", option->name, text, why);
}

static int set_format(const struct pk_option *option, void *at, const char *text)
{
	struct script_options *script = at;

	return refuse(option, text, template_parse(&script->template, &script->fields, text));
}

static int set_layout(const struct pk_option *option, void *at, const char *text)
{
	struct script_options *script = at;
	const char *error;

	script->stacks = !strcmp(text, "stacks");
	if (script->stacks)
		return refuse(option, text, stacks_text_parse(&script->fields));
	error = sched_text_parse(&script->sched, &script->fields, text);

	if (script->sched.chains && script->max_stack == UINT32_MAX)
		script->max_stack = SCHED_FRAMES;
	return refuse(option, text, error);
}

static int set_language(const struct pk_option *option, void *at, const char *text)
{
	*(bool *)at = true;
	return strcmp(text, "python") ? pk_option_error(option, text, "the only language is python")
				      : PK_CONTINUE;
}

static int set_times(const struct pk_option *option, void *at, const char *text)
{
	enum script_times *times = at;

	(void)text;
	if (*times != TIMES_AS_RECORDED && *times != option->set)
		return pk_usage_error("--reltime and --deltatime exclude each other");
	*times = (enum script_times)option->set;
	return PK_CONTINUE;
}

static int dump_raw(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;

	(void)option;
	(void)text;
	opts->dump = opts->hex = true;
	return PK_CONTINUE;
}

#define AT(member)   PK_AT(struct opts, member)
#define SHOW(number) AT(script.show), .set = UINT64_C(1) << (number)

static const struct pk_option rows[] = {
	PK_TITLE("Lines for samples"),
	{'F', "fields", "LIST", PK_CALL,
	 "[TYPE:]comm,tid,pid,time,cpu,event,period,trace,ip,sym,dso...; +FIELD and -FIELD change "
	 "the "
	 "default",
	 .parse = set_fields},
	{0, "format", "TEXT", PK_CALL,
	 "a line for each sample: {FIELD:WIDTH.PRECISION UNIT} is a value", AT(script),
	 .parse = set_format},
	{0, "layout", "map|timehist[:VMwng]|stacks", PK_CALL,
	 "context switches, as perf sched prints them, or stacks, as debuggers do", AT(script),
	 .parse = set_layout},
	{0, "view", "NAME", PK_PRESET, "options under a name: syscalls, timehist, map ...; list",
	 AT(presets)},
	{0, "with", "libtraceevent", PK_CALL, "print tracepoints with this library",
	 AT(script.second), .wants = "libtraceevent", .parse = pk_second_parse},
	{0, "ns", NULL, PK_FLAG, "times in ns", AT(script.nanoseconds)},
	{0, "reltime", NULL, PK_CALL, "times since the first sample", AT(script.times),
	 .parse = set_times, .set = TIMES_SINCE_FIRST},
	{0, "deltatime", NULL, PK_CALL, "times since the previous sample", AT(script.times),
	 .parse = set_times, .set = TIMES_SINCE_LAST},
	{'G', "hide-call-graph", NULL, PK_FLAG, "print no callchains", AT(script.no_chains)},
	{0, "max-stack", "N", PK_NUMBER, "print at most N frames", AT(script.max_stack)},
	{0, "no-merge", NULL, PK_FLAG, "no warning about deferred callchains that are not merged",
	 AT(script.apart)},
	PK_TITLE("Other formats"),
	{0, "json", NULL, PK_FLAG, "lines of JSON", AT(json)},
	{0, "stats", NULL, PK_FLAG, "statistics of the records", AT(stats)},
	{0, "tasks", NULL, PK_FLAG, "the tasks, and which task created them", AT(tasks)},
	{0, "gen", "python", PK_CALL, "a script in Python", AT(skeleton), .parse = set_language},
	{0, "dump", NULL, PK_FLAG, "all fields of all records", AT(dump)},
	{0, "hex", NULL, PK_FLAG, "with --dump, their bytes, too", AT(hex)},
	{'D', "dump-raw-trace", NULL, PK_CALL, "--dump --hex", .parse = dump_raw},
	{.kind = PK_ROWS, .rows = pk_header_rows, AT(script.header)},
	{0, "events", NULL, PK_FLAG, "with --header-only, only the events",
	 AT(script.header.only_events)},
	PK_TITLE("Other records that are printed, too"),
	{0, "show-task-events", NULL, PK_BITS, "names, starts and ends of tasks", SHOW(0)},
	{0, "show-mmap-events", NULL, PK_BITS, "maps", SHOW(1)},
	{0, "show-switch-events", NULL, PK_BITS, "context switches", SHOW(2)},
	{0, "show-lost-events", NULL, PK_BITS, "losses", SHOW(3)},
	{0, "show-namespace-events", NULL, PK_BITS, "namespaces", SHOW(4)},
	{0, "show-cgroup-events", NULL, PK_BITS, "control groups", SHOW(5)},
	{0, "show-bpf-events", NULL, PK_BITS, "BPF programs, and code of the kernel", SHOW(6)},
	{.kind = PK_ROWS, .rows = pk_function_rows, AT(script.tail.symbols)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_input_rows},
	PK_ANSWER(0, "dump-unsorted-raw-trace", "--dump"),
	PK_ANSWER('g', "gen-script", "use --gen=python"),
	PK_ANSWER('s', "script", "run the script with python3, and pkstream.run() in it"),
	PK_ANSWER('l', "list", "there are no built-in scripts"),
	PK_ANSWER(0, "merge-callchains", "pk-merge-callchains merges deferred callchains"),
	PK_ANSWER('a', "all-cpus", "use pk-record -a"),
	PK_ANSWER('d', "debug-mode", "use --stats"),
	PK_ANSWER(0, "addr-range", "use pk-filter --where 'ip >= FIRST && ip <= LAST'"),
	PK_ANSWER(0, "call-trace", "run pk-decode -e calls before pk-script"),
	PK_ANSWER(0, "call-ret-trace", "run pk-decode -e calls before pk-script"),
	PK_ANSWER(0, "insn-trace", "run pk-decode -e instructions --every 1 before pk-script"),
	PK_ANSWER(0, "xed", "use -F +disasm"),
	PK_ANSWER(0, "dlfilter", "a program with libpkstream before pk-script filters the stream"),
	PK_ANSWER(0, "dlarg", "a program with libpkstream before pk-script filters the stream"),
	PK_ANSWER(0, "list-dlfilters",
		  "a program with libpkstream before pk-script filters the stream"),
	PK_ANSWER(0, "max-blocks", "branch stacks are printed whole"),
	PK_ANSWER(0, "max-events", "use pk-filter --head"),
	PK_ANSWER(0, "show-kernel-path", "paths of objects are always complete"),
	PK_ANSWER(0, "show-round-events", "--dump"),
	PK_ANSWER(0, "show-text-poke-events", "--dump"),
	PK_ANSWER(0, "stop-bt", "use pk-fold --root"),
	PK_ANSWER('L', "Latency", "the fields of --json contain the recorded latencies"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-script [OPTION...] [FILE...]\n"
		 "\n"
		 "Prints samples as text, as perf script does. Without FILE, or if FILE is -,\n"
		 "reads stdin.\n",
	.options = rows,
	.examples = "  pk-record ls | pk-script | less\n",
};

static const struct script_format *choose_format(const struct opts *opts)
{
	if (opts->skeleton)
		return &script_skeleton;
	if (opts->tasks)
		return &script_tasks;
	if (opts->stats)
		return opts->json ? &script_stats_json : &script_stats;
	if (opts->script.template.count)
		return &script_template;
	if (opts->script.stacks)
		return &script_stacks;
	if (opts->script.sched.layout)
		return &script_sched;
	return opts->json ? &script_json : &script_text;
}

static int check(const struct opts *opts)
{
	const bool layout = opts->script.sched.layout || opts->script.stacks;
	const bool other = opts->json || opts->stats || opts->dump;

	if (opts->script.template.count && layout)
		return pk_usage_error("--format and --layout exclude each other");
	if ((opts->script.template.count || layout) && (opts->chosen || other))
		return pk_usage_error(
			"--format and --layout exclude -F, --json, --stats and --dump");
	if (opts->skeleton && (opts->script.template.count || layout || opts->chosen || other))
		return pk_usage_error(
			"--gen excludes -F, --format, --layout, --json, --stats and --dump");
	if (opts->tasks &&
	    (opts->script.template.count || layout || opts->skeleton || opts->chosen || other))
		return pk_usage_error("--tasks excludes -F, --format, --layout, --gen, --json, "
				      "--stats and --dump");
	if (opts->hex && !opts->dump)
		return pk_usage_error("--hex needs --dump");
	if (opts->script.header.only_events && opts->script.header.wanted != HEADER_ONLY)
		return pk_usage_error("--events needs --header-only");
	if (opts->script.header.wanted != HEADER_NONE && (opts->json || opts->dump))
		return pk_usage_error(
			"--header needs text output; --dump and --json print its records");
	if (opts->script.header.wanted == HEADER_ONLY && opts->stats)
		return pk_usage_error("--header-only and --stats exclude each other");
	return PK_CONTINUE;
}

static int run_script(struct opts *opts, int argc, char **argv)
{
	struct pk_run run = {0};

	opts->script.tail.symbols.no_lines = !fields_asked(&opts->script.fields, FIELD_SRCLINE);
	pk_common_apply(&opts->common, argc, argv, &run);
	opts->script.format = choose_format(opts);
	if (opts->json)
		fields_all(&opts->script.fields);
	return script(&run, &opts->script);
}

static int dump_file(const char *path, bool hex)
{
	int fd = pk_input_open(path), status;

	if (fd < 0)
		return PK_EXIT_FAILED;
	status = dump_input(fd, strcmp(path, "-") ? path : "stdin", hex);
	if (fd != STDIN_FILENO)
		close(fd);
	return status;
}

static int dump_all(int count, char **paths, bool hex)
{
	int status = PK_EXIT_OK;

	if (!count)
		return dump_file("-", hex);
	for (int i = 0; i < count; i++) {
		if (count > 1)
			printf("FILE %d\n", i + 1);
		if (dump_file(paths[i], hex))
			status = PK_EXIT_FAILED;
	}
	return status;
}

static int print_records(struct opts *opts, int argc, char **argv)
{
	int result;

	pk_protect_inputs(argv + optind, argc - optind);
	result = pk_output_text(opts->common.output);
	if (result)
		return result;
	if (opts->dump) {
		pk_sandbox_want();
		pk_sandbox_enter();
	}
	if (opts->dump)
		result = dump_all(argc - optind, argv + optind, opts->hex);
	else
		result = run_script(opts, argc, argv);
	return pk_finish(result);
}

int main(int argc, char **argv)
{
	struct opts opts = {.script.max_stack = UINT32_MAX};
	int result;

	pk_cli_init("pk-script");
	fields_default(&opts.script.fields);
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0)
		result = check(&opts);
	if (result < 0)
		result = print_records(&opts, argc, argv);
	pk_tail_options_free(&opts.script.tail);
	fields_free(&opts.script.fields);
	template_free(&opts.script.template);
	pk_presets_free(&opts.presets);
	return result;
}
