// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "address_filter.h"
#include "event.h"
#include "perf_syscall.h"
#include "procfs.h"

int pk_paranoid_level(struct pk_failures *lookups)
{
	return (int)pk_procfs_read_number("/proc/sys/kernel/perf_event_paranoid", 2, lookups);
}

uint64_t pk_frequency_limit(struct pk_failures *lookups)
{
	return (uint64_t)pk_procfs_read_number("/proc/sys/kernel/perf_event_max_sample_rate",
					       100000, lookups);
}

/* Returns true if this process has a seccomp filter. The seccomp filters of containers usually
 * forbid perf_event_open(2). */
static bool filtered(struct pk_failures *lookups)
{
	struct line_reader reader;
	bool found = false;
	char *line;
	int mode;

	if (!pk_line_reader_open(&reader, "/proc/self/status", lookups))
		return false;
	while (!found && (line = pk_line_reader_next(&reader)))
		found = sscanf(line, "Seccomp: %d", &mode) == 1 && mode == 2;
	pk_line_reader_close(&reader);
	return found;
}

static bool samples_physical_addresses(const struct event *event)
{
	return event->attr.sample_type & PERF_SAMPLE_PHYS_ADDR;
}

static const char *what_is_opened(const struct event *event, const struct targets *targets)
{
	if (samples_physical_addresses(event))
		return "physical addresses";
	return targets->system_wide ? "all processes" : "a process";
}

/* Returns the highest value of kernel.perf_event_paranoid at which users without privileges can
 * open the event. A value of 0 or more forbids tracepoints. A value of 1 or more also forbids
 * events for all tasks of a CPU. A value of 2 or more also forbids events in the kernel and
 * physical addresses. A value of 3 or more (Debian) forbids all events. */
static int allowed_level(const struct event *event, const struct targets *targets)
{
	if (event->tracepoint)
		return -1;
	if (targets->system_wide)
		return 0;
	if (samples_physical_addresses(event))
		return 1;
	return event->attr.flags & PERF_ATTR_EXCLUDE_KERNEL ? 2 : 1;
}

/* Returns true if the event is a probe. Probes need privileges with any value of
 * kernel.perf_event_paranoid. */
static bool is_probe(const struct event *event)
{
	return event->pmu && (!strcmp(event->pmu, "uprobe") || !strcmp(event->pmu, "kprobe"));
}

static void explain_permission(const struct event *event, const struct targets *targets, int error,
			       struct pk_messages *messages)
{
	const int paranoid = pk_paranoid_level(&messages->failures);
	const int allowed = allowed_level(event, targets);

	if (geteuid() != 0 && is_probe(event))
		pk_messages_error(messages,
				  "%s: %s: probes need root or CAP_SYS_ADMIN "
				  "(in older kernels CAP_PERFMON)",
				  event->name, strerror(error));
	else if (geteuid() != 0 && paranoid > allowed)
		pk_messages_error(messages,
				  "%s: no permission to record %s: %s: kernel.perf_event_paranoid "
				  "is %d: set it to %d, or use root or CAP_PERFMON",
				  event->name, what_is_opened(event, targets), strerror(error),
				  paranoid, allowed);
	else if (filtered(&messages->failures))
		pk_messages_error(
			messages,
			"perf_event_open: forbidden here: %s: a container's seccomp "
			"filter forbids it: allow the call and CAP_PERFMON, or record outside",
			strerror(error));
	else if (targets->pids_count && geteuid() != 0)
		pk_messages_error(
			messages,
			"%s: %s: the process belongs to another user: use root, or CAP_PERFMON and "
			"CAP_SYS_PTRACE",
			event->name, strerror(error));
	else
		pk_messages_error(messages,
				  "perf_event_open: forbidden here: %s: a container or a security "
				  "module forbids it: record outside, or with CAP_PERFMON",
				  strerror(error));
}

static void explain_invalid(const struct event *event, int error, struct pk_messages *messages)
{
	if (event->attr.aux_action || event->attr.aux_sample_size ||
	    event->attr.flags & PERF_ATTR_AUX_OUTPUT) {
		pk_messages_error(messages,
				  "%s: %s: this kernel or trace unit may not support --aux-sample "
				  "(Linux 5.5), aux-output or aux-action (Linux 6.13)",
				  event->name, strerror(error));
		return;
	}
	if (event->attr.flags & PERF_ATTR_USE_CLOCKID)
		pk_messages_error(messages,
				  "%s: %s: the kernel may not support that clock (-k) for this "
				  "event: monotonic and monotonic_raw work for all events",
				  event->name, strerror(error));
	else if (event->cpus && !event->tracking)
		pk_messages_error(messages, "%s: %s: counts whole CPUs only: use -a or -C",
				  event->name, strerror(error));
	else if (event->attr.sample_type & PERF_SAMPLE_STACK_USER)
		pk_messages_error(messages,
				  "%s: %s: the kernel accepts stack dumps of at most 65,528 bytes, "
				  "a multiple of 8",
				  event->name, strerror(error));
	else
		pk_messages_error(messages,
				  "%s: %s: the kernel cannot record this event with these "
				  "settings: try another event, or fewer modifiers",
				  event->name, strerror(error));
}

static void explain_absent(const struct event *event, struct pk_messages *messages)
{
	if (event->trace)
		pk_messages_error(messages,
				  "%s: the trace unit is not available: another program uses it, "
				  "or a virtual machine hides it",
				  event->name);
	else if (event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
		pk_messages_error(messages,
				  "%s: this machine does not record branches (-b, -j, lbr) for it",
				  event->name);
	else if (event->attr.type == PERF_TYPE_SOFTWARE || event->attr.type == PERF_TYPE_TRACEPOINT)
		pk_messages_error(messages, "%s: this kernel has no such event", event->name);
	else
		pk_messages_error(messages,
				  "%s: this processor, or virtual machine, has no such counter: "
				  "try -e cpu-clock, or see --list",
				  event->name);
}

static void explain_files(struct pk_messages *messages)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_NOFILE, &limit);
	pk_messages_error(
		messages,
		"too many open files: each event needs one for each CPU and thread, and %llu are "
		"allowed: raise ulimit -n, or record fewer threads or events",
		(unsigned long long)limit.rlim_cur);
}

/* Adds an error message that says why an event could not be opened, and for most errors the remedy.
 * `error` is the errno. */
static void explain_open(const struct event *event, const struct targets *targets, int cpu,
			 pid_t tid, int error, struct pk_messages *messages)
{
	switch (error) {
	case EPERM:
	case EACCES: explain_permission(event, targets, error, messages); break;
	case ENOSYS:
		pk_messages_error(
			messages,
			"perf_event_open: %s: this kernel is built without it, or a seccomp filter "
			"hides it: nothing can be recorded here",
			strerror(error));
		break;
	case EMFILE:
	case ENFILE: explain_files(messages); break;
	case ENOENT:
	case ENXIO:
	case EOPNOTSUPP: explain_absent(event, messages); break;
	case ENODEV:
		pk_messages_error(messages, "%s: CPU %d is offline, or has no such event",
				  event->name, cpu);
		break;
	case ESRCH: pk_messages_error(messages, "thread %d: no such process", tid); break;
	case ENOSPC:
		pk_messages_error(messages, "%s: the processor has no breakpoint left",
				  event->name);
		break;
	case EBUSY:
		pk_messages_error(
			messages,
			"%s: the counters are in use by another program: perf stat, a debugger, "
			"the NMI watchdog (kernel.nmi_watchdog)",
			event->name);
		break;
	case EOVERFLOW:
		pk_messages_error(messages, "--max-stack %u: more than kernel.perf_event_max_stack",
				  event->attr.sample_max_stack);
		break;
	case EINVAL:
	case E2BIG: explain_invalid(event, error, messages); break;
	default:
		pk_messages_error(messages, "%s: perf_event_open: %s", event->name,
				  strerror(error));
		break;
	}
}

/* Features that older kernels do not support, from the newest to the oldest. On EINVAL, the newest
 * feature that is still used is left out, until the kernel accepts the events. This order keeps all
 * older features that the kernel supports. */
static const struct {
	const char *what;
	uint64_t flags, read_format;
	bool max_stack, inherited_read;
} newer[] = {
	{.what = "deferred callchains (Linux 6.19)",
	 .flags = PERF_ATTR_DEFER_CALLCHAIN | PERF_ATTR_DEFER_OUTPUT},
	/* Before Linux 6.13, an event with counter values in its samples cannot be inherited. */
	{.what = "counter values in samples of children (Linux 6.13)", .inherited_read = true},
	{.what = "counts of lost samples (Linux 6.0)", .read_format = PERF_FORMAT_LOST},
	{.what = "build-ids of mapped files (Linux 5.12)", .flags = PERF_ATTR_BUILD_ID},
	{.what = "BPF programs and kernel symbols (Linux 5.1)",
	 .flags = PERF_ATTR_BPF_EVENT | PERF_ATTR_KSYMBOL},
	{.what = "--max-stack (Linux 4.8)", .max_stack = true},
	{.what = "MMAP2 and exec of tasks (Linux 3.16)",
	 .flags = PERF_ATTR_MMAP2 | PERF_ATTR_COMM_EXEC},
};
#define NEWER_COUNT (sizeof(newer) / sizeof(newer[0]))

const char *pk_event_list_left_out(const struct event_list *events, size_t n)
{
	return n < events->left_out ? newer[n].what : NULL;
}

/* The state while events are opened, and what was adapted to the kernel. */
struct opening {
	struct event_list *events;
	const struct targets *targets;
	size_t left_out; /* the number of rows at the start of newer[] whose features are not used
			  */
	int skipped; /* The errno of the last thread that had ended or CPU that was offline. 0 if
		      * there was none. */
	bool limit_raised, user_only,
		clock_instead; /* each is true if adapt() has made this change */
	struct open_options options;
};

enum outcome { OPENED, SKIPPED, AGAIN, FAILED };

static bool inherits_read(const struct perf_attr *attr)
{
	return attr->flags & PERF_ATTR_INHERIT && attr->sample_type & PERF_SAMPLE_READ;
}

/* Returns true if an event uses a feature of this row of newer[]. */
static bool row_matters(const struct opening *opening, size_t row)
{
	for (size_t i = 0; i < opening->events->count; i++) {
		const struct perf_attr *attr = &opening->events->items[i].attr;

		if ((attr->flags & newer[row].flags) ||
		    (attr->read_format & newer[row].read_format) ||
		    (newer[row].max_stack && attr->sample_max_stack) ||
		    (newer[row].inherited_read && inherits_read(attr)))
			return true;
	}
	return false;
}

static struct perf_attr without_newer(const struct perf_attr *attr, size_t left_out)
{
	struct perf_attr older = *attr;

	for (size_t row = 0; row < left_out; row++) {
		older.flags &= ~newer[row].flags;
		older.read_format &= ~newer[row].read_format;
		if (newer[row].inherited_read && inherits_read(&older))
			older.flags &= ~PERF_ATTR_INHERIT;
		if (newer[row].max_stack)
			older.sample_max_stack = 0;
	}
	return older;
}

/* Returns the attr of a bpf-output event. A BPF program writes the samples of the tracepoint for
 * this event. */
static struct perf_attr as_output(struct perf_attr attr)
{
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.flags &= ~PERF_ATTR_INHERIT;
	return attr;
}

/* Returns the attr for the kernel. An off-CPU event is opened as context-switches. That event only
 * runs a BPF program, and the kernel writes no samples for it. */
static struct perf_attr as_opened(const struct event *event, size_t left_out)
{
	struct perf_attr attr = without_newer(&event->attr, left_out);

	if (event->bpf.output)
		return as_output(attr);
	if (!event->bpf.off_cpu)
		return attr;
	attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr.sample_type &= PERF_SAMPLE_ID_ALL;
	attr.flags &= ~(PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_USER |
			PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL | PERF_ATTR_EXCLUDE_CALLCHAIN_USER);
	attr.sample_max_stack = 0;
	return attr;
}

static bool leave_out_newest(struct opening *opening)
{
	while (opening->left_out < NEWER_COUNT && !row_matters(opening, opening->left_out))
		opening->left_out++;
	if (opening->left_out == NEWER_COUNT)
		return false;
	opening->left_out++;
	return true;
}

static bool lower_precision(struct event *event)
{
	uint64_t precise = event->attr.flags & PERF_ATTR_PRECISE_IP_MASK;

	if (!event->letters.precise_max || !precise)
		return false;
	event->attr.flags -= UINT64_C(1) << PERF_ATTR_PRECISE_IP_SHIFT;
	return true;
}

/* Includes guests. Some PMUs refuse attrs that exclude guests, even if there are no guests. */
static bool include_guests(struct event *event)
{
	if (!event->pmu || event->letters.sides || !(event->attr.flags & PERF_ATTR_EXCLUDE_GUEST))
		return false;
	event->attr.flags &= ~PERF_ATTR_EXCLUDE_GUEST;
	return true;
}

/* Lowers the frequencies to the current limit of the kernel. The kernel lowers this limit if
 * interrupts take too long. */
static bool lower_frequency(struct opening *opening)
{
	const uint64_t limit = pk_frequency_limit(&opening->events->messages.failures);
	bool lowered = false;

	for (size_t i = 0; i < opening->events->count; i++) {
		struct perf_attr *attr = &opening->events->items[i].attr;

		if (!(attr->flags & PERF_ATTR_FREQ) || attr->sample_period <= limit)
			continue;
		attr->sample_period = limit;
		lowered = true;
	}
	return lowered;
}

static bool use_cpu_clock(struct opening *opening, struct event *event)
{
	const bool precise = event->attr.flags & PERF_ATTR_PRECISE_IP_MASK;

	if (!opening->options.clock_instead || event->attr.type != PERF_TYPE_HARDWARE ||
	    event->attr.config != PERF_COUNT_HW_CPU_CYCLES ||
	    (precise && !event->letters.precise_max))
		return false;
	opening->clock_instead = true;
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	event->attr.flags &= ~PERF_ATTR_PRECISE_IP_MASK;
	pk_event_rename(event, "cpu-clock");
	if (event->attr.flags & PERF_ATTR_EXCLUDE_KERNEL)
		pk_event_append_modifier(event, 'u');
	else if (event->attr.flags & PERF_ATTR_EXCLUDE_USER)
		pk_event_append_modifier(event, 'k');
	return true;
}

/* Excludes the kernel. With kernel.perf_event_paranoid 2, users without privileges can sample their
 * own programs, but not the kernel. */
static bool user_space_only(struct opening *opening)
{
	bool changed = false;

	if (pk_paranoid_level(&opening->events->messages.failures) < 2)
		return false;
	for (size_t i = 0; i < opening->events->count; i++) {
		struct event *event = &opening->events->items[i];

		if (event->attr.flags & (PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_USER))
			continue;
		event->attr.flags |= PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV;
		pk_event_append_modifier(event, 'u');
		changed = true;
	}
	opening->user_only |= changed;
	return changed;
}

static bool raise_file_limit(struct opening *opening)
{
	struct rlimit limit;

	if (opening->limit_raised || getrlimit(RLIMIT_NOFILE, &limit) ||
	    limit.rlim_cur == limit.rlim_max)
		return false;
	opening->limit_raised = true;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* If the group has the modifier W, dissolves it: each member becomes a separate event. */
static bool dissolve(struct opening *opening, const struct event *event)
{
	const size_t leader = event->leader;

	if (!opening->events->items[leader].letters.weak ||
	    pk_event_group_size(opening->events, event) == 1)
		return false;
	for (size_t i = 0; i < opening->events->count; i++) {
		struct event *member = &opening->events->items[i];

		if (member->leader != leader)
			continue;
		member->leader = i;
		member->letters.weak = false;
		if (i == leader)
			continue;
		member->attr.flags |= opening->events->items[leader].attr.flags &
				      (PERF_ATTR_DISABLED | PERF_ATTR_ENABLE_ON_EXEC);
	}
	opening->left_out = 0; /* All features in newer[] are used again, because they were not the
				* reason for EINVAL. */
	return true;
}

/* Adapts the events or a limit after an error, so that all events can be opened again. Returns
 * false if no adaptation is possible. */
static bool adapt(struct opening *opening, struct event *event, int error)
{
	switch (error) {
	case EMFILE: return raise_file_limit(opening);
	case EACCES:
	case EPERM: return user_space_only(opening);
	case ENOENT:
	case ENXIO: return use_cpu_clock(opening, event);
	case EOPNOTSUPP: return lower_precision(event) || use_cpu_clock(opening, event);
	case EINVAL:
	case E2BIG:
		return lower_frequency(opening) || lower_precision(event) ||
		       include_guests(event) || leave_out_newest(opening) ||
		       dissolve(opening, event);
	default: return false;
	}
}

bool pk_event_has_cpu(const struct event *event, int cpu)
{
	for (size_t i = 0; i < event->cpus_count; i++)
		if (event->cpus[i] == cpu)
			return true;
	return cpu < 0 || !event->cpus;
}

static bool is_member(const struct opening *opening, const struct event *event)
{
	return &opening->events->items[event->leader] != event;
}

/* Returns true if the error concerns all events, not only one. */
static bool concerns_all(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO ||
	       error == EPERM || error == EACCES || error == ENOSYS;
}

/* Handles an event that cannot be opened. With options.tolerant, the event is left out and AGAIN is
 * returned. Otherwise the error is reported and FAILED is returned. */
static enum outcome give_up(struct opening *opening, struct event *event, int cpu, pid_t tid,
			    int error)
{
	if (!opening->options.tolerant || concerns_all(error)) {
		explain_open(event, opening->targets, cpu, tid, error, &opening->events->messages);
		return FAILED;
	}
	event->opened.error = error;
	return AGAIN;
}

static enum outcome open_one(struct opening *opening, struct event *event, size_t cpu, size_t task)
{
	const struct targets *targets = opening->targets;
	const struct event *leader = &opening->events->items[event->leader];
	const struct perf_attr attr = as_opened(event, opening->left_out);
	const size_t slot = event_slot(targets, cpu, task);
	const unsigned long in_cgroup = event->cgroup ? PERF_FLAG_PID_CGROUP : 0;
	const pid_t tid = event->cgroup	      ? event->opened.cgroup
			  : event->bpf.output ? -1
					      : targets->tids[task];
	int group = -1, fd, error;

	if ((!targets->chosen[cpu] && !event->tracking) ||
	    !pk_event_has_cpu(event, targets->cpus[cpu]) || (event->bpf.output && task))
		return SKIPPED;
	if (is_member(opening, event)) {
		group = leader->opened.fds[slot];
		if (group < 0)
			return SKIPPED;
	}
	fd = perf_event_open(&attr, tid, targets->cpus[cpu], group,
			     PERF_FLAG_FD_CLOEXEC | in_cgroup);
	if (fd >= 0) {
		event->opened.fds[slot] = fd;
		if (ioctl(fd, PERF_EVENT_IOC_ID, &event->opened.ids[slot]) == 0)
			return OPENED;
	}
	error = errno;
	if (fd >= 0) {
		close(fd);
		event->opened.fds[slot] = -1;
	}
	/* After the tasks and CPUs were listed, a thread can have ended, or a CPU can have gone
	 * offline. */
	if ((error == ESRCH && targets->pids_count) ||
	    (error == ENODEV && !targets->some_cpus && targets->cpus_count > 1)) {
		opening->skipped = error;
		return SKIPPED;
	}
	if (adapt(opening, event, error))
		return AGAIN;
	return give_up(opening, event, targets->cpus[cpu], targets->tids[task], error);
}

static enum outcome open_everywhere(struct opening *opening, struct event *event)
{
	const struct targets *targets = opening->targets;
	size_t opened = 0;

	for (size_t cpu = 0; cpu < targets->cpus_count; cpu++) {
		for (size_t task = 0; task < targets->tids_count; task++) {
			const enum outcome outcome = open_one(opening, event, cpu, task);

			if (outcome == AGAIN || outcome == FAILED)
				return outcome;
			opened += outcome == OPENED;
		}
	}
	if (opened)
		return OPENED;
	return give_up(opening, event, targets->cpus[0], targets->tids[0],
		       opening->skipped ? opening->skipped : ENODEV);
}

static enum outcome open_all(struct opening *opening)
{
	enum outcome outcome = OPENED;

	for (size_t i = 0; i < opening->events->count && outcome == OPENED; i++) {
		struct event *event = &opening->events->items[i];

		if (event->stat.tool)
			continue;
		if (!event->opened.error)
			event->opened.error = opening->events->items[event->leader].opened.error;
		if (!event->opened.error)
			outcome = open_everywhere(opening, event);
	}
	return outcome;
}

static enum pk_status allocate(struct event_list *events, size_t slots)
{
	for (size_t i = 0; i < events->count; i++) {
		struct event *event = &events->items[i];

		free(event->opened.fds);
		free(event->opened.ids);
		free(event->opened.lost);
		event->opened.fds = calloc(slots, sizeof(*event->opened.fds));
		event->opened.ids = calloc(slots, sizeof(*event->opened.ids));
		event->opened.lost = calloc(slots, sizeof(*event->opened.lost));
		if (!event->opened.fds || !event->opened.ids || !event->opened.lost)
			return pk_messages_no_memory(&events->messages);
		memset(event->opened.fds, 0xff, slots * sizeof(*event->opened.fds));
	}
	return PK_OK;
}

void pk_event_list_close(struct event_list *events, const struct targets *targets)
{
	const size_t slots = targets->cpus_count * targets->tids_count;

	for (size_t i = 0; i < events->count; i++) {
		for (size_t slot = 0; events->items[i].opened.fds && slot < slots; slot++) {
			if (events->items[i].opened.fds[slot] >= 0)
				close(events->items[i].opened.fds[slot]);
			events->items[i].opened.fds[slot] = -1;
		}
	}
}

static void report_adaptations(const struct opening *opening)
{
	struct pk_messages *messages = &opening->events->messages;

	opening->events->clock_instead = opening->clock_instead;
	opening->events->left_out = opening->left_out;
	/* pk-stat (tolerant) does not need a warning, because the names of its counts already show
	 * it. */
	if (opening->user_only && opening->options.tolerant)
		pk_messages_info(messages,
				 "kernel.perf_event_paranoid is %d: counting user space only",
				 pk_paranoid_level(&opening->events->messages.failures));
	else if (opening->user_only)
		pk_messages_warn(messages,
				 "kernel.perf_event_paranoid is %d: recording user space only",
				 pk_paranoid_level(&opening->events->messages.failures));
	for (size_t row = 0; row < opening->left_out; row++) {
		if (!row_matters(opening, row))
			continue;
		if (newer[row].flags & PERF_ATTR_DEFER_CALLCHAIN)
			pk_messages_warn(
				messages,
				"this kernel cannot defer callchains (Linux 6.19 can): using fp");
		else
			pk_messages_info(messages, "this kernel does not record %s",
					 newer[row].what);
	}
}

enum pk_status pk_event_list_open(struct event_list *events, const struct targets *targets,
				  const struct open_options *options)
{
	struct opening opening = {.events = events, .targets = targets, .options = *options};
	enum outcome outcome;

	PK_TRY(allocate(events, targets->cpus_count * targets->tids_count));
	while ((outcome = open_all(&opening)) == AGAIN)
		pk_event_list_close(events, targets);
	if (outcome == FAILED)
		return PK_FAILED;
	report_adaptations(&opening);
	for (size_t i = 0; i < events->count; i++)
		events->items[i].attr = without_newer(&events->items[i].attr, opening.left_out);
	return PK_OK;
}

void pk_event_list_ioctl(const struct event_list *events, const struct targets *targets,
			 unsigned long request)
{
	const size_t slots = targets->cpus_count * targets->tids_count;

	for (size_t i = 0; i < events->count; i++)
		for (size_t slot = 0; slot < slots; slot++)
			if (events->items[i].opened.fds[slot] >= 0)
				ioctl(events->items[i].opened.fds[slot], request, 0);
}

void pk_event_list_pause(const struct event_list *events, const struct targets *targets)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event_list one = {.items = &events->items[i], .count = 1};

		if (!one.items->tracking)
			pk_event_list_ioctl(&one, targets, PERF_EVENT_IOC_DISABLE);
	}
}

static enum pk_status set_filter(const struct event *event, size_t slots,
				 struct pk_messages *messages)
{
	for (size_t slot = 0; slot < slots; slot++) {
		if (event->opened.fds[slot] < 0 ||
		    ioctl(event->opened.fds[slot], PERF_EVENT_IOC_SET_FILTER, event->filter) == 0)
			continue;
		return pk_messages_error(messages, "%s: --filter '%s': %s: %s", event->name,
					 event->filter, strerror(errno),
					 event->trace ? "the trace unit has fewer ranges, or none: "
							"nr_addr_filters in sysfs has their number"
						      : "fields and operators are those of its "
							"format file in tracefs");
	}
	return PK_OK;
}

/* Adds the ranges of the text to those of the event. */
static enum pk_status add_ranges(struct event_list *list, struct event *event, const char *text)
{
	char *ranges = pk_address_filter(text, &list->messages), *filter = ranges;

	if (!ranges)
		return PK_FAILED;
	if (event->filter && asprintf(&filter, "%s,%s", event->filter, ranges) < 0)
		filter = NULL;
	if (event->filter)
		free(ranges);
	if (!filter)
		return pk_messages_no_memory(&list->messages);
	free(event->filter);
	event->filter = filter;
	return PK_OK;
}

static enum pk_status add_filter(struct event_list *list, struct event *event, const char *text)
{
	char *filter;

	if (event->trace)
		return add_ranges(list, event, text);

	if (asprintf(&filter, event->filter ? "(%s) && (%s)" : "%s%s",
		     event->filter ? event->filter : "", text) < 0)
		return pk_messages_no_memory(&list->messages);
	free(event->filter);
	event->filter = filter;
	event->probe.defined |= !event->tracepoint;
	return PK_OK;
}

enum pk_status pk_event_list_add_filter(struct event_list *list, size_t first, const char *text)
{
	size_t added = 0;

	for (size_t i = first; i < list->count; i++) {
		struct event *event = &list->items[i];

		if (!event->tracepoint && !event->probe.definition && !event->trace)
			continue;
		added++;
		PK_TRY(add_filter(list, event, text));
	}
	return added ? PK_OK
		     : pk_messages_error(
			       &list->messages,
			       "--filter '%s': must follow the -e of a tracepoint or a hardware "
			       "trace, or a --probe",
			       text);
}

enum pk_status pk_event_list_filter(struct event_list *events, const struct targets *targets)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].filter)
			PK_TRY(set_filter(&events->items[i], event_slots(targets),
					  &events->messages));
	return PK_OK;
}
