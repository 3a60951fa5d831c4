// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

/* Each line starts with the fields of the trailer, like the line of a sample. It continues in
 * perf's format. The reader has checked that the record contains the fixed fields. */

static void add_string(struct script *script, const struct pk_record *record, size_t at)
{
	const char *text = (const char *)record->data + at;

	if (at < record->size)
		buffer_harmless(&script->out, text, strnlen(text, record->size - at));
}

/* Adds a number in the format %#llx. */
static void add_hex(struct script *script, uint64_t value)
{
	buffer_text(&script->out, value ? "0x" : "");
	buffer_hex(&script->out, value, 0);
}

/* Adds "PID/TID: [START(SIZE) @ OFFSET", which is the start of the text for MMAP and MMAP2. */
static void add_range(struct script *script, const struct pk_record *record)
{
	const struct perf_record_mmap *map =
		(const void *)record->data; /* MMAP2 starts with the same fields */

	buffer_format(&script->out, " %d/%d: [", (int)map->pid, (int)map->tid);
	add_hex(script, map->addr);
	buffer_char(&script->out, '(');
	add_hex(script, map->len);
	buffer_text(&script->out, ") @ ");
	add_hex(script, map->pgoff);
}

static void add_mmap(struct script *script, const struct pk_record *record)
{
	add_range(script, record);
	buffer_format(&script->out, "]: %c ",
		      record->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	add_string(script, record, pk_mmap_name_at(record));
}

static void add_build_id(struct script *script, const struct perf_record_mmap2 *map)
{
	const size_t size = map->build_id_size;

	buffer_text(&script->out, " <");
	for (size_t i = 0; i < size && i < PK_BUILD_ID_MAX; i++)
		buffer_format(&script->out, "%02x", map->build_id[i]);
	buffer_char(&script->out, '>');
}

static void add_mmap2(struct script *script, const struct pk_record *record)
{
	const struct perf_record_mmap2 *map = (const void *)record->data;
	const bool lacks_prot = pk_mmap2_lacks_prot(record);
	const uint32_t prot = lacks_prot ? 0 : map->prot;

	add_range(script, record);
	if (pk_mmap2_has_build_id(record))
		add_build_id(script, map);
	else
		buffer_format(&script->out, " %02x:%02x %llu %llu", map->maj, map->min,
			      (unsigned long long)map->ino,
			      (unsigned long long)map->ino_generation);
	buffer_format(&script->out, "]: %c%c%c%c ", prot & 1 ? 'r' : '-', prot & 2 ? 'w' : '-',
		      prot & 4 ? 'x' : '-', !lacks_prot && map->flags & 1 ? 's' : 'p');
	add_string(script, record, pk_mmap_name_at(record));
}

static void add_comm(struct script *script, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;

	buffer_text(&script->out, record->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec: " : ": ");
	add_string(script, record, sizeof(*comm));
	buffer_format(&script->out, ":%d/%d", (int)comm->pid, (int)comm->tid);
}

/* Adds the text of FORK and EXIT. */
static void add_task(struct script *script, const struct pk_record *record)
{
	const struct perf_record_task *task = (const void *)record->data;

	buffer_format(&script->out, "(%d:%d):(%d:%d)", (int)task->pid, (int)task->tid,
		      (int)task->ppid, (int)task->ptid);
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
	const struct perf_record_switch_cpu_wide *other = (const void *)record->data;

	buffer_format(&script->out, " %s  %s pid/tid: %5d/%-5d", switch_text(record),
		      record->misc & PERF_RECORD_MISC_SWITCH_OUT ? "next" : "prev",
		      (int)other->next_prev_pid, (int)other->next_prev_tid);
}

static void add_lost(struct script *script, const struct pk_record *record)
{
	const struct perf_record_lost *lost = (const void *)record->data;

	buffer_format(&script->out, " lost %llu", (unsigned long long)lost->lost);
}

static void add_lost_samples(struct script *script, const struct pk_record *record)
{
	const struct perf_record_lost_samples *samples = (const void *)record->data;

	buffer_format(&script->out, " lost %llu", (unsigned long long)samples->lost);
}

static void add_cgroup(struct script *script, const struct pk_record *record)
{
	const struct perf_record_cgroup *cgroup = (const void *)record->data;

	buffer_format(&script->out, " cgroup: %llu ", (unsigned long long)cgroup->id);
	add_string(script, record, sizeof(*cgroup));
}

static void add_namespaces(struct script *script, const struct pk_record *record)
{
	static const char *const names[] = {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"};
	const struct perf_record_namespaces *all = (const void *)record->data;
	const struct perf_namespace *listed = all->namespaces;
	const uint64_t most = (record->size - sizeof(*all)) / sizeof(*listed);
	const uint64_t count = all->nr < most ? all->nr : most;

	buffer_format(&script->out, " %d/%d - nr_namespaces: %llu\n\t\t[", (int)all->pid,
		      (int)all->tid, (unsigned long long)count);
	for (uint64_t i = 0; i < count; i++) {
		if (i && i % 4 == 0)
			buffer_text(&script->out, "\n\t\t ");
		buffer_format(&script->out, "%llu/%s: %llu/0x%llx%s", (unsigned long long)i,
			      i < sizeof(names) / sizeof(names[0]) ? names[i] : "unknown",
			      (unsigned long long)listed[i].dev, (unsigned long long)listed[i].ino,
			      i + 1 < count ? ", " : "]");
	}
}

static void add_ksymbol(struct script *script, const struct pk_record *record)
{
	const struct perf_record_ksymbol *symbol = (const void *)record->data;

	buffer_format(&script->out, " addr %llx len %u type %u flags 0x%x name ",
		      (unsigned long long)symbol->addr, symbol->len, symbol->ksym_type,
		      symbol->flags);
	add_string(script, record, sizeof(*symbol));
}

static void add_bpf_event(struct script *script, const struct pk_record *record)
{
	const struct perf_record_bpf_event *event = (const void *)record->data;

	buffer_format(&script->out, " type %u, flags %u, id %u", event->type, event->flags,
		      event->id);
}

struct kind {
	uint32_t type;
	unsigned int show;
	const char *name;
	void (*add)(struct script *script, const struct pk_record *record);
	uint16_t pid_at, tid_at; /* offsets; 0 selects the trailer's pid and tid */
};

/* The values of pid_at and tid_at for a record type. */
#define TASK_OF(type) offsetof(struct type, pid), offsetof(struct type, tid)

static const struct kind kinds[] = {
	{PERF_RECORD_MMAP, SHOW_MMAPS, "MMAP", add_mmap, TASK_OF(perf_record_mmap)},
	{PERF_RECORD_MMAP2, SHOW_MMAPS, "MMAP2", add_mmap2, TASK_OF(perf_record_mmap2)},
	{PERF_RECORD_COMM, SHOW_TASKS, "COMM", add_comm, TASK_OF(perf_record_comm)},
	{PERF_RECORD_FORK, SHOW_TASKS, "FORK", add_task, TASK_OF(perf_record_task)},
	{PERF_RECORD_EXIT, SHOW_TASKS, "EXIT", add_task, TASK_OF(perf_record_task)},
	{PERF_RECORD_SWITCH, SHOW_SWITCHES, "SWITCH", add_switch, 0, 0},
	{PERF_RECORD_SWITCH_CPU_WIDE, SHOW_SWITCHES, "SWITCH_CPU_WIDE", add_switch_cpu_wide, 0, 0},
	{PERF_RECORD_LOST, SHOW_LOST, "LOST", add_lost, 0, 0},
	{PERF_RECORD_LOST_SAMPLES, SHOW_LOST, "LOST_SAMPLES", add_lost_samples, 0, 0},
	{PERF_RECORD_NAMESPACES, SHOW_NAMESPACES, "NAMESPACES", add_namespaces,
	 TASK_OF(perf_record_namespaces)},
	{PERF_RECORD_CGROUP, SHOW_CGROUPS, "CGROUP", add_cgroup, 0, 0},
	{PERF_RECORD_KSYMBOL, SHOW_BPF, "KSYMBOL", add_ksymbol, 0, 0},
	{PERF_RECORD_BPF_EVENT, SHOW_BPF, "BPF_EVENT", add_bpf_event, 0, 0},
};

/* Prints a user callchain that pk-merge-callchains has not merged into its sample. */
static void show_deferred(struct script *script, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	struct shown shown;

	if (!script_deferred(script, record, &shown))
		return;
	text_start(script, &shown);
	buffer_format(&script->out, "DEFERRED CALLCHAIN [cookie: %llx]",
		      (unsigned long long)half->cookie);
	if (shown.view->fields & FIELD(IP)) {
		struct event_style view = *shown.view;

		view.chain = true;
		shown.view = &view;
		text_frames(script, &shown);
	}
	buffer_char(&script->out, '\n');
}

static void show(struct script *script, const struct kind *kind, const struct pk_record *record)
{
	struct shown shown;

	if (script_shown(script, record, &shown) != PK_OK)
		return;
	script_find_thread(
		script, &shown,
		kind->pid_at ? pk_load_u32(record->data + kind->pid_at) : shown.sample.pid,
		kind->tid_at ? pk_load_u32(record->data + kind->tid_at) : shown.sample.tid);
	if (!shown.thread)
		return;
	text_start(script, &shown);
	buffer_format(&script->out, "PERF_RECORD_%s", kind->name);
	kind->add(script, record);
	buffer_char(&script->out, '\n');
}

static void text_record(struct script *script, const struct pk_record *record)
{
	if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED) {
		show_deferred(script, record);
		return;
	}
	for (size_t i = 0; script->options->show && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].type == record->type && kinds[i].show & script->options->show)
			show(script, &kinds[i], record);
}

const struct script_format script_text = {
	.option = "-F",
	.samples_only = true,
	.frame = &text_frame_format,
	.frames = text_frames,
	.leaf_only = true,
	.sample = text_sample,
	.record = text_record,
	.column = text_column,
};
