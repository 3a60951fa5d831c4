/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_H
#define PK_EVENT_H

/*
 * Events: from the words of a command line to open file descriptors.
 *
 *     struct event_list events = {0};
 *     struct targets targets;
 *
 *     events_parse(&events, "cycles:u,{page-faults,sched:*}")   one or more times
 *     targets_init(&targets, &(struct target_spec){.system_wide = true}, 0)
 *     complete the attrs: event.attr has only what the words set
 *     events_open(&events, &targets, &(struct open_options){0})
 *     events.items[i].fds[event_slot(&targets, cpu, task)] is open, or -1
 *     events_ioctl(), events_close(), events_free(), targets_free()
 *
 * Functions that return false have added a message to event_list.messages, or to the messages
 * argument.
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

/* The terms between slashes that are not part of the event's number. The caller completes the attr;
 * these terms have precedence over its general options. */
struct event_terms {
	uint64_t period, frequency; /* 0: not given; they exclude each other */
	enum event_callchain callchain;
	uint32_t stack_size;  /* of EVENT_CALLCHAIN_DWARF, bytes; 0: not given */
	uint16_t max_stack;   /* 0: not given */
	uint64_t branch_type; /* branch_sample_type; 0: not given */
	enum event_switch time, inherit, overwrite;
	bool percore; /* the CPUs of a core are counted together (for pk-stat) */
};

struct pk_arguments;

/* Values that pk-stat measures itself, for event_list.tools. */
enum event_tool { EVENT_TOOL_NONE, EVENT_TOOL_DURATION, EVENT_TOOL_USER, EVENT_TOOL_SYSTEM };

struct event {
	struct perf_attr attr;
	char *name;	  /* as written, with modifiers; or the term name */
	char *tracepoint; /* "system/event" below tracefs/events; NULL for others */
	char *filter;	  /* --filter: set after opening; NULL: none */
	char *pmu;	  /* the PMU of the event: "cpu", "uncore_imc_0"; NULL: unspecified */
	char *probe;	  /* the text that attr.config1 of a probe points to */
	struct pk_arguments *arguments; /* of a USDT probe; NULL: none */
	uint32_t arguments_stack;	/* bytes of the stack that contain them */
	char *cgroup;			/* only its tasks are counted; NULL: all */
	size_t leader; /* index of the first event of its group; without a group, its own */
	struct event_terms terms;
	enum event_tool tool; /* not opened: a value in ns that pk-stat measures */
	bool has_letters;     /* the name ends with modifiers */
	bool sides_chosen;    /* G or H was given: host and guests as selected */
	bool precise_max;     /* P: the highest available precision */
	bool sample_read;     /* S: counter values with each sample */
	bool weak;	      /* W: a group that does not fit into the PMU is dissolved */
	bool off_cpu;  /* opened as context-switches for a BPF program; recorded as its results */
	bool tracking; /* the dummy that only tracks tasks and maps, on all CPUs */
	bool per_package; /* one CPU counts for its package (.per-pkg in sysfs) */
	bool snapshot;	  /* a current value: differences are meaningless (.snapshot in sysfs) */
	char unit[32];	  /* unit of the count (.unit in sysfs); "": none */
	double scale;	  /* factor from the count to the unit; 1 unless sysfs has another one */
	int *cpus;	  /* the only CPUs that have it (cpumask or cpus in sysfs); NULL: all */
	size_t cpus_count;
	/* Set by events_open: one for each pair of CPU and task, see event_slot. */
	int *fds;	/* -1 where there is none */
	uint64_t *ids;	/* the kernel's */
	uint64_t *lost; /* for the caller: losses already reported; 0 at first */
	int error;	/* the errno why it is not open anywhere, with open_options.tolerant;
			 * else 0 */
	int cgroup_fd;	/* -1: none */
};

struct pmu_json;
struct targets;

struct event_list {
	struct event *items;
	size_t count, capacity;
	const char *sysfs;  /* the folder that describes PMUs; NULL: $SYSFS_PATH, else /sys */
	const char *object; /* the object of probes with names sdt_...; NULL: tracefs */
	const struct pmu_json *json; /* provides further names of events; NULL: none. Borrowed */
	bool clock_instead; /* events_open replaced cycles by cpu-clock; the caller reports it */
	bool tools;	    /* accept duration_time, user_time and system_time */
	struct pk_messages messages; /* of the functions below; the caller prints them */
};

/* Appends the events of a list, in the syntax of perf-list(1): names, rNNN, PMU/TERMS/, caches,
 * mem:ADDRESS, tracepoints with wildcards, with modifiers, and {groups}. False after a message that
 * marks the position; the events before the error stay in the list. */
bool events_parse(struct event_list *list, const char *text);
/* Appends probes. Functions (with object, an ELF file; FUNCTION can be a pattern):
 * FUNCTION[+OFFSET][%return] or 0xOFFSET. USDT probes that an object's author has added:
 * [sdt_]PROVIDER:NAME. object NULL: the kernel's functions. False after a message. */
bool events_add_probe(struct event_list *list, const char *object, const char *text);
/* Sets the control groups of the events, one for each event, or one for all of them. Tasks of other
 * groups are not counted. False after a message. */
bool events_set_cgroups(struct event_list *list, const char *text);
/* Copies all events for each of the control groups. False after a message. */
bool events_for_each_cgroup(struct event_list *list, const char *text);
/* The mount point of the control groups in samples, to be freed; NULL: none. */
char *cgroup_root(struct pk_failures *lookups);
/* Sets the filters of tracepoints, which must be open. False after a message. */
bool events_filter(struct event_list *events, const struct targets *targets);
/* Appends a zeroed event, its own leader, with a copy of the name. NULL: out of memory, after a
 * message. */
struct event *events_add(struct event_list *list, const char *name);
/* Appends a copy of an event that is not open; the copy is its own leader. */
struct event *events_copy(struct event_list *list, size_t index);
/* Does not close the events. */
void events_free(struct event_list *list);
/* Both keep the old name if memory is exhausted. */
void event_rename(struct event *event, const char *name);
/* Appends a letter to the event's name ("u" or ":u"), so that it shows what was recorded. */
void event_append_modifier(struct event *event, char modifier);
/* The number of events of its group; 1 without a group. */
size_t event_group_size(const struct event_list *list, const struct event *event);

/* Whether the event can be opened on that CPU. */
bool event_has_cpu(const struct event *event, int cpu);

/* The type and config of a name without modifiers; false: not such a name. */
bool event_by_name(const char *name, struct perf_attr *attr);
/* The names that event_by_name knows, index 0, 1 ... until NULL: caches in their shortest form. */
const char *event_name_at(size_t index);
/* The index of the next name, from index on, that matches a shell pattern. Only software events
 * match, each by its first matching name. SIZE_MAX: none. */
size_t event_match(const char *pattern, size_t index);
/* The first name of a PERF_TYPE_HARDWARE event; NULL: none. */
const char *event_generic_name(uint64_t config);
/* Parses "any,u", "call" ... to branch_sample_type; false: an unknown word. */
bool branch_modes_parse(const char *text, uint64_t *type);

/* ---- Where ------------------------------------------------------------------------------------
 */

/* Targets as given by options; lists are texts, NULL: not given. */
struct target_spec {
	const char *pids, *tids; /* "1,2" */
	const char *uids;	 /* names or numbers: all tasks of these users */
	const char *cpus;	 /* "0-3,8" */
	bool system_wide;
	/* One event for each task on all CPUs, not for each pair of task and CPU. The kernel
	 * refuses a ring for such an event if it is inherited. */
	bool per_task;
};

struct targets {
	int *cpus;    /* all that are online; {-1} per task: any */
	bool *chosen; /* for each CPU: whether events are opened there, not only the tracking of
		       * tasks */
	size_t cpus_count;
	pid_t *tids; /* {-1}: all tasks of a CPU */
	size_t tids_count, tids_capacity;
	pid_t *pids; /* the processes of tids; none when system-wide or for a command */
	size_t pids_count, pids_capacity;
	bool system_wide; /* all tasks, of all CPUs or of the chosen ones */
	bool some_cpus;	  /* spec.cpus */
};

/* child: the process of the command, the target if there is no other one. False after a message. */
bool targets_init(struct targets *targets, const struct target_spec *spec, pid_t child,
		  struct pk_messages *messages);
void targets_free(struct targets *targets);
/* Whether both have the same tasks. */
bool targets_equal(const struct targets *a, const struct targets *b);

/* The index in the arrays fds and ids of an event for targets.cpus[cpu] and targets.tids[task]. */
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
	bool clock_instead; /* use cpu-clock if there is no counter for cycles */
	bool tolerant; /* store unsupported features in event.error, and open the other events */
};

/* Opens all events for all CPUs and tasks, with their groups, and reads their ids. Leaves out
 * features that this kernel does not support. The attrs are then those given to the kernel. False
 * after a message with a remedy. */
bool events_open(struct event_list *events, const struct targets *targets,
		 const struct open_options *options);
void events_close(struct event_list *events, const struct targets *targets);
/* Calls ioctl for all descriptors. */
void events_ioctl(const struct event_list *events, const struct targets *targets,
		  unsigned long request);
/* Disables all events except the tracking of tasks. */
void events_pause(const struct event_list *events, const struct targets *targets);

/* Reports why an event could not be opened, and the remedy. */
void explain_open(const struct event *event, const struct targets *targets, int cpu, pid_t tid,
		  int error, struct pk_messages *messages);
/* kernel.perf_event_paranoid; 2 if it cannot be read. */
int paranoid_level(struct pk_failures *lookups);
/* The highest sampling frequency that the kernel allows at present. */
uint64_t frequency_limit(struct pk_failures *lookups);

#endif
