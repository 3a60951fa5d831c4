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
#include "aux_events.h"
#include "capture.h"
#include "cli.h"
#include "configure.h"
#include "heap_recorder.h"
#include "list_events.h"
#include "list_probes.h"
#include "lookups.h"
#include "options.h"
#include "pkstream.h"
#include "pmu_json.h"
#include "register_mask.h"
#include "snapshots.h"
#include "strings_bpf.h"

static const struct pk_command command = {
	.usage = "Usage: pk-record [OPTION...] [--] COMMAND [ARG...]\n"
		 "       pk-record [OPTION...] [-p PIDS|-t TIDS|-u USERS|-a|-C CPUS|-G CGROUPS]\n"
		 "\n"
		 "Records performance events of the kernel, and writes a stream to stdout.\n",
	.options = record_rows,
	.examples =
		"  pk-record -g -- ./program | pk-symbolize | pk-fold\n"
		"  pk-record -a -g -F 99 -o 'host-%Y%m%dT%H%M%S.pk.zst' --split 10m --keep 144\n",
	.stops = true,
};

static bool has_budget(const struct options *options)
{
	const struct budget_cost *limits = &options->sampling.budget;

	return limits->of[BUDGET_CPU] || limits->of[BUDGET_BYTES];
}

/* Checks for options that exclude each other. */
static int check(const struct options *options)
{
	const int tasks = (options->target.pids != NULL) + (options->target.tids != NULL) +
			  (options->target.uids != NULL) +
			  (options->target.system_wide || options->target.cpus);

	if (options->sampling.frequency && options->sampling.period)
		return pk_usage_error("-F and -c exclude each other");
	if (options->target.uids && (options->target.system_wide || options->target.cpus))
		return pk_usage_error("-u excludes -a and -C: it records the tasks that the users "
				      "have at the start, and their children. For all tasks of a "
				      "user, record its control group, on systems with systemd: "
				      "-a -e EVENT -G user.slice/user-UID.slice");
	if (tasks > 1)
		return pk_usage_error("only one of -p, -t, -u, and -a or -C");
	if ((options->files.split_time || options->files.split_size || options->files.keep) &&
	    !options->files.rotate)
		return pk_usage_error("--split and --keep need a pattern for file names: "
				      "-o 'host-%%Y%%m%%dT%%H%%M%%S.pk.zst'");
	if (has_budget(options) && !options->target.system_wide && !options->target.cpus)
		return pk_usage_error(
			"--budget needs -a or -C: the frequency of tasks that inherit "
			"the events cannot be changed");
	if (has_budget(options) && options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--budget and --overwrite exclude each other");
	if (options->sampling.memory_latency && !options->sampling.memory)
		return pk_usage_error("--ldlat needs --mem or --c2c");
	if (options->programs.off_cpu && options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--off-cpu and --overwrite exclude each other");
	if (options->programs.strings && options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--strings and --overwrite exclude each other");
	if (options->programs.user.files_count &&
	    options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--bpf and --overwrite exclude each other");
	if (options->stacks.mode == CALLCHAIN_UNWIND &&
	    options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return pk_usage_error("--call-graph unwind and --overwrite exclude each other");
	if ((options->snapshots.wanted || options->heap) &&
	    (options->events.count || options->programs.off_cpu || options->target.cpus ||
	     options->cgroups || options->timing.control || options->timing.delay ||
	     options->files.rotate || has_budget(options) ||
	     options->sampling.flags & PERF_ATTR_WRITE_BACKWARD))
		return pk_usage_error("%s needs no events, and excludes the options that select or "
				      "switch them, and files of --split",
				      options->heap ? "--heap" : "--snapshots");
	if (options->heap && (!options->command || options->target.pids || options->target.tids ||
			      options->target.system_wide || options->snapshots.wanted))
		return pk_usage_error("--heap records a command: %s",
				      options->snapshots.wanted
					      ? "it excludes --snapshots"
					      : "of processes that run already, pk malloc -p PID "
						"records each call of malloc");
	/* If all threads are stopped again and again, the system can come to a standstill. */
	if (options->snapshots.wanted && options->snapshots.interval &&
	    (options->target.system_wide || options->target.uids ||
	     (!options->command && !options->target.pids && !options->target.tids)))
		return pk_usage_error("--snapshots of the whole system would stop all its threads "
				      "again and again: use --snapshots=once, -p PID or a command");
	if (options->timing.delay == DELAY_CONTROL && !options->timing.control)
		return pk_usage_error("-D -1 needs --control, which enables the events");
	return aux_events_check(options);
}

/* If there is no command and no target, records the whole system, like perf record. */
static void settle_target(struct options *options)
{
	struct target_spec *target = &options->target;

	/* These options need events on each CPU. */
	if (options->programs.strings || options->programs.user.files_count ||
	    options->programs.wakers || options->stacks.mode == CALLCHAIN_UNWIND)
		target->per_task = false;
	/* BPF programs run for all tasks. To know the names of all tasks, the recording must be
	 * system-wide. */
	if (options->programs.user.files_count && !options->events.count && !target->pids &&
	    !target->tids && !target->uids)
		target->system_wide = true;
	if (!options->command && !target->pids && !target->tids && !target->uids && !target->cpus)
		target->system_wide = true;
}

/* The name of the output determines if it is compressed, and if the name is a pattern for several
 * files. */
static void settle_output(struct options *options)
{
	const char *name = options->files.path ? options->files.path : "";
	const size_t size = strlen(name);

	options->files.rotate = strchr(name, '%') != NULL;
	if (options->files.compress || size < 4 || strcmp(name + size - 4, ".zst") != 0)
		return;
	options->files.compress = true;
	options->files.level = 1;
}

/* Executes --list-lines and similar options. */
static int list_probes(const struct options *options)
{
	const char *object = options->events.object;

	switch (options->listing) {
	case LIST_LINES: return pk_list_lines(object, options->listed);
	case LIST_VARIABLES: return pk_list_variables(object, options->listed);
	default: return pk_list_functions(object, options->listed);
	}
}

/* Reads the objects of --bpf, and adds their events. The programs of these objects read the
 * monotonic clock, so samples must use it, too. */
static int open_bpf(struct options *options)
{
	if (!options->programs.user.files_count)
		return PK_EXIT_OK;
	if (!options->sampling.use_clockid) {
		options->sampling.use_clockid = true;
		options->sampling.clockid = CLOCK_MONOTONIC;
	}
	return pk_printed(user_bpf_open(&options->programs.user, &options->events),
			  &options->programs.user.messages) == PK_OK
		       ? PK_EXIT_OK
		       : PK_EXIT_FAILED;
}

/* Checks the targets for sets of events. The spans of some sets begin or end in tasks that are not
 * recorded. Examples are tasks that wake a recorded task, and tasks that run when an interrupt
 * comes. */
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

/* Completes the options that depend on several other options. Returns -1 to continue, or the exit
 * status. */
static int complete(struct options *options)
{
	struct event_list *events = &options->events;
	int status;

	if (options->listing)
		return list_probes(options);
	if (options->programs.strings && !events->count &&
	    record_add_events(options, "syscalls") != PK_OK)
		return PK_EXIT_USAGE; /* the same status as for a wrong argument of -e */
	settle_output(options);
	settle_target(options);
	if (pk_printed(pk_event_list_add_markers(events, &options->target, options->command),
		       &events->messages) != PK_OK)
		return PK_EXIT_USAGE;
	if (options->sampling.memory &&
	    pk_printed(pk_event_list_add_memory(events, options->sampling.memory,
						options->sampling.memory_latency),
		       &events->messages) != PK_OK)
		return PK_EXIT_FAILED;
	if (options->cgroups && (!events->count || options->target.pids || options->target.tids ||
				 options->target.uids))
		return pk_usage_error("-G needs -e, and excludes -p, -t and -u");
	if (options->cgroups && pk_printed(pk_event_list_set_cgroups(events, options->cgroups),
					   &events->messages) != PK_OK)
		return PK_EXIT_FAILED;
	if (check(options) || check_sets(options))
		return PK_EXIT_USAGE;
	status = open_bpf(options);
	if (status)
		return status;
	status = options->programs.strings ? strings_select(events) : PK_EXIT_OK;
	if (status)
		return status;
	return options->dry_run ? pk_list_dry_run(events) : -1;
}

/* Returns true if the word after -g is a mode of callchains. perf of 2013 had this form, for
 * example "-g dwarf". Without this check, the word would be the command. */
static bool is_mode_of_stacks(const char *option, const char *word)
{
	return option[0] == '-' && option[1] != '-' && option[strlen(option) - 1] == 'g' &&
	       (!strcmp(word, "dwarf") || !strcmp(word, "fp") || !strcmp(word, "lbr"));
}

static int parse_options(struct options *options, int argc, char **argv)
{
	int result;

	options->argc = argc;
	options->argv = argv;
	result = pk_parse_options(&command, options, &argc, &argv);
	if (result >= 0)
		return result;
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
	const struct sched_param parameters = {.sched_priority = options->buffers.priority};

	if (!options->buffers.priority ||
	    sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0)
		return true;
	pk_error("-r %d: %s: needs root or CAP_SYS_NICE", options->buffers.priority,
		 strerror(errno));
	return false;
}

int main(int argc, char **argv)
{
	struct options options = {.sampling.usual_frequency = DEFAULT_FREQUENCY,
				  .buffers.queue = 64 << 20,
				  .buffers.patience = UINT64_C(10000000000),
				  .events.markers = true,
				  .programs.user.interval = UINT64_C(1000000000)};
	int status;

	pk_cli_init("pk-record");
	status = parse_options(&options, argc, argv);
	if (status < 0)
		status = !set_priority(&options)    ? PK_EXIT_FAILED
			 : options.snapshots.wanted ? snapshots_run(&options)
			 : options.heap		    ? heap_run(&options)
						    : capture_run(&options);
	user_bpf_free(&options.programs.user);
	pk_event_list_free(&options.events);
	pk_presets_free(&options.presets);
	pk_pmu_json_free(options.json);
	return pk_exit_status(status);
}
