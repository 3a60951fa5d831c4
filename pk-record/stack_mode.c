// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "elf_image.h"
#include "interpreters.h"
#include "lookups.h"
#include "object_debug.h"
#include "probe_object.h"
#include "procfs.h"
#include "register_mask.h"
#include "stack_mode.h"
#include "synthesize.h"

/* Size of a stack dump. Of 600 stacks of git, 240 were deeper than 8 KiB, and none was deeper than
 * 16 KiB. */
#define DUMP_SIZE 16384

/* Size of a stack dump at a probe. A program can call malloc() 100,000 times per second, even with
 * a probe. No pipeline can read larger dumps of all these calls. */
#define PROBE_DUMP_SIZE 4096

/* The number of stack dumps per second on all processors together. A pipeline that uses one
 * processor can easily read the bytes of this number of dumps. */
#define DUMPS_PER_SECOND ((UINT64_C(256) << 20) / DUMP_SIZE)

/* Frequencies for stack dumps in Hz. FREQUENCY_OF_ALL is for -a, because all processors may be busy
 * then, and pk-record may have to wait for a processor. */
enum { FREQUENCY_MOST = 999, FREQUENCY_OF_ALL = 199, FREQUENCY_LEAST = 49, PROCESSES_MAX = 16 };

/* The state while the code of the targets is examined. */
struct judgement {
	struct pk_symbols *symbols;
	const char *why; /* path of a file whose code does not keep frame pointers, or NULL */
	char *text;	 /* memory of `why` */
	bool kept;	 /* at least one file keeps frame pointers */
	bool is_go;	 /* the command has no call frame information that pk-unwind can read */
};

static void lacks(struct judgement *judgement, const char *path)
{
	judgement->text = pk_need(pk_lookups(), strdup(path));
	judgement->why = judgement->text ? judgement->text : "a file";
}

static void judge_file(struct judgement *judgement, const char *path, const struct pk_mapped *by)
{
	struct pk_object *object =
		pk_need(pk_lookups(), pk_symbols_file(judgement->symbols, path, NULL, by));

	switch (object ? pk_object_frame_pointers(object) : PK_FRAME_POINTERS_UNKNOWN) {
	case PK_FRAME_POINTERS_KEPT: judgement->kept = true; break;
	case PK_FRAME_POINTERS_OMITTED: lacks(judgement, path); break;
	default: break; /* unwinding would not work for this file either */
	}
}

/* Examines the files with code in a process. `except` is a file that is skipped. */
static void judge_process(struct judgement *judgement, pid_t pid, const char *except)
{
	struct line_reader reader;
	struct map_line map;
	char path[64], *line;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (!pk_line_reader_open(&reader, path, pk_lookups()))
		return;
	while (!judgement->why && (line = pk_line_reader_next(&reader))) {
		if (!map_line_parse(line, &map) || map.permissions[2] != 'x' || *map.name != '/' ||
		    !strcmp(map.name, except))
			continue;
		judge_file(judgement, map.name,
			   &(struct pk_mapped){pid, map.major, map.minor, map.inode});
	}
	pk_line_reader_close(&reader);
}

/* Examines the libraries of this program in place of the libraries of the command. Usually all
 * libraries of a system are compiled in the same way. */
static void judge_libraries(struct judgement *judgement)
{
	char own[4096];
	const ssize_t size = readlink("/proc/self/exe", own, sizeof(own) - 1);

	own[size > 0 ? size : 0] = '\0';
	judge_process(judgement, getpid(), own);
}

/* Examines the program of the command. A Go program keeps frame pointers in all its code. Its call
 * frame information is only for debuggers. */
static void judge_command(struct judgement *judgement, const char *name)
{
	char *found = pk_find_program(name), *path = found ? realpath(found, NULL) : NULL;
	const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct pk_elf *elf = fd < 0 ? NULL : pk_elf_open(fd, path, pk_lookups());
	struct pk_elf_segment segment;
	size_t next = 0;

	if (!elf)
		lacks(judgement, name); /* a script can start any program */
	else if (pk_probe_returns_of(elf) == PROBE_RETURNS_GO)
		judgement->kept = judgement->is_go = true;
	else
		judge_file(judgement, path, NULL);
	if (elf && !judgement->why && pk_elf_segment(elf, PT_INTERP, &next, &segment))
		judge_libraries(judgement);
	pk_elf_close(elf);
	free(path);
	free(found);
}

/* Examines the code of the targets. With -a, only the first process of the system is examined. */
static void judge(struct judgement *judgement, const struct options *options,
		  const struct targets *targets)
{
	const size_t count =
		targets->pids_count < PROCESSES_MAX ? targets->pids_count : PROCESSES_MAX;

	if (targets->system_wide) {
		judge_process(judgement, 1, "");
		if (!judgement->why && !judgement->kept)
			judge_libraries(judgement);
	} else if (!count && options->command) {
		judge_command(judgement, options->command[0]);
	}
	for (size_t i = 0; i < count && !judgement->why; i++)
		judge_process(judgement, targets->pids[i], "");
}

/* Returns the first probe at the start of a function of a program. At this place, the frame pointer
 * is still the frame pointer of the caller. So the kernel's callchain, which is made by frame
 * pointers, lacks the caller. Returns NULL on architectures where samples can have the caller in a
 * register or at the stack pointer. With `configured`, ignores probes whose samples do not have a
 * user callchain from the kernel, or have a stack dump. */
static const struct event *entry_probe(const struct event_list *events, bool configured)
{
	if (registers_link() || registers_return_on_stack())
		return NULL;
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];
		const struct perf_attr *attr = &event->attr;
		const bool by_frames = (attr->sample_type & PERF_SAMPLE_CALLCHAIN) &&
				       !(attr->sample_type &
					 (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_BRANCH_STACK)) &&
				       !(attr->flags & PERF_ATTR_EXCLUDE_CALLCHAIN_USER);

		if (event->probe.at_entry && !event->probe.of_go && !event->bpf.unwound &&
		    (!configured || by_frames))
			return event;
	}
	return NULL;
}

/* Returns true if the kernel can unwind the stacks. Then `unwind` is ready to do it. Otherwise sets
 * *obstacle to the reason. */
static bool can_unwind(const struct options *options, const struct targets *targets,
		       const struct event_list *events, struct unwind *unwind,
		       const char **obstacle)
{
	enum pk_severity severity;
	size_t at = 0;

	*obstacle = "unwind excludes --overwrite";
	if (options->sampling.flags & PERF_ATTR_WRITE_BACKWARD)
		return false;
	*obstacle = "unwind excludes --per-thread";
	if (targets->cpus[0] < 0)
		return false;
	if (unwind_try(unwind, events, targets) == PK_OK)
		return true;
	*obstacle = pk_messages_next(&unwind->messages, &at, &severity);
	return false;
}

/* Returns the mode to use if frame pointers cannot be used. `why` is the reason why they cannot be
 * used. */
static enum callchain_mode without_frame_pointers(const struct options *options,
						  const struct targets *targets,
						  const struct event_list *events,
						  struct unwind *unwind, const char *why)
{
	const char *obstacle;

	if (can_unwind(options, targets, events, unwind, &obstacle)) {
		pk_info("%s: --call-graph unwind", why);
		return CALLCHAIN_UNWIND;
	}
	pk_info("%s: --call-graph dwarf (%s)", why, obstacle ? obstacle : "unwind failed");
	return CALLCHAIN_DWARF;
}

static enum callchain_mode settle(const struct options *options, const struct targets *targets,
				  const struct event_list *events, struct unwind *unwind)
{
	struct judgement judgement = {
		.symbols = pk_need(pk_lookups(), pk_symbols_new(&(struct pk_symbols_options){0}))};
	enum callchain_mode mode = CALLCHAIN_FP;
	char why[4096];

	if (judgement.symbols)
		judge(&judgement, options, targets);
	snprintf(why, sizeof(why), "%s does not keep frame pointers",
		 judgement.why ? judgement.why : "the code");
	if (!judgement.kept || judgement.why)
		mode = without_frame_pointers(options, targets, events, unwind, why);
	else if (!judgement.is_go && entry_probe(events, false))
		mode = without_frame_pointers(
			options, targets, events, unwind,
			"frame pointers lack the caller of a probed function");
	else
		pk_info("the code keeps frame pointers: --call-graph fp");
	free(judgement.text);
	if (judgement.symbols)
		pk_failures_add(pk_lookups(), pk_symbols_failures(judgement.symbols));
	pk_symbols_free(judgement.symbols);
	return mode;
}

/* Returns the path of the program that runs a command. If the command is a script, this is the
 * program in its first line. The caller must free the result. */
static char *program_of(const char *command)
{
	char line[256] = "", *path = pk_find_program(command), *save, *word;
	FILE *file = path ? fopen(path, "re") : NULL;

	if (file && fgets(line, sizeof(line), file) && !strncmp(line, "#!", 2)) {
		word = strtok_r(line + 2, " \t\n", &save);
		if (word && strlen(word) >= 4 && !strcmp(word + strlen(word) - 4, "/env"))
			word = strtok_r(NULL, " \t\n", &save);
		free(path);
		path = word ? pk_find_program(word) : NULL;
	}
	if (file)
		fclose(file);
	return path;
}

/* Returns an interpreter that a process has mapped, or NULL. */
static const struct interpreter *mapped_interpreter(pid_t pid)
{
	const struct interpreter *found = NULL;
	struct line_reader reader;
	struct map_line map;
	char path[64], *line;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (!pk_line_reader_open(&reader, path, pk_lookups()))
		return NULL;
	while (!found && (line = pk_line_reader_next(&reader)))
		if (map_line_parse(line, &map) && map.permissions[2] == 'x' && *map.name == '/')
			found = interpreter_of_file(map.name);
	pk_line_reader_close(&reader);
	return found;
}

/* Stack dumps lack the functions of interpreted programs. Reports this if the command or a process
 * runs such a program. */
static void warn_of_interpreter(const struct options *options, const struct targets *targets)
{
	const struct interpreter *found = NULL;
	char *path = NULL;

	if (targets->system_wide || options->snapshots.wanted ||
	    options->stacks.interpreters == INTERPRETER_MODE_NONE)
		return;
	if (!targets->pids_count && options->command) {
		path = program_of(options->command[0]);
		found = path ? interpreter_of_file(path) : NULL;
	}
	for (size_t i = 0; i < targets->pids_count && i < PROCESSES_MAX && !found; i++)
		found = mapped_interpreter(targets->pids[i]);
	if (found)
		pk_warn("the stacks have no functions of %s: --call-graph unwind, which needs "
			"root and a build with clang, or --snapshots=10ms records them",
			found->name);
	free(path);
}

/* Returns the default frequency for stack dumps, in Hz. It assumes that recorded tasks run on all
 * processors at once. */
static uint64_t dump_frequency(const struct targets *targets)
{
	const uint64_t most = targets->system_wide ? FREQUENCY_OF_ALL : FREQUENCY_MOST;
	const uint64_t frequency = DUMPS_PER_SECOND / targets->cpus_count;

	if (frequency > most)
		return most;
	return frequency < FREQUENCY_LEAST ? FREQUENCY_LEAST : frequency;
}

void stack_mode_settle(struct options *options, const struct targets *targets,
		       const struct event_list *events, struct unwind *unwind)
{
	if (options->stacks.mode != CALLCHAIN_AUTO)
		return;
	options->stacks.mode =
		registers_all() ? settle(options, targets, events, unwind) : CALLCHAIN_FP;
	options->stacks.not_unwound = CALLCHAIN_DWARF;
	options->stacks.stack_size = DUMP_SIZE;
	options->stacks.probe_stack_size = PROBE_DUMP_SIZE;
	if (options->stacks.mode == CALLCHAIN_DWARF) {
		options->sampling.usual_frequency = dump_frequency(targets);
		warn_of_interpreter(options, targets);
	}
	if (options->stacks.mode == CALLCHAIN_UNWIND && targets->system_wide)
		options->sampling.usual_frequency = FREQUENCY_MOST;
}

/* Returns the first event with callchains whose samples a BPF program writes. The events of
 * --off-cpu are ignored, because their programs unwind the stacks themselves. For the samples of
 * other such events, no BPF program can unwind the user stack. */
static const struct event *written_by_bpf(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];
		const struct perf_attr *attr = &event->attr;

		if ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) && !event->bpf.off_cpu &&
		    !event->bpf.own_samples &&
		    (event->bpf.output || (attr->type == PERF_TYPE_SOFTWARE &&
					   attr->config == PERF_COUNT_SW_BPF_OUTPUT)))
			return event;
	}
	return NULL;
}

void stack_mode_check(const struct options *options, const struct event_list *events)
{
	const struct event *event = entry_probe(events, true), *written;

	if (options->stacks.mode == CALLCHAIN_UNWIND &&
	    options->stacks.not_unwound == CALLCHAIN_FP && (written = written_by_bpf(events)))
		pk_warn("%s: a BPF program writes its samples, whose stacks have frame pointers "
			"only: --call-graph auto or dwarf records stack dumps, for pk-unwind",
			written->name);
	if (event)
		pk_warn("%s is at the start of a function, where frame pointers lack its caller: "
			"--call-graph auto or dwarf records it, for pk-unwind",
			event->name);
}
