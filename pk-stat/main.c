// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "cli.h"
#include "stat.h"

static void help(void)
{
	puts("Usage: pk-stat [OPTION...] [--] COMMAND [ARG...]\n"
	     "       pk-stat [OPTION...] -p PID | -t TID | -a | -C CPUS\n"
	     "\n"
	     "Counts events while a command runs, or until it is interrupted.\n"
	     "\n"
	     "  -e, --event=LIST   what to count, as in pk-record\n"
	     "  -d, --detailed     caches too; -dd, -ddd: more of them\n"
	     "  -p, --pid=LIST  -t, --tid=LIST  -u, --uid=LIST  -a, --all-cpus  -C, --cpu=LIST\n"
	     "  -i, --no-inherit   not what the command starts\n"
	     "  -r, --repeat=N     run the command N times; mean and deviation\n"
	     "  -I, --interval=MS  print every so many milliseconds  --interval-count=N\n"
	     "      --timeout=MS   end after that time   -D, --delay=MS  begin after that time\n"
	     "  -A, --no-aggr, --per-cpu, --per-core, --per-socket, --per-thread\n"
	     "  -x, --field-separator=SEP, -j, --json   for programs\n"
	     "  -n, --null         only the time      --no-metrics   only counts\n"
	     "  -o, --output=FILE, --append   instead of stderr\n"
	     "  -v, --verbose  -q, --quiet  --help  --version\n"
	     "\n"
	     "  pk-stat -d -- make -j4\n"
	     "  pk-stat -a -I 1000 -x, -e cpu-clock,context-switches -o host.csv");
}

enum {
	OPT_INTERVAL_COUNT = 256,
	OPT_TIMEOUT,
	OPT_CPU,
	OPT_CORE,
	OPT_SOCKET,
	OPT_THREAD,
	OPT_NO_METRICS,
	OPT_APPEND,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{"event", required_argument, NULL, 'e'},
	{"detailed", no_argument, NULL, 'd'},
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"uid", required_argument, NULL, 'u'},
	{"all-cpus", no_argument, NULL, 'a'},
	{"cpu", required_argument, NULL, 'C'},
	{"no-inherit", no_argument, NULL, 'i'},
	{"repeat", required_argument, NULL, 'r'},
	{"interval", required_argument, NULL, 'I'},
	{"interval-count", required_argument, NULL, OPT_INTERVAL_COUNT},
	{"timeout", required_argument, NULL, OPT_TIMEOUT},
	{"delay", required_argument, NULL, 'D'},
	{"no-aggr", no_argument, NULL, 'A'},
	{"per-cpu", no_argument, NULL, OPT_CPU},
	{"per-core", no_argument, NULL, OPT_CORE},
	{"per-socket", no_argument, NULL, OPT_SOCKET},
	{"per-thread", no_argument, NULL, OPT_THREAD},
	{"field-separator", required_argument, NULL, 'x'},
	{"json", no_argument, NULL, 'j'},
	{"null", no_argument, NULL, 'n'},
	{"no-metrics", no_argument, NULL, OPT_NO_METRICS},
	{"output", required_argument, NULL, 'o'},
	{"append", no_argument, NULL, OPT_APPEND},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

struct opts {
	struct stat_options stat;
	const char *output;
	bool append;
	int verbose;
};

static bool parse_ms(const char *text, uint64_t *ns)
{
	uint64_t ms;

	if (!pk_parse_u64(text, &ms) || !ms || ms > UINT64_MAX / 1000000)
		return false;
	*ns = ms * 1000000;
	return true;
}

static int parse_times(int c, struct stat_options *stat)
{
	uint64_t *ns = c == 'I' ? &stat->interval : c == 'D' ? &stat->delay : &stat->timeout;

	return parse_ms(optarg, ns) ? -1
				    : pk_usage_error("%s: not a number of milliseconds", optarg);
}

static int parse_count(uint64_t *count)
{
	return pk_parse_u64(optarg, count) && *count
		       ? -1
		       : pk_usage_error("%s: not a number of times", optarg);
}

/* What is counted, and of whom. -2: it is another option. */
static int parse_target(int c, struct stat_options *stat)
{
	switch (c) {
	case 'e': return events_parse(&stat->events, optarg) ? -1 : PK_EXIT_USAGE;
	case 'd': stat->detail++; return -1;
	case 'p': stat->targets.pids = optarg; return -1;
	case 't': stat->targets.tids = optarg; return -1;
	case 'u': stat->targets.uids = optarg; return -1;
	case 'a': stat->targets.system_wide = true; return -1;
	case 'C': stat->targets.cpus = optarg; return -1;
	case 'i': stat->no_inherit = true; return -1;
	case 'n': stat->null_run = true; return -1;
	default: return -2;
	}
}

static int parse_by(int c, struct stat_options *stat)
{
	switch (c) {
	case 'A':
	case OPT_CPU: stat->by = STAT_CPU; return -1;
	case OPT_CORE: stat->by = STAT_CORE; return -1;
	case OPT_SOCKET: stat->by = STAT_SOCKET; return -1;
	case OPT_THREAD: stat->by = STAT_THREAD; return -1;
	default: return -2;
	}
}

/* -1: go on. Else the exit status. */
static int parse_option(int c, struct opts *opts)
{
	struct stat_options *stat = &opts->stat;
	int result = parse_target(c, stat);

	if (result == -2)
		result = parse_by(c, stat);
	if (result != -2)
		return result;
	switch (c) {
	case 'I':
	case 'D':
	case OPT_TIMEOUT: return parse_times(c, stat);
	case 'r': return parse_count(&stat->repeat);
	case OPT_INTERVAL_COUNT: return parse_count(&stat->intervals);
	case 'x':
		stat->format = STAT_CSV;
		stat->separator = optarg;
		return -1;
	case 'j': stat->format = STAT_JSON; return -1;
	case OPT_NO_METRICS: stat->no_metrics = true; return -1;
	case 'o': opts->output = optarg; return -1;
	case OPT_APPEND: opts->append = true; return -1;
	case 'v': pk_cli_verbosity(++opts->verbose); return -1;
	case 'q': pk_cli_verbosity(-1); return -1;
	case OPT_HELP: help(); return PK_EXIT_OK;
	case OPT_VERSION: printf("pk-stat %s\n", PK_VERSION); return PK_EXIT_OK;
	default: return pk_usage_hint();
	}
}

/* PK_EXIT_OK, or the exit status after a message. */
static int check(const struct stat_options *stat)
{
	const struct target_spec *targets = &stat->targets;
	const bool someone = targets->pids || targets->tids || targets->uids;

	if (!stat->command && !someone && !targets->system_wide && !targets->cpus)
		return pk_usage_error("nothing to count: give a command, -p, -t, -a or -C");
	if (stat->repeat > 1 && !stat->command)
		return pk_usage_error("-r repeats a command, and there is none");
	if (stat->repeat > 1 && stat->interval)
		return pk_usage_error("-r and -I exclude each other");
	if (stat->by == STAT_THREAD && !someone)
		return pk_usage_error("--per-thread needs -p, -t or -u");
	if (stat->by != STAT_ALL && stat->by != STAT_THREAD && !targets->system_wide &&
	    !targets->cpus)
		return pk_usage_error("counts of CPUs need -a or -C");
	return PK_EXIT_OK;
}

static int open_output(struct opts *opts)
{
	opts->stat.out = stderr;
	if (!opts->output)
		return PK_EXIT_OK;
	opts->stat.out = !strcmp(opts->output, "-")
				 ? stdout
				 : fopen(opts->output, opts->append ? "ae" : "we");
	if (opts->stat.out)
		return PK_EXIT_OK;
	pk_error("%s: %s", opts->output, strerror(errno));
	return PK_EXIT_FAILED;
}

static int close_output(const struct opts *opts, int result)
{
	FILE *out = opts->stat.out;
	bool failed = fflush(out) || ferror(out);

	if (out != stderr && out != stdout)
		failed |= fclose(out) != 0;
	if (!failed || out == stderr)
		return result;
	pk_error("%s: %s", opts->output, strerror(errno));
	return result ? result : PK_EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct opts opts = {0};
	int c, result = -1;

	pk_cli_init("pk-stat");
	/* Only for what parts thousands: a decimal point stays one, whoever reads it. */
	if (setlocale(LC_NUMERIC, "") && strcmp(nl_langinfo(RADIXCHAR), "."))
		setlocale(LC_NUMERIC, "C");
	while (result < 0 && (c = getopt_long(argc, argv, "+e:dp:t:u:aC:ir:I:D:Ax:jno:vq",
					      long_options, NULL)) != -1)
		result = parse_option(c, &opts);
	if (result < 0) {
		opts.stat.command = optind < argc ? argv + optind : NULL;
		result = check(&opts.stat);
		if (!result)
			result = open_output(&opts);
		if (!result)
			result = close_output(&opts, stat_run(&opts.stat));
	}
	events_free(&opts.stat.events);
	return result;
}
