// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "list_events.h"
#include "list_probes.h"
#include "lookups.h"
#include "options.h"
#include "stat.h"
#include "stat_options.h"

static void help(void)
{
	puts("Usage: pk-stat [OPTION...] [--] COMMAND [ARG...]\n"
	     "       pk-stat [OPTION...] [-p PID | -t TID | -u USER | -a | -C CPUS]\n"
	     "       pk-stat [OPTION...] [FILE...]            print recordings of counts\n"
	     "  -e, --event=LIST (as in pk-record)  --filter=EXPR  --list[=GLOB]\n"
	     "  --object=FILE  --probe=PLACE  --go-returns  --dry-run  -d, -dd, -ddd caches\n"
	     "  -M, --metrics=NAMES  --metric=FILE:NAMES  --metric-dir=DIR  --metric-no-group\n"
	     "      --metric-no-merge  --metric-only  --no-metrics\n"
	     "  -i, --no-inherit  -G, --cgroup=LIST  --for-each-cgroup=LIST\n"
	     "  -r, --repeat=N  --table  --pre=CMD  --post=CMD  -S, --sync\n"
	     "  -I, --interval=MS  --interval-count=N  --interval-clear  --summary\n"
	     "      --timeout=MS  -D, --delay=MS  --control=fifo:IN[,ACK]\n"
	     "  -A, --per-cpu, --per-core, --per-die, --per-socket, --per-node, --per-thread\n"
	     "  -x, --field-separator=SEP  --no-csv-summary  -j, --json\n"
	     "      --stream  write counts as a stream, for pk-stat or perf stat report\n"
	     "  -n, --null  --all-user  --all-kernel  --no-scale  --no-merge  --no-big-num\n"
	     "  -o, --output=FILE  --append  --log-fd=FD  -v  -q  -h, --help  --version\n"
	     "\n"
	     "  pk-stat -d -- make -j4\n"
	     "  pk-stat -a -I 1000 -x, -e cpu-clock,context-switches -o host.csv");
}

static const struct option long_options[] = {
	{"event", required_argument, NULL, 'e'},
	{"filter", required_argument, NULL, OPT_FILTER},
	{"go-returns", no_argument, NULL, OPT_GO_RETURNS},
	{"object", required_argument, NULL, OPT_OBJECT},
	{"probe", required_argument, NULL, OPT_PROBE},
	{"dry-run", no_argument, NULL, OPT_DRY_RUN},
	{"list", optional_argument, NULL, OPT_LIST},
	{"detailed", no_argument, NULL, 'd'},
	{"metrics", required_argument, NULL, 'M'},
	{"metric", required_argument, NULL, OPT_METRIC},
	{"metric-dir", required_argument, NULL, OPT_METRIC_DIR},
	{"metric-no-group", no_argument, NULL, OPT_METRIC_NO_GROUP},
	{"metric-no-merge", no_argument, NULL, OPT_METRIC_NO_MERGE},
	{"metric-only", no_argument, NULL, OPT_METRIC_ONLY},
	{"no-metrics", no_argument, NULL, OPT_NO_METRICS},
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"uid", required_argument, NULL, 'u'},
	{"all-cpus", no_argument, NULL, 'a'},
	{"cpu", required_argument, NULL, 'C'},
	{"no-inherit", no_argument, NULL, 'i'},
	{"cgroup", required_argument, NULL, 'G'},
	{"for-each-cgroup", required_argument, NULL, OPT_EACH_CGROUP},
	{"repeat", required_argument, NULL, 'r'},
	{"table", no_argument, NULL, OPT_TABLE},
	{"pre", required_argument, NULL, OPT_PRE},
	{"post", required_argument, NULL, OPT_POST},
	{"sync", no_argument, NULL, 'S'},
	{"interval", required_argument, NULL, 'I'},
	{"interval-print", required_argument, NULL, 'I'},
	{"interval-count", required_argument, NULL, OPT_INTERVAL_COUNT},
	{"interval-clear", no_argument, NULL, OPT_CLEAR},
	{"summary", no_argument, NULL, OPT_SUMMARY},
	{"timeout", required_argument, NULL, OPT_TIMEOUT},
	{"delay", required_argument, NULL, 'D'},
	{"control", required_argument, NULL, OPT_CONTROL},
	{"no-aggr", no_argument, NULL, 'A'},
	{"per-cpu", no_argument, NULL, 'A'},
	{"per-core", no_argument, NULL, OPT_CORE},
	{"per-die", no_argument, NULL, OPT_DIE},
	{"per-socket", no_argument, NULL, OPT_SOCKET},
	{"aggr-socket", no_argument, NULL, OPT_SOCKET},
	{"per-node", no_argument, NULL, OPT_NODE},
	{"per-thread", no_argument, NULL, OPT_THREAD},
	{"field-separator", required_argument, NULL, 'x'},
	{"no-csv-summary", no_argument, NULL, OPT_NO_CSV_SUMMARY},
	{"json", no_argument, NULL, 'j'},
	{"json-output", no_argument, NULL, 'j'},
	{"stream", no_argument, NULL, OPT_STREAM},
	{"null", no_argument, NULL, 'n'},
	{"all-user", no_argument, NULL, OPT_ALL_USER},
	{"all-kernel", no_argument, NULL, OPT_ALL_KERNEL},
	{"scale", no_argument, NULL, OPT_SCALE},
	{"no-scale", no_argument, NULL, OPT_NO_SCALE},
	{"no-merge", no_argument, NULL, OPT_NO_MERGE},
	{"big-num", no_argument, NULL, 'B'},
	{"no-big-num", no_argument, NULL, OPT_NO_BIG},
	{"output", required_argument, NULL, 'o'},
	{"append", no_argument, NULL, OPT_APPEND},
	{"log-fd", required_argument, NULL, OPT_LOG_FD},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static const struct pk_perf_option perf_items[] = {
	{'g', "group", "-e '{EVENT,EVENT}'"},
	{'T', "transaction", "-M with metrics of transactions"},
	{0, "topdown", "-M TopdownL1, with --metric-dir"},
	{0, "td-level", "-M TopdownL2, with --metric-dir"},
	{'b', "bpf-prog", "events of BPF programs are not supported"},
	{0, "bpf-counters", "counters are not shared with other processes"},
	{0, "hybrid-merge", "kinds of processors are counted separately"},
	{0, "cputype", "-e 'cpu_core/EVENT/'"},
	{0, "percore-show-thread", "-A with -e 'EVENT/percore/'"},
	{0, "per-cache", "use --per-die or --per-core"},
	{0, "per-cluster", "use --per-die or --per-core"},
	{'c', "scale", "--scale"},
};

static const struct pk_perf_options perf = {"perf stat", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* -1: continue. Else the exit status. */
static int parse_option(int c, struct opts *opts)
{
	int result = stat_parse_option(c, opts);

	if (result != STAT_OPTION_OTHER)
		return result;
	switch (c) {
	case OPT_LIST:
		return pk_list_events(optarg ? optarg : opts->stat.argv[optind],
				      opts->stat.events.object, opts->stat.events.json);
	case OPT_DRY_RUN: opts->dry_run = true; return -1;
	case 'o': opts->output = optarg; return -1;
	case OPT_APPEND: opts->append = true; return -1;
	case OPT_LOG_FD:
		return pk_parse_u64(optarg, &opts->log_fd) && opts->log_fd < 1 << 20
			       ? -1
			       : pk_usage_error("%s: not a file descriptor", optarg);
	case 'v': pk_cli_verbosity(++opts->verbose); return -1;
	case 'q': pk_cli_verbosity(-1); return -1;
	case 'h': help(); return pk_finish(PK_EXIT_OK);
	case OPT_VERSION: printf("pk-stat %s\n", PK_VERSION); return pk_finish(PK_EXIT_OK);
	default: return pk_usage_hint();
	}
}

static int open_file(struct opts *opts)
{
	const int fd = pk_create(opts->output, opts->append ? PK_CREATE_APPEND : PK_CREATE_LIVE);

	if (fd < 0)
		return -fd;
	opts->stat.out = fdopen(fd, opts->append ? "a" : "w");
	if (opts->stat.out)
		return PK_EXIT_OK;
	pk_error("%s: %s", opts->output, strerror(errno));
	close(fd);
	return PK_EXIT_FAILED;
}

static int open_log(struct opts *opts)
{
	const int refused = pk_refuse_input_fd((int)opts->log_fd, "--log-fd");

	if (refused)
		return refused;
	opts->stat.out = fdopen((int)opts->log_fd, opts->append ? "a" : "w");
	if (opts->stat.out)
		return PK_EXIT_OK;
	pk_error("--log-fd: %s", strerror(errno));
	return PK_EXIT_FAILED;
}

/* Opens the output for text. Call it after all inputs were declared with pk_protect_input(), so
 * that none is overwritten. PK_EXIT_OK, or the exit status after a message. */
static int open_output(struct opts *opts)
{
	opts->stat.out = stderr;
	opts->stat.output = opts->output;
	if (opts->stat.stream) {
		opts->stat.quiet_stdout = !opts->output || !strcmp(opts->output, "-");
		return PK_EXIT_OK;
	}
	if (opts->log_fd)
		return open_log(opts);
	if (opts->output && strcmp(opts->output, "-"))
		return open_file(opts);
	if (opts->output || opts->stat.inputs)
		opts->stat.out = stdout;
	return pk_refuse_input_fd(fileno(opts->stat.out),
				  opts->stat.out == stdout ? "stdout" : "stderr");
}

static const char *output_name(const struct opts *opts)
{
	if (opts->stat.out == stdout)
		return "stdout";
	if (opts->stat.out == stderr)
		return "stderr";
	return opts->log_fd ? "--log-fd" : opts->output;
}

static int close_output(const struct opts *opts, int result)
{
	FILE *out = opts->stat.out;
	bool failed = fflush(out);

	if (ferror(out) && opts->stat.out_error)
		errno = opts->stat.out_error;
	failed |= ferror(out) != 0;
	if (out != stderr && out != stdout)
		failed |= fclose(out) != 0;
	if (!failed) {
		/* The status of the command can be that of a usage error. */
		failed = pk_outputs_keep(result ? PK_EXIT_FAILED : PK_EXIT_OK);
		return result ? result : failed ? PK_EXIT_FAILED : PK_EXIT_OK;
	}
	pk_outputs_drop();
	if (errno != EPIPE)
		pk_error("%s: %s", output_name(opts), strerror(errno));
	return result ? result : PK_EXIT_FAILED;
}

/* The command was not found: if it is a subcommand of perf stat, prints what to use instead. */
static void explain_command(const char *command)
{
	struct stat st;

	if (!stat(command, &st) && S_ISREG(st.st_mode))
		pk_error("%s: the file here is not a recording of counts", command);
	else if (!strcmp(command, "record"))
		pk_error("perf stat record is pk-stat --stream");
	else if (!strcmp(command, "report"))
		pk_error("perf stat report is pk-stat FILE");
}

static int run(struct opts *opts, char **operands, int count)
{
	struct stat_options *stat = &opts->stat;
	int result;

	if (!stat_has_target(stat) && stat_are_recordings(operands)) {
		stat->inputs = operands;
		pk_protect_inputs(operands, count);
	} else if (count) {
		stat->command = operands;
		if (strchr(operands[0], '/'))
			pk_protect_input(operands[0]);
	} else if (!stat_has_target(stat)) {
		stat->targets.system_wide = true; /* as perf does */
	}
	if (!pk_printed(pk_event_list_add_markers(&stat->events, &stat->targets, stat->command),
			&stat->events.messages))
		return PK_EXIT_USAGE;
	if (opts->dry_run)
		return pk_list_dry_run(&stat->events);
	if (pk_lookups()->count) /* a recording that cannot be read is not a command */
		return PK_EXIT_FAILED;
	result = stat_check_options(stat);
	if (!result)
		result = open_output(opts);
	if (!result)
		result = close_output(opts, stat->inputs ? stat_read(stat) : stat_run(stat));
	if (result == 127)
		explain_command(operands[0]);
	return result;
}

int main(int argc, char **argv)
{
	struct opts opts = {.stat = {.by = STAT_BY_UNSET, .repeat = 1, .argc = argc, .argv = argv}};
	int c, result = -1;

	pk_cli_init("pk-stat");
	opts.stat.events.tools = true;
	opts.stat.events.markers = true;
	/* The locale is used only for the separator of thousands. One with another decimal point is
	 * not used. */
	if (setlocale(LC_NUMERIC, "") && strcmp(nl_langinfo(RADIXCHAR), "."))
		setlocale(LC_NUMERIC, "C");
	while (result < 0 && (c = pk_getopt(argc, argv, "+e:dM:p:t:u:aC:iG:r:SI:D:Ax:jnBo:vqh",
					    long_options, &perf)) != -1)
		result = parse_option(c, &opts);
	if (result < 0)
		result = run(&opts, argv + optind, argc - optind);
	pk_event_list_free(&opts.stat.events);
	pk_presets_free(&opts.stat.presets);
	metrics_free(&opts.stat.metrics);
	free(opts.stat.metric_names);
	return pk_exit_status(result);
}
