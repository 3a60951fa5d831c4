// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <unistd.h>

#include "dump.h"
#include "lookups.h"
#include "options.h"
#include "presets.h"
#include "sandbox.h"
#include "script.h"
#include "symbol_options.h"

struct opts {
	struct pk_common common;
	struct script_options script;
	struct pk_presets presets;
	bool chosen; /* -F was given */
	bool dump, hex, json, stats, skeleton;
};

static void help(void)
{
	puts("Usage: pk-script [OPTION...] [FILE...]\n"
	     "\n"
	     "Prints samples as text, as perf script does. Without FILE, or if FILE is -, reads "
	     "stdin.\n"
	     "\n"
	     "  -F, --fields=[TYPE:]LIST  comm,tid,pid,time,cpu,event,period,trace,ip,sym,dso...,\n"
	     "                        +FIELD and -FIELD change the default\n"
	     "      --format=TEXT     a line for each sample: {FIELD:WIDTH.PRECISION UNIT} is a "
	     "value\n"
	     "      --layout=map|timehist[:VMwng]   context switches, as perf sched prints them\n"
	     "      --view=NAME       options under a name: syscalls, timehist, map ...; list\n"
	     "      --json, --stats, --gen=python   lines of JSON; statistics; a script in Python\n"
	     "      --dump [--hex]    print all fields [and bytes] of all records; -D: both\n"
	     "      --header, --header-only [--events], -I   print header, too; only; complete\n"
	     "      --ns, --reltime, --deltatime   times in ns; since first, previous sample\n"
	     "      --show-task-events ...   print other records, too (mmap, switch, lost ...)\n"
	     "  -G, --hide-call-graph, --max-stack=N   print no callchains; at most N frames\n"
	     "      --no-merge        no warning about deferred callchains that are not merged\n"
	     "      --symfs=DIR, --kallsyms=FILE, --no-inline ...   as in "
	     "pk-symbolize\n" PK_COMMON_HELP "\n"
	     "  pk-record ls | pk-script | less");
}

enum {
	OPT_DUMP = 256,
	OPT_HEX,
	OPT_JSON,
	OPT_STATS,
	OPT_HEADER,
	OPT_HEADER_ONLY,
	OPT_EVENTS,
	OPT_NS,
	OPT_RELTIME,
	OPT_DELTATIME,
	OPT_NO_MERGE,
	OPT_MAX_STACK,
	OPT_FORMAT,
	OPT_LAYOUT,
	OPT_VIEW,
	OPT_GEN,
	OPT_SHOW, /* plus the number of a bit */
};

static const struct option long_options[] = {
	{"fields", required_argument, NULL, 'F'},
	{"format", required_argument, NULL, OPT_FORMAT},
	{"layout", required_argument, NULL, OPT_LAYOUT},
	{"view", required_argument, NULL, OPT_VIEW},
	{"gen", required_argument, NULL, OPT_GEN},
	{"json", no_argument, NULL, OPT_JSON},
	{"stats", no_argument, NULL, OPT_STATS},
	{"dump", no_argument, NULL, OPT_DUMP},
	{"hex", no_argument, NULL, OPT_HEX},
	{"dump-raw-trace", no_argument, NULL, 'D'},
	{"header", no_argument, NULL, OPT_HEADER},
	{"header-only", no_argument, NULL, OPT_HEADER_ONLY},
	{"show-info", no_argument, NULL, 'I'},
	{"events", no_argument, NULL, OPT_EVENTS},
	{"ns", no_argument, NULL, OPT_NS},
	{"reltime", no_argument, NULL, OPT_RELTIME},
	{"deltatime", no_argument, NULL, OPT_DELTATIME},
	{"hide-call-graph", no_argument, NULL, 'G'},
	{"show-task-events", no_argument, NULL, OPT_SHOW + 0},
	{"show-mmap-events", no_argument, NULL, OPT_SHOW + 1},
	{"show-switch-events", no_argument, NULL, OPT_SHOW + 2},
	{"show-lost-events", no_argument, NULL, OPT_SHOW + 3},
	{"show-namespace-events", no_argument, NULL, OPT_SHOW + 4},
	{"show-cgroup-events", no_argument, NULL, OPT_SHOW + 5},
	{"show-bpf-events", no_argument, NULL, OPT_SHOW + 6},
	{"no-merge", no_argument, NULL, OPT_NO_MERGE},
	{"max-stack", required_argument, NULL, OPT_MAX_STACK},
	{"no-inline", no_argument, NULL, PK_OPT_NO_INLINE},
	PK_SYMBOLS_LONG,
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{0, "dump-unsorted-raw-trace", "--dump"},
	{'g', "gen-script", "use --gen=python"},
	{'s', "script", "run the script with python3, and pkstream.run() in it"},
	{'l', "list", "there are no built-in scripts"},
	{'k', "vmlinux", "--vmlinux"},
	{'c', "comms", "use pk-filter --comm"},
	{'C', "cpu", "use pk-filter --cpu"},
	{'S', "symbols", "use pk-filter --symbol"},
	{0, "dsos", "use pk-filter --dso"},
	{0, "pid", "use pk-filter --pid"},
	{0, "tid", "use pk-filter --tid"},
	{0, "time", "use pk-filter --time"},
	{0, "graph-function", "use pk-filter --stack-has"},
	{0, "merge-callchains", "pk-merge-callchains merges deferred callchains"},
	{0, "per-event-dump", "use pk-filter --split-by event"},
	{'a', "all-cpus", "use pk-record -a"},
	{'d', "debug-mode", "use --stats"},
	{'L', "Latency", "the fields of --json contain the recorded latencies"},
	{0, "inline", "inlined functions are printed by default: --no-inline"},
	{0, "demangle", "names are demangled by default: --no-demangle"},
	{0, "itrace", "hardware traces are not decoded"},
};

static const struct pk_perf_options perf = {"perf script", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

static int set_fields(struct opts *opts, const char *text)
{
	struct field_error error;

	if (fields_parse(&opts->script.fields, text, &error))
		return -1;
	return pk_usage_error("-F %s: %.*s: %s", text, error.length, error.word, error.why);
}

static int refuse(const char *option, const char *text, const char *why)
{
	if (why == fields_no_memory)
		return pk_no_memory();
	return pk_usage_error("%s '%s': %s", option, text, why);
}

static int set_format(struct opts *opts, const char *text)
{
	const char *error = template_parse(&opts->script.template, &opts->script.fields, text);

	return error ? refuse("--format", text, error) : -1;
}

static int set_layout(struct opts *opts, const char *text)
{
	const char *error = sched_text_parse(&opts->script.sched, &opts->script.fields, text);

	if (opts->script.sched.chains && opts->script.max_stack == UINT32_MAX)
		opts->script.max_stack = SCHED_FRAMES;
	return error ? refuse("--layout", text, error) : -1;
}

static int set_max_stack(struct opts *opts, const char *text)
{
	uint64_t value;

	if (!pk_parse_u64(text, &value) || value > UINT32_MAX)
		return pk_usage_error("--max-stack=%s: not a number", text);
	opts->script.max_stack = (uint32_t)value;
	return -1;
}

static int set_language(struct opts *opts, const char *language)
{
	opts->skeleton = true;
	if (strcmp(language, "python"))
		return pk_usage_error("--gen=%s: the only language is python", language);
	return -1;
}

static int set_times(struct opts *opts, enum script_times times)
{
	if (opts->script.times != TIMES_AS_RECORDED && opts->script.times != times)
		return pk_usage_error("--reltime and --deltatime exclude each other");
	opts->script.times = times;
	return -1;
}

/* -I prints the complete header, so it includes --header. */
static int show_info(struct opts *opts)
{
	opts->script.header.whole = true;
	if (opts->script.header.wanted == HEADER_NONE)
		opts->script.header.wanted = HEADER_SHOWN;
	return -1;
}

static int set_other(struct opts *opts, int option)
{
	int result = pk_tail_option(&opts->script.tail, option);

	if (result)
		return result;
	if (option < OPT_SHOW || option >= OPT_SHOW + 7)
		return pk_common_option(&opts->common, option);
	opts->script.show |= 1u << (option - OPT_SHOW);
	return -1;
}

/* -1: continue. Else the exit status. */
static int set_option(struct opts *opts, int option)
{
	switch (option) {
	case 'F': opts->chosen = true; return set_fields(opts, optarg);
	case OPT_LAYOUT: return set_layout(opts, optarg);
	case OPT_FORMAT: return set_format(opts, optarg);
	case OPT_JSON: opts->json = true; break;
	case OPT_STATS: opts->stats = true; break;
	case OPT_DUMP: opts->dump = true; break;
	case OPT_HEX: opts->hex = true; break;
	case 'D': opts->dump = opts->hex = true; break;
	case OPT_HEADER: opts->script.header.wanted = HEADER_SHOWN; break;
	case OPT_HEADER_ONLY: opts->script.header.wanted = HEADER_ONLY; break;
	case 'I': return show_info(opts);
	case OPT_EVENTS: opts->script.header.only_events = true; break;
	case OPT_NS: opts->script.nanoseconds = true; break;
	case OPT_RELTIME: return set_times(opts, TIMES_SINCE_FIRST);
	case OPT_DELTATIME: return set_times(opts, TIMES_SINCE_LAST);
	case 'G': opts->script.no_chains = true; break;
	case OPT_NO_MERGE: opts->script.apart = true; break;
	case OPT_GEN: return set_language(opts, optarg);
	case OPT_MAX_STACK: return set_max_stack(opts, optarg);
	default: return set_other(opts, option);
	}
	return -1;
}

static const struct script_format *choose_format(const struct opts *opts)
{
	if (opts->skeleton)
		return &script_skeleton;
	if (opts->stats)
		return opts->json ? &script_stats_json : &script_stats;
	if (opts->script.template.count)
		return &script_template;
	if (opts->script.sched.layout)
		return &script_sched;
	return opts->json ? &script_json : &script_text;
}

static int check(const struct opts *opts)
{
	if (opts->script.template.count && opts->script.sched.layout)
		return pk_usage_error("--format and --layout exclude each other");
	if ((opts->script.template.count || opts->script.sched.layout) &&
	    (opts->chosen || opts->json || opts->stats || opts->dump))
		return pk_usage_error(
			"--format and --layout exclude -F, --json, --stats and --dump");
	if (opts->skeleton && (opts->script.template.count || opts->script.sched.layout ||
			       opts->chosen || opts->json || opts->stats || opts->dump))
		return pk_usage_error(
			"--gen excludes -F, --format, --layout, --json, --stats and --dump");
	if (opts->hex && !opts->dump)
		return pk_usage_error("--hex needs --dump");
	if (opts->script.header.only_events && opts->script.header.wanted != HEADER_ONLY)
		return pk_usage_error("--events needs --header-only");
	if (opts->script.header.wanted != HEADER_NONE && (opts->json || opts->stats || opts->dump))
		return pk_usage_error(
			"--header needs text output; --dump and --json print its records");
	return -1;
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
	struct opts opts = {.common.help = help, .script.max_stack = UINT32_MAX};
	int c, result = -1;

	pk_cli_init("pk-script");
	fields_default(&opts.script.fields);
	while (result < 0 &&
	       (c = pk_getopt(argc, argv, "DF:GI" PK_COMMON_SHORT, long_options, &perf)) != -1)
		result = c == OPT_VIEW ? pk_preset_option(&opts.presets, optarg, &argc, &argv)
				       : set_option(&opts, c);
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
