// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "digits.h"
#include "dump.h"
#include "script.h"

/* One object on a line for each record. Addresses are strings of hexadecimal digits, because many
 * readers of JSON keep only 53 bits of a number. */

/* Appends the name of a member. name already contains its comma, quotes and colon. */
static void add_name(struct buffer *out, const char *name)
{
	buffer_text(out, name);
}

static void add_decimal(struct buffer *out, const char *name, uint64_t value)
{
	add_name(out, name);
	buffer_decimal(out, value, 0);
}

static void add_signed(struct buffer *out, const char *name, int64_t value)
{
	add_name(out, name);
	buffer_signed(out, value, 0);
}

static void add_hex(struct buffer *out, const char *name, uint64_t value)
{
	char *p;

	add_name(out, name);
	p = buffer_room(out, DIGITS_MAX);
	if (!p)
		return;
	memcpy(p, "\"0x", 3);
	p = digits_hex(p + 3, value, 0);
	*p++ = '"';
	buffer_end(out, p);
}

static void add_quoted(struct buffer *out, const char *name, const char *text, size_t size)
{
	add_name(out, name);
	buffer_quoted(out, text, size);
}

/* ---- Frames ---- */

static void add_frame(struct buffer *out, const struct pk_frame_info *info, unsigned int parts,
		      struct number_places *places)
{
	if (parts & PART_SYM && info->function) {
		add_quoted(out, ",\"symbol\":", info->function, info->function_size);
		if (parts & PART_SYMOFF) {
			add_name(out, ",\"offset\":");
			places->at[NUMBER_OFFSET] = (uint32_t)out->size + 1;
		}
	}
	if (parts & PART_DSO && info->dso)
		add_quoted(out, ",\"dso\":", info->dso, strlen(info->dso));
	if (parts & PART_DSOFF && info->in_file) {
		add_name(out, ",\"dsoff\":\"0x");
		places->at[NUMBER_ADDRESS] = (uint32_t)out->size + 1;
		buffer_char(out, '"');
	}
	if (info->inlined)
		buffer_text(out, ",\"inlined\":true");
	if (parts & PART_SRCLINE && info->file) {
		add_quoted(out, ",\"file\":", info->file, strlen(info->file));
		add_decimal(out, ",\"line\":", info->line);
	}
	buffer_char(out, '}');
}

static char *put_number(char *p, enum frame_number which, uint64_t value)
{
	return which == NUMBER_OFFSET ? digits_decimal(p, value, 0) : digits_hex(p, value, 0);
}

static const struct frame_format frame_format = {.text = add_frame, .number = put_number};

static void add_frames(struct script *script, const struct shown *shown)
{
	struct buffer *out = &script->out;
	const char *before = ",\"callchain\":[{\"ip\":";
	const struct shown_frame *cookie = NULL;

	if (!shown->frames_count)
		buffer_text(out, ",\"callchain\":[");
	for (size_t i = 0; i < shown->frames_count; i++) {
		const struct shown_frame *frame = &shown->frames[i];

		if (frame->cookie) {
			cookie = frame;
			continue;
		}
		add_hex(out, before, frame->ip);
		frame_texts_add(script->texts, &frame->text, 0, out);
		before = ",{\"ip\":";
	}
	if (cookie && shown->frames_count == 1)
		buffer_text(out, ",\"callchain\":[");
	buffer_char(out, ']');
	if (cookie)
		add_hex(out, ",\"cookie\":", cookie->ip);
}

/* ---- Samples ---- */

static void add_task(struct buffer *out, const struct shown *shown)
{
	uint64_t fields = shown->view->fields;

	if (fields & FIELD(COMM))
		add_quoted(out, ",\"comm\":", shown->comm, shown->comm_size);
	if (fields & FIELD(PID))
		add_signed(out, ",\"pid\":", (int32_t)shown->sample.pid);
	if (fields & FIELD(TID))
		add_signed(out, ",\"tid\":", (int32_t)shown->sample.tid);
	if (fields & FIELD(TIME))
		add_decimal(out, ",\"time\":", shown->sample.time);
	if (fields & FIELD(CPU))
		add_signed(out, ",\"cpu\":", (int32_t)shown->sample.cpu);
}

static void add_values(struct buffer *out, const struct shown *shown)
{
	const struct pk_sample *sample = &shown->sample;
	bool parts = shown->view->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
	const struct {
		enum field field;
		const char *name;
		uint64_t value;
		bool hex;
	} values[] = {
		{FIELD_ADDR, ",\"addr\":", sample->addr, true},
		{FIELD_DATA_SRC, ",\"data_src\":", sample->data_src, true},
		{FIELD_WEIGHT, ",\"weight\":", parts ? (uint32_t)sample->weight : sample->weight,
		 false},
		{FIELD_INS_LAT, ",\"ins_lat\":", sample->weight >> 32 & 0xffff, false},
		{FIELD_RETIRE_LAT, ",\"retire_lat\":", sample->weight >> 48, false},
		{FIELD_CGROUP, ",\"cgroup_id\":", sample->cgroup, false},
		{FIELD_PHYS_ADDR, ",\"phys_addr\":", sample->phys_addr, true},
		{FIELD_DATA_PAGE_SIZE, ",\"data_page_size\":", sample->data_page_size, false},
		{FIELD_CODE_PAGE_SIZE, ",\"code_page_size\":", sample->code_page_size, false},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (!(shown->view->fields >> values[i].field & 1))
			continue;
		if (values[i].hex)
			add_hex(out, values[i].name, values[i].value);
		else
			add_decimal(out, values[i].name, values[i].value);
	}
}

static void add_registers(struct buffer *out, const char *name,
			  const struct pk_registers *registers)
{
	const char *before = "";

	add_name(out, name);
	for (uint64_t i = 0; i < registers->values.count; i++, before = ",")
		add_hex(out, before, pk_u64s_at(&registers->values, i));
	buffer_char(out, ']');
}

static void add_branches(struct buffer *out, const struct pk_u64s *branches)
{
	const char *before = ",\"brstack\":[{\"from\":";

	if (!branches->count)
		buffer_text(out, ",\"brstack\":[");
	for (uint64_t i = 0; i < branches->count; i++, before = ",{\"from\":") {
		add_hex(out, before, pk_u64s_at(branches, 3 * i));
		add_hex(out, ",\"to\":", pk_u64s_at(branches, 3 * i + 1));
		add_hex(out, ",\"flags\":", pk_branch_flags(branches, i));
		buffer_char(out, '}');
	}
	buffer_char(out, ']');
}

static void add_member(struct buffer *out, const char **before, const char *name, size_t size)
{
	buffer_text(out, *before);
	buffer_quoted(out, name, size);
	buffer_char(out, ':');
	*before = ",";
}

static void add_number(struct buffer *out, enum pk_value_kind kind, uint64_t value)
{
	if (pk_kind_is_hex(kind))
		add_hex(out, "", value);
	else if (pk_kind_is_signed(kind))
		buffer_signed(out, (int64_t)value, 0);
	else
		buffer_decimal(out, value, 0);
}

static void add_arguments(struct buffer *out, const struct shown *shown)
{
	const struct pk_event *event = shown->view->event;
	const char *before = "";
	uint64_t value;

	for (size_t i = 0; i < event->arguments->count; i++) {
		const struct pk_argument *argument = &event->arguments->items[i];
		const bool is_signed = argument->flags & PK_ARGUMENT_SIGNED;

		add_member(out, &before, argument->name, strlen(argument->name));
		if (pk_argument_get(event, argument, &shown->sample, &value))
			add_number(out, is_signed ? PK_VALUE_SIGNED : PK_VALUE_NUMBER, value);
		else
			buffer_text(out, "null");
	}
}

/* Adds the value of a tracepoint's field: a string, a number, or null for other arrays. */
static void add_trace_value(struct buffer *out, const struct shown *shown,
			    const struct pk_tracepoint_field *field)
{
	const struct pk_tracepoint *tracepoint = shown->view->tracepoint;
	struct pk_bytes bytes;
	uint64_t value;

	if (field->is_string && pk_tracepoint_bytes(tracepoint, field, &shown->sample.raw, &bytes))
		buffer_quoted(out, (const char *)bytes.data, bytes.size);
	else if (!field->is_string && !field->is_array &&
		 pk_tracepoint_number(tracepoint, field, &shown->sample.raw, &value))
		add_number(out, field->kind, value);
	else
		buffer_text(out, "null");
}

/* Adds all fields except those that all tracepoints have: common_type, common_pid ... */
static void add_trace_fields(struct buffer *out, const struct shown *shown)
{
	const struct pk_tracepoint_field *field;
	const char *before = "";

	for (size_t i = 0; (field = pk_tracepoint_field_at(shown->view->tracepoint, i)); i++) {
		if (!strncmp(field->name, "common_", 7))
			continue;
		add_member(out, &before, field->name, strlen(field->name));
		add_trace_value(out, shown, field);
	}
}

static void add_trace(struct script *script, const struct shown *shown)
{
	struct buffer *out = &script->out;
	const char *text;
	size_t size;

	if (shown->view->event->arguments || shown->view->tracepoint) {
		buffer_text(out, ",\"fields\":{");
		if (shown->view->event->arguments)
			add_arguments(out, shown);
		else
			add_trace_fields(out, shown);
		buffer_char(out, '}');
	}
	if (!shown->view->tracepoint)
		return;
	text = pk_tracepoint_text(shown->view->tracepoint, &shown->sample.raw, &size);
	if (text)
		add_quoted(out, ",\"trace\":", text, size);
}

static void add_column(struct script *script, const struct shown *shown, struct pk_column *column,
		       const char *name, size_t name_size)
{
	char number[PK_VALUE_SIZE];
	struct buffer *out = &script->out;
	struct pk_bytes text;
	const char *before = ",";
	const struct pk_binding *binding =
		pk_column_bind(column, script->context, shown->of->event);
	uint64_t key;

	script->failed |= !binding;
	if (!binding || binding->kind == PK_VALUE_NONE)
		return;
	if (binding->kind == PK_VALUE_TEXT) {
		if (!pk_view_shown(shown->of, binding, number, &text))
			return;
		add_member(out, &before, name, name_size);
		buffer_quoted(out, (const char *)text.data, text.size);
	} else if (pk_view_key(shown->of, binding, &key)) {
		add_member(out, &before, name, name_size);
		add_number(out, binding->kind, key);
	}
}

/* Fields that are named with -F and are not printed elsewhere. */
static void add_more(struct script *script, const struct shown *shown)
{
	const struct fields *fields = &script->options->fields;

	for (size_t i = 0; shown->of && i < fields->more_count; i++) {
		struct more_field *more = &fields->more[i];

		if (more->types >> shown->view->type & 1)
			add_column(script, shown, &more->column, more->name, (size_t)more->size);
	}
}

/* Adds the path of the sample's control group, if a CGROUP record contains it. */
static void add_cgroup(struct script *script, const struct shown *shown)
{
	const char *path =
		pk_session_cgroup(pk_context_session(script->context), shown->sample.cgroup);

	if (path)
		add_quoted(&script->out, ",\"cgroup\":", path, strlen(path));
}

static void json_sample(struct script *script, const struct shown *shown)
{
	uint64_t fields = shown->view->fields;
	struct buffer *out = &script->out;

	if (!script->options->fields.of[shown->view->type])
		return;
	buffer_text(out, "{\"type\":\"SAMPLE\"");
	add_task(out, shown);
	buffer_add(out, shown->view->column, shown->view->column_size);
	if (fields & FIELD(PERIOD))
		add_decimal(out, ",\"period\":", shown->period);
	if (fields & FIELD(TRACE))
		add_trace(script, shown);
	if (fields & FIELD(CGROUP))
		add_cgroup(script, shown);
	add_values(out, shown);
	add_more(script, shown);
	if (fields & FIELD(IP)) {
		add_hex(out, ",\"ip\":", shown->sample.ip);
		script_print_frames(script, shown);
	}
	if (fields & FIELD(IREGS))
		add_registers(out, ",\"iregs\":[", &shown->sample.interrupt_registers);
	if (fields & FIELD(UREGS))
		add_registers(out, ",\"uregs\":[", &shown->sample.user_registers);
	if (fields & FIELD(BRSTACK))
		add_branches(out, &shown->sample.branches);
	buffer_text(out, "}\n");
}

static void json_column(struct script *script, struct event_style *view, struct buffer *column)
{
	(void)script;
	if (view->fields & FIELD(EVENT))
		add_quoted(column, ",\"event\":", view->event->name, strlen(view->event->name));
}

/* ---- Other records ---- */

/* Whether the record is not printed, because its content is printed with the samples. */
static bool is_dictionary(const struct pk_record *record)
{
	switch (pk_definition_of(record)) {
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
	case PK_RESET: return true;
	default: return false;
	}
}

/* Adds the frames of a deferred chain instead of its addresses. */
static void add_deferred(struct script *script, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	struct shown shown;

	if (!script_deferred(script, record, &shown))
		return;
	add_task(&script->out, &shown);
	add_frames(script, &shown);
	add_hex(&script->out, ",\"cookie\":", half->cookie);
}

/* Whether the object of a record of this type gets a member "time" anyway: the trailer's time must
 * not be a second one. */
static bool has_own_time(uint32_t type)
{
	return type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
	       type == PERF_RECORD_THROTTLE || type == PERF_RECORD_UNTHROTTLE ||
	       type == PERF_RECORD_CALLCHAIN_DEFERRED;
}

static void json_record(struct script *script, const struct pk_record *record)
{
	struct dump dump = {.path = script->run->input.name,
			    .reader = script->run->reader,
			    .dictionary = pk_source_dictionary(&script->context->stacks),
			    .cpus = script->cpus};

	if (is_dictionary(record))
		return;
	buffer_format(&script->out, "{\"type\":\"%s\"", dump_type_name(record->type));
	if (record->type < PERF_RECORD_HEADER_ATTR)
		add_decimal(&script->out, ",\"misc\":", record->misc);
	if (record->time != PK_NO_TIME && !has_own_time(record->type))
		add_decimal(&script->out, ",\"time\":", record->time);
	if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED) {
		add_deferred(script, record);
	} else {
		dump_to_json(&script->out);
		dump_record(&dump, record);
		dump_to_json(NULL);
		script->cpus = dump.cpus;
	}
	buffer_text(&script->out, "}\n");
}

const struct script_format script_json = {
	.option = "-F",
	.frame = &frame_format,
	.frames = add_frames,
	.sample = json_sample,
	.record = json_record,
	.column = json_column,
};
