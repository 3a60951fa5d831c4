// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "list_events.h"
#include "list_probes.h"
#include "lookups.h"
#include "options.h"
#include "recorded_processor.h"
#include "stat.h"
#include "stat_options.h"

static int list_events(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;

	(void)option;
	if (stat_use_tables(stat) != PK_CONTINUE)
		return PK_EXIT_FAILED;
	return pk_list_events(text, stat->argv + optind, stat->print.format == STAT_JSON,
			      stat->events.object, stat->events.json, metrics_obstacle);
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	{.kind = PK_ROWS, .rows = stat_rows, AT(stat)},
	PK_TITLE("Output"),
	{'o', "output", "FILE", PK_TEXT, "write to FILE, not stderr", AT(output)},
	{0, "append", NULL, PK_FLAG, "append to FILE", AT(append)},
	{0, "log-fd", "FD", PK_NUMBER, "write to an open descriptor", AT(log_fd),
	 .most = (1 << 20) - 1, .wants = "a file descriptor"},
	PK_TITLE("Common options"),
	{0, "list", "[GLOB]", PK_CALL, "print the events", AT(stat), .parse = list_events},
	{0, "dry-run", NULL, PK_FLAG, "print what would be counted", AT(dry_run)},
	{.kind = PK_ROWS, .rows = pk_message_rows},
	PK_ANSWER('g', "group", "-e '{EVENT,EVENT}'"),
	PK_ANSWER('T', "transaction", "-M with metrics of transactions"),
	PK_ANSWER(0, "topdown", "-M TopdownL1, with --metric-dir"),
	PK_ANSWER(0, "td-level", "-M TopdownL2, with --metric-dir"),
	PK_ANSWER('b', "bpf-prog", "events of BPF programs are not supported"),
	PK_ANSWER(0, "bpf-counters", "counters are not shared with other processes"),
	PK_ANSWER(0, "hybrid-merge", "kinds of processors are counted separately"),
	PK_ANSWER(0, "cputype", "-e 'cpu_core/EVENT/'"),
	PK_ANSWER(0, "percore-show-thread",
		  "-A prints each thread of a core, and --per-core their sum"),
	PK_ANSWER('c', NULL, "--scale"),
	PK_ANSWER('f', "force", "files of other users are read, too"),
	PK_ANSWER(0, "input", "name the FILE without an option"),
	PK_ANSWER(0, "affinity", "counters are read without moving between processors"),
	PK_ANSWER(0, "iostat", "-M with metrics of the uncore"),
	PK_ANSWER(0, "metric-no-threshold", "metrics are printed without thresholds"),
	PK_ANSWER(0, "pmu-filter", "-e 'PMU/EVENT/'"),
	PK_ANSWER(0, "record-tpebs", "retire latencies are not recorded"),
	PK_ANSWER(0, "tpebs-mode", "retire latencies are not recorded"),
	PK_ANSWER(0, "smi-cost", "-e '{msr/aperf/,msr/smi/,cycles}'"),
	PK_ANSWER(0, "duration", "--timeout"),
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-stat [OPTION...] [--] COMMAND [ARG...]\n"
		 "       pk-stat [OPTION...] [-p PID | -t TID | -u USER | -a | -C CPUS]\n"
		 "       pk-stat [OPTION...] [FILE...]            print recordings of counts\n",
	.options = rows,
	.examples = "  pk-stat -d -- make -j4\n"
		    "  pk-stat -a -I 1000 -x, -e cpu-clock,context-switches -o host.csv\n",
	.stops = true,
};

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
 * that the output overwrites no input. Returns PK_EXIT_OK, or prints a message and returns the exit
 * status. */
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
		/* `result` can be the status of the command. So it must not be treated like a usage
		 * error of pk-stat. */
		failed = pk_outputs_keep(result ? PK_EXIT_FAILED : PK_EXIT_OK);
		return result ? result : failed ? PK_EXIT_FAILED : PK_EXIT_OK;
	}
	pk_outputs_drop();
	if (errno != EPIPE)
		pk_error("%s: %s", output_name(opts), strerror(errno));
	return result ? result : PK_EXIT_FAILED;
}

/* If the command does not exist and its name is a subcommand of perf stat, prints what the user can
 * run instead. Returns whether it has printed a message. */
static bool explain_command(const char *name)
{
	const bool record = !strcmp(name, "record");
	char *path;

	if (!record && strcmp(name, "report"))
		return false;
	path = pk_find_program(name);
	if (!path)
		pk_error(record ? "perf stat record is pk-stat --stream"
				: "perf stat report is pk-stat FILE");
	free(path);
	return !path;
}

/* Called if the command was not found. */
static void explain_file(const char *name)
{
	struct stat st;

	if (!stat(name, &st) && S_ISREG(st.st_mode))
		pk_error("%s: the file here is not a recording of counts", name);
}

/* Uses the metrics of the processor of the first recording, unless the user has chosen one. */
static void use_processor(const struct stat_options *stat, const char *path)
{
	char processor[128];

	if (stat->metric_names.count && !getenv("PK_CPUID") && !getenv("PERF_CPUID") &&
	    recorded_processor(path, processor, sizeof(processor)))
		setenv("PK_CPUID", processor, 1);
}

static int run(struct opts *opts, char **operands, int count)
{
	struct stat_options *stat = &opts->stat;
	int result;

	if (!stat_has_target(stat) && stat_are_recordings(operands)) {
		stat->inputs = operands;
		pk_protect_inputs(operands, count);
		use_processor(stat, operands[0]);
	} else if (count && explain_command(operands[0])) {
		return PK_EXIT_USAGE;
	} else if (count) {
		stat->command = operands;
		if (strchr(operands[0], '/'))
			pk_protect_input(operands[0]);
	} else if (!stat_has_target(stat)) {
		stat->targets.system_wide = true; /* perf does this, too */
	}
	if (pk_printed(pk_event_list_add_markers(&stat->events, &stat->targets, stat->command),
		       &stat->events.messages) != PK_OK)
		return PK_EXIT_USAGE;
	if (opts->dry_run)
		return pk_list_dry_run(&stat->events);
	if (pk_lookups()->count) /* The operand is a recording that cannot be read. So it is not run
				  * as a command. */
		return PK_EXIT_FAILED;
	result = stat_check_options(stat);
	if (!result)
		result = open_output(opts);
	if (!result)
		result = close_output(opts, stat->inputs ? stat_read(stat) : stat_run(stat));
	if (result == 127)
		explain_file(operands[0]);
	return result;
}

int main(int argc, char **argv)
{
	struct opts opts = {
		.stat = {.print.by = STAT_BY_UNSET, .run.repeat = 1, .argc = argc, .argv = argv}};
	int result;

	pk_cli_init("pk-stat");
	opts.stat.events.tools = true;
	opts.stat.events.markers = true;
	/* The locale is used only for the separator of thousands. If the locale's decimal point is
	 * not ".", it is not used at all. */
	if (setlocale(LC_NUMERIC, "") && strcmp(nl_langinfo(RADIXCHAR), "."))
		setlocale(LC_NUMERIC, "C");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0)
		result = run(&opts, argv + optind, argc - optind);
	pk_event_list_free(&opts.stat.events);
	pk_presets_free(&opts.stat.presets);
	metrics_free(&opts.stat.metrics);
	free(opts.stat.metric_names.items);
	return pk_exit_status(result);
}
