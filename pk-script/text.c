// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "digits.h"
#include "pkutil.h"
#include "text.h"

#define NS_PER_S UINT64_C(1000000000)

/* ---- Before the event ---- */

static void text_comm(struct script *script, const struct shown *shown)
{
	bool chain = shown->view->chain && shown->view->fields & FIELD(IP);
	size_t width = chain ? 0 : 16;
	char *p = width ? buffer_room(&script->out, width) : NULL;

	if (p && shown->comm_size < width) {
		memset(p, ' ', width - shown->comm_size);
		buffer_end(&script->out, p + width - shown->comm_size);
	}
	buffer_harmless(&script->out, shown->comm, shown->comm_size);
	buffer_char(&script->out, ' ');
}

static void text_tid(struct script *script, const struct shown *shown)
{
	char *p = buffer_room(&script->out, 2 * DIGITS_MAX);

	if (!p)
		return;
	if (shown->view->fields & FIELD(PID)) {
		p = digits_signed(p, (int32_t)shown->sample.pid, 7);
		*p++ = '/';
		p = digits_left(p, (int32_t)shown->sample.tid, 7);
	} else {
		p = digits_signed(p, (int32_t)shown->sample.tid, 7);
	}
	*p++ = ' ';
	buffer_end(&script->out, p);
}

static void text_cpu(struct script *script, const struct shown *shown)
{
	int32_t cpu = (int32_t)shown->sample.cpu;
	char *p = buffer_room(&script->out, DIGITS_MAX);

	if (!p)
		return;
	*p++ = '[';
	/* The width includes the sign, as with %03d of printf(). */
	if (cpu < 0)
		*p++ = '-';
	p = cpu < 0 ? digits_zeros(p, (uint64_t) - (int64_t)cpu, 2)
		    : digits_zeros(p, (uint64_t)cpu, 3);
	*p++ = ']';
	*p++ = ' ';
	buffer_end(&script->out, p);
}

/* Returns the time to print. This is the recorded time, the time since the first printed time
 * (--reltime), or the time since the previous printed time (--deltatime). */
static uint64_t count_time(struct script *script, uint64_t time)
{
	const enum script_times times = script->options->times;
	uint64_t before = script->time_before;

	if (times == TIMES_SINCE_LAST || !before)
		script->time_before = time;
	return times == TIMES_AS_RECORDED ? time : before ? time - before : 0;
}

static void text_time(struct script *script, const struct shown *shown)
{
	uint64_t time = count_time(script, shown->sample.time);
	uint64_t seconds = time / NS_PER_S, ns = time % NS_PER_S;
	char *p = buffer_room(&script->out, 2 * DIGITS_MAX);

	if (!p)
		return;
	p = digits_decimal(p, seconds, 5);
	*p++ = '.';
	p = script->options->nanoseconds ? digits_zeros(p, ns, 9) : digits_zeros(p, ns / 1000, 6);
	*p++ = ':';
	*p++ = ' ';
	buffer_end(&script->out, p);
}

/* Prints the letters that perf prints for misc: the mode, and then the flags of records of this
 * type. */
static void text_misc(struct script *script, const struct shown *shown)
{
	static const char *const modes[8] = {"", "K", "U", "KUH", "G", "KGg"};
	uint16_t misc = shown->record->misc;
	char text[16];
	const char *what = "";

	switch (shown->record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: what = misc & PERF_RECORD_MISC_MMAP_DATA ? "M" : ""; break;
	case PERF_RECORD_COMM: what = misc & PERF_RECORD_MISC_COMM_EXEC ? "E" : ""; break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & PERF_RECORD_MISC_SWITCH_OUT)
			what = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S";
		break;
	default: break;
	}
	snprintf(text, sizeof(text), "%s%s",
		 modes[misc & PERF_RECORD_MISC_CPUMODE_MASK]
			 ? modes[misc & PERF_RECORD_MISC_CPUMODE_MASK]
			 : "",
		 what);
	buffer_format(&script->out, "%-6s", text);
}

/* Prints the wall clock time. This is possible only if CLOCK_DATA relates the event's clock to it.
 */
static void text_tod(struct script *script, const struct shown *shown)
{
	struct tm tm;
	char text[64];
	uint32_t ns;

	if (!pk_wall_clock_at(&script->wall, shown->sample.time, &tm, &ns) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm)) {
		buffer_text(&script->out, "N/A ");
		return;
	}
	buffer_format(&script->out, "%s.%06u ", text, ns / 1000);
}

/* ---- The event and its fields ---- */

static void text_period(struct script *script, const struct shown *shown)
{
	buffer_decimal(&script->out, shown->period, 10);
	buffer_char(&script->out, ' ');
}

static void text_event(struct script *script, const struct shown *shown)
{
	buffer_add(&script->out, shown->view->column, shown->view->column_size);
}

/* For hardware traces, perf prints the kind of a branch here. The samples of pk-decode have this
 * kind in their branch stack. */
static void text_flags(struct script *script, const struct shown *shown)
{
	(void)shown;
	buffer_format(&script->out, "  %-21s ", "");
}

static void text_arguments(struct script *script, const struct shown *shown)
{
	const struct pk_event *event = shown->view->event;
	const size_t start = script->out.size;
	uint64_t value;

	for (size_t i = 0; i < event->arguments->count; i++) {
		const struct pk_argument *argument = &event->arguments->items[i];
		const bool has = pk_argument_get(event, argument, &shown->sample, &value);

		if (!has && argument->kind == PK_ARGUMENT_IBS)
			continue;
		if (script->out.size > start)
			buffer_char(&script->out, ' ');
		buffer_harmless(&script->out, argument->name, strlen(argument->name));
		if (!has)
			buffer_text(&script->out, "=?");
		else if (argument->flags & PK_ARGUMENT_ADDRESS)
			buffer_format(&script->out, "=0x%" PRIx64, value);
		else if (argument->flags & PK_ARGUMENT_SIGNED)
			buffer_format(&script->out, "=%" PRId64, (int64_t)value);
		else
			buffer_format(&script->out, "=%" PRIu64, value);
	}
}

/* Adds the text of a tracepoint. The print format can contain tabs, which are kept because they are
 * harmless. */
static void add_trace_text(struct buffer *out, const char *text, size_t size)
{
	const char *tab;

	while ((tab = memchr(text, '\t', size))) {
		buffer_harmless(out, text, (size_t)(tab - text));
		buffer_char(out, '\t');
		size -= (size_t)(tab + 1 - text);
		text = tab + 1;
	}
	buffer_harmless(out, text, size);
}

static void text_trace(struct script *script, const struct shown *shown)
{
	const char *text;
	size_t size;

	if (shown->view->event->arguments)
		text_arguments(script, shown);
	if (!shown->view->tracepoint)
		return;
	text = pk_tracepoint_text(shown->view->tracepoint, &shown->sample.raw, &size);
	if (text)
		add_trace_text(&script->out, text, size);
}

/* Adds the fields that perf script does not have, such as "mode=user prev_comm=sh ". */
static void text_more(struct script *script, const struct shown *shown)
{
	const struct fields *fields = &script->options->fields;
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;

	for (size_t i = 0; shown->of && i < fields->more_count; i++) {
		struct more_field *more = &fields->more[i];

		if (more->json_only || !(more->types >> shown->view->type & 1))
			continue;
		buffer_harmless(&script->out, more->name, (size_t)more->size);
		buffer_char(&script->out, '=');
		if (script_value(script, shown->of, &more->column, number, &text))
			buffer_harmless(&script->out, (const char *)text.data, text.size);
		else
			buffer_char(&script->out, '?');
		buffer_char(&script->out, ' ');
	}
}

/* ---- Frames ---- */

static void add_object(struct buffer *buffer, const struct pk_frame_info *info, unsigned int parts,
		       struct number_places *places)
{
	buffer_text(buffer, " (");
	if (info->dso)
		buffer_harmless(buffer, info->dso, strlen(info->dso));
	else
		buffer_text(buffer, "[unknown]");
	if (parts & PART_DSOFF && info->in_file) {
		buffer_text(buffer, "+0x");
		places->at[NUMBER_ADDRESS] = (uint32_t)buffer->size + 1;
	}
	buffer_char(buffer, ')');
}

static void add_base_name(struct buffer *buffer, const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	buffer_harmless(buffer, name, strlen(name));
}

/* Adds the source line. If it is unknown, adds "OBJECT[ADDRESS]". If the object is unknown, too,
 * adds nothing. */
static void add_source_line(struct buffer *buffer, const struct pk_frame_info *info,
			    struct number_places *places)
{
	if (!info->file && !info->dso)
		return;
	buffer_text(buffer, "\n  ");
	if (info->file) {
		add_base_name(buffer, info->file);
		buffer_format(buffer, ":%u", info->line);
	} else {
		add_base_name(buffer, info->dso);
		buffer_char(buffer, '[');
		places->at[NUMBER_SOURCE] = (uint32_t)buffer->size + 1;
		buffer_char(buffer, ']');
	}
}

static void add_frame_text(struct buffer *buffer, const struct pk_frame_info *info,
			   unsigned int parts, struct number_places *places)
{
	if (parts & PART_SYM) {
		buffer_char(buffer, ' ');
		if (info->function)
			buffer_harmless(buffer, info->function, info->function_size);
		else
			buffer_text(buffer, "[unknown]");
		if (info->function && parts & PART_SYMOFF) {
			buffer_text(buffer, "+0x");
			places->at[NUMBER_OFFSET] = (uint32_t)buffer->size + 1;
		}
	}
	if (parts & PART_DSO && !info->inlined)
		add_object(buffer, info, parts, places);
	if (parts & PART_SRCLINE)
		add_source_line(buffer, info, places);
	if (info->inlined)
		buffer_text(buffer, " (inlined)");
}

static char *put_number(char *p, enum frame_number which, uint64_t value)
{
	(void)which;
	return digits_hex(p, value, 0);
}

const struct frame_format text_frame_format = {.text = add_frame_text, .number = put_number};

void text_frames(struct script *script, const struct shown *shown)
{
	const struct frame_texts *texts = script->texts;
	struct buffer *out = &script->out;
	bool chain = shown->view->chain;

	buffer_char(out, chain ? '\n' : ' ');
	for (size_t i = 0; i < shown->frames_count; i++) {
		const struct shown_frame *frame = &shown->frames[i];
		char *p;

		if (!chain && frame_texts_get(texts, frame->text.number)->inlined)
			continue;
		p = buffer_room(out, DIGITS_MAX + 1);
		if (!p)
			return;
		if (chain)
			*p++ = '\t';
		buffer_end(out, digits_hex(p, frame->ip, 16));
		frame_texts_add(texts, &frame->text, 0, out);
		if (!chain)
			return;
		buffer_char(out, '\n');
	}
}

/* ---- All ---- */

typedef void (*print_fn)(struct script *script, const struct shown *shown);

static const print_fn printers[FIELDS_COUNT] = {
	[FIELD_COMM] = text_comm,
	[FIELD_TID] = text_tid,
	[FIELD_CPU] = text_cpu,
	[FIELD_MISC] = text_misc,
	[FIELD_TOD] = text_tod,
	[FIELD_TIME] = text_time,
	[FIELD_PERIOD] = text_period,
	[FIELD_EVENT] = text_event,
	[FIELD_FLAGS] = text_flags,
	[FIELD_TRACE] = text_trace,
	[FIELD_ADDR] = text_addr,
	[FIELD_DATA_SRC] = text_data_src,
	[FIELD_WEIGHT] = text_weight,
	[FIELD_INS_LAT] = text_ins_lat,
	[FIELD_RETIRE_LAT] = text_retire_lat,
	[FIELD_CGROUP] = text_cgroup,
	[FIELD_MORE] = text_more,
	[FIELD_IP] = script_print_frames,
	[FIELD_IREGS] = text_iregs,
	[FIELD_UREGS] = text_uregs,
	[FIELD_BRSTACK] = text_brstack,
	[FIELD_BRSTACKSYM] = text_brstacksym,
	[FIELD_BRSTACKOFF] = text_brstackoff,
	/* print_fields() calls each of these functions once for its three fields. */
	[FIELD_INSN] = text_insn,
	[FIELD_INSNLEN] = text_insn,
	[FIELD_DISASM] = text_insn,
	[FIELD_BRSTACKINSN] = text_brstackinsn,
	[FIELD_BRSTACKINSNLEN] = text_brstackinsn,
	[FIELD_BRSTACKDISASM] = text_brstackinsn,
	[FIELD_BPF_OUTPUT] = text_bpf_output,
	[FIELD_PHYS_ADDR] = text_phys_addr,
	[FIELD_DATA_PAGE_SIZE] = text_data_page_size,
	[FIELD_CODE_PAGE_SIZE] = text_code_page_size,
};

static void print_fields(struct script *script, const struct shown *shown, uint64_t fields)
{
	print_fn last = NULL;

	for (; fields; fields &= fields - 1) {
		print_fn print = printers[__builtin_ctzll(fields)];

		if (print && print != last)
			print(script, shown);
		last = print;
	}
}

void text_start(struct script *script, const struct shown *shown)
{
	uint64_t fields = shown->view->fields;

	/* If only one of pid and tid is selected, its number is printed at the place for both
	 * numbers. */
	if (fields & FIELD(PID) && !(fields & FIELD(TID))) {
		struct shown process = *shown;
		struct event_style view = *shown->view;

		view.fields = (fields & ~FIELD(PID)) | FIELD(TID);
		process.view = &view;
		process.sample.tid = shown->sample.pid;
		text_start(script, &process);
		return;
	}
	print_fields(script, shown, fields & ((FIELD(TIME) << 1) - 1));
}

void text_sample(struct script *script, const struct shown *shown)
{
	if (!shown->view->fields)
		return;
	text_start(script, shown);
	print_fields(script, shown, shown->view->fields & ~((FIELD(TIME) << 1) - 1));
	buffer_char(&script->out, '\n');
}

void text_column(struct script *script, struct event_style *view, struct buffer *column)
{
	const char *name = view->event->name;
	size_t size = strlen(name);

	for (size_t i = size; i < script->name_width; i++)
		buffer_char(column, ' ');
	buffer_harmless(column, name, size);
	buffer_text(column, ": ");
}
