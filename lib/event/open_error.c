// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "event.h"
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

/* Whether this process has a seccomp filter. Those of containers usually forbid perf_event_open(2).
 */
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

/* The highest kernel.perf_event_paranoid at which users without privileges can open the event. From
 * 0 on, tracepoints are forbidden; from 1 on, all tasks of a CPU; from 2 on, the kernel and
 * physical addresses; from 3 on (Debian), everything. */
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

/* Whether it is a probe, which needs privileges whatever kernel.perf_event_paranoid is. */
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
	if (event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
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

void pk_explain_open(const struct event *event, const struct targets *targets, int cpu, pid_t tid,
		     int error, struct pk_messages *messages)
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
