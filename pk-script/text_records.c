// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

/*
 * Each begins like a sample, with the numbers of its trailer, and goes on as perf prints such a
 * record. The reader has seen to it that the fixed fields are there.
 */

static uint32_t u32_at(const struct pk_record *record, size_t at)
{
	return at + 4 <= record->size ? pk_load_u32(record->data + at) : 0;
}

static uint64_t u64_at(const struct pk_record *record, size_t at)
{
	return at + 8 <= record->size ? pk_load_u64(record->data + at) : 0;
}

static void add_string(struct script *script, const struct pk_record *record, size_t at)
{
	const char *text = (const char *)record->data + at;

	if (at < record->size)
		buffer_harmless(&script->out, text, strnlen(text, record->size - at));
}

/* As printf's %#llx. */
static void add_hex(struct script *script, uint64_t value)
{
	buffer_text(&script->out, value ? "0x" : "");
	buffer_hex(&script->out, value, 0);
}

/* PID/TID: [START(SIZE) @ OFFSET, at the beginning of MMAP and MMAP2 */
static void add_range(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " %d/%d: [", (int)u32_at(record, 8), (int)u32_at(record, 12));
	add_hex(script, u64_at(record, 16));
	buffer_char(&script->out, '(');
	add_hex(script, u64_at(record, 24));
	buffer_text(&script->out, ") @ ");
	add_hex(script, u64_at(record, 32));
}

static void add_mmap(struct script *script, const struct pk_record *record)
{
	add_range(script, record);
	buffer_format(&script->out, "]: %c ",
		      record->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	add_string(script, record, 40);
}

static void add_build_id(struct script *script, const struct pk_record *record)
{
	size_t size = record->data[40] <= PK_BUILD_ID_MAX ? record->data[40] : PK_BUILD_ID_MAX;

	buffer_text(&script->out, " <");
	for (size_t i = 0; i < size; i++)
		buffer_format(&script->out, "%02x", record->data[44 + i]);
	buffer_char(&script->out, '>');
}

static void add_mmap2(struct script *script, const struct pk_record *record)
{
	uint32_t prot = u32_at(record, 64), flags = u32_at(record, 68);

	add_range(script, record);
	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && record->size >= 72)
		add_build_id(script, record);
	else
		buffer_format(&script->out, " %02x:%02x %llu %llu", u32_at(record, 40),
			      u32_at(record, 44), (unsigned long long)u64_at(record, 48),
			      (unsigned long long)u64_at(record, 56));
	buffer_format(&script->out, "]: %c%c%c%c ", prot & 1 ? 'r' : '-', prot & 2 ? 'w' : '-',
		      prot & 4 ? 'x' : '-', flags & 1 ? 's' : 'p');
	add_string(script, record, 72);
}

static void add_comm(struct script *script, const struct pk_record *record)
{
	buffer_text(&script->out, record->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec: " : ": ");
	add_string(script, record, 16);
	buffer_format(&script->out, ":%d/%d", (int)u32_at(record, 8), (int)u32_at(record, 12));
}

/* FORK and EXIT */
static void add_task(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, "(%d:%d):(%d:%d)", (int)u32_at(record, 8),
		      (int)u32_at(record, 16), (int)u32_at(record, 12), (int)u32_at(record, 20));
}

static const char *switch_text(const struct pk_record *record)
{
	if (!(record->misc & PERF_RECORD_MISC_SWITCH_OUT))
		return "IN         ";
	return record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt" : "OUT        ";
}

static void add_switch(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " %s", switch_text(record));
}

static void add_switch_cpu_wide(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " %s  %s pid/tid: %5d/%-5d", switch_text(record),
		      record->misc & PERF_RECORD_MISC_SWITCH_OUT ? "next" : "prev",
		      (int)u32_at(record, 8), (int)u32_at(record, 12));
}

static void add_lost(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " lost %llu", (unsigned long long)u64_at(record, 16));
}

static void add_lost_samples(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " lost %llu", (unsigned long long)u64_at(record, 8));
}

static void add_cgroup(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " cgroup: %llu ", (unsigned long long)u64_at(record, 8));
	add_string(script, record, 16);
}

static void add_namespaces(struct script *script, const struct pk_record *record)
{
	static const char *const names[] = {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"};
	uint64_t count = u64_at(record, 16), most = (record->size - 24u) / 16;

	count = count < most ? count : most;
	buffer_format(&script->out, " %d/%d - nr_namespaces: %llu\n\t\t[", (int)u32_at(record, 8),
		      (int)u32_at(record, 12), (unsigned long long)count);
	for (uint64_t i = 0; i < count; i++) {
		if (i && i % 4 == 0)
			buffer_text(&script->out, "\n\t\t ");
		buffer_format(&script->out, "%llu/%s: %llu/0x%llx%s", (unsigned long long)i,
			      i < sizeof(names) / sizeof(names[0]) ? names[i] : "unknown",
			      (unsigned long long)u64_at(record, 24 + 16 * i),
			      (unsigned long long)u64_at(record, 32 + 16 * i),
			      i + 1 < count ? ", " : "]");
	}
}

static void add_ksymbol(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " addr %llx len %u type %u flags 0x%x name ",
		      (unsigned long long)u64_at(record, 8), u32_at(record, 16),
		      u32_at(record, 20) & 0xffff, u32_at(record, 20) >> 16);
	add_string(script, record, 24);
}

static void add_bpf_event(struct script *script, const struct pk_record *record)
{
	buffer_format(&script->out, " type %u, flags %u, id %u", u32_at(record, 8) & 0xffff,
		      u32_at(record, 8) >> 16, u32_at(record, 12));
}

struct kind {
	uint32_t type;
	unsigned int show;
	const char *name;
	void (*add)(struct script *script, const struct pk_record *record);
	uint16_t pid_at, tid_at; /* whose record it is; 0: the trailer's task */
};

static const struct kind kinds[] = {
	{PERF_RECORD_MMAP, SHOW_MMAPS, "MMAP", add_mmap, 8, 12},
	{PERF_RECORD_MMAP2, SHOW_MMAPS, "MMAP2", add_mmap2, 8, 12},
	{PERF_RECORD_COMM, SHOW_TASKS, "COMM", add_comm, 8, 12},
	{PERF_RECORD_FORK, SHOW_TASKS, "FORK", add_task, 8, 16},
	{PERF_RECORD_EXIT, SHOW_TASKS, "EXIT", add_task, 8, 16},
	{PERF_RECORD_SWITCH, SHOW_SWITCHES, "SWITCH", add_switch, 0, 0},
	{PERF_RECORD_SWITCH_CPU_WIDE, SHOW_SWITCHES, "SWITCH_CPU_WIDE", add_switch_cpu_wide, 0, 0},
	{PERF_RECORD_LOST, SHOW_LOST, "LOST", add_lost, 0, 0},
	{PERF_RECORD_LOST_SAMPLES, SHOW_LOST, "LOST_SAMPLES", add_lost_samples, 0, 0},
	{PERF_RECORD_NAMESPACES, SHOW_NAMESPACES, "NAMESPACES", add_namespaces, 8, 12},
	{PERF_RECORD_CGROUP, SHOW_CGROUPS, "CGROUP", add_cgroup, 0, 0},
	{PERF_RECORD_KSYMBOL, SHOW_BPF, "KSYMBOL", add_ksymbol, 0, 0},
	{PERF_RECORD_BPF_EVENT, SHOW_BPF, "BPF_EVENT", add_bpf_event, 0, 0},
};

/* A deferred chain that has not been merged. */
static void show_deferred(struct script *script, const struct pk_record *record)
{
	struct shown shown;

	if (!script_deferred(script, record, &shown))
		return;
	text_start(script, &shown);
	buffer_format(&script->out, "DEFERRED CALLCHAIN [cookie: %llx]",
		      (unsigned long long)u64_at(record, 8));
	if (shown.view->fields & FIELD(IP)) {
		struct view view = *shown.view;

		view.chain = true;
		shown.view = &view;
		text_frames(script, &shown);
	}
	buffer_char(&script->out, '\n');
}

static void show(struct script *script, const struct kind *kind, const struct pk_record *record)
{
	struct shown shown;

	if (!script_shown(script, record, &shown))
		return;
	script_find_thread(script, &shown,
			   kind->pid_at ? u32_at(record, kind->pid_at) : shown.sample.pid,
			   kind->tid_at ? u32_at(record, kind->tid_at) : shown.sample.tid);
	if (!shown.thread)
		return;
	text_start(script, &shown);
	buffer_format(&script->out, "PERF_RECORD_%s", kind->name);
	kind->add(script, record);
	buffer_char(&script->out, '\n');
}

void text_record(struct script *script, const struct pk_record *record)
{
	if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED) {
		show_deferred(script, record);
		return;
	}
	for (size_t i = 0; script->options->show && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].type == record->type && kinds[i].show & script->options->show)
			show(script, &kinds[i], record);
}
