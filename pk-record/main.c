// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "abilities.h"
#include "capture.h"
#include "cli.h"
#include "configure.h"
#include "list_events.h"
#include "list_probes.h"
#include "lookups.h"
#include "option_values.h"
#include "options.h"
#include "pkstream.h"
#include "pmu_json.h"
#include "register_mask.h"
#include "strings_bpf.h"

static const char help[] =
	"Usage: pk-record [OPTION...] [--] COMMAND [ARG...]\n"
	"       pk-record [OPTION...] [-p PIDS|-t TIDS|-u USERS|-a|-C CPUS|-G CGROUPS]\n"
	"Records performance events of the kernel, and writes a stream to stdout.\n"
	"What: -e, --event LIST  --list[=GLOB] --check --events-dir PATH --all-kernel\n"
	"      -x, --object FILE --probe 'PLACE [ARG]' --list-lines, --list-vars PLACE\n"
	"      -F, --freq HZ|max (4000)  -c, --count N  --mem[=KIND] --c2c --all-user\n"
	"Whom: -p, --pid   -t, --tid   -u, --uid   -a, --all-cpus   -C, --cpu\n"
	"      -G, --cgroup  -i, --no-inherit  --inherit  --include-self  --filter EXPR\n"
	"When: -D, --delay MSECS|FROM-TO   --for TIME   --max-size SIZE   --overwrite\n"
	"      --control fifo:IN[,OUT]   -k, --clockid CLOCK --dry-run --go-returns\n"
	"With: -g  --call-graph auto|unwind|fp[,defer]|dwarf[,BYTES]|lbr  --max-stack N\n"
	"      --kernel-callchains --user-callchains -d, --data -b, --branch-any\n"
	"      -j, --branch-filter KINDS --phys-data --data-page-size --code-page-size\n"
	"      --ldlat CYCLES -W, --weight --transaction  -R, --raw-samples --sample-cpu\n"
	"      --switch-events, --latency --namespaces --all-cgroups --off-cpu[=MIN]\n"
	"      -I, --intr-regs[=REGS]  --user-regs[=REGS]  -T, --timestamp -P, --period\n"
	"      -s, --stat  -n, --no-samples  --running-time  --per-thread  --strict-freq\n"
	"To:   -o, --output FILE   -z, --compression-level[=N]   --split TIME|SIZE\n"
	"      --keep N  -m, --mmap-pages SIZE  --buffer SIZE  --block[=TIME]  --bpf FILE\n"
	"      --label NAME=VALUE --pid-file FILE  --fail-on lost[=PCT]  -v, --verbose\n"
	"      -q, --quiet  -h, --help  --version  --list-functions GLOB --strings[=N]\n"
	"Examples:\n"
	"  pk-record -g -- ./program | pk-symbolize | pk-fold\n"
	"  pk-record -a -g -F 99 -o 'host-%Y%m%dT%H%M%S.pk.zst' --split 10m --keep 144\n";

static const struct option long_options[] = {
	{"intr-regs", optional_argument, NULL, 'I'},
	{"events-dir", required_argument, NULL, OPTION_EVENTS_DIR},
	{"user-regs", optional_argument, NULL, OPTION_USER_REGS},
	{"stat", no_argument, NULL, 's'},
	{"no-samples", no_argument, NULL, 'n'},
	{"timestamp", no_argument, NULL, 'T'},
	{"period", no_argument, NULL, 'P'},
	{"sample-identifier", no_argument, NULL, OPTION_SAMPLE_IDENTIFIER},
	{"running-time", no_argument, NULL, OPTION_RUNNING_TIME},
	{"strict-freq", no_argument, NULL, OPTION_STRICT_FREQ},
	{"per-thread", no_argument, NULL, OPTION_PER_THREAD},
	{"no-bpf-event", no_argument, NULL, OPTION_NO_BPF_EVENT},
	{"no-buffering", no_argument, NULL, OPTION_NO_BUFFERING},
	{"realtime", required_argument, NULL, 'r'},
	{"no-buildid", no_argument, NULL, 'B'},
	{"no-buildid-cache", no_argument, NULL, 'N'},
	{"buildid-mmap", no_argument, NULL, OPTION_NOTHING},
	{"buildid-all", no_argument, NULL, OPTION_NOTHING},
	{"exclude-perf", no_argument, NULL, OPTION_EXCLUDE_SELF},
	{"tail-synthesize", no_argument, NULL, OPTION_NOTHING},
	{"event", required_argument, NULL, 'e'},
	{"freq", required_argument, NULL, 'F'},
	{"count", required_argument, NULL, 'c'},
	{"call-graph", required_argument, NULL, OPTION_CALL_GRAPH},
	{"max-stack", required_argument, NULL, OPTION_MAX_STACK},
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"all-cpus", no_argument, NULL, 'a'},
	{"cpu", required_argument, NULL, 'C'},
	{"inherit", no_argument, NULL, OPTION_INHERIT},
	{"no-inherit", no_argument, NULL, 'i'},
	{"probe", required_argument, NULL, OPTION_PROBE},
	{"go-returns", no_argument, NULL, OPTION_GO_RETURNS},
	{"object", required_argument, NULL, 'x'},
	{"filter", required_argument, NULL, OPTION_FILTER},
	{"list", optional_argument, NULL, OPTION_LIST},
	{"list-lines", required_argument, NULL, OPTION_LIST_LINES},
	{"list-vars", required_argument, NULL, OPTION_LIST_VARS},
	{"list-functions", required_argument, NULL, OPTION_LIST_FUNCTIONS},
	{"dry-run", no_argument, NULL, OPTION_DRY_RUN},
	{"check", no_argument, NULL, OPTION_CHECK},
	{"cgroup", required_argument, NULL, 'G'},
	{"include-self", no_argument, NULL, OPTION_INCLUDE_SELF},
	{"uid", required_argument, NULL, 'u'},
	{"branch-any", no_argument, NULL, 'b'},
	{"branch-filter", required_argument, NULL, 'j'},
	{"data", no_argument, NULL, 'd'},
	{"mem", optional_argument, NULL, OPTION_MEM},
	{"c2c", no_argument, NULL, OPTION_C2C},
	{"ldlat", required_argument, NULL, OPTION_LDLAT},
	{"latency", no_argument, NULL, OPTION_SWITCH_EVENTS},
	{"phys-data", no_argument, NULL, OPTION_PHYS_DATA},
	{"data-page-size", no_argument, NULL, OPTION_DATA_PAGE_SIZE},
	{"code-page-size", no_argument, NULL, OPTION_CODE_PAGE_SIZE},
	{"weight", no_argument, NULL, 'W'},
	{"transaction", no_argument, NULL, OPTION_TRANSACTION},
	{"raw-samples", no_argument, NULL, 'R'},
	{"sample-cpu", no_argument, NULL, OPTION_SAMPLE_CPU},
	{"all-cgroups", no_argument, NULL, OPTION_ALL_CGROUPS},
	{"namespaces", no_argument, NULL, OPTION_NAMESPACES},
	{"off-cpu", optional_argument, NULL, OPTION_OFF_CPU},
	{"bpf", required_argument, NULL, OPTION_BPF},
	{"bpf-interval", required_argument, NULL, OPTION_BPF_INTERVAL},
	{"strings", optional_argument, NULL, OPTION_STRINGS},
	{"switch-events", no_argument, NULL, OPTION_SWITCH_EVENTS},
	{"all-user", no_argument, NULL, OPTION_ALL_USER},
	{"all-kernel", no_argument, NULL, OPTION_ALL_KERNEL},
	{"kernel-callchains", no_argument, NULL, OPTION_KERNEL_CALLCHAINS},
	{"user-callchains", no_argument, NULL, OPTION_USER_CALLCHAINS},
	{"overwrite", no_argument, NULL, OPTION_OVERWRITE},
	{"delay", required_argument, NULL, 'D'},
	{"for", required_argument, NULL, OPTION_FOR},
	{"mmap-pages", required_argument, NULL, 'm'},
	{"clockid", required_argument, NULL, 'k'},
	{"split", required_argument, NULL, OPTION_SPLIT},
	{"keep", required_argument, NULL, OPTION_KEEP},
	{"max-size", required_argument, NULL, OPTION_MAX_SIZE},
	{"buffer", required_argument, NULL, OPTION_BUFFER},
	{"block", optional_argument, NULL, OPTION_BLOCK},
	{"compression-level", optional_argument, NULL, 'z'},
	{"pid-file", required_argument, NULL, OPTION_PID_FILE},
	{"control", required_argument, NULL, OPTION_CONTROL},
	{"label", required_argument, NULL, OPTION_LABEL},
	{"fail-on", required_argument, NULL, OPTION_FAIL_ON},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPTION_VERSION},
	{NULL, 0, NULL, 0},
};

static int print_and_finish(const char *text)
{
	fputs(text, stdout);
	return pk_finish(PK_EXIT_OK);
}

static const struct pk_perf_option perf_items[] = {
	{'S', "snapshot", "--overwrite"},
	{'f', "force", "an existing file is overwritten"},
	{'l', NULL, "use --running-time"},
	{'A', "append", "-o writes one recording per file"},
	{0, "switch-output", "use --split, and SIGUSR2 with --overwrite"},
	{0, "switch-max-files", "--keep"},
	{0, "switch-output-event", "use --control and its command snapshot"},
	{0, "timestamp-filename", "use -o with conversions such as %Y%m%d"},
	{0, "group", "-e '{EVENT,EVENT}'"},
	{0, "aux-sample", "hardware traces are not recorded"},
	{0, "kcore", "use pk-inject"},
	{0, "vmlinux", "use pk-symbolize --vmlinux"},
	{0, "debuginfod", "use pk-symbolize --debuginfod"},
	{0, "threads", "use a larger -m, or one pk-record for some CPUs each"},
	{0, "aio", "--buffer"},
	{0, "affinity", "use taskset(1)"},
	{0, "synth", "all necessary records are always written"},
	{0, "num-thread-synthesize", "it is not needed"},
	{0, "proc-map-timeout", "it is not needed"},
	{0, "mmap-flush", "it is not needed"},
	{0, "timestamp-boundary", "use pk-script --stats"},
};

static const struct pk_perf_options perf = {"perf record", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

static const char *option_name(int option)
{
	for (const struct option *o = long_options; o->name; o++)
		if (o->val == option)
			return o->name;
	return "?";
}

static int wrong_argument(int option)
{
	return pk_usage_error("--%s '%s': must be %s", option_name(option), optarg ? optarg : "",
			      option_wants(option));
}

/* Checks for options that exclude each other. */
static int check(const struct options *options)
{
	const int tasks = (options->target.pids != NULL) + (options->target.tids != NULL) +
			  (options->target.uids != NULL) +
			  (options->target.system_wide || options->target.cpus);

	if (options->frequency && options->period)
		return pk_usage_error("-F and -c exclude each other");
	if (tasks > 1)
		return pk_usage_error("only one of -p, -t, -u, and -a or -C");
	if ((options->split_time || options->split_size || options->keep) && !options->rotate)
		return pk_usage_error("--split and --keep need a pattern for file names: "
				      "-o 'host-%%Y%%m%%dT%%H%%M%%S.pk.zst'");
	if (options->memory_latency && !options->memory)
		return pk_usage_error("--ldlat needs --mem or --c2c");
	if (options->off_cpu && options->flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--off-cpu and --overwrite exclude each other");
	if (options->strings && options->flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--strings and --overwrite exclude each other");
	if (options->bpf.files_count && options->flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--bpf and --overwrite exclude each other");
	if (options->callchain == CALLCHAIN_UNWIND && options->flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--call-graph unwind and --overwrite exclude each other");
	if (options->delay == DELAY_CONTROL && !options->control)
		return pk_usage_error("-D -1 needs --control, which enables the events");
	return PK_EXIT_OK;
}

/* Without a command and a target, pk-record records the whole system, like perf record. */
static void settle_target(struct options *options)
{
	struct target_spec *target = &options->target;

	/* These need events on each CPU. */
	if (options->strings || options->bpf.files_count || options->callchain == CALLCHAIN_UNWIND)
		target->per_task = false;
	/* BPF programs run for all tasks, whose names must be known. */
	if (options->bpf.files_count && !options->events.count && !target->pids && !target->tids &&
	    !target->uids)
		target->system_wide = true;
	if (!options->command && !target->pids && !target->tids && !target->uids && !target->cpus)
		target->system_wide = true;
}

/* The name determines the compression, and whether it is a pattern. */
static void settle_output(struct options *options)
{
	const char *name = options->output ? options->output : "";
	const size_t size = strlen(name);

	options->rotate = strchr(name, '%') != NULL;
	if (options->compress || size < 4 || strcmp(name + size - 4, ".zst") != 0)
		return;
	options->compress = true;
	options->level = 1;
}

/* Reads --events-dir before the events that it describes. */
static bool read_descriptions(struct options *options, const char *path)
{
	if (!options->json)
		options->json = pk_pmu_json_new(&options->events.messages, pk_protect_input);
	options->events.json = options->json;
	return pk_printed(options->json && pk_pmu_json_load(options->json, path),
			  &options->events.messages);
}

/* Reads $PK_EVENTS_DIR, unless --events-dir has been given. */
static bool read_usual_descriptions(struct options *options)
{
	const char *path = getenv("PK_EVENTS_DIR");

	return options->json || !path || !*path || read_descriptions(options, path);
}

/* --list-lines and the like. */
static int list_probes(const struct options *options)
{
	const char *object = options->events.object;

	switch (options->listing) {
	case OPTION_LIST_LINES: return pk_list_lines(object, options->listed);
	case OPTION_LIST_VARS: return pk_list_variables(object, options->listed);
	default: return pk_list_functions(object, options->listed);
	}
}

static int list(struct options *options, const char *glob)
{
	if (!read_usual_descriptions(options))
		return PK_EXIT_FAILED;
	return pk_list_events(glob, options->events.object, options->json);
}

static bool add_events(struct options *options, int option, const char *text)
{
	if (!read_usual_descriptions(options))
		return false;
	options->last_events = options->events.count;
	options->events.find_set = pk_event_set;
	options->events.find_arg = &options->presets;
	return pk_printed(option == 'e' ? pk_event_list_parse(&options->events, text)
					: pk_event_list_add_probe(&options->events,
								  options->events.object, text),
			  &options->events.messages);
}

/* Reads the objects of --bpf, and adds their events. Their programs read the monotonic clock. */
static int open_bpf(struct options *options)
{
	if (!options->bpf.files_count)
		return PK_EXIT_OK;
	if (!options->use_clockid) {
		options->use_clockid = true;
		options->clockid = CLOCK_MONOTONIC;
	}
	return pk_printed(user_bpf_open(&options->bpf, &options->events), &options->bpf.messages)
		       ? PK_EXIT_OK
		       : PK_EXIT_FAILED;
}

/* Spans of some sets begin or end in other tasks: in those that wake, in interrupts. */
static int check_sets(const struct options *options)
{
	const struct target_spec *target = &options->target;
	const char *set = options->events.everywhere;

	if (!set || ((target->system_wide || target->cpus) && !options->cgroups))
		return PK_EXIT_OK;
	return pk_usage_error("-e %s: other tasks and interrupts have most of these events: "
			      "record all tasks, with pk-record -a -e %s%s, and select tasks later",
			      set, set, options->command ? " -- COMMAND" : "");
}

/* Adds what depends on several options. -1: continue. Else the exit status. */
static int complete(struct options *options)
{
	struct event_list *events = &options->events;
	int status;

	if (options->listing)
		return list_probes(options);
	if (options->strings && !events->count && !add_events(options, 'e', "syscalls"))
		return PK_EXIT_USAGE; /* as without --strings */
	settle_output(options);
	settle_target(options);
	if (!pk_printed(pk_event_list_add_markers(events, &options->target, options->command),
			&events->messages))
		return PK_EXIT_USAGE;
	if (options->memory &&
	    !pk_printed(pk_event_list_add_memory(events, options->memory, options->memory_latency),
			&events->messages))
		return PK_EXIT_FAILED;
	if (options->cgroups && (!events->count || options->target.pids || options->target.tids ||
				 options->target.uids))
		return pk_usage_error("-G needs -e, and excludes -p, -t and -u");
	if (options->cgroups &&
	    !pk_printed(pk_event_list_set_cgroups(events, options->cgroups), &events->messages))
		return PK_EXIT_FAILED;
	if (check(options) || check_sets(options))
		return PK_EXIT_USAGE;
	status = open_bpf(options);
	if (status)
		return status;
	status = options->strings ? strings_select(events) : PK_EXIT_OK;
	if (status)
		return status;
	return options->dry_run ? pk_list_dry_run(events) : -1;
}

/* -g dwarf, as in perf of 2013: the word would be the command. */
static bool is_mode_of_stacks(const char *option, const char *word)
{
	return option[0] == '-' && option[1] != '-' && option[strlen(option) - 1] == 'g' &&
	       (!strcmp(word, "dwarf") || !strcmp(word, "fp") || !strcmp(word, "lbr"));
}

static int parse_options(struct options *options, int argc, char **argv)
{
	int option, verbosity = 0;

	/* '+': options after the command belong to the command */
	while ((option = pk_getopt(argc, argv,
				   "+e:x:G:F:c:gp:t:u:aC:im:k:D:bj:dWRo:z::vqhI::snTPr:BN",
				   long_options, &perf)) != -1) {
		switch (option) {
		case 'e':
		case OPTION_PROBE:
			if (!add_events(options, option, optarg))
				return options->presets.status ? options->presets.status
							       : PK_EXIT_USAGE;
			break;
		case OPTION_BPF:
			if (!pk_printed(user_bpf_add(&options->bpf, optarg),
					&options->bpf.messages))
				return PK_EXIT_USAGE;
			break;
		case OPTION_EVENTS_DIR:
			if (!read_descriptions(options, optarg))
				return PK_EXIT_USAGE;
			break;
		case OPTION_FILTER:
			if (!pk_printed(pk_event_list_add_filter(&options->events,
								 options->last_events, optarg),
					&options->events.messages))
				return PK_EXIT_USAGE;
			break;
		case OPTION_CHECK: return pk_finish(abilities_print());
		case OPTION_LIST_LINES:
		case OPTION_LIST_VARS:
		case OPTION_LIST_FUNCTIONS:
			options->listing = option;
			options->listed = optarg;
			break;
		case OPTION_GO_RETURNS: options->events.go_returns = true; break;
		case OPTION_DRY_RUN: options->dry_run = true; break;
		case OPTION_LIST: return list(options, optarg ? optarg : argv[optind]);
		case 'v': pk_cli_verbosity(++verbosity); break;
		case 'q': pk_cli_verbosity(verbosity = -1); break;
		case 'h': return print_and_finish(help);
		case OPTION_VERSION: return print_and_finish("pk-record " PK_VERSION "\n");
		case 'I':
		case OPTION_USER_REGS:
			if (optarg && !strcmp(optarg, "?")) {
				registers_print();
				return pk_finish(PK_EXIT_OK);
			}
			if (!parse_argument(options, option, optarg))
				return wrong_argument(option);
			break;
		case '?': return pk_usage_hint();
		default:
			if (parse_switch(options, option))
				break;
			if (!parse_argument(options, option, optarg))
				return wrong_argument(option);
		}
	}
	options->argc = argc;
	options->argv = argv;
	if (optind < argc && is_mode_of_stacks(argv[optind - 1], argv[optind]))
		return pk_usage_error("-g has no argument: --call-graph %s", argv[optind]);
	if (optind < argc)
		options->command = argv + optind;
	if (options->command && strchr(options->command[0], '/'))
		pk_protect_input(options->command[0]);
	return complete(options);
}

/* Sets the real-time priority of -r. The command does not inherit it (SCHED_RESET_ON_FORK). */
static bool set_priority(const struct options *options)
{
	const struct sched_param parameters = {.sched_priority = options->priority};

	if (!options->priority ||
	    sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0)
		return true;
	pk_error("-r %d: %s: needs root or CAP_SYS_NICE", options->priority, strerror(errno));
	return false;
}

int main(int argc, char **argv)
{
	struct options options = {.usual_frequency = DEFAULT_FREQUENCY,
				  .buffer = 64 << 20,
				  .patience = UINT64_C(10000000000),
				  .events.markers = true,
				  .bpf.interval = UINT64_C(1000000000)};
	int status;

	pk_cli_init("pk-record");
	status = parse_options(&options, argc, argv);
	if (status < 0)
		status = set_priority(&options) ? capture_run(&options) : PK_EXIT_FAILED;
	user_bpf_free(&options.bpf);
	pk_event_list_free(&options.events);
	pk_presets_free(&options.presets);
	pk_pmu_json_free(options.json);
	return pk_exit_status(status);
}
