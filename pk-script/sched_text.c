// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "pkutil.h"
#include "script.h"
#include "table.h"
#include "vector.h"
#include "views.h"

#define COMM_SIZE  16
#define CPUS_MAX   4096
#define COMM_WIDTH 30 /* of perf sched timehist, at first */

/* ---- The option ---- */

static const char *const field_names[SCHED_FIELDS] = {
	[SCHED_PREV_COMM] = "sched_switch.prev_comm",
	[SCHED_PREV_PID] = "sched_switch.prev_pid",
	[SCHED_PREV_STATE] = "sched_switch.prev_state",
	[SCHED_NEXT_COMM] = "sched_switch.next_comm",
	[SCHED_NEXT_PID] = "sched_switch.next_pid",
	[SCHED_WAKING_COMM] = "sched_waking.comm",
	[SCHED_WAKING_PID] = "sched_waking.pid",
	[SCHED_WAKEUP_COMM] = "sched_wakeup.comm",
	[SCHED_WAKEUP_PID] = "sched_wakeup.pid",
	[SCHED_NEW_COMM] = "sched_wakeup_new.comm",
	[SCHED_NEW_PID] = "sched_wakeup_new.pid",
	[SCHED_MIGRATE_COMM] = "sched_migrate_task.comm",
	[SCHED_MIGRATE_PID] = "sched_migrate_task.pid",
	[SCHED_MIGRATE_FROM] = "sched_migrate_task.orig_cpu",
	[SCHED_MIGRATE_TO] = "sched_migrate_task.dest_cpu",
};

static bool set_letter(struct sched_text *text, char letter)
{
	switch (letter) {
	case 'V': return text->visual = true;
	case 'M': return text->migrations = true;
	case 'w': return text->wakeups = true;
	case 'n': return text->next = true;
	case 'g': return text->chains = true;
	default: return false;
	}
}

const char *sched_text_parse(struct sched_text *text, struct fields *fields, const char *argument)
{
	static const char timehist[] = "timehist";
	const size_t size = strcspn(argument, ":");
	const char *error;

	fields_none(fields);
	if (!strcmp(argument, "map"))
		text->layout = SCHED_MAP;
	else if (size == strlen(timehist) && !memcmp(argument, timehist, size))
		text->layout = SCHED_TIMEHIST;
	else
		return "layouts are map and timehist";
	for (const char *p = argument + size + (argument[size] == ':'); *p; p++)
		if (!set_letter(text, *p))
			return "letters are V, M, w, n and g";
	if (text->chains)
		fields->of[TYPE_TRACE] = FIELD(IP) | FIELD(SYM);
	for (size_t i = 0; i < SCHED_FIELDS; i++) {
		error = fields_add(fields, field_names[i], strlen(field_names[i]),
				   &text->fields[i]);
		if (error)
			return error;
		if (i != SCHED_NEXT_PID)
			fields->more[text->fields[i]].optional = true;
	}
	return NULL;
}

/* ---- What is known ---- */

struct task {
	uint32_t tid, pid; /* pid 0: unknown */
	char comm[COMM_SIZE];
	bool recorded;	/* comm is that of a record, not only that of a sample */
	bool renamed;	/* comm has changed since it was printed in a map */
	char code[3];	/* of the map; "": none yet */
	uint64_t last;	/* time of its last switch out; 0: none */
	uint64_t ready; /* time since when it could run; 0: none */
};

struct sched_state {
	struct pk_table tasks; /* struct task by tid */
	const struct task *running[CPUS_MAX];
	uint64_t switched[CPUS_MAX]; /* time of the last switch; 0: none */
	uint32_t cpus;		     /* columns */
	unsigned int codes;	     /* number of codes given */
	int width;		     /* of names of tasks */
	bool started, has_waking;
	uint32_t next[CPUS_MAX];  /* tid of the task after the last switch, plus 1; 0: none */
	uint64_t switches, jumps; /* jumps: of a task that did not run on the processor */
	uint64_t beyond;	  /* samples of processors from CPUS_MAX on */
};

static struct sched_state *state_of(struct script *script)
{
	struct sched_state *state = script->own;

	if (!state) {
		state = script->own = calloc(1, sizeof(*state));
		script->failed |= !state;
	}
	return state;
}

/* The state must exist. */
static struct task *task_at(struct script *script, uint64_t key, uint32_t tid)
{
	struct sched_state *state = script->own;
	struct task *task = pk_table_get_or_add(&state->tasks, key, sizeof(*task));

	script->failed |= !task;
	if (task)
		task->tid = tid;
	return task;
}

static struct task *task_of(struct script *script, uint32_t tid)
{
	return state_of(script) ? task_at(script, tid, tid) : NULL;
}

/* In a timehist, each processor has its own idle task. */
static struct task *idle_task(struct script *script, uint32_t cpu)
{
	const bool one = script->options->sched.layout == SCHED_MAP;

	return task_at(script, one ? 0 : UINT64_C(1) << 32 | cpu, 0);
}

static void set_comm(struct task *task, const char *comm, size_t size)
{
	char name[COMM_SIZE] = "";

	size = strnlen(comm, size);
	memcpy(name, comm, size < COMM_SIZE ? size : COMM_SIZE - 1);
	task->renamed |= memcmp(name, task->comm, sizeof(name)) != 0;
	memcpy(task->comm, name, sizeof(name));
}

/* The kernel has no pid for the last samples of a task that ends. */
static void set_pid(struct task *task, uint32_t pid)
{
	if (pid != UINT32_MAX)
		task->pid = pid;
}

/* ---- Values of samples ---- */

static const struct pk_binding *bind(struct script *script, const struct shown *shown,
				     enum sched_field field)
{
	const size_t index = script->options->sched.fields[field];
	const struct pk_binding *binding = pk_column_bind(
		&script->options->fields.more[index].column, script->context, shown->of->event);

	script->failed |= !binding;
	return binding;
}

static bool number_of(struct script *script, const struct shown *shown, enum sched_field field,
		      int64_t *value)
{
	const struct pk_binding *binding = bind(script, shown, field);
	struct pk_wide number;

	if (!binding || !pk_view_number(shown->of, binding, &number))
		return false;
	*value = (int64_t)number.low;
	return true;
}

/* The task that a sample names by its fields; NULL: the sample is of another event, or memory is
 * exhausted. */
static struct task *task_named(struct script *script, const struct shown *shown,
			       enum sched_field pid, enum sched_field comm)
{
	const struct pk_binding *binding;
	struct task *task = NULL;
	struct pk_bytes text;
	int64_t tid;

	if (number_of(script, shown, pid, &tid))
		task = tid ? task_of(script, (uint32_t)tid) : idle_task(script, shown->sample.cpu);
	if (!task || task->recorded || !tid)
		return task;
	binding = bind(script, shown, comm);
	if (binding && binding->kind == PK_VALUE_TEXT && pk_view_text(shown->of, binding, &text))
		set_comm(task, (const char *)text.data, text.size);
	return task;
}

static void sched_fork(struct script *script, const struct perf_record_task *fork)
{
	struct task *task = task_of(script, fork->tid), *parent = task_of(script, fork->ptid);

	if (!task || !parent)
		return;
	task->pid = fork->pid;
	task->recorded = parent->recorded;
	if (parent->recorded)
		set_comm(task, parent->comm, sizeof(parent->comm));
}

static void sched_comm(struct script *script, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;
	struct task *task = task_of(script, comm->tid);

	if (!task)
		return;
	task->pid = comm->pid;
	set_comm(task, (const char *)record->data + sizeof(*comm), record->size - sizeof(*comm));
	task->recorded = task->renamed = true;
}

/* FORK and COMM have the names and processes of threads, NRCPUS the number of processors. */
static void sched_record(struct script *script, const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (pk_reader_feature(script->run->reader, record, &feature) &&
	    feature.id == PERF_FEATURE_NRCPUS && feature.size >= sizeof(uint32_t))
		script->cpus = pk_load_u32(feature.data);
	if (record->type == PERF_RECORD_FORK)
		sched_fork(script, (const void *)record->data);
	else if (record->type == PERF_RECORD_COMM)
		sched_comm(script, record);
}

/* The number of columns: all processors of the machine, as far as they are known. */
static uint32_t count_cpus(struct script *script, uint32_t cpu)
{
	struct sched_state *state = state_of(script);

	if (state->cpus <= cpu)
		state->cpus = cpu + 1;
	if (state->cpus < script->cpus && script->cpus <= CPUS_MAX)
		state->cpus = script->cpus;
	return state->cpus;
}

/* Adds seconds with 6 digits after the point. width: of the whole number. */
static void add_time(struct script *script, uint64_t time, unsigned int width)
{
	char *p = buffer_room(&script->out, 2 * DIGITS_MAX);

	if (!p)
		return;
	p = digits_decimal(p, time / 1000000000, width - 7);
	*p++ = '.';
	buffer_end(&script->out, digits_zeros(p, time % 1000000000 / 1000, 6));
}

/* A recording of all tasks has each switch of a processor: the task that one switch starts is the
 * task that the next one stops. */
static void note_switch(struct sched_state *state, uint32_t cpu, uint32_t prev, uint32_t next)
{
	state->switches++;
	state->jumps += state->next[cpu] && state->next[cpu] != prev + 1;
	state->next[cpu] = next + 1;
}

/* ---- perf sched map ---- */

/* Gives the task two characters: A0, B0 ... Z0, A1 ... The idle task is a dot. */
static void give_code(struct sched_state *state, struct task *task)
{
	if (!task->tid) {
		memcpy(task->code, ". ", 3);
		return;
	}
	task->code[0] = (char)('A' + state->codes % 26);
	task->code[1] = (char)('0' + state->codes / 26 % 10);
	state->codes++;
}

static void print_map(struct script *script, const struct shown *shown, const struct task *next)
{
	const struct sched_state *state = script->own;
	struct buffer *out = &script->out;
	const uint32_t cpus = count_cpus(script, shown->sample.cpu);

	buffer_text(out, "  ");
	for (uint32_t i = 0; i < cpus; i++) {
		buffer_char(out, i == shown->sample.cpu ? '*' : ' ');
		buffer_text(out, state->running[i] ? state->running[i]->code : "  ");
		buffer_char(out, ' ');
	}
	buffer_text(out, "  ");
	add_time(script, shown->sample.time, 12);
	buffer_text(out, " secs ");
	if (next->renamed) {
		buffer_text(out, next->code);
		buffer_text(out, " => ");
		buffer_harmless(out, next->tid ? next->comm : "swapper",
				strlen(next->tid ? next->comm : "swapper"));
		buffer_format(out, ":%" PRIu32, next->tid);
	}
	buffer_char(out, '\n');
}

static void map_sample(struct script *script, const struct shown *shown)
{
	struct sched_state *state = script->own;
	struct task *next = task_named(script, shown, SCHED_NEXT_PID, SCHED_NEXT_COMM);

	int64_t prev;

	if (!next)
		return;
	if (number_of(script, shown, SCHED_PREV_PID, &prev))
		note_switch(state, shown->sample.cpu, (uint32_t)prev, next->tid);
	if (!*next->code) {
		give_code(state, next);
		next->renamed = true;
	}
	state->running[shown->sample.cpu] = next;
	print_map(script, shown, next);
	next->renamed = false;
}

/* ---- perf sched timehist ---- */

static void add_name(struct script *script, const struct task *task)
{
	struct sched_state *state = script->own;
	struct buffer *out = &script->out;
	const size_t from = out->size;
	int size;

	if (!task->tid) {
		buffer_text(out, *task->comm ? task->comm : "<idle>");
	} else {
		buffer_harmless(out, task->comm, strlen(task->comm));
		if (task->pid && task->pid != task->tid)
			buffer_format(out, "[%" PRId32 "/%" PRId32 "]", (int32_t)task->tid,
				      (int32_t)task->pid);
		else
			buffer_format(out, "[%" PRId32 "]", (int32_t)task->tid);
	}
	size = (int)(out->size - from);
	if (size > state->width)
		state->width = size;
}

static void add_column(struct script *script, const struct task *task)
{
	struct buffer *out = &script->out;
	const size_t from = out->size;

	add_name(script, task);
	buffer_format(out, "%*s",
		      ((struct sched_state *)script->own)->width - (int)(out->size - from), "");
}

static void print_header(struct script *script)
{
	const struct sched_text *options = &script->options->sched;
	const int cpus = (int)((struct sched_state *)script->own)->cpus;
	struct buffer *out = &script->out;

	buffer_format(out, "%15s %6s ", "time", "cpu");
	if (options->visual) {
		buffer_char(out, ' ');
		for (int i = 0; i < cpus; i++)
			buffer_format(out, "%x", (unsigned int)i % 16);
		buffer_char(out, ' ');
	}
	buffer_format(out, " %-30s  %9s  %9s  %9s", "task name", "wait time", "sch delay",
		      "run time");
	buffer_format(out, "\n%15s %-6s ", "", "");
	if (options->visual)
		buffer_format(out, " %*s ", cpus, "");
	buffer_format(out, " %-30s  %9s  %9s  %9s\n", "[tid/pid]", "(msec)", "(msec)", "(msec)");
	buffer_format(out, "%.15s %.6s ", "---------------", "------");
	if (options->visual) {
		buffer_char(out, ' ');
		for (int i = 0; i < cpus; i++)
			buffer_char(out, '-');
		buffer_char(out, ' ');
	}
	buffer_format(out, " %.30s  %.9s  %.9s  %.9s\n", "------------------------------",
		      "---------", "---------", "---------");
}

/* The start of a line. mark: of the processor's column of -V; 0: blank. */
static void start_line(struct script *script, const struct shown *shown, const struct task *task,
		       char mark)
{
	struct sched_state *state = script->own;
	const uint32_t cpus = count_cpus(script, shown->sample.cpu);
	struct buffer *out = &script->out;

	if (!state->started)
		print_header(script);
	state->started = true;
	add_time(script, shown->sample.time, 15);
	buffer_format(out, " [%04" PRIu32 "] ", shown->sample.cpu);
	if (script->options->sched.visual) {
		buffer_char(out, ' ');
		for (uint32_t i = 0; i < cpus; i++)
			buffer_char(out, mark && i == shown->sample.cpu ? mark : ' ');
		buffer_char(out, ' ');
	}
	buffer_char(out, ' ');
	add_column(script, task);
	buffer_char(out, ' ');
}

static void add_duration(struct script *script, uint64_t ns)
{
	char *p = buffer_room(&script->out, 2 * DIGITS_MAX);

	if (!p)
		return;
	*p++ = ' ';
	p = digits_decimal(p, ns / 1000000, 5);
	*p++ = '.';
	p = digits_zeros(p, ns / 1000 % 1000, 3);
	*p++ = ' ';
	buffer_end(&script->out, p);
}

static uint64_t since(uint64_t time, uint64_t before)
{
	return before && time > before ? time - before : 0;
}

static void add_frame_name(struct buffer *out, const struct frame_info *info, unsigned int parts,
			   struct number_places *places)
{
	(void)parts;
	(void)places;
	if (!info->function)
		buffer_text(out, "[unknown]");
	else
		buffer_harmless(out, info->function, info->function_size);
	if (info->inlined)
		buffer_text(out, " (inlined)");
}

/* Frames of the scheduler itself, which are the same in all callchains. */
static bool is_scheduler(const char *name, size_t size)
{
	static const char *const names[] = {"__schedule", "schedule", "preempt_schedule"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (size == strlen(names[i]) && !memcmp(name, names[i], size))
			return true;
	return false;
}

static void sched_frames(struct script *script, const struct shown *shown)
{
	struct buffer *out = &script->out;
	bool any = false;

	for (size_t i = 0; i < shown->frames_count; i++) {
		const size_t from = out->size;
		size_t name;

		buffer_text(out, any ? " <- " : "   ");
		name = out->size;
		frame_texts_add(script->texts, &shown->frames[i].text, 0, out);
		if (!out->failed && is_scheduler(out->data + name, out->size - name))
			out->size = from;
		else
			any = true;
	}
}

static void print_switch(struct script *script, const struct shown *shown, struct task *prev)
{
	struct sched_state *state = script->own;
	struct buffer *out = &script->out;
	const uint64_t started = state->switched[shown->sample.cpu];
	const struct task *next;

	start_line(script, shown, prev, prev->tid ? 's' : 'i');
	add_duration(script, since(started, prev->last));
	add_duration(script, since(started, prev->ready));
	add_duration(script, since(shown->sample.time, started));
	next = task_named(script, shown, SCHED_NEXT_PID, SCHED_NEXT_COMM);
	if (next)
		note_switch(state, shown->sample.cpu, prev->tid, next->tid);
	if (script->options->sched.next && next) {
		const size_t from = out->size;

		struct pk_bytes comm = {(const uint8_t *)next->comm, strlen(next->comm)};
		const struct pk_binding *binding = bind(script, shown, SCHED_NEXT_COMM);

		if (binding && binding->kind == PK_VALUE_TEXT)
			pk_view_text(shown->of, binding, &comm);
		buffer_text(out, " next: ");
		buffer_harmless(out, (const char *)comm.data, comm.size);
		buffer_format(out, "[%" PRIu32 "]", next->tid);
		if (out->size - from < (size_t)state->width + 1)
			buffer_format(out, "%*s", state->width + 1 - (int)(out->size - from), "");
	}
	if (script->options->sched.wakeups && !script->options->sched.next)
		buffer_format(out, "  %-*s", state->width, "");
	if (script->options->sched.chains && shown->view->chain && prev->tid)
		script_print_frames(script, shown);
	buffer_char(out, '\n');
}

static void print_other(struct script *script, const struct shown *shown, const struct task *task,
			const char *what, char mark)
{
	struct task swapper = {.comm = "swapper"}; /* as perf calls it here */
	struct task *current = shown->sample.tid ? task_of(script, shown->sample.tid) : &swapper;

	if (!current)
		return;
	if (!*current->comm && shown->comm)
		set_comm(current, shown->comm, shown->comm_size);
	if (shown->sample.tid)
		set_pid(current, shown->sample.pid);
	start_line(script, shown, current, mark);
	buffer_format(&script->out, "  %9s  %9s  %9s ", "", "", "");
	buffer_text(&script->out, what);
	add_name(script, task);
}

static void wakeup(struct script *script, const struct shown *shown, struct task *task)
{
	if (!task->ready)
		task->ready = shown->sample.time;
	if (!script->options->sched.wakeups)
		return;
	print_other(script, shown, task, "awakened: ", 0);
	buffer_char(&script->out, '\n');
}

static void migration(struct script *script, const struct shown *shown, const struct task *task)
{
	int64_t from, to;

	if (!script->options->sched.migrations ||
	    !number_of(script, shown, SCHED_MIGRATE_FROM, &from) ||
	    !number_of(script, shown, SCHED_MIGRATE_TO, &to))
		return;
	print_other(script, shown, task, "migrated: ", 'm');
	buffer_format(&script->out, " cpu %" PRIi64 " => %" PRIi64 "\n", from, to);
}

/* Whether the task that a switch stops can still run: the states R and R+. */
static bool is_preempted(struct script *script, const struct shown *shown)
{
	int64_t state;

	return number_of(script, shown, SCHED_PREV_STATE, &state) && (state == 0 || state == 256);
}

static void timehist_sample(struct script *script, const struct shown *shown)
{
	static const enum sched_field wakeups[][2] = {{SCHED_WAKING_PID, SCHED_WAKING_COMM},
						      {SCHED_WAKEUP_PID, SCHED_WAKEUP_COMM},
						      {SCHED_NEW_PID, SCHED_NEW_COMM}};
	struct sched_state *state = script->own;
	struct task *task = task_named(script, shown, SCHED_PREV_PID, SCHED_PREV_COMM);

	if (task) {
		set_pid(task, shown->sample.pid);
		print_switch(script, shown, task);
		task->last = state->switched[shown->sample.cpu] = shown->sample.time;
		task->ready = is_preempted(script, shown) ? task->last : 0;
		return;
	}
	for (size_t i = 0; i < sizeof(wakeups) / sizeof(wakeups[0]); i++) {
		task = task_named(script, shown, wakeups[i][0], wakeups[i][1]);
		state->has_waking |= task && !i;
		if (task && !(i == 1 && state->has_waking))
			wakeup(script, shown, task);
		if (task)
			return;
	}
	task = task_named(script, shown, SCHED_MIGRATE_PID, SCHED_MIGRATE_COMM);
	if (task)
		migration(script, shown, task);
}

/* ---- Both ---- */

static void sched_sample(struct script *script, const struct shown *shown)
{
	struct sched_state *state = state_of(script);

	if (state && shown->sample.cpu >= CPUS_MAX)
		state->beyond++;
	if (!state || shown->sample.cpu >= CPUS_MAX)
		return;
	if (state->width < COMM_WIDTH)
		state->width = COMM_WIDTH;
	if (script->options->sched.layout == SCHED_MAP)
		map_sample(script, shown);
	else
		timehist_sample(script, shown);
}

static void sched_finish(struct script *script)
{
	struct sched_state *state = script->own;

	if (state && state->beyond)
		pk_warn("%" PRIu64 " samples without a processor, or of processors from %d on: "
			"not printed",
			state->beyond, CPUS_MAX);
	if (!state || !state->switches)
		pk_view_report_needs();
	if (state && state->jumps > state->switches / 2) {
		pk_warn("the recording lacks most switches: of %" PRIu64 ", %" PRIu64
			" stop a task that did not run there: times are wrong",
			state->switches, state->jumps);
		pk_view_report_needs();
	}
	if (state)
		pk_table_free_all(&state->tasks);
	free(state);
	script->own = NULL;
}

static const struct frame_format frame_format = {.text = add_frame_name};

const struct script_format script_sched = {
	.option = "--layout",
	.frame = &frame_format,
	.frames = sched_frames,
	.sample = sched_sample,
	.record = sched_record,
	.finish = sched_finish,
};
