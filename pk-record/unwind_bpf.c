// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "bpf_call.h"
#include "child.h"
#include "cli.h"
#include "lookups.h"
#include "offcpu.h"
#include "perf_syscall.h"
#include "pkstream.h"
#include "unwind_bpf.h"
#include "unwind_dump.h"
#include "vector.h"

#define OPTION	"--call-graph unwind"
#define INSTEAD "with --call-graph dwarf"
#define OWNER	(&(struct bpf_owner){OPTION, NULL, INSTEAD})

/* The machines for which bpf/unwind.bpf.c can be compiled. */
#if defined(__x86_64__) || defined(__aarch64__)
#define UNWIND_MACHINE true
#else
#define UNWIND_MACHINE false
#endif

/* ---- Start ---- */

static bool failed(struct unwind *unwind, int error)
{
	bpf_explain(&unwind->messages, OPTION, INSTEAD, error);
	return pk_printed(PK_FAILED, &unwind->messages) == PK_OK;
}

/* Excludes the programs that none of the events needs, because the kernel takes 20 ms to verify a
 * program. */
static void leave_out(struct bpf_library *object, const struct event_list *events)
{
	/* If the list is still empty, configure_events() adds the default event to it later. */
	bool sampled = !events->count, traced = false;

	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		if (event->attr.type == PERF_TYPE_TRACEPOINT || event->probe.target)
			traced = true;
		else
			sampled = true;
	}
	if (!sampled)
		bpf_library_leave_out(object, "pk_unwind_sample");
	if (!traced) {
		bpf_library_leave_out(object, "pk_unwind_tracepoint");
		bpf_library_leave_out(object, "pk_unwind_probe");
	}
}

/* Returns the maximum number of frames of a user stack. */
static uint32_t max_frames(const struct options *options)
{
	const uint32_t frames = options->stacks.max_stack;

	return frames && frames < UNWIND_FRAMES_MAX ? frames : UNWIND_FRAMES_MAX;
}

/* Loads the programs that the events need. If events is NULL, loads all programs. If `growing` is
 * true, the kernel allocates the memory for each blocked thread when the thread needs it. Some
 * kernels refuse this. */
static enum pk_status load(struct unwind *unwind, const struct options *options,
			   const struct event_list *events, bool known_only, uint32_t cpus,
			   bool growing)
{
	const uint32_t most = options->stacks.interpreters == INTERPRETER_MODE_NONE
				      ? max_frames(options)
				      : UNWIND_FRAMES_MAX;
	struct unwind_settings settings = {
		.frames = max_frames(options),
		.known_only = known_only,
		.off_cpu.threshold = options->programs.off_cpu_threshold,
		.off_cpu.wakers = options->programs.wakers,
	};

	bpf_library_close(unwind->object);
	if (!UNWIND_MACHINE)
		return pk_messages_error(&unwind->messages,
					 OPTION ": not supported on this machine: record " INSTEAD);
	PK_TRY(bpf_outside_of_namespaces(&unwind->messages, OPTION, INSTEAD));
	unwind->object = bpf_library_open_own("unwind", OWNER, &unwind->messages);
	if (!unwind->object)
		return PK_FAILED;
	if (options->programs.off_cpu)
		unwind->off_cpu_stack = offcpu_bpf_shape(unwind->object, most, cpus, growing,
							 options->programs.wakers);
	else
		offcpu_bpf_leave_out(unwind->object);
	if (events)
		leave_out(unwind->object, events);
	settings.off_cpu.stack_size = unwind->off_cpu_stack;
	bpf_library_set(unwind->object, &settings, sizeof(settings));
	bpf_library_shape_map(unwind->object, "outputs", 0, cpus, 0);
	bpf_library_shape_map(unwind->object, "lines", 0, cpus * UNWIND_SCRATCHES, 0);
	return bpf_library_start(unwind->object, &unwind->messages);
}

static bool load_either(struct unwind *unwind, const struct options *options,
			const struct event_list *events, bool known_only, uint32_t cpus)
{
	if (load(unwind, options, events, known_only, cpus, true) == PK_OK)
		return true;
	if (!options->programs.off_cpu || !unwind->object)
		return false;
	pk_messages_clear(&unwind->messages);
	return load(unwind, options, events, known_only, cpus, false) == PK_OK;
}

enum pk_status unwind_possible(struct pk_messages *messages)
{
	struct unwind trial = {0};
	const struct options options = {0};
	const enum pk_status status = load(&trial, &options, NULL, false, 1, true);

	*messages = trial.messages;
	trial.messages = (struct pk_messages){0};
	unwind_close(&trial);
	return status;
}

static void forget_replaced(void *arg, uint32_t pid, uint64_t start, uint64_t size)
{
	const struct unwind *unwind = arg;

	unwind_processes_replaced(&unwind->processes, (pid_t)pid, start, size);
}

static void unwind_dump(void *arg, struct unwind_half *half)
{
	struct unwind *unwind = arg;

	unwind_dump_walk(&unwind->processes, half);
}

static uint64_t address_of_interpreted(void *arg, const struct interpreted_use *use, uint64_t word)
{
	struct unwind *unwind = arg;

	return interpreted_frames_address(&unwind->processes.interpreted, use, word);
}

static void prepare_interpreters(struct unwind *unwind)
{
	struct unwind_processes *processes = &unwind->processes;

	unwind->joins.interpreted = address_of_interpreted;
	unwind->joins.frames = max_frames(unwind->options);
	unwind->joins.keep_native = unwind->options->stacks.interpreters == INTERPRETER_MODE_BOTH;
	if (unwind->options->stacks.interpreters == INTERPRETER_MODE_NONE)
		return;
	processes->objects.layouts.map = bpf_library_map(unwind->object, "layouts");
	processes->interpreted.map = bpf_library_map(unwind->object, "interpreted");
	processes->interpreted.layouts = &processes->objects.layouts;
}

static enum pk_status prepare(struct unwind *unwind, const struct event_list *events,
			      const struct targets *targets)
{
	const uint32_t cpus = bpf_possible_cpus(pk_lookups());
	const struct target_spec everywhere = {.system_wide = true};
	struct unwind_processes *processes = &unwind->processes;

	const bool known_only =
		!targets->system_wide && (targets->pids_count || unwind->options->command);

	PK_TRY(pk_targets_init(&unwind->cpus, &everywhere, 0, &unwind->messages));
	if (!load_either(unwind, unwind->options, events, known_only, cpus ? cpus : 1))
		return PK_FAILED;
	processes->seen = bpf_library_map(unwind->object, "seen");
	processes->recorded.replaced = forget_replaced;
	processes->recorded.arg = unwind;
	prepare_interpreters(unwind);
	unwind->joins.unwind = unwind_dump;
	unwind->joins.arg = unwind;
	if (unwind_arenas_init(&unwind->arenas, bpf_library_map(unwind->object, "arenas"),
			       bpf_library_map(unwind->object, "rules"),
			       bpf_library_map(unwind->object, "chunks")) == PK_OK &&
	    unwind_objects_init(&processes->objects, &unwind->arenas,
				bpf_library_map(unwind->object, "objects"),
				bpf_library_map(unwind->object, "numbers"),
				bpf_library_map(unwind->object, "files")) &&
	    bpf_ring_map(&unwind->requests, bpf_library_map(unwind->object, "requests"),
			 UNWIND_REQUESTS_SIZE) == PK_OK)
		return PK_OK;
	bpf_explain(&unwind->messages, OPTION, INSTEAD, errno);
	return PK_FAILED;
}

enum pk_status unwind_try(struct unwind *unwind, const struct event_list *events,
			  const struct targets *targets)
{
	if (prepare(unwind, events, targets) == PK_OK)
		return PK_OK;
	bpf_ring_unmap(&unwind->requests);
	unwind_processes_free(&unwind->processes);
	unwind->processes = (struct unwind_processes){0};
	unwind_arenas_free(&unwind->arenas);
	pk_targets_free(&unwind->cpus);
	unwind->cpus = (struct targets){0};
	bpf_library_close(unwind->object);
	unwind->object = NULL;
	return PK_FAILED;
}

void unwind_before_open(const struct unwind *unwind, struct event_list *events)
{
	for (size_t i = 0; unwind->object && i < events->count; i++)
		if (events->items[i].bpf.unwound)
			events->items[i].attr.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
}

static bool set_program(const struct unwind *unwind, int fd, const char *program)
{
	return !ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_library_program(unwind->object, program));
}

/* Attaches the program to a tracepoint, for all tasks. The kernel removes the program when the
 * event ends to which it was attached, for example because its task ends. Therefore it is attached
 * to an event that lasts until the end, and that counts nothing. */
static bool set_for_all(struct unwind *unwind, const struct event *event, int cpu)
{
	const struct perf_attr attr = {.type = event->attr.type,
				       .size = sizeof(attr),
				       .config = event->attr.config,
				       .flags = PERF_ATTR_DISABLED};
	int fd;

	if (pk_reserve(&unwind->holders, &unwind->holders_capacity, unwind->holders_count, 1,
		       sizeof(fd)) != PK_OK)
		return false;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return false;
	unwind->holders[unwind->holders_count++] = fd;
	return set_program(unwind, fd, "pk_unwind_tracepoint") || errno == EEXIST ||
	       set_program(unwind, fd, "pk_unwind_probe") || errno == EEXIST;
}

static void close_holders(struct unwind *unwind)
{
	while (unwind->holders_count)
		close(unwind->holders[--unwind->holders_count]);
}

static bool set_for_event(struct unwind *unwind, const struct event *event, int fd)
{
	return set_program(unwind, fd,
			   event->probe.target ? "pk_unwind_probe" : "pk_unwind_sample");
}

static enum pk_status cannot_attach(const struct event *event)
{
	pk_error("%s: a BPF program for %s: %s", OPTION, event->name, strerror(errno));
	return PK_FAILED;
}

static enum pk_status attach(struct unwind *unwind, const struct event *event, size_t slot,
			     size_t index)
{
	const int fd = event->opened.fds[slot];

	if (fd < 0)
		return PK_OK;
	if (event->attr.type != PERF_TYPE_TRACEPOINT && !set_for_event(unwind, event, fd))
		return cannot_attach(event);
	if (pk_table_set_u64(&unwind->joins.samples, event->opened.ids[slot], index + 1) == PK_OK)
		return PK_OK;
	pk_no_memory();
	return PK_NOMEM;
}

enum pk_status unwind_after_open(struct unwind *unwind, struct event_list *events,
				 const struct targets *targets)
{
	if (!unwind->object)
		return PK_OK;
	pk_table_clear(&unwind->joins.samples);
	close_holders(unwind);
	for (size_t i = 0; i < events->count; i++) {
		struct event *event = &events->items[i];

		if (!event->bpf.unwound)
			continue;
		event->attr.flags &= ~PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
		if (event->attr.type == PERF_TYPE_TRACEPOINT &&
		    !set_for_all(unwind, event, unwind->cpus.cpus[0]))
			return cannot_attach(event);
		for (size_t slot = 0; slot < event_slots(targets); slot++)
			PK_TRY(attach(unwind, event, slot, i));
	}
	return PK_OK;
}

static enum pk_status open_outputs(struct unwind *unwind)
{
	const struct options *options = unwind->options;
	struct pk_messages *messages = &unwind->outputs.messages;
	struct event *event = pk_event_list_add(&unwind->outputs, OPTION);

	if (!event)
		return pk_printed(PK_FAILED, messages);
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	event->attr.sample_period = 1;
	event->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_RAW;
	event->attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (options->sampling.use_clockid) {
		event->attr.flags |= PERF_ATTR_USE_CLOCKID;
		event->attr.clockid = options->sampling.clockid;
	}
	return pk_printed(
		pk_event_list_open(&unwind->outputs, &unwind->cpus, &(struct open_options){0}),
		messages);
}

/* Redirects the halves of a CPU to the ring that has the samples of this CPU. */
static enum pk_status connect_ring(struct unwind *unwind, const struct ring *ring, int cpu)
{
	const struct event *output = unwind->outputs.items;
	const int map = bpf_library_map(unwind->object, "outputs");
	const uint32_t key = (uint32_t)cpu;

	for (size_t i = 0; i < unwind->cpus.cpus_count; i++) {
		if (unwind->cpus.cpus[i] != cpu || output->opened.fds[i] < 0)
			continue;
		if (ioctl(output->opened.fds[i], PERF_EVENT_IOC_SET_OUTPUT, ring->fd) ||
		    bpf_access_map(BPF_MAP_UPDATE_ELEM, map, &key, &output->opened.fds[i]))
			return failed(unwind, errno) ? PK_OK : PK_IO;
		if (pk_table_set_u64(&unwind->joins.halves, output->opened.ids[i], 1) != PK_OK) {
			pk_no_memory();
			return PK_NOMEM;
		}
	}
	return PK_OK;
}

/* Makes the table of the command's file before the command starts, so that its first samples need
 * no dumps. */
static void prepare_command(struct unwind *unwind, const char *name)
{
	char *found = pk_find_program(name), *path = found ? realpath(found, NULL) : NULL;
	struct map_line line = {.name = path};
	struct unwind_objects *objects = &unwind->processes.objects;
	struct unwind_object *object = NULL;

	if (path &&
	    pk_need_room(pk_lookups(),
			 unwind_objects_find_path(objects, &line, &(struct pk_build_id){0},
						  &object)) == PK_OK &&
	    object) {
		unwind_objects_make_all(objects, object);
		unwind_objects_number(objects, object);
	}
	free(path);
	free(found);
}

static void observe(const struct unwind *unwind, pid_t pid)
{
	const uint32_t key = (uint32_t)pid, value = 1;

	bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf_library_map(unwind->object, "processes"), &key,
		       &value);
}

enum pk_status unwind_connect(struct unwind *unwind, const struct ring_list *rings,
			      const struct targets *targets)
{
	if (!unwind->object)
		return PK_OK;
	PK_TRY(open_outputs(unwind));
	for (size_t i = 0; i < rings->count; i++)
		PK_TRY(connect_ring(unwind, &rings->items[i], targets->cpus[i]));
	for (size_t i = 0; i < targets->pids_count; i++)
		observe(unwind, targets->pids[i]);
	for (size_t i = 0; !targets->pids_count && !targets->system_wide && i < targets->tids_count;
	     i++)
		observe(unwind, targets->tids[i]);
	if (unwind->options->command)
		prepare_command(unwind, unwind->options->command[0]);
	return pk_printed(bpf_library_attach(unwind->object, &unwind->messages), &unwind->messages);
}

/* ---- Requests ---- */

int unwind_fd(const struct unwind *unwind)
{
	return unwind->object ? bpf_library_map(unwind->object, "requests") : -1;
}

static void serve(void *arg, const uint8_t *data, size_t size)
{
	struct unwind *unwind = arg;
	struct unwind_request request;

	if (size < sizeof(request))
		return;
	memcpy(&request, data, sizeof(request));
	if (!request.pid)
		return; /* it is a request to read the rings, which the caller does anyway */
	if (request.chunk != UNWIND_NO_CHUNK)
		unwind_objects_make(&unwind->processes.objects, request.chunk);
	else
		unwind_processes_load(&unwind->processes, (pid_t)request.pid, request.object,
				      request.address);
}

void unwind_start(struct unwind *unwind, struct pk_writer *writer)
{
	struct unwind_processes *processes = &unwind->processes;

	processes->interpreted.codes = processes->objects.codes;
	if (unwind->object)
		interpreted_frames_start(&processes->interpreted, writer);
}

void unwind_serve(struct unwind *unwind)
{
	interpreted_frames_round(&unwind->processes.interpreted);
	if (unwind->object)
		bpf_ring_read(&unwind->requests, UNWIND_REQUESTS_SIZE, serve, unwind);
}

struct looking {
	struct unwind *unwind;
	size_t trailer;
};

static void look_at(void *arg, const uint8_t *record)
{
	const struct looking *looking = arg;
	struct unwind_joins *joins = &looking->unwind->joins;
	const struct perf_record_task *task = (const void *)record;

	unwind_recorded_keep(&looking->unwind->processes.recorded, record, looking->trailer);
	if (task->header.type == PERF_RECORD_EXIT && task->pid == task->tid)
		unwind_pids_add(&joins->ended, task->pid);
}

void unwind_look(struct unwind *unwind, struct ring_list *rings, size_t trailer)
{
	struct looking looking = {unwind, trailer};

	if (!unwind->object)
		return;
	for (size_t i = 0; i < rings->count; i++)
		ring_look(&rings->items[i], look_at, &looking);
	unwind_recorded_apply(&unwind->processes.recorded);
}

void unwind_follow(struct unwind *unwind)
{
	struct unwind_pids *before = &unwind->ended, *now = &unwind->joins.ended;

	for (size_t i = 0; i < before->count; i++)
		unwind_recorded_forget(&unwind->processes.recorded, before->items[i]);
	before->count = 0;
	for (size_t i = 0; i < now->count; i++)
		unwind_pids_add(before, now->items[i]);
	now->count = 0;
}

/* ---- The end ---- */

static void add_part(struct buffer *text, uint64_t count, const char *why)
{
	char number[32];

	if (count)
		buffer_format(text, "%s%s %s", text->size ? ", " : "", pk_number(number, count),
			      why);
}

static void report_limits(const struct unwind *unwind)
{
	const struct unwind_numbers *numbers = unwind->processes.objects.numbers;
	char number[32];

	if (unwind->arenas.full)
		pk_warn("%s: the tables of call frame information are full: some files have none: "
			"record fewer processes",
			OPTION);
	if (numbers->full)
		pk_warn("%s: %s maps are of more files than %u: their code has no call frame "
			"information: end the recording earlier, and start another one",
			OPTION, pk_number(number, numbers->full), UNWIND_OBJECTS_MAX);
	if (numbers->processes_full)
		pk_warn("%s: the maps of more processes than %u were needed, %s times: record "
			"fewer "
			"processes",
			OPTION, UNWIND_PROCESSES_MAX, pk_number(number, numbers->processes_full));
}

void unwind_report(struct unwind *unwind)
{
	const uint64_t *ends = unwind->joins.ends;
	const uint64_t stacks = unwind->joins.stacks + unwind->joins.missing;
	const uint64_t cut = stacks - ends[PK_UNWIND_COMPLETE];
	struct buffer text = {0};

	if (!unwind->object)
		return;
	add_part(&text, ends[PK_UNWIND_NO_RULE],
		 "in code without call frame information (JIT code, or stripped of .eh_frame)");
	add_part(&text, ends[PK_UNWIND_BAD_RULE],
		 "by call frame information of another shape (--call-graph dwarf reads all)");
	add_part(&text, ends[PK_UNWIND_UNREADABLE], "at memory that was not there");
	add_part(&text, ends[PK_UNWIND_TOO_DEEP],
		 "deeper than the limit (--max-stack) or than the 16 KB that are copied while maps "
		 "or tables are not there");
	add_part(&text, ends[PK_UNWIND_NOT_LOADED],
		 "of programs that had ended before their maps were read");
	add_part(&text, ends[PK_UNWIND_NOT_64_BITS], "of 32-bit programs (--call-graph dwarf)");
	add_part(&text, unwind->joins.missing,
		 "without a user part (full rings: a larger -m; or the kernel executed another BPF "
		 "program)");
	buffer_char(&text, '\0');
	if (text.failed)
		pk_no_memory();
	else if (cut && stacks)
		pk_warn("%.1f%% of %" PRIu64 " user stacks end early: %s",
			100.0 * (double)cut / (double)stacks, stacks, (const char *)text.data);
	if (unwind->joins.no_room)
		pk_warn("%" PRIu64 " samples have no room for all addresses of their user stack: "
			"request a smaller stack-size",
			unwind->joins.no_room);
	report_limits(unwind);
	interpreted_frames_report(&unwind->processes.interpreted,
				  &unwind->processes.objects.layouts, unwind->joins.torn);
	free(text.data);
}

void unwind_close(struct unwind *unwind)
{
	close_holders(unwind);
	free(unwind->holders);
	pk_event_list_close(&unwind->outputs, &unwind->cpus);
	pk_event_list_free(&unwind->outputs);
	pk_targets_free(&unwind->cpus);
	bpf_ring_unmap(&unwind->requests);
	unwind_processes_free(&unwind->processes);
	unwind_arenas_free(&unwind->arenas);
	free(unwind->joins.ended.items);
	free(unwind->ended.items);
	pk_table_free(&unwind->joins.halves);
	pk_table_free(&unwind->joins.samples);
	bpf_library_close(unwind->object);
	pk_messages_clear(&unwind->messages);
}
