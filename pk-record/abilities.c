// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abilities.h"
#include "cli.h"
#include "event.h"
#include "lookups.h"
#include "offcpu.h"
#include "perf_syscall.h"
#include "pmu.h"
#include "procfs.h"
#include "ring.h"
#include "trace_pmu.h"
#include "unwind_bpf.h"

/* ---- Lines ---- */

static void print_line(const char *what, const char *answer, const char *detail)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s", detail);
	pk_harmless(text);
	printf("%-26s %s%s%s\n", what, answer, *text ? ": " : "", text);
}

/* Prints whether `what` is possible. If it is not possible, `why` says why not, and what to do
 * about it. If it is possible, `why` is NULL. */
static void print_answer(const char *what, const char *why)
{
	print_line(what, why ? "no" : "yes", why ? why : "");
}

/* Prints "yes" if `possible` is true. Otherwise prints "no", and the first message if there is one.
 * Clears the messages. */
static bool print_result(const char *what, bool possible, struct pk_messages *messages)
{
	enum pk_severity severity;
	size_t at = 0;
	const char *why = possible ? NULL : pk_messages_next(messages, &at, &severity);

	print_answer(what, possible ? NULL : why ? why : "");
	pk_failures_add(pk_lookups(), &messages->failures);
	if (messages->no_memory)
		pk_no_memory();
	pk_messages_clear(messages);
	return possible;
}

/* ---- The user ---- */

static const struct {
	const char *name;
	unsigned int bit;
} capabilities[] = {
	{"CAP_PERFMON", 38},	{"CAP_BPF", 39},    {"CAP_SYS_ADMIN", 21},
	{"CAP_SYS_PTRACE", 19}, {"CAP_SYSLOG", 34}, {"CAP_IPC_LOCK", 14},
};

/* Reads the effective capabilities with a system call and not from /proc/self/status, because /proc
 * may not be mounted. */
static bool effective_capabilities(uint64_t *set)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, words))
		return false;
	*set = (uint64_t)words[1].effective << 32 | words[0].effective;
	return true;
}

/* Prints the user and its rights. Returns true if this user has CAP_PERFMON. */
static bool print_user(void)
{
	struct buffer text = {0};
	bool any = false;
	uint64_t set = 0;

	buffer_format(&text, "uid %u with", (unsigned int)geteuid());
	if (!effective_capabilities(&set)) {
		buffer_format(&text, " capabilities that cannot be read: %s", strerror(errno));
		any = true;
	}
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
		if (!(set >> capabilities[i].bit & 1))
			continue;
		buffer_format(&text, " %s", capabilities[i].name);
		any = true;
	}
	if (!any)
		buffer_text(&text, " none of the capabilities");
	buffer_char(&text, '\0');
	if (text.failed)
		pk_no_memory();
	else
		print_line("user", text.data, "");
	free(text.data);
	return set >> capabilities[0].bit & 1;
}

/* ---- Events ---- */

struct trial {
	struct event_list events;
	struct targets targets;
	bool opened;
};

static enum pk_status make_trial(struct trial *trial, const char *event, bool everything)
{
	const struct target_spec spec = {.system_wide = everything};
	struct pk_messages *messages = &trial->events.messages;

	PK_TRY(pk_event_list_parse(&trial->events, event));
	PK_TRY(pk_targets_init(&trial->targets, &spec, getpid(), messages));
	for (size_t i = 0; i < trial->events.count; i++) {
		trial->events.items[i].attr.flags |= PERF_ATTR_DISABLED;
		trial->events.items[i].attr.sample_period = 1000000000;
	}
	return PK_OK;
}

/* Opens the event as a recording does, but leaves it disabled. */
static enum pk_status open_made(struct trial *trial)
{
	trial->opened = pk_event_list_open(&trial->events, &trial->targets,
					   &(struct open_options){0}) == PK_OK;
	return trial->opened ? PK_OK : PK_FAILED;
}

static enum pk_status open_trial(struct trial *trial, const char *event, bool everything)
{
	PK_TRY(make_trial(trial, event, everything));
	return open_made(trial);
}

static void free_trial(struct trial *trial)
{
	if (trial->opened)
		pk_event_list_close(&trial->events, &trial->targets);
	pk_targets_free(&trial->targets);
	pk_event_list_free(&trial->events);
}

static enum pk_status print_event(const char *what, const char *event, bool everything)
{
	struct trial trial = {0};
	const enum pk_status status = open_trial(&trial, event, everything);

	print_result(what, status == PK_OK, &trial.events.messages);
	free_trial(&trial);
	return status;
}

/* If this user may not record the kernel, open_trial() succeeds, but the event then only counts in
 * user space. */
static void print_kernel(void)
{
	static const char what[] = "kernel in own programs";
	struct trial trial = {0};
	char why[100];

	if (open_trial(&trial, "cpu-clock", false) == PK_OK &&
	    trial.events.items[0].attr.flags & PERF_ATTR_EXCLUDE_KERNEL) {
		snprintf(
			why, sizeof(why),
			"kernel.perf_event_paranoid is %d: set it to 1, or use root or CAP_PERFMON",
			pk_paranoid_level(pk_lookups()));
		print_answer(what, why);
	} else {
		print_result(what, trial.opened, &trial.events.messages);
	}
	free_trial(&trial);
}

static void print_probes(const char *what, const char *pmu)
{
	const char *why = pk_probe_obstacle(pmu, pk_lookups());

	print_answer(what,
		     why && !strcmp(why, "not for this user")
			     ? "probes need root or CAP_SYS_ADMIN (in older kernels CAP_PERFMON)"
			     : why);
}

static void print_off_cpu(void)
{
	static const char what[] = "blocked time (--off-cpu)";
	struct trial trial = {0};
	struct offcpu_bpf bpf = {0};
	bool possible;

	if (open_trial(&trial, "dummy", false) != PK_OK) {
		print_result(what, false, &trial.events.messages);
	} else {
		possible = offcpu_bpf_open(&bpf, 16, 1, 0, false) == PK_OK;
		print_result(what, possible, &bpf.messages);
	}
	offcpu_bpf_free(&bpf);
	free_trial(&trial);
}

static void print_unwind(void)
{
	static const char what[] = "unwinding in the kernel";
	struct pk_messages messages = {0};
	const bool possible = unwind_possible(&messages) == PK_OK;

	print_result(what, possible, &messages);
}

/* Opens an event with all features that pk-record leaves out if the kernel does not have them. */
static void print_newer(void)
{
	static const char what[] = "missing in this kernel";
	struct trial trial = {0};
	struct buffer text = {0};
	const char *lacking;

	if (make_trial(&trial, "cpu-clock:u", false) == PK_OK) {
		struct perf_attr *attr = &trial.events.items[0].attr;

		attr->sample_type |= PERF_SAMPLE_TID | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN;
		attr->read_format |= PERF_FORMAT_LOST;
		attr->sample_max_stack = 1;
		attr->flags |= PERF_ATTR_INHERIT | PERF_ATTR_DEFER_CALLCHAIN |
			       PERF_ATTR_DEFER_OUTPUT | PERF_ATTR_MMAP2 | PERF_ATTR_COMM_EXEC |
			       PERF_ATTR_BUILD_ID | PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT;
	}
	if (open_made(&trial) != PK_OK) {
		print_line(what, "unknown", "");
	} else {
		for (size_t i = 0; (lacking = pk_event_list_left_out(&trial.events, i)); i++)
			buffer_format(&text, "%s%s", i ? ", " : "", lacking);
		buffer_char(&text, '\0');
		print_line(what, text.size > 1 ? (const char *)text.data : "nothing", "");
	}
	if (text.failed)
		pk_no_memory();
	free(text.data);
	free_trial(&trial);
}

/* ---- Hardware traces ---- */

static void print_trace(const char *pmu)
{
	struct trial trial = {0};
	char what[64], event[64];

	snprintf(what, sizeof(what), "hardware trace %s", pmu);
	snprintf(event, sizeof(event), "%s//u", pmu);
	print_result(what, open_trial(&trial, event, false) == PK_OK, &trial.events.messages);
	free_trial(&trial);
}

/* Prints a line for each trace unit of the machine, or one line that says that there is none. */
static void print_traces(void)
{
	struct pmu_names all = pk_pmu_list(pk_pmu_sysfs(NULL), pk_lookups());
	struct buffer names = {0};
	bool any = false;

	for (size_t i = 0; i < all.count; i++) {
		if (!pk_trace_pmu_kind(all.items[i]))
			continue;
		print_trace(all.items[i]);
		any = true;
	}
	for (size_t i = 0; pk_trace_pmu_name(i); i++)
		buffer_format(&names, "%s%s", i ? ", " : "no PMU of these: ", pk_trace_pmu_name(i));
	buffer_char(&names, '\0');
	if (names.failed)
		pk_no_memory();
	else if (!any)
		print_answer("hardware traces", (const char *)names.data);
	free(names.data);
	pk_pmu_names_free(&all);
}

/* ---- Limits ---- */

/* Maps the rings that a recording of one program needs. */
static void print_rings(void)
{
	const struct options usual = {0};
	struct trial trial = {0};
	struct ring_list rings = {0};
	const int verbosity = pk_cli_verbose();
	char kib[32], text[200];

	if (open_trial(&trial, "cpu-clock:u", false) == PK_OK) {
		pk_cli_verbosity(
			-1); /* no message, because the line that is printed here replaces it */
		if (rings_map(&rings, &trial.events, &usual, &trial.targets, false) == PK_OK) {
			const bool small = rings.items[0].size < RING_SIZE_USUAL;

			snprintf(text, sizeof(text), "%zu rings of %s KiB%s", rings.count,
				 pk_number(kib, rings.items[0].size >> 10),
				 small ? ": for larger ones, raise kernel.perf_event_mlock_kb or "
					 "ulimit -l, or use CAP_IPC_LOCK"
				       : "");
			print_line("locked memory", small ? "less than usual" : "yes", text);
		} else {
			print_answer("locked memory", "no ring can be mapped: raise "
						      "kernel.perf_event_mlock_kb or ulimit -l");
		}
		pk_cli_verbosity(verbosity);
		rings_unmap(&rings);
	}
	free_trial(&trial);
}

static void print_frequency(void)
{
	static const char path[] = "/proc/sys/kernel/perf_event_max_sample_rate",
			  what[] = "sampling frequency";
	char line[32], number[32], text[100];

	if (!pk_procfs_read_line(path, line, sizeof(line), pk_lookups())) {
		snprintf(text, sizeof(text), "%s: %s", path, strerror(errno));
		print_line(what, "unknown", text);
		return;
	}
	snprintf(text, sizeof(text), "up to %s Hz (kernel.perf_event_max_sample_rate)",
		 pk_number(number, strtoull(line, NULL, 10)));
	print_line(what, text, "");
}

/* If the user may not see addresses of the kernel, the kernel prints zeros instead. The first
 * symbols of some kernels are per-CPU variables, whose addresses start at 0, too. */
static void print_kernel_names(void)
{
	static const char path[] = "/proc/kallsyms", what[] = "names of kernel functions";
	struct line_reader reader;
	bool shown = false;
	char why[300], *line;

	if (!pk_line_reader_open(&reader, path, pk_lookups())) {
		snprintf(why, sizeof(why), "%s: %s", path, strerror(errno));
		print_answer(what, why);
		return;
	}
	while (!shown && (line = pk_line_reader_next(&reader)))
		shown = line[strspn(line, "0")] != ' ';
	pk_line_reader_close(&reader);
	snprintf(why, sizeof(why),
		 "%s shows no addresses: kernel.kptr_restrict is %d and kernel.perf_event_paranoid "
		 "%d: set them to 0 and 1, or use root or CAP_SYSLOG",
		 path,
		 (int)pk_procfs_read_number("/proc/sys/kernel/kptr_restrict", 0, pk_lookups()),
		 pk_paranoid_level(pk_lookups()));
	print_answer(what, shown ? NULL : why);
}

int abilities_print(void)
{
	const bool privileged = print_user();
	const bool possible = print_event("own programs", "cpu-clock:u", false) == PK_OK;

	print_kernel();
	print_event("all programs (-a)", "cpu-clock", true);
	print_event("hardware counters", "cycles:u", false);
	print_traces();
	print_event("tracepoints", "sched:sched_switch", false);
	print_probes("probes of programs", "uprobe");
	print_probes("probes of the kernel", "kprobe");
	print_off_cpu();
	print_unwind();
	print_newer();
	print_kernel_names();
	print_rings();
	print_frequency();
	if (!privileged)
		print_line("more for this user", "PERMISSIONS in pk-record(1)", "");
	if (possible)
		return PK_EXIT_OK;
	pk_error("this user cannot record any program here");
	return PK_EXIT_FAILED;
}
