/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_H
#define PK_EVENT_H

/* Events: from the text of an option -e to open file descriptors.
 *
 *     struct event_list events = {0};
 *     struct targets targets;
 *
 *     pk_event_list_parse(&events, "cycles:u,{page-faults,sched:*}")   one or more times
 *     pk_targets_init(&targets, &(struct target_spec){.system_wide = true}, 0, &events.messages)
 *     complete the attrs: event.attr has only what the text determines
 *     pk_event_list_open(&events, &targets, &(struct open_options){0})
 *     events.items[i].fds[event_slot(&targets, cpu, task)] is open, or -1
 *     pk_event_list_ioctl(), pk_event_list_close(), pk_event_list_free(), pk_targets_free()
 *
 * Functions that fail have added a message to event_list.messages or to the messages argument, or
 * have set its no_memory; pk_event_by_name() and pk_branch_modes_parse() add none. */

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

/* The terms between slashes that do not select the event: "cycles/period=1000/". The caller
 * completes the attr. These terms have precedence over its own options. */
struct event_terms {
	uint64_t period, frequency; /* 0: not given; at most one of them is given. frequency:
				     * samples per second */
	enum event_callchain callchain;
	uint32_t stack_size;  /* of EVENT_CALLCHAIN_DWARF, bytes; 0: not given */
	uint16_t max_stack;   /* 0: not given */
	uint64_t branch_type; /* branch_sample_type; 0: not given */
	enum event_switch time, inherit, overwrite;
	bool percore; /* the CPUs of a core are counted together (for pk-stat) */
};

struct pk_arguments;
struct probe_object;

/* Values that pk-stat measures itself, for event_list.tools. */
enum event_tool { EVENT_TOOL_NONE, EVENT_TOOL_DURATION, EVENT_TOOL_USER, EVENT_TOOL_SYSTEM };

/* Of a probe. */
struct event_probe {
	char *target; /* the text that attr.config1 points to: a path, or a kernel function; NULL:
		       * not a probe */
	struct pk_arguments *arguments; /* NULL: none */
	char *definition;  /* for tracefs: place and arguments; NULL: cannot be written */
	char *description; /* for a dry run: lines about the place; NULL: none */
	bool at_return;	   /* the probe is at returns */
	bool at_entry;	   /* the probe is at the first instruction of a function of a program,
			    * where the frame pointer is that of the caller */
	bool of_go;	   /* the probe is in a Go program, whose code has no other way to its
			    * callers */
	bool defined;	/* the probe must be defined in tracefs, because samples do not contain its
			 * arguments, or it has a filter: see probe_events.h */
	uint32_t stack; /* bytes of the user stack that a sample needs for the arguments */
};

/* What modifiers of the event say beside its attr. */
struct event_letters {
	bool any;	  /* the name ends with modifiers: append without a colon */
	bool sides;	  /* G or H was given */
	bool precise_max; /* P: the highest available precision */
	bool sample_read; /* S: each sample has counter values */
	bool weak; /* W: if the group does not fit into the PMU, its events are opened separately */
};

/* Of an event for which a BPF program or the caller makes the samples, or a part of them. */
struct event_bpf {
	bool off_cpu; /* off-CPU time: opened as context-switches, which only runs a BPF program;
		       * that program makes the samples */
	bool output;  /* a tracepoint that is opened as a bpf-output event, for all tasks of each
		       * CPU: a BPF program makes the samples */
	bool own_samples; /* with output: the caller makes the samples, not the kernel */
	bool unwound;	  /* the caller adds the user part of the callchains */
	char *format; /* of a tracepoint that the kernel does not know: the text of its format */
	char *more_fields; /* lines that its format in the stream has after those of the kernel;
			    * NULL: none */
};

/* What the count means, for pk-stat. */
struct event_stat {
	enum event_tool tool; /* if not NONE: not opened; pk-stat measures the value, in ns */
	bool per_package; /* the count of one CPU is that of its package (.per-pkg in sysfs, PerPkg
			   * in JSON files) */
	bool snapshot;	  /* the count is a current value, not a sum (.snapshot in sysfs) */
	char unit[32];	  /* unit of the count (.unit in sysfs, ScaleUnit in JSON files; "ns" of a
			   * tool); "": none */
	double scale;	  /* count * scale is in `unit`; 1 if there is no other factor */
};

/* Set by events_open: arrays with an item for each pair of CPU and task, at event_slot(). */
struct event_opened {
	int *fds;	/* -1: not open for this pair */
	uint64_t *ids;	/* the kernel's ids of the counters (PERF_EVENT_IOC_ID) */
	uint64_t *lost; /* for the caller: numbers of losses already reported; initially 0 */
	int error;  /* with open_options.tolerant: the errno, if it could not be opened; else 0 */
	int cgroup; /* the folder of event.cgroup; -1: none */
};

struct event {
	struct perf_attr attr;
	char *name; /* the text of the event (of a pattern: the name that matches), or the value of
		     * the term name; with the event's own modifiers, not those of its group */
	char *tracepoint; /* "system/event", its folder below events/ of tracefs; NULL: not a
			   * tracepoint */
	char *filter;	  /* --filter: set after opening; NULL: none */
	char *pmu;	  /* the PMU of the event: "cpu", "uncore_imc_0"; NULL: unspecified */
	char *cgroup;	  /* only its tasks are counted; NULL: all */
	size_t leader;	  /* index of the first event of its group; without a group, its own */
	bool no_dump;	  /* samples have no stack dump: requested by its set of events, see
			     docs/views.md */
	bool tracking;	  /* the event dummy for records about tasks and maps; opened on all CPUs */
	int *cpus; /* the CPUs on which it can be opened (cpus or cpumask in sysfs); NULL: all */
	size_t cpus_count;
	struct event_terms terms;
	struct event_letters letters;
	struct event_probe probe;
	struct event_bpf bpf;
	struct event_stat stat;
	struct event_opened opened;
};

struct pmu_json;
struct pk_nearest;
struct targets;

struct event_list {
	struct event *items;
	size_t count, capacity;
	const char *sysfs; /* where sysfs is mounted; NULL: $SYSFS_PATH, else /sys */
	/* The ELF file for names sdt_PROVIDER:NAME. With NULL, these are tracepoints. */
	const char *object;
	const struct pmu_json *json; /* provides further names of events; NULL: none. Borrowed */
	/* Looks up a set of events (event_sets.c). *words are the words of the set and a NULL,
	 * which stay valid. It is NULL if the name is unknown. Returns false after a message. May
	 * be NULL. */
	bool (*find_set)(void *arg, const char *name, const char *const **words);
	/* Tries the names of all sets, for messages, or NULL if there are none. */
	void (*try_sets)(void *arg, struct pk_nearest *nearest);
	void *find_arg;
	/* Patterns SYSTEM:NAME of tracepoints that are not recorded, but described in the stream.
	 */
	char **formats;
	size_t formats_count, formats_capacity;
	char *everywhere; /* the first set of events that only samples of all tasks make
			   * complete (its word -a); NULL: none */
	/* USDT probes whose object is not known yet: see pk_event_list_add_markers(). */
	char **pending;
	size_t pending_count, pending_capacity;
	struct probe_object
		*probed;    /* of the last probe, until pk_event_list_add_markers(); NULL: none */
	bool clock_instead; /* set by events_open if it has replaced cycles by cpu-clock; the caller
			     * reports it */
	char *go_returned;  /* the first Go program with a return probe; NULL: none */
	bool go_returns;    /* allow those: else pk_event_list_add_markers() refuses them */
	bool tools;	    /* accept duration_time, user_time and system_time */
	bool markers; /* the caller calls pk_event_list_add_markers(): accept sdt_PROVIDER:NAME
		       * without an object */
	struct pk_messages messages; /* of the functions below; the caller prints them */
};

/* Appends the events of a comma-separated list in the syntax of perf-list(1): names, rNNN,
 * TYPE:CONFIG, PMU/TERMS/, cache events, mem:ADDRESS, tracepoints, and names of sets of events.
 * Names of software events and tracepoints can have wildcards. Each event can have modifiers.
 * {EVENT,...} is a group. Returns PK_FAILED after a message, which shows the position of a syntax
 * error. The events before it stay in the list. */
PK_MUST_CHECK enum pk_status pk_event_list_parse(struct event_list *list, const char *text);
/* Appends probes, one event for each place. They are of an object, which is the path of an ELF
 * file, or of the kernel (object is NULL). The text is [NAME=]PLACE [ARGUMENT...]. PLACE is
 * FUNCTION[+OFFSET][%return], where FUNCTION can be a pattern, FUNCTION:LINE, FILE:LINE, or
 * 0xOFFSET in the file. An ARGUMENT is an expression. USDT probes of the object are
 * [sdt_]PROVIDER:NAME. Both can be patterns. Their arguments are [NAME=]argN[:TYPE]. Without any,
 * all of the marker are read. Without an object, they are kept for pk_event_list_add_markers().
 * Returns PK_FAILED after a message. */
enum pk_status pk_event_list_add_probe(struct event_list *list, const char *object,
				       const char *text);
struct target_spec;
/* Call this after the last probe was added. It frees memory that only adding probes needs. It
 * appends the USDT probes that were given without an object: it searches them in the files that the
 * processes of spec->pids have mapped, and in the file of the command, which may be NULL. Returns
 * PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_add_markers(struct event_list *list,
						       const struct target_spec *spec,
						       char *const *command);
/* Kinds of memory accesses. */
#define MEMORY_LOADS  1U
#define MEMORY_STORES 2U
/* The usual least latency of a load in cycles, as in perf. */
#define MEMORY_LATENCY_USUAL 30

/* Appends the events with which this machine samples memory accesses (memory_events.c). kinds is
 * the sum of some of the above. AMD samples both in any case. latency is the least latency of loads
 * in cycles, where the processor knows it, or 0 for the usual one. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status pk_event_list_add_memory(struct event_list *list, unsigned int kinds,
						      uint64_t latency);
/* The reason why probes of a PMU, "uprobe" or "kprobe", cannot be opened, or NULL if they can. */
const char *pk_probe_obstacle(const char *pmu, struct pk_failures *lookups);
/* Sets the control groups of the events. The text is one name for all events, or names separated by
 * commas, one for each event. An empty or missing name means none. An event that has a control
 * group keeps it. The tasks of other groups are not counted. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_set_cgroups(struct event_list *list, const char *text);
/* Makes a copy of all events for each control group in text after the first, so that each group
 * counts all events. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_for_each_cgroup(struct event_list *list,
							   const char *text);
/* The mount point of the hierarchy whose control groups are in samples, to be freed, or NULL if
 * there is none. */
char *pk_cgroup_root(struct pk_failures *lookups);
/* Adds a filter, joined by &&, to event.filter of the tracepoints and probes from index first on.
 * Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_add_filter(struct event_list *list, size_t first,
						      const char *text);
/* Sets event.filter of all open events that have one. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_filter(struct event_list *events,
						  const struct targets *targets);
/* Appends an event with a copy of the name, cut to at most 1000 bytes. It is its own leader. Its
 * attr has only a size. NULL: out of memory. */
struct event *pk_event_list_add(struct event_list *list, const char *name);
/* Appends a copy of an event that is not open. The copy is its own leader, and has no arguments of
 * a probe. NULL: out of memory. */
struct event *pk_event_list_copy(struct event_list *list, size_t index);
/* Removes and frees the events from index count on. They must not be open. */
void pk_event_list_cut(struct event_list *list, size_t count);
/* Frees the events and the messages. It does not close the events: call pk_event_list_close()
 * before. */
void pk_event_list_free(struct event_list *list);
/* Sets a copy of the name, cut to at most 1000 bytes. Both functions keep the old name if memory is
 * exhausted. */
void pk_event_rename(struct event *event, const char *name);
/* Appends a letter to the event's name ("u" or ":u"), so that it shows what was recorded. */
void pk_event_append_modifier(struct event *event, char modifier);
/* The number of events in the event's group. It is 1 without a group. */
size_t pk_event_group_size(const struct event_list *list, const struct event *event);

/* Whether event.cpus permits this CPU. It always permits -1 (any CPU). */
bool pk_event_has_cpu(const struct event *event, int cpu);

/* Sets the type and config of an event by its name without modifiers: a generic, software, cache or
 * raw event. Returns false if it is another name. */
bool pk_event_by_name(const char *name, struct perf_attr *attr);
/* The name at index 0, 1 ... of the names that event_by_name knows, or NULL after the last. There
 * are no raw events, and only the common cache events, each in one spelling. */
const char *pk_event_name_at(size_t index);
/* The index of the first name, from index on, that matches a shell pattern. Only names of software
 * events count, and of the names of one event only the first that matches. Returns SIZE_MAX if
 * there is none. */
size_t pk_event_match(const char *pattern, size_t index);
/* The name of a PERF_TYPE_HARDWARE event, such as "cpu-cycles", or NULL if the config is
 * unknown. */
const char *pk_event_generic_name(uint64_t config);
/* Parses "any,u", "call" ... to branch_sample_type. If there are only privilege levels (u, k, hv),
 * adds "any". Returns false if a word is unknown, or memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_branch_modes_parse(const char *text, uint64_t *type);

/* ---- Where ------------------------------------------------------------------------------------
 */

/* What to record, as the options give it. A list that is NULL was not given. Of pids, tids and
 * uids, only the first that was given is used. */
struct target_spec {
	const char *pids, *tids; /* "1,2" */
	const char *uids;	 /* names or numbers: all tasks of these users, except this
				  * program */
	const char *cpus;	 /* "0-3,8" */
	bool system_wide;
	/* Open an event once for each task, on any CPU, not for each pair of task and CPU. Ignored
	 * if system_wide or cpus is given. The kernel refuses a ring for such an event if it is
	 * inherited. */
	bool per_task;
};

struct targets {
	int *cpus;    /* all that are online (if that is unknown, all configured ones); with
		       * per_task {-1}: any CPU */
	bool *chosen; /* for each of cpus: whether all events are opened there; false: only the
		       * event that tracks tasks */
	size_t cpus_count;
	pid_t *tids; /* {-1}: all tasks of a CPU */
	size_t tids_count, tids_capacity;
	pid_t *pids; /* the processes of tids; empty if there are no pids, tids or uids in the spec
		      */
	size_t pids_count, pids_capacity;
	bool system_wide; /* spec.system_wide, or spec.cpus is given */
	bool some_cpus;	  /* spec.cpus is given */
};

/* child is the process of the command. It is the target if spec has no tasks and is not
 * system-wide. Returns PK_FAILED after a message. targets must be freed in any case. */
PK_MUST_CHECK enum pk_status pk_targets_init(struct targets *targets,
					     const struct target_spec *spec, pid_t child,
					     struct pk_messages *messages);
void pk_targets_free(struct targets *targets);
/* Whether both have the same tids, in the same order. */
bool pk_targets_equal(const struct targets *a, const struct targets *b);

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
	bool clock_instead; /* replace cycles by cpu-clock if the machine has no counter for cycles
			     */
	bool tolerant; /* if an event cannot be opened, store the errno in event.error and open the
			* others; errors that concern all events (no permission, too many files ...)
			* still fail */
};

/* Opens all events for all CPUs and tasks, with their groups, and reads their ids. If the kernel
 * refuses an attr, leaves out features that older kernels do not have, and lowers the frequency or
 * the precision of modifier P; without permission, excludes the kernel. Afterwards event.attr is
 * what was opened, except that of an off-CPU event. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_open(struct event_list *events,
						const struct targets *targets,
						const struct open_options *options);
void pk_event_list_close(struct event_list *events, const struct targets *targets);
/* Calls ioctl with argument 0 for all open descriptors. Errors are ignored. */
void pk_event_list_ioctl(const struct event_list *events, const struct targets *targets,
			 unsigned long request);
/* Disables all events, except the one that tracks tasks. */
void pk_event_list_pause(const struct event_list *events, const struct targets *targets);

/* kernel.perf_event_paranoid, or 2 if it cannot be read. */
int pk_paranoid_level(struct pk_failures *lookups);
/* kernel.perf_event_max_sample_rate, the highest frequency that the kernel allows at present, in
 * samples per second. It is 100000 if it cannot be read. */
uint64_t pk_frequency_limit(struct pk_failures *lookups);

#endif
