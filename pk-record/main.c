// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "cli.h"
#include "pkstream.h"

static const char help[] =
	"Usage: pk-record [OPTION...] [--] COMMAND [ARG...]\n"
	"       pk-record [OPTION...] -p PID[,PID...] | -t TID[,TID...] | -a | -C CPUS\n"
	"Writes what the kernel's performance events say as a stream, to stdout.\n"
	"\n"
	"What to record:\n"
	"  -e, --event LIST        events (cycles; cpu-clock where there are no counters)\n"
	"  -F, --freq HZ|max       samples per second (4000)\n"
	"  -c, --count N           a sample every N events instead\n"
	"  -g                      callchains, by frame pointers\n"
	"      --call-graph HOW    fp; fp,defer; dwarf[,BYTES]\n"
	"      --max-stack N       frames of a callchain at most\n"
	"Of whom:\n"
	"  -p, --pid LIST          processes, with all their threads\n"
	"  -t, --tid LIST          threads\n"
	"  -a, --all-cpus          everything\n"
	"  -C, --cpu LIST          everything on these CPUs: 0-3,8\n"
	"  -i, --no-inherit        not the children and new threads\n"
	"How:\n"
	"      --for TIME          stop after 10s, 500ms, 5m\n"
	"  -m, --mmap-pages SIZE   of each ring: pages, or bytes with k or M\n"
	"  -k, --clockid CLOCK     monotonic, monotonic_raw, realtime, boottime, tai\n"
	"  -o, --output FILE\n"
	"  -v, --verbose           say more\n"
	"  -q, --quiet             only errors\n"
	"      --help, --version\n"
	"\n"
	"Examples:\n"
	"  pk-record -g -- ./program | pk-symbolize | pk-fold\n"
	"  pk-record -a -g -F 99 --for 30s | zstd >host.pk.zst\n";

enum { OPTION_CALL_GRAPH = 256, OPTION_MAX_STACK, OPTION_FOR, OPTION_HELP, OPTION_VERSION };

static const struct option long_options[] = {
	{"event", required_argument, NULL, 'e'},
	{"freq", required_argument, NULL, 'F'},
	{"count", required_argument, NULL, 'c'},
	{"call-graph", required_argument, NULL, OPTION_CALL_GRAPH},
	{"max-stack", required_argument, NULL, OPTION_MAX_STACK},
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"all-cpus", no_argument, NULL, 'a'},
	{"cpu", required_argument, NULL, 'C'},
	{"no-inherit", no_argument, NULL, 'i'},
	{"for", required_argument, NULL, OPTION_FOR},
	{"mmap-pages", required_argument, NULL, 'm'},
	{"clockid", required_argument, NULL, 'k'},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, OPTION_HELP},
	{"version", no_argument, NULL, OPTION_VERSION},
	{NULL, 0, NULL, 0},
};

static bool parse_positive(const char *text, uint64_t most, uint64_t *value)
{
	return pk_parse_u64(text, value) && *value && *value <= most;
}

static bool parse_frequency(struct options *options, const char *text)
{
	if (!strcmp(text, "max")) {
		options->frequency = FREQUENCY_MAX;
		return true;
	}
	return parse_positive(text, 1000000000, &options->frequency);
}

#define STACK_SIZE_DEFAULT 8192
#define STACK_SIZE_MAX	   65528

static bool parse_stack_size(struct options *options, const char *text)
{
	uint64_t size;

	if (!pk_parse_size(text, &size) || !size || size > STACK_SIZE_MAX)
		return false;
	options->stack_size = (uint32_t)(size + 7) & ~7u;
	return true;
}

static bool parse_call_graph(struct options *options, const char *text)
{
	options->stack_size = STACK_SIZE_DEFAULT;
	if (!strcmp(text, "fp")) {
		options->callchain = CALLCHAIN_FP;
		return true;
	}
	if (!strcmp(text, "fp,defer") || !strcmp(text, "defer")) {
		options->callchain = CALLCHAIN_DEFER;
		return true;
	}
	options->callchain = CALLCHAIN_DWARF;
	return !strcmp(text, "dwarf") ||
	       (!strncmp(text, "dwarf,", 6) && parse_stack_size(options, text + 6));
}

static bool parse_max_stack(struct options *options, const char *text)
{
	uint64_t frames;

	if (!parse_positive(text, UINT16_MAX, &frames))
		return false;
	options->max_stack = (uint16_t)frames;
	return true;
}

static bool parse_duration(struct options *options, const char *text)
{
	return pk_parse_time(text, &options->duration) && options->duration &&
	       options->duration <= INT64_MAX;
}

#define RING_SIZE_MAX (UINT64_C(1) << 30)

/* A bare number counts pages, as perf has it. The kernel wants a power of two. */
static bool parse_ring_size(struct options *options, const char *text)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t size, power = page;

	if (pk_parse_u64(text, &size)) {
		if (size > RING_SIZE_MAX / page)
			return false;
		size *= page;
	} else if (!pk_parse_size(text, &size)) {
		return false;
	}
	if (!size || size > RING_SIZE_MAX)
		return false;
	while (power < size)
		power *= 2;
	options->ring_size = power;
	return true;
}

static bool parse_clock(struct options *options, const char *text)
{
	static const struct {
		const char *name;
		clockid_t id;
	} clocks[] = {
		{"monotonic", CLOCK_MONOTONIC},
		{"mono", CLOCK_MONOTONIC},
		{"monotonic_raw", CLOCK_MONOTONIC_RAW},
		{"raw", CLOCK_MONOTONIC_RAW},
		{"realtime", CLOCK_REALTIME},
		{"real", CLOCK_REALTIME},
		{"boottime", CLOCK_BOOTTIME},
		{"boot", CLOCK_BOOTTIME},
		{"tai", CLOCK_TAI},
	};

	if (!strncasecmp(text, "CLOCK_", 6))
		text += 6;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strcasecmp(text, clocks[i].name))
			continue;
		options->use_clockid = true;
		options->clockid = clocks[i].id;
		return true;
	}
	return false;
}

/* A list of ids or CPUs is looked at closely only when the rest is known; false if it is none. */
static bool take_list(const char **list, const char *text, const char *letters)
{
	*list = text;
	return *text && text[strspn(text, letters)] == 0;
}

/* One option that has an argument; false if the argument is not what it should be. */
static bool parse_argument(struct options *options, int option, const char *text)
{
	switch (option) {
	case 'F': return parse_frequency(options, text);
	case 'c': return parse_positive(text, INT64_MAX, &options->period);
	case OPTION_CALL_GRAPH: return parse_call_graph(options, text);
	case OPTION_MAX_STACK: return parse_max_stack(options, text);
	case OPTION_FOR: return parse_duration(options, text);
	case 'm': return parse_ring_size(options, text);
	case 'k': return parse_clock(options, text);
	case 'p': return take_list(&options->target.pids, text, "0123456789,");
	case 't': return take_list(&options->target.tids, text, "0123456789,");
	case 'C': return take_list(&options->target.cpus, text, "0123456789,-");
	case 'o': options->output = strcmp(text, "-") ? text : NULL; return true;
	default: return false;
	}
}

static int print_and_finish(const char *text)
{
	fputs(text, stdout);
	return pk_finish(PK_EXIT_OK);
}

static const char *option_name(int option)
{
	for (const struct option *o = long_options; o->name; o++)
		if (o->val == option)
			return o->name;
	return "?";
}

static const char *wanted(int option)
{
	switch (option) {
	case 'F': return "a number of samples per second, or max";
	case 'c': return "a number of events";
	case OPTION_CALL_GRAPH: return "fp; fp,defer; or dwarf[,BYTES] with at most 65528 bytes";
	case OPTION_MAX_STACK: return "a number of frames";
	case OPTION_FOR: return "a time such as 30s, 500ms or 5m";
	case 'm': return "a number of pages, or bytes with k or M, at most 1024M";
	case 'k': return "monotonic, monotonic_raw, realtime, boottime or tai";
	case 'C': return "CPUs such as 0-3,8";
	default: return "ids, separated by commas";
	}
}

static int unknown_option(const char *word)
{
	if (optopt && strchr(word, '='))
		return pk_usage_error("%s: takes no value", word);
	if (optopt)
		return pk_usage_error("unknown option -%c", optopt);
	return pk_usage_error("unknown option %s", word);
}

/* What cannot be meant together. */
static int check(const struct options *options)
{
	const int tasks = (options->target.pids != NULL) + (options->target.tids != NULL) +
			  (options->target.system_wide || options->target.cpus);

	if (options->frequency && options->period)
		return pk_usage_error("-F and -c exclude each other");
	if (tasks > 1)
		return pk_usage_error("only one of -p, -t, and -a or -C");
	if (!tasks && !options->command)
		return pk_usage_error("nothing to record: give a command, -p, -t, -a, or -C");
	return PK_EXIT_OK;
}

/* -1: go on; otherwise the exit status. */
static int parse_options(struct options *options, int argc, char **argv)
{
	int option, verbosity = 0;

	opterr = 0;
	/* '+': options behind the command are the command's. */
	while ((option = getopt_long(argc, argv, "+:e:F:c:gp:t:aC:im:k:o:vq", long_options,
				     NULL)) != -1) {
		switch (option) {
		case 'e':
			if (!events_parse(&options->events, optarg))
				return PK_EXIT_USAGE;
			break;
		case 'g':
			options->callchain = options->callchain ? options->callchain : CALLCHAIN_FP;
			break;
		case 'a': options->target.system_wide = true; break;
		case 'i': options->no_inherit = options->target.per_task = true; break;
		case 'v': pk_cli_verbosity(++verbosity); break;
		case 'q': pk_cli_verbosity(verbosity = -1); break;
		case OPTION_HELP: return print_and_finish(help);
		case OPTION_VERSION: return print_and_finish("pk-record " PK_VERSION "\n");
		case '?': return unknown_option(argv[optind - 1]);
		case ':': return pk_usage_error("%s needs a value", argv[optind - 1]);
		default:
			if (!parse_argument(options, option, optarg))
				return pk_usage_error("--%s '%s': wants %s", option_name(option),
						      optarg, wanted(option));
		}
	}
	options->argc = argc;
	options->argv = argv;
	if (optind < argc)
		options->command = argv + optind;
	return check(options) ? PK_EXIT_USAGE : -1;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	int status;

	pk_cli_init("pk-record");
	status = parse_options(&options, argc, argv);
	if (status < 0)
		status = capture_run(&options);
	events_free(&options.events);
	return status;
}
