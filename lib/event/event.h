/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_H
#define PK_EVENT_H

/*
 * Events: from the words on a command line to open file descriptors.
 *
 *     struct event_list events = {0};
 *     struct targets targets;
 *
 *     events_parse(&events, "cycles:u,{page-faults,sched:*}")   one or more times
 *     targets_init(&targets, &(struct target_spec){.system_wide = true}, 0)
 *     complete the attrs: event.attr holds what the words say and nothing else
 *     events_open(&events, &targets, &(struct open_options){0})
 *     events.items[i].fds[event_slot(&targets, cpu, task)] is open, or -1
 *     events_ioctl(), events_close(), events_free(), targets_free()
 *
 * Functions that return false have left a message in event_list.messages, or in those that they
 * were given.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "messages.h"
#include "perf_abi.h"

/* ---- What to count or sample ------------------------------------------------------------------
 */

enum event_callchain { /* term call-graph */
		       EVENT_CALLCHAIN_UNSET,
		       EVENT_CALLCHAIN_NO,
		       EVENT_CALLCHAIN_FP,
		       EVENT_CALLCHAIN_DWARF,
		       EVENT_CALLCHAIN_LBR,
};

enum event_switch { EVENT_UNSET, EVENT_OFF, EVENT_ON };

/* The terms between slashes that are not part of the event's number, as they were given; who
 * completes the attr lets them go before the options that are for all events. */
struct event_terms {
	uint64_t period, frequency; /* 0: not given; one excludes the other */
	enum event_callchain callchain;
	uint32_t stack_size;  /* of EVENT_CALLCHAIN_DWARF, bytes; 0: not given */
	uint16_t max_stack;   /* 0: not given */
	uint64_t branch_type; /* branch_sample_type; 0: not given */
	enum event_switch time, inherit, overwrite;
	bool percore; /* counts of a core's CPUs are one (for pk-stat) */
};

struct pk_arguments;

/* What no kernel counts, for event_list.tools: clocks of the program that counts. */
enum event_tool { EVENT_TOOL_NONE, EVENT_TOOL_DURATION, EVENT_TOOL_USER, EVENT_TOOL_SYSTEM };

struct event {
	struct perf_attr attr;
	char *name;	  /* as it was written, with modifiers; or the term name */
	char *tracepoint; /* "system/event" below tracefs/events; NULL for others */
	char *filter;	  /* --filter: to be set when it is open; NULL: none */
	char *pmu;	  /* whose event it is: "cpu", "uncore_imc_0"; NULL: none in particular */
	char *probe;	  /* what attr.config1 of a probe points to */
	struct pk_arguments *arguments; /* of a USDT probe; NULL: none */
	uint32_t arguments_stack;	/* bytes of the stack that they are in */
	char *cgroup;			/* only tasks in it count; NULL: all */
	size_t leader; /* index of the first event of its group; its own if there is none */
	struct event_terms terms;
	enum event_tool tool; /* not opened, but a value of whoever counts, in ns */
	bool has_letters;     /* its name ends with modifiers */
	bool sides_chosen;    /* G or H: of host and guests, what was asked for */
	bool precise_max;     /* P: the highest precision that works */
	bool sample_read;     /* S: counter values with each sample */
	bool weak;	      /* W: a group that does not fit is none */
	bool off_cpu;  /* opened as context-switches for a BPF program; told as what comes of it */
	bool tracking; /* the dummy that only follows tasks and maps, on all CPUs */
	bool per_package; /* one CPU counts for its package (.per-pkg in sysfs) */
	bool snapshot;	  /* a reading, not to be subtracted from (.snapshot in sysfs) */
	char unit[32];	  /* of what it counts (.unit in sysfs); "": a mere number */
	double scale;	  /* counts times this are in that unit; 1 unless sysfs says otherwise */
	int *cpus;	  /* the only ones that have it (cpumask or cpus in sysfs); NULL: all */
	size_t cpus_count;
	/* Set by events_open: one for each pair of CPU and task, see event_slot. */
	int *fds;	/* -1 where there is none */
	uint64_t *ids;	/* the kernel's */
	uint64_t *lost; /* for who opens them: what has been accounted for; 0 at first */
	int error;	/* errno why it is open nowhere, with open_options.tolerant; else 0 */
	int cgroup_fd;	/* -1: none */
};

struct pmu_json;
struct targets;

struct event_list {
	struct event *items;
	size_t count, capacity;
	const char *sysfs;  /* where PMUs are described; NULL: $SYSFS_PATH, else /sys */
	const char *object; /* what has the probes that are called sdt_...; NULL: tracefs */
	const struct pmu_json *json; /* whose events have names, too; NULL: none. Borrowed */
	bool clock_instead; /* events_open has replaced cycles by cpu-clock: for the caller to say
			     */
	bool tools;	    /* duration_time, user_time and system_time are events, too */
	struct pk_messages messages; /* of the functions below, for the caller to print */
};

/*
 * Appends the events that a list names, as perf-list(1) has them: names, rNNN, PMU/TERMS/, caches,
 * mem:ADDRESS, tracepoints with wildcards, with modifiers, and {groups}. False after a message that
 * marks the place; what came before the error stays in the list.
 */
bool events_parse(struct event_list *list, const char *text);
/*
 * Appends probes of functions (with object, an ELF file; FUNCTION may be a pattern),
 * FUNCTION[+OFFSET][%return] or 0xOFFSET, or of the markers that an object's author has put there,
 * [sdt_]PROVIDER:NAME. object NULL: the kernel's functions. False after a message.
 */
bool events_add_probe(struct event_list *list, const char *object, const char *text);
/* The control groups of the events, one after the other, or a single one of them all. Tasks of
 * others do not count. False after a message. */
bool events_set_cgroups(struct event_list *list, const char *text);
/* All events once for each of the control groups. False after a message. */
bool events_for_each_cgroup(struct event_list *list, const char *text);
/* Where the control groups that samples tell are mounted, to be freed; NULL: nowhere. */
char *cgroup_root(struct pk_failures *lookups);
/* Hands the filters of tracepoints to the kernel, once they are open. False after a message. */
bool events_filter(struct event_list *events, const struct targets *targets);
/* A zeroed event at the end, its own leader, with a copy of the name. NULL without memory, after a
 * message. */
struct event *events_add(struct event_list *list, const char *name);
/* The same for a copy of one that has not been opened, which is its own leader. */
struct event *events_copy(struct event_list *list, size_t index);
/* Closes nothing. */
void events_free(struct event_list *list);
/* Both keep the old name where there is no memory for a new one. */
void event_rename(struct event *event, const char *name);
/* Appends a letter to the event's name ("u" or ":u"), so that it tells what was recorded. */
void event_append_modifier(struct event *event, char modifier);
/* How many events its group has; 1 without one. */
size_t event_group_size(const struct event_list *list, const struct event *event);

/* Is the event to be had on that CPU? */
bool event_has_cpu(const struct event *event, int cpu);

/* The type and config of a name without modifiers; false if it is none of these kinds. */
bool event_by_name(const char *name, struct perf_attr *attr);
/* The names that event_by_name knows, index 0, 1 ... until NULL: caches in their plainest form. */
const char *event_name_at(size_t index);
/* The index of the next name from index on that a pattern of a shell stands for: of software
 * events, each by its first name that matches. SIZE_MAX: there is none. */
size_t event_match(const char *pattern, size_t index);
/* The first name of a PERF_TYPE_HARDWARE event; NULL if there is none. */
const char *event_generic_name(uint64_t config);
/* "any,u", "call" ... as branch_sample_type; false if a word is none of them. */
bool branch_modes_parse(const char *text, uint64_t *type);

/* ---- Where ------------------------------------------------------------------------------------
 */

/* As options give it; lists are texts, NULL: not given. */
struct target_spec {
	const char *pids, *tids; /* "1,2" */
	const char *uids;	 /* names or numbers: all tasks of these users */
	const char *cpus;	 /* "0-3,8" */
	bool system_wide;
	/* One event for each task wherever it runs, rather than for each pair of task and CPU. The
	 * kernel gives no ring to such an event if it is inherited. */
	bool per_task;
};

struct targets {
	int *cpus;    /* all that are online; {-1} per task: any */
	bool *chosen; /* one for each CPU: events are wanted there, not only the tracking of tasks
		       */
	size_t cpus_count;
	pid_t *tids; /* {-1} for all tasks of a CPU */
	size_t tids_count, tids_capacity;
	pid_t *pids; /* the processes that tids belong to; none when system-wide or a command */
	size_t pids_count, pids_capacity;
	bool system_wide; /* all tasks, of all CPUs or of the chosen ones */
	bool some_cpus;	  /* spec.cpus */
};

/* child: the command that shall be looked at, when there is no other target. False after a message.
 */
bool targets_init(struct targets *targets, const struct target_spec *spec, pid_t child,
		  struct pk_messages *messages);
void targets_free(struct targets *targets);
/* The same tasks? */
bool targets_equal(const struct targets *a, const struct targets *b);

/* Where the arrays fds and ids of an event have what belongs to targets.cpus[cpu] and
 * targets.tids[task]. */
static inline size_t event_slot(const struct targets *targets, size_t cpu, size_t task)
{
	return cpu * targets->tids_count + task;
}

static inline size_t event_slots(const struct targets *targets)
{
	return targets->cpus_count * targets->tids_count;
}

/* ---- Opening ----------------------------------------------------------------------------------
 */

struct open_options {
	bool clock_instead; /* cpu-clock where there is no counter for cycles */
	bool tolerant; /* what this machine cannot do is noted in event.error, and others opened */
};

/*
 * Opens all events for all CPUs and tasks, groups as groups, without what this kernel turns out not
 * to know, and gets their ids. The attrs are then what the kernel was given. False after a message
 * that says what to do.
 */
bool events_open(struct event_list *events, const struct targets *targets,
		 const struct open_options *options);
void events_close(struct event_list *events, const struct targets *targets);
/* For all descriptors. */
void events_ioctl(const struct event_list *events, const struct targets *targets,
		  unsigned long request);
/* Disables them, but for what only follows tasks. */
void events_pause(const struct event_list *events, const struct targets *targets);

/* Says why an event could not be opened, and what to do about it. */
void explain_open(const struct event *event, const struct targets *targets, int cpu, pid_t tid,
		  int error, struct pk_messages *messages);
/* kernel.perf_event_paranoid; 2 where that cannot be read. */
int paranoid_level(struct pk_failures *lookups);
/* The highest sampling frequency that the kernel allows now. */
uint64_t frequency_limit(struct pk_failures *lookups);

#endif
