// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "pkutil.h"
#include "presets.h"
#include "sched_event.h"
#include "script.h"
#include "table.h"
#include "vector.h"

/* The states in which a task can still run after a switch has stopped it: R and R+. */
#define RUNNING	   0
#define PREEMPTED  256
#define COMM_SIZE  16
#define CPUS_MAX   4096
#define COMM_WIDTH 30 /* initial width, as in perf sched timehist */

/* ---- The option ---- */

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
	static const char timehist[] = "timehist", needed[] = "sched_switch.next_pid";
	const size_t size = strcspn(argument, ":");
	size_t index;

	fields_none(fields);
	if (!strcmp(argument, "map"))
		text->layout = SCHED_MAP;
	else if (size == strlen(timehist) && !memcmp(argument, timehist, size))
		text->layout = SCHED_TIMEHIST;
	else
		return "layouts are map, timehist and stacks";
	for (const char *p = argument + size + (argument[size] == ':'); *p; p++)
		if (!set_letter(text, *p))
			return "letters are V, M, w, n and g";
	if (text->chains)
		fields->of[TYPE_TRACE] = FIELD(IP) | FIELD(SYM);
	return fields_add(fields, needed, strlen(needed), &index);
}

/* ---- What is known ---- */

struct task {
	uint32_t tid, pid; /* `pid` is 0 if it is unknown */
	char comm[COMM_SIZE];
	bool renamed;	/* comm has changed since a map printed it */
	char code[3];	/* code of the task in a map; "" before it gets one */
	uint64_t last;	/* time of the last switch that stopped the task, or 0 */
	uint64_t ready; /* time since when the task could run, or 0 */
};

struct sched_state {
	struct pk_table tasks;		      /* struct task by tid */
	const struct task *running[CPUS_MAX]; /* the running task by CPU; NULL if unknown */
	uint64_t switched[CPUS_MAX]; /* time of the last switch by CPU; 0 if there was none */
	uint32_t cpus;		     /* number of columns of CPUs */
	unsigned int codes;	     /* number of tasks that have a code */
	int width;		     /* width of the column of task names */
	bool started, has_waking;
	uint64_t switches, jumps; /* `jumps` counts switches that stop a task that did not run on
				   * the processor before */
	uint64_t beyond;	  /* number of samples of processors from CPUS_MAX on */
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

static void set_comm(struct task *task, const char *comm, size_t size)
{
	char name[COMM_SIZE] = "";

	size = strnlen(comm, size);
	memcpy(name, comm, size < COMM_SIZE ? size : COMM_SIZE - 1);
	task->renamed |= memcmp(name, task->comm, sizeof(name)) != 0;
	memcpy(task->comm, name, sizeof(name));
}

/* Finds or adds a task. In a timehist, each processor has its own idle task. Returns NULL if memory
 * is exhausted. */
static struct task *task_of(struct script *script, uint32_t tid, uint32_t cpu)
{
	struct sched_state *state = script->own;
	const bool map = script->options->sched.layout == SCHED_MAP;
	const uint64_t key = tid || map ? tid : UINT64_C(1) << 32 | cpu;
	struct task *task = pk_table_get_or_add(&state->tasks, key, sizeof(*task));

	script->failed |= !task;
	if (task)
		task->tid = tid;
	if (task && !tid)
		set_comm(task, map ? "swapper" : "<idle>", COMM_SIZE);
	return task;
}

/* Sets the name and the process of a task, as far as the session knows them. Returns false if no
 * record has the name of the task. */
static bool name_task(struct script *script, struct task *task)
{
	const struct pk_session *session = pk_context_session(script->context);
	const struct pk_thread *thread = pk_session_known_thread(session, task->tid);

	if (thread && thread->process->pid != UINT32_MAX)
		task->pid = thread->process->pid;
	if (thread && thread->named)
		set_comm(task, pk_session_comm(session, thread->comm), COMM_SIZE);
	return thread && thread->named;
}

/* Returns the task of a sample. If `next` is set, returns the task that the switch starts. Returns
 * NULL if memory is exhausted. */
static struct task *task_in(struct script *script, const struct shown *shown,
			    const struct pk_sched_event *event, bool next)
{
	const uint32_t tid = (uint32_t)(next ? event->next : event->tid);
	struct task *task = task_of(script, tid, shown->sample.cpu);
	struct pk_bytes comm;

	if (!task || !tid || name_task(script, task))
		return task;
	comm = next ? pk_sched_event_next_comm(event) : pk_sched_event_comm(event);
	if (comm.size)
		set_comm(task, (const char *)comm.data, comm.size);
	return task;
}

/* Evaluates two kinds of records. The feature NRCPUS has the number of processors. After a COMM, a
 * map prints the name of the task again. */
static void sched_record(struct script *script, const struct pk_record *record)
{
	struct sched_state *state = script->own;
	struct pk_feature_content feature;
	struct task *task = NULL;

	if (pk_reader_feature(script->run->reader, record, &feature) &&
	    feature.id == PERF_FEATURE_NRCPUS && feature.size >= sizeof(uint32_t))
		script->cpus = pk_load_u32(feature.data);
	if (state && record->type == PERF_RECORD_COMM)
		task = pk_table_get(&state->tasks,
				    ((const struct perf_record_comm *)record->data)->tid);
	if (task)
		task->renamed = true;
}

/* Returns the number of columns. This is the number of processors of the machine, as far as it is
 * known. */
static uint32_t count_cpus(struct script *script, uint32_t cpu)
{
	struct sched_state *state = script->own;

	if (state->cpus <= cpu)
		state->cpus = cpu + 1;
	if (state->cpus < script->cpus && script->cpus <= CPUS_MAX)
		state->cpus = script->cpus;
	return state->cpus;
}

/* Adds a time in seconds with 6 digits after the point. width is the width of the whole number with
 * the point. */
static void add_time(struct script *script, uint64_t time, unsigned int width)
{
	char *p = buffer_room(&script->out, 2 * DIGITS_MAX);

	if (!p)
		return;
	p = digits_decimal(p, time / 1000000000, width - 7);
	*p++ = '.';
	buffer_end(&script->out, digits_zeros(p, time % 1000000000 / 1000, 6));
}

/* Notes a switch on a processor, and counts jumps. A recording of all tasks has every switch of a
 * processor. There, the task that one switch starts is the task that the next switch stops. */
static void note_switch(struct sched_state *state, uint32_t cpu, uint32_t prev,
			const struct task *next)
{
	const struct task *running = state->running[cpu];

	state->switches++;
	state->jumps += running && running->tid != prev;
	state->running[cpu] = next;
}

/* ---- perf sched map ---- */

/* Gives the task a code of two characters: A0, B0 ... Z0, A1 ... The code of the idle task is a dot
 * and a blank. */
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
		buffer_harmless(out, next->comm, strlen(next->comm));
		buffer_format(out, ":%" PRIu32, next->tid);
	}
	buffer_char(out, '\n');
}

static void map_sample(struct script *script, const struct shown *shown,
		       const struct pk_sched_event *event)
{
	struct sched_state *state = script->own;
	struct task *next;

	if (event->kind != PK_SCHED_SWITCH)
		return;
	next = task_in(script, shown, event, true);
	if (!next)
		return;
	note_switch(state, shown->sample.cpu, (uint32_t)event->tid, next);
	if (!*next->code) {
		give_code(state, next);
		next->renamed = true;
	}
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

	buffer_harmless(out, task->comm, strlen(task->comm));
	if (task->pid && task->pid != task->tid)
		buffer_format(out, "[%" PRId32 "/%" PRId32 "]", (int32_t)task->tid,
			      (int32_t)task->pid);
	else if (task->tid)
		buffer_format(out, "[%" PRId32 "]", (int32_t)task->tid);
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

/* For the letter V: adds one character for each processor. The characters of `marks` repeat after
 * 16 processors. */
static void add_processors(struct script *script, const char marks[16])
{
	const uint32_t cpus = ((struct sched_state *)script->own)->cpus;

	if (!script->options->sched.visual)
		return;
	buffer_char(&script->out, ' ');
	for (uint32_t i = 0; i < cpus; i++)
		buffer_char(&script->out, marks[i % 16]);
	buffer_char(&script->out, ' ');
}

static void print_header(struct script *script)
{
	struct buffer *out = &script->out;

	buffer_format(out, "%15s %6s ", "time", "cpu");
	add_processors(script, "0123456789abcdef");
	buffer_format(out, " %-30s  %9s  %9s  %9s", "task name", "wait time", "sch delay",
		      "run time");
	buffer_format(out, "\n%15s %-6s ", "", "");
	add_processors(script, "                ");
	buffer_format(out, " %-30s  %9s  %9s  %9s\n", "[tid/pid]", "(msec)", "(msec)", "(msec)");
	buffer_text(out, "--------------- ------ ");
	add_processors(script, "----------------");
	buffer_text(out, " ------------------------------  ---------  ---------  ---------\n");
}

/* Adds the start of a line. For the letter V, mark is the character in the column of the sample's
 * processor. It is 0 for a blank. */
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

static void add_frame_name(struct buffer *out, const struct pk_frame_info *info, unsigned int parts,
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

/* Returns true for a function of the scheduler itself. These functions are the same in all
 * callchains. */
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

static void add_next(struct script *script, const struct pk_sched_event *event)
{
	const struct pk_bytes comm = pk_sched_event_next_comm(event);
	const size_t from = script->out.size;
	struct buffer *out = &script->out;
	const int width = ((struct sched_state *)script->own)->width + 1;

	buffer_text(out, " next: ");
	buffer_harmless(out, (const char *)comm.data, comm.size);
	buffer_format(out, "[%" PRIu32 "]", (uint32_t)event->next);
	if (out->size - from < (size_t)width)
		buffer_format(out, "%*s", width - (int)(out->size - from), "");
}

static void print_switch(struct script *script, const struct shown *shown,
			 const struct pk_sched_event *event, const struct task *prev)
{
	struct sched_state *state = script->own;
	struct buffer *out = &script->out;
	const uint64_t started = state->switched[shown->sample.cpu];

	start_line(script, shown, prev, prev->tid ? 's' : 'i');
	add_duration(script, since(started, prev->last));
	add_duration(script, since(started, prev->ready));
	add_duration(script, since(shown->sample.time, started));
	if (script->options->sched.next)
		add_next(script, event);
	else if (script->options->sched.wakeups)
		buffer_format(out, "  %-*s", state->width, "");
	if (script->options->sched.chains && shown->view->chain && prev->tid)
		script_print_frames(script, shown);
	buffer_char(out, '\n');
}

static void timehist_switch(struct script *script, const struct shown *shown,
			    const struct pk_sched_event *event, struct task *prev)
{
	struct sched_state *state = script->own;
	const uint32_t cpu = shown->sample.cpu;

	print_switch(script, shown, event, prev);
	note_switch(state, cpu, prev->tid, task_in(script, shown, event, true));
	prev->last = state->switched[cpu] = shown->sample.time;
	prev->ready = event->state == RUNNING || event->state == PREEMPTED ? prev->last : 0;
}

static void print_other(struct script *script, const struct shown *shown, const struct task *task,
			const char *what, char mark)
{
	const uint32_t tid = shown->sample.tid;
	struct task swapper = {.comm = "swapper"}; /* the name that perf prints here */
	struct task *current = tid ? task_of(script, tid, 0) : &swapper;

	if (!current)
		return;
	if (tid && !name_task(script, current) && !*current->comm)
		set_comm(current, shown->comm, shown->comm_size);
	start_line(script, shown, current, mark);
	buffer_format(&script->out, "  %9s  %9s  %9s ", "", "", "");
	buffer_text(&script->out, what);
	add_name(script, task);
}

static void wakeup(struct script *script, const struct shown *shown,
		   const struct pk_sched_event *event, struct task *task)
{
	struct sched_state *state = script->own;

	state->has_waking |= event->kind == PK_SCHED_WAKING;
	if (event->kind == PK_SCHED_WAKEUP && state->has_waking)
		return;
	if (!task->ready)
		task->ready = shown->sample.time;
	if (!script->options->sched.wakeups)
		return;
	print_other(script, shown, task, "awakened: ", 0);
	buffer_char(&script->out, '\n');
}

static void migration(struct script *script, const struct shown *shown,
		      const struct pk_sched_event *event, const struct task *task)
{
	if (!script->options->sched.migrations)
		return;
	print_other(script, shown, task, "migrated: ", 'm');
	buffer_format(&script->out, " cpu %" PRIi64 " => %" PRIi64 "\n", (int64_t)event->from,
		      (int64_t)event->to);
}

static void timehist_sample(struct script *script, const struct shown *shown,
			    const struct pk_sched_event *event)
{
	struct task *task = event->kind ? task_in(script, shown, event, false) : NULL;

	if (!task)
		return;
	if (event->kind == PK_SCHED_SWITCH)
		timehist_switch(script, shown, event, task);
	else if (event->kind == PK_SCHED_MIGRATION)
		migration(script, shown, event, task);
	else
		wakeup(script, shown, event, task);
}

/* ---- Both ---- */

static void sched_sample(struct script *script, const struct shown *shown)
{
	struct sched_state *state = state_of(script);
	struct pk_sched_event event;

	if (state && shown->sample.cpu >= CPUS_MAX)
		state->beyond++;
	if (!state || shown->sample.cpu >= CPUS_MAX)
		return;
	if (state->width < COMM_WIDTH)
		state->width = COMM_WIDTH;
	event = pk_sched_event_read(&shown->view->sched, &shown->sample.raw);
	if (script->options->sched.layout == SCHED_MAP)
		map_sample(script, shown, &event);
	else
		timehist_sample(script, shown, &event);
}

static void sched_finish(struct script *script)
{
	struct sched_state *state = script->own;

	if (state && state->beyond)
		pk_warn("%" PRIu64 " samples without a processor, or of processors from %d on: "
			"not printed",
			state->beyond, CPUS_MAX);
	if (!state || !state->switches)
		pk_preset_report_needs();
	if (state && state->jumps > state->switches / 2) {
		pk_warn("the recording lacks most switches: of %" PRIu64 ", %" PRIu64
			" stop a task that did not run there: times are wrong",
			state->switches, state->jumps);
		pk_preset_report_needs();
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
