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
 * A function that fails adds a message to event_list.messages or to its argument messages, or sets
 * no_memory there. pk_event_by_name() and pk_branch_modes_parse() add no message. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "messages.h"
#include "perf_abi.h"

/* ---- What to count or sample ------------------------------------------------------------------
 */

enum event_callchain { /* the values of the term call-graph of an event */
		       EVENT_CALLCHAIN_UNSET,
		       EVENT_CALLCHAIN_NO,
		       EVENT_CALLCHAIN_FP,
		       EVENT_CALLCHAIN_DWARF,
		       EVENT_CALLCHAIN_LBR,
};

enum event_switch { EVENT_UNSET, EVENT_OFF, EVENT_ON };

/* The largest part of a hardware trace in a sample, in bytes. A sample has at most 64 KiB. */
#define AUX_SAMPLE_SIZE_MAX 61440

/* The terms between slashes that do not select the event, as in "cycles/period=1000/". The parser
 * only stores them here. Its caller must set them in event.attr, and must prefer them to its own
 * options. */
struct event_terms {
	uint64_t period, frequency; /* At most one of them is given. A value of 0 means "not given".
				     * The unit of frequency is samples per second. */
	enum event_callchain callchain;
	uint32_t stack_size; /* the size of the stack dump in bytes, for EVENT_CALLCHAIN_DWARF; 0 if
			      * the term is not given */
	uint16_t max_stack;  /* the limit for the number of frames of a callchain; 0 if the term is
			      * not given */
	uint64_t branch_type; /* the bits for attr.branch_sample_type; 0 if the term is not given */
	enum event_switch time, inherit, overwrite;
	bool percore; /* add the counts of the threads of a core; pk-stat does not accept this term
			 together with -A */
	bool aux_output; /* the processor writes the samples of the event to the hardware trace */
	bool no_aux_sample;	  /* true if the size below is given as 0 */
	uint32_t aux_sample_size; /* size in bytes of the part of the hardware trace in each sample;
				   * 0 if the term is not given */
	uint32_t aux_action;	  /* PERF_AUX_START_PAUSED ... */
};

struct pk_arguments;
struct probe_object;

/* The values that pk-stat measures itself. They are accepted if event_list.tools is set. */
enum event_tool { EVENT_TOOL_NONE, EVENT_TOOL_DURATION, EVENT_TOOL_USER, EVENT_TOOL_SYSTEM };

/* The part of an event that describes a probe. */
struct event_probe {
	char *target; /* The text that attr.config1 points to: a path, or the name of a kernel
		       * function. It is NULL if the event is not a probe. */
	struct pk_arguments *arguments; /* NULL if there are no arguments */
	char *definition;  /* The place and arguments as tracefs expects them. It is NULL if they
			    * cannot be written in that form. */
	char *description; /* Lines about the place, for a dry run. NULL if there are none. */
	bool at_return;	   /* true if the probe is at the returns of a function */
	bool at_entry; /* True if the probe is at the first instruction of a function of a program.
			* There, the frame pointer still belongs to the caller. */
	bool of_go; /* True if the probe is in a Go program. In Go code, callers can only be found
		     * by the frame pointer. */
	/* True if the probe must be defined in tracefs, and not by perf_event_open(2). The reason
	 * is that samples do not contain its arguments, that it has a filter, or that new tasks
	 * inherit it. See probe_events.h. */
	bool defined;
	uint32_t stack; /* how many bytes of the user stack a sample must contain so that the
			 * arguments can be read */
};

/* The meaning of the modifiers of an event that its attr cannot store. */
struct event_letters {
	bool any;   /* true if the name ends with modifiers already; a further modifier is then
		     * appended without a colon */
	bool sides; /* true if the modifier G (guests) or H (host) was given */
	bool precise_max; /* true if the modifier P was given, which selects the highest available
			   * precision */
	bool sample_read; /* true if the modifier S was given; each sample then contains the values
			   * of the counters */
	bool weak; /* True if the modifier W was given. If the group does not fit into the PMU, its
		    * events are then opened separately. */
};

/* For events whose samples are made, completely or partly, by a BPF program or by the caller. */
struct event_bpf {
	/* True if the event measures off-CPU time. It is opened as the event context-switches,
	 * whose only purpose is to run a BPF program. The BPF program makes the samples. */
	bool off_cpu;
	bool output; /* True if the event is a tracepoint that is opened as a bpf-output event, for
		      * all tasks of each CPU. A BPF program makes the samples. */
	bool own_samples; /* Used together with `output`. True if the caller writes the samples, and
			   * not the kernel. */
	bool unwound;	  /* true if the caller adds the user frames to the callchains */
	char *format;	  /* the text of the format of a tracepoint that the kernel does not know */
	char *more_fields; /* Lines that follow the kernel's lines in the format that is written to
			    * the stream. NULL if there are none. */
};

/* The meaning of the count, for pk-stat. */
struct event_stat {
	enum event_tool tool; /* If it is not NONE, the event is not opened, and pk-stat measures
			       * the value in ns. */
	bool per_package;     /* The count of one CPU is the count of its whole package (.per-pkg in
			       * sysfs, PerPkg in JSON files). */
	bool snapshot; /* true if the count is a current value, and not a sum (.snapshot in sysfs)
			*/
	char unit[32]; /* The unit of the count (.unit in sysfs, ScaleUnit in JSON files). It is
			* "ns" for tools, and "" if there is no unit. */
	double scale;  /* The factor that converts the count to `unit`. It is 1 if no factor is
			* given. */
};

/* Set by pk_event_list_open(). The arrays have an item for each pair of CPU and task, with the
 * index event_slot(). */
struct event_opened {
	int *fds;	/* -1 if the event is not open for this pair */
	uint64_t *ids;	/* the kernel's ids of the counters (PERF_EVENT_IOC_ID) */
	uint64_t *lost; /* For the caller: the number of lost samples that it has already reported
			 * for each counter. It is 0 at first. */
	int error;  /* The errno if the event could not be opened and open_options.tolerant is set.
		     * Otherwise 0. */
	int cgroup; /* the open directory of event.cgroup; -1 if there is no cgroup */
};

/* An event to count or to sample. */
struct event {
	struct perf_attr attr;
	/* The text of the event, or the value of the term name. For a pattern, it is the name that
	 * the pattern matches. It includes the modifiers of the event, but not those of its group.
	 */
	char *name;
	char *tracepoint; /* "system/event", the directory below events/ of tracefs; NULL if the
			   * event is not a tracepoint */
	char *filter;	/* The text of --filter. It is set in the kernel after the event was opened.
			 * NULL if there is none. */
	char *pmu;	/* the PMU of the event, such as "cpu" or "uncore_imc_0"; NULL if none is
			 * specified */
	char *cgroup;	/* Only tasks of this control group are counted. NULL if all tasks are
			 * counted. */
	size_t leader;	/* The index of the first event of the group. Without a group, it is the
			 * index of the event itself. */
	uint32_t trace; /* the kind of the hardware trace that the event writes to the AUX area
			 * (enum pk_trace_kind); 0 for other events */
	uint64_t default_config; /* the bits of attr.config that default terms of such an event
				  * have set */
	bool no_dump;  /* True if samples of the event have no stack dump, because the set of events
			* requests that (see docs/views.md). */
	bool tracking; /* True for the event dummy that makes the records about tasks and maps. It
			* is opened on all CPUs. */
	int *cpus; /* The CPUs on which the event can be opened (cpus or cpumask in sysfs). NULL if
		    * it can be opened on all CPUs. */
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

/* The events of a recording. */
struct event_list {
	struct event *items;
	size_t count, capacity;
	const char *sysfs; /* The mount point of sysfs. If it is NULL, $SYSFS_PATH is used, or else
			    * /sys. */
	/* The ELF file of USDT probes with names sdt_PROVIDER:NAME. If it is NULL, these names are
	 * tracepoints. */
	const char *object;
	struct pmu_json *json; /* A source of further names of events, which the caller owns.
				* NULL if there is none. */
	/* Looks up a set of events (event_sets.c). Sets *words to the words of the set, which end
	 * with a NULL and stay valid. Sets *words to NULL if the name is unknown. Returns false
	 * after a message. The callback may be NULL. */
	bool (*find_set)(void *arg, const char *name, const char *const **words);
	/* Calls pk_nearest_try() for the names of all sets, for error messages. It is NULL if there
	 * are no sets. */
	void (*try_sets)(void *arg, struct pk_nearest *nearest);
	void *find_arg;
	/* Patterns SYSTEM:NAME of tracepoints whose formats are written to the stream, although
	 * they are not recorded. */
	char **formats;
	size_t formats_count, formats_capacity;
	/* Some sets of events are complete only if samples of all tasks are recorded. Such a set
	 * has the word -a. This is the name of the first of these sets that was parsed, or NULL. */
	char *everywhere;
	/* USDT probes whose object is not known yet. See pk_event_list_add_markers(). */
	char **pending;
	size_t pending_count, pending_capacity;
	struct probe_object *probed; /* The object of the last probe that was added, or NULL. The
				      * next probe of this object uses it again. */
	bool clock_instead; /* pk_event_list_open() sets it if it has replaced the event cycles by
			     * cpu-clock. The caller prints a message about it. */
	size_t left_out;    /* see pk_event_list_left_out() */
	char *go_returned;  /* the path of the first Go program that gets a return probe; NULL if
			     * there is none */
	bool go_returns;    /* True if return probes in Go programs are allowed. If it is false,
			     * pk_event_list_add_markers() refuses them. */
	bool tools;   /* true if the names duration_time, user_time and system_time are accepted */
	bool markers; /* True if the caller will call pk_event_list_add_markers(). The parser then
		       * accepts sdt_PROVIDER:NAME without an object. */
	struct pk_messages messages; /* The functions in this file add messages here. The caller
				      * prints them. */
};

/* Appends the events of a comma-separated list in the syntax of perf-list(1): names, rNNN,
 * TYPE:CONFIG, PMU/TERMS/, cache events, mem:ADDRESS, tracepoints, and names of sets of events.
 * Names of software events and tracepoints can have wildcards. Each event can have modifiers.
 * {EVENT,...} is a group. Returns PK_FAILED after a message. For a syntax error, the message shows
 * its position, and the events before that position stay in the list. */
PK_MUST_CHECK enum pk_status pk_event_list_parse(struct event_list *list, const char *text);
/* Appends probes, one event for each place. object is the path of an ELF file, or NULL for the
 * kernel. The text is [NAME=]PLACE [ARGUMENT...], and an ARGUMENT is an expression. PLACE has one
 * of these forms:
 *
 *   - FUNCTION[+OFFSET][%return], where FUNCTION can be a pattern
 *   - FUNCTION:LINE
 *   - FILE:LINE
 *   - 0xOFFSET, which is an offset in the file
 *
 * For USDT probes of the object, PLACE is [sdt_]PROVIDER:NAME, where both names can be patterns.
 * Their arguments are [NAME=]argN[:TYPE]. If the text has no arguments, all arguments of the USDT
 * probe are read. USDT probes without an object are kept for pk_event_list_add_markers(). Returns
 * PK_FAILED after a message. */
enum pk_status pk_event_list_add_probe(struct event_list *list, const char *object,
				       const char *text);
struct target_spec;
/* Call this function after the last probe was added. It frees the memory that is only needed to add
 * probes. It also appends the USDT probes that were given without an object. It searches them in
 * the files that the processes of spec->pids have mapped, and in the file of the command. command
 * may be NULL. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_add_markers(struct event_list *list,
						       const struct target_spec *spec,
						       char *const *command);
/* The kinds of memory accesses. */
#define MEMORY_LOADS  1U
#define MEMORY_STORES 2U
/* By default, only loads with at least this latency are sampled, in cycles. perf has the same
 * default. */
#define MEMORY_LATENCY_USUAL 30

/* Appends the events with which this machine samples memory accesses (memory_events.c). kinds is
 * MEMORY_LOADS, MEMORY_STORES or their sum. AMD processors always sample loads and stores. latency
 * is the smallest latency of loads that are recorded, in cycles. It has an effect only if the
 * processor supports it. 0 stands for the default. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_add_memory(struct event_list *list, unsigned int kinds,
						      uint64_t latency);
/* Returns the reason why probes of a PMU ("uprobe" or "kprobe") cannot be opened, or NULL if they
 * can be opened. */
const char *pk_probe_obstacle(const char *pmu, struct pk_failures *lookups);
/* Sets the control groups of the events. The text is one name for all events, or a list of names
 * separated by commas, one for each event. An event whose name is empty or missing gets no control
 * group. An event that already has a control group keeps it. An event counts only tasks of its
 * control group. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_set_cgroups(struct event_list *list, const char *text);
/* Sets the control groups in text. For each control group after the first, makes a copy of all
 * events. So all events are counted for each control group. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_for_each_cgroup(struct event_list *list,
							   const char *text);
/* Returns the mount point of the hierarchy whose control groups are in samples, or NULL if there is
 * none. The caller frees the text. */
char *pk_cgroup_root(struct pk_failures *lookups);
/* Adds a filter to event.filter of the tracepoints and probes from index first to the end of the
 * list. It is joined to an existing filter by &&. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_add_filter(struct event_list *list, size_t first,
						      const char *text);
/* Sets event.filter in the kernel for all open events that have a filter. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status pk_event_list_filter(struct event_list *events,
						  const struct targets *targets);
/* Appends an event with a copy of the name, cut to at most 1000 bytes. The event is its own leader,
 * and its attr contains only the size. Returns NULL if memory is exhausted. */
struct event *pk_event_list_add(struct event_list *list, const char *name);
/* Appends a copy of an event that is not open. The copy is its own leader, and has no probe
 * arguments. Returns NULL if memory is exhausted. */
struct event *pk_event_list_copy(struct event_list *list, size_t index);
/* Removes and frees the events from index count to the end of the list. They must not be open. */
void pk_event_list_cut(struct event_list *list, size_t count);
/* Frees the events and the messages. Does not close the events: call pk_event_list_close() first.
 */
void pk_event_list_free(struct event_list *list);
/* Sets the name to a copy of the text, cut to at most 1000 bytes. This function and
 * pk_event_append_modifier() keep the old name if memory is exhausted. */
void pk_event_rename(struct event *event, const char *name);
/* Appends a modifier to the name of the event ("u" or ":u"), so that the name shows what was
 * recorded. */
void pk_event_append_modifier(struct event *event, char modifier);
/* Returns the first event that writes a hardware trace, or NULL. */
const struct event *pk_event_list_trace(const struct event_list *list);
/* Returns the number of events in the group of the event, or 1 if the event is not in a group. */
size_t pk_event_group_size(const struct event_list *list, const struct event *event);

/* Returns true if event.cpus contains this CPU, or if the CPU is -1 (any CPU). */
bool pk_event_has_cpu(const struct event *event, int cpu);

/* Sets the type and config of a generic, software, cache or raw event by its name, which must have
 * no modifiers. Returns false if the name is unknown. */
bool pk_event_by_name(const char *name, struct perf_attr *attr);
/* Returns one of the names that pk_event_by_name() accepts. Indexes start with 0. Returns NULL if
 * the index is too large. The names do not include raw events. They include only the common cache
 * events, each with one spelling. */
const char *pk_event_name_at(size_t index);
/* Returns the index of the first name, from `index` on, that matches a shell pattern. Only names of
 * software events are compared. If several names of one event match, only the first of them is
 * returned. Returns SIZE_MAX if no name matches. */
size_t pk_event_match(const char *pattern, size_t index);
/* Returns the name of a PERF_TYPE_HARDWARE event, such as "cpu-cycles", or NULL if the config is
 * unknown. */
const char *pk_event_generic_name(uint64_t config);
/* Converts a text such as "any,u" or "call" to branch_sample_type. If the text contains only
 * privilege levels (u, k, hv), adds "any". Returns PK_CORRUPT if a word is unknown, and PK_NOMEM if
 * memory is exhausted. */
PK_MUST_CHECK enum pk_status pk_branch_modes_parse(const char *text, uint64_t *type);

/* ---- Where ------------------------------------------------------------------------------------
 */

/* What to record, as given by the options. A list is NULL if it was not given. Of pids, tids and
 * uids, only the first one that is not NULL is used. */
struct target_spec {
	const char *pids, *tids; /* a list of numbers, such as "1,2" */
	const char *uids; /* Names or numbers of users. All tasks of these users are recorded,
			   * except those of this program. */
	const char *cpus; /* a list of numbers and ranges, such as "0-3,8" */
	bool system_wide;
	/* All threads of this machine except those of this program, each for itself. Threads that
	 * start later are left out. */
	bool every_thread;
	/* Opens an event once for each task, on any CPU, instead of once for each pair of task and
	 * CPU. per_task is ignored if system_wide or cpus is given. The kernel refuses a ring
	 * buffer for an event on any CPU if new tasks inherit it. */
	bool per_task;
};

/* The CPUs and tasks for which events are opened. */
struct targets {
	int *cpus; /* The CPUs that are online. If the online CPUs are unknown, all configured CPUs.
		    * With per_task, {-1}, which means any CPU. */
	bool *chosen; /* For each item of cpus: true if all events are opened there. If it is false,
		       * only the event that tracks tasks is opened there. */
	size_t cpus_count;
	pid_t *tids; /* the recorded tasks; an array with the single item -1 stands for all tasks of
		      * a CPU */
	size_t tids_count, tids_capacity;
	pid_t *pids; /* The processes to which the tasks in `tids` belong. It is empty if the spec
		      * has no pids, tids or uids. */
	size_t pids_count, pids_capacity;
	pid_t command;	  /* the process of the command; 0 or -1 if there is none */
	bool system_wide; /* true if spec.system_wide or spec.cpus is given */
	bool some_cpus;	  /* true if spec.cpus is given */
};

/* Sets targets. child is the process of the command. It is the target if spec has no tasks and is
 * not system-wide. Returns PK_FAILED after a message. The caller must call pk_targets_free() also
 * after a failure. */
PK_MUST_CHECK enum pk_status pk_targets_init(struct targets *targets,
					     const struct target_spec *spec, pid_t child,
					     struct pk_messages *messages);
void pk_targets_free(struct targets *targets);
/* Returns true if a and b have the same tids in the same order. */
bool pk_targets_equal(const struct targets *a, const struct targets *b);

/* Returns the index of the pair targets.cpus[cpu] and targets.tids[task] in the arrays fds and ids
 * of an event. */
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

/* How pk_event_list_open() handles events that cannot be opened. */
struct open_options {
	bool clock_instead; /* true if the event cycles may be replaced by cpu-clock on a machine
			     * that has no counter for cycles */
	/* True if an event that cannot be opened is no failure. Its errno is then stored in
	 * event.opened.error, and the other events are opened. Errors that concern all events (no
	 * permission, too many open files ...) are still failures. */
	bool tolerant;
};

/* Opens all events for all CPUs and tasks, with their groups, and reads their ids. If the kernel
 * refuses an attr, tries again. It then leaves out features that older kernels do not have, or
 * lowers the frequency. If the event has the modifier P, it can also lower the precision. Without
 * permission to record the kernel, records only user space. Afterwards event.attr is the attr that
 * was opened, except for off-CPU and bpf-output events. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_list_open(struct event_list *events,
						const struct targets *targets,
						const struct open_options *options);
/* Returns the n-th feature that was left out. The newest one is first. After the last one, returns
 * NULL. */
const char *pk_event_list_left_out(const struct event_list *events, size_t n);
void pk_event_list_close(struct event_list *events, const struct targets *targets);
/* Calls ioctl() with the argument 0 for all open descriptors. Errors are ignored. */
void pk_event_list_ioctl(const struct event_list *events, const struct targets *targets,
			 unsigned long request);
/* Disables all events except the event that tracks tasks. */
void pk_event_list_pause(const struct event_list *events, const struct targets *targets);

/* Returns kernel.perf_event_paranoid, or 2 if it cannot be read. */
int pk_paranoid_level(struct pk_failures *lookups);
/* Returns kernel.perf_event_max_sample_rate: the highest frequency that the kernel currently
 * allows, in samples per second. Returns 100000 if it cannot be read. */
uint64_t pk_frequency_limit(struct pk_failures *lookups);

#endif
