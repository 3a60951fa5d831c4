// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_call.h"
#include "cli.h"
#include "lookups.h"
#include "pkutil.h"
#include "procfs.h"
#include "strings_bpf.h"
#include "syscall_signatures.h"
#include "syscall_table.h"
#include "tracefs.h"

/* ---- Texts ---- */

#define OPTION	"--strings"
#define INSTEAD "-e syscalls"
#define OBJECT	"strings"

/* ---- What to read ---- */

static enum strings_target target_of(const struct pk_signature_part *part)
{
	switch (pk_target_of(part->kind, part->kind_size)) {
	case PK_TARGET_TEXT: return STRINGS_TEXT;
	case PK_TARGET_BYTES:
	case PK_TARGET_ADDRESS: return STRINGS_BYTES;
	case PK_TARGET_ARGV: return STRINGS_ARGV;
	default: return STRINGS_NONE;
	}
}

static struct strings_call describe_call(const char *signature)
{
	struct pk_signature_part part;
	struct strings_call call = {0};
	size_t count = 0;

	for (uint8_t i = 0; count < STRINGS_SLOTS && pk_signature_next(&signature, &part); i++) {
		const enum strings_target target = target_of(&part);

		if (target)
			call.slots[count++] = (struct strings_slot){
				.target = (uint8_t)target, .argument = i, .size = (uint8_t)(i + 1)};
	}
	return call;
}

/* The system calls of this machine, and the flag by which a thread of a 32-bit program can be
 * recognized. */
static const struct machine {
	enum pk_abi abi;
	uint32_t compat_at, compat_bit; /* as in struct strings_settings */
} machine = {
#if defined(__x86_64__)
	PK_ABI_X86_64, 16, 0x2 /* the flag is status & TS_COMPAT, since Linux 5.11 */
#elif defined(__aarch64__)
	PK_ABI_AARCH64, 0, 1 << 22 /* the flag is flags & _TIF_32BIT */
#else
	PK_ABI_UNKNOWN, 0, 0
#endif
};

static bool fill_calls(int calls)
{
	for (uint32_t number = 0; number < STRINGS_CALLS_MAX; number++) {
		const char *name = pk_syscall_name(machine.abi, number);
		const char *signature = name ? pk_syscall_signature(name) : NULL;
		struct strings_call call;

		if (!signature)
			continue;
		call = describe_call(signature);
		if (call.slots[0].target &&
		    bpf_access_map(BPF_MAP_UPDATE_ELEM, calls, &number, &call) < 0)
			return false;
	}
	return true;
}

/* ---- Loading ---- */

/* The tracepoints that the programs use. */
enum { ENTER, FORK, EXEC };

static const struct {
	const char *system, *name;
} tracepoints[] = {[ENTER] = {"raw_syscalls", "sys_enter"},
		   [FORK] = {"sched", "sched_process_fork"},
		   [EXEC] = {"sched", "sched_process_exec"}};

static enum pk_status set_id(void *arg, const char *system, const char *name, uint64_t id)
{
	(void)system;
	(void)name;
	*(uint64_t *)arg = id;
	return PK_OK;
}

/* Returns the id of a tracepoint. If it fails, adds a message and returns 0. */
static uint64_t id_of(struct strings_bpf *bpf, size_t index)
{
	uint64_t id = 0;

	if (pk_tracefs_find(tracepoints[index].system, tracepoints[index].name, set_id, &id,
			    &bpf->messages) != PK_OK)
		return 0;
	if (!id)
		pk_messages_error(&bpf->messages, OPTION ": this kernel has no tracepoint %s:%s",
				  tracepoints[index].system, tracepoints[index].name);
	return id;
}

/* Returns the offset of a tid in the data of a tracepoint. field is a text such as " name;". If it
 * fails, adds a message and returns 0. */
static uint32_t offset_of_tid(struct strings_bpf *bpf, size_t index, const char *field)
{
	const char *root = pk_tracefs_path(&bpf->messages);
	char path[600], *text, *found;
	size_t size;
	uint32_t offset = 0;

	snprintf(path, sizeof(path), "%s/events/%s/%s/format", root ? root : TRACEFS_PLACE,
		 tracepoints[index].system, tracepoints[index].name);
	text = pk_procfs_read_file(path, 1 << 16, &size, &bpf->messages.failures);
	found = text ? strstr(text, field) : NULL;
	found = found ? strstr(found, "offset:") : NULL;
	if (!found || sscanf(found, "offset:%" SCNu32, &offset) != 1 || offset < 8 || offset % 4) {
		pk_messages_error(&bpf->messages, OPTION ": %s: no field%s", path, field);
		offset = 0;
	}
	free(text);
	return offset;
}

/* The programs that keep the set of observed tasks up to date. */
static const char *const followers[] = {"pk_strings_fork", "pk_strings_exec", "pk_strings_exit"};

static enum pk_status load(struct strings_bpf *bpf, const struct strings_settings *settings)
{
	const struct bpf_owner owner = {OPTION, NULL, INSTEAD};
	const uint32_t texts = (STRINGS_SLOTS + STRINGS_ARGV_MAX + 1) * (settings->size + 2);

	bpf->scratch_size = (uint32_t)PK_ALIGN8(sizeof(struct strings_scratch) + texts);
	bpf->object = bpf_library_open_own(OBJECT, &owner, &bpf->messages);
	if (!bpf->object)
		return PK_FAILED;
	bpf_library_set(bpf->object, settings, sizeof(*settings));
	bpf_library_shape_map(bpf->object, "scratch", bpf->scratch_size, 1, 0);
	bpf_library_shape_map(bpf->object, "outputs", 0, bpf->cpus, 0);
	for (size_t i = 0; settings->everywhere && i < COUNT_OF(followers); i++)
		bpf_library_leave_out(bpf->object, followers[i]);
	return bpf_library_start(bpf->object, &bpf->messages);
}

/* Creates the maps, and loads the programs. size is the maximum size of a text, and is at most
 * STRINGS_MAX. `everywhere` means that all tasks are observed. Returns PK_FAILED after it has added
 * a message. */
static enum pk_status strings_bpf_open(struct strings_bpf *bpf, uint32_t size, bool everywhere)
{
	struct strings_settings settings = {.size = size,
					    .everywhere = everywhere,
					    .compat_at = machine.compat_at,
					    .compat_bit = machine.compat_bit};

	if (machine.abi == PK_ABI_UNKNOWN)
		return pk_messages_error(&bpf->messages, OPTION ": not supported on this machine");
	PK_TRY(bpf_outside_of_namespaces(&bpf->messages, OPTION, INSTEAD));
	if (!(settings.format = (uint16_t)id_of(bpf, ENTER)) ||
	    !(settings.child_at = offset_of_tid(bpf, FORK, " child_pid;")) ||
	    !(settings.old_at = offset_of_tid(bpf, EXEC, " old_pid;")))
		return PK_FAILED;
	bpf->cpus = bpf_possible_cpus(&bpf->messages.failures);
	if (!bpf->cpus)
		return pk_messages_error(&bpf->messages, OPTION ": the number of CPUs is unknown");
	PK_TRY(load(bpf, &settings));
	bpf->scratch = bpf_library_map(bpf->object, "scratch");
	bpf->outputs = bpf_library_map(bpf->object, "outputs");
	bpf->observed = bpf_library_map(bpf->object, "observed");
	if (fill_calls(bpf_library_map(bpf->object, "calls")))
		return PK_OK;
	bpf_explain(&bpf->messages, OPTION, INSTEAD, errno);
	return PK_FAILED;
}

/* Attaches the programs. Returns PK_FAILED after it has added a message. */
static enum pk_status strings_bpf_start(struct strings_bpf *bpf)
{
	return bpf_library_attach(bpf->object, &bpf->messages);
}

static void strings_bpf_free(struct strings_bpf *bpf)
{
	bpf_library_close(bpf->object);
	bpf->object = NULL;
	pk_messages_clear(&bpf->messages);
}

/* ---- Use ---- */

/* Sets fd as the bpf-output event for the samples of a CPU. If it fails, sets errno and returns
 * PK_IO. */
static enum pk_status strings_bpf_output(const struct strings_bpf *bpf, uint32_t cpu, int fd)
{
	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->outputs, &cpu, &fd) == 0 ? PK_OK : PK_IO;
}

/* Observes a task from now on or, with from_exec, from its next exec on. If it fails, sets errno
 * and returns PK_IO. */
static enum pk_status strings_bpf_observe(const struct strings_bpf *bpf, pid_t tid, bool from_exec)
{
	const uint32_t value = !from_exec;

	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->observed, &tid, &value) == 0 ? PK_OK
										     : PK_IO;
}

/* Adds up the counts of all CPUs. If it fails, sets errno and returns an error. */
static enum pk_status strings_bpf_counts(const struct strings_bpf *bpf,
					 struct strings_counts *counts)
{
	const uint32_t first = 0;
	uint8_t *values = calloc(bpf->cpus, bpf->scratch_size);
	bool ok;

	*counts = (struct strings_counts){0};
	if (!values)
		return PK_NOMEM;
	ok = bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->scratch, &first, values) == 0;
	for (size_t cpu = 0; ok && cpu < bpf->cpus; cpu++) {
		const struct strings_counts *one = (const void *)(values + cpu * bpf->scratch_size);

		counts->unreadable += one->unreadable;
		counts->cut += one->cut;
		counts->missed += one->missed;
		counts->unobserved += one->unobserved;
	}
	free(values);
	return ok ? PK_OK : PK_IO;
}

/* ---- Calls ---- */

static const char tracepoint[] = "raw_syscalls/sys_enter";

void strings_init(struct strings *strings, const struct options *options)
{
	*strings = (struct strings){.options = options};
}

static char *added_fields(void)
{
	struct buffer text = {0};

	for (size_t i = 0; i < STRINGS_ARGUMENTS; i++)
		buffer_format(
			&text,
			"\tfield:__data_loc char[] arg%zu;\toffset:%zu;\tsize:4;\tsigned:1;\n", i,
			offsetof(struct strings_record, texts) + 4 * i);
	buffer_format(&text,
		      "\tfield:u32 cut;\toffset:%zu;\tsize:4;\tsigned:0;\n"
		      "\tfield:u32 unreadable;\toffset:%zu;\tsize:4;\tsigned:0;\n",
		      offsetof(struct strings_record, cut),
		      offsetof(struct strings_record, unreadable));
	return buffer_take(&text);
}

int strings_select(struct event_list *events)
{
	struct event *event = NULL;

	for (size_t i = 0; i < events->count; i++) {
		if (!events->items[i].tracepoint || strcmp(events->items[i].tracepoint, tracepoint))
			continue;
		if (event)
			return pk_usage_error("--strings: raw_syscalls:sys_enter is given twice");
		event = &events->items[i];
	}
	if (!event)
		return pk_usage_error("--strings: needs the event raw_syscalls:sys_enter: "
				      "add -e syscalls");
	if (event->filter || event->cgroup || pk_event_group_size(events, event) > 1)
		return pk_usage_error("--strings: not with --filter, -G or a group of events");
	event->bpf.output = true;
	event->bpf.more_fields = added_fields();
	return event->bpf.more_fields ? PK_EXIT_OK : pk_no_memory();
}

enum pk_status strings_open(struct strings *strings, const struct targets *targets)
{
	struct strings_bpf *bpf = &strings->bpf;

	return pk_printed(
		strings_bpf_open(bpf, strings->options->programs.strings, targets->system_wide)
			?: strings_bpf_start(bpf),
		&bpf->messages);
}

static enum pk_status failed(const char *what)
{
	pk_error("--strings: %s: %s", what, strerror(errno));
	return PK_FAILED;
}

enum pk_status strings_attach(struct strings *strings, const struct event_list *events,
			      const struct targets *targets, bool on_exec)
{
	const struct event *event = events->items;

	while (!event->bpf.output || !event->bpf.more_fields)
		event++;
	for (size_t cpu = 0; cpu < targets->cpus_count; cpu++) {
		const int fd = event->opened.fds[event_slot(targets, cpu, 0)];

		if (fd >= 0 &&
		    strings_bpf_output(&strings->bpf, (uint32_t)targets->cpus[cpu], fd) != PK_OK)
			return failed("bpf-output event");
	}
	for (size_t i = 0; !targets->system_wide && i < targets->tids_count; i++)
		if (strings_bpf_observe(&strings->bpf, targets->tids[i], on_exec) != PK_OK)
			return failed("too many threads");
	return PK_OK;
}

uint64_t strings_report(const struct strings *strings)
{
	struct strings_counts counts;
	char number[32];

	if (strings_bpf_counts(&strings->bpf, &counts) != PK_OK)
		pk_warn("--strings: losses are unknown: %s", strerror(errno));
	if (counts.unreadable)
		pk_warn("%s strings of system calls could not be read: their memory was not loaded",
			pk_number(number, counts.unreadable));
	if (counts.cut)
		pk_info("%s strings of system calls are cut: --strings=BYTES reads up to %u bytes",
			pk_number(number, counts.cut), STRINGS_MAX);
	if (counts.unobserved)
		pk_warn("%s threads are missing: more than %u were observed at a time",
			pk_number(number, counts.unobserved), STRINGS_TASKS_MAX);
	return counts.missed;
}

void strings_close(struct strings *strings)
{
	strings_bpf_free(&strings->bpf);
}
