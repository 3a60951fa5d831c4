// SPDX-License-Identifier: BSD-2-Clause
#include "digits.h"
#include "dump.h"
#include "json.h"
#include "script.h"

/* Prints one JSON object on one line for each record. */

/* ---- Frames ---- */

static void add_frame(struct buffer *out, const struct pk_frame_info *info, unsigned int parts,
		      struct number_places *places)
{
	struct json json = {.out = out, .comma = true};

	if (parts & PART_SYM && info->function) {
		json_bytes(&json, "symbol", info->function, info->function_size);
		if (parts & PART_SYMOFF) {
			json_key(&json, "offset");
			places->at[NUMBER_OFFSET] = (uint32_t)out->size + 1;
		}
	}
	if (parts & PART_DSO && info->dso)
		json_text(&json, "dso", info->dso);
	if (parts & PART_DSOFF && info->in_file) {
		json_text(&json, "dsoff", "0x");
		places->at[NUMBER_ADDRESS] = (uint32_t)out->size;
	}
	if (info->inlined)
		json_bool(&json, "inlined", true);
	if (parts & PART_SRCLINE && info->file) {
		json_text(&json, "file", info->file);
		json_number(&json, "line", info->line);
	}
	json_close(&json, '}');
}

static char *put_number(char *p, enum frame_number which, uint64_t value)
{
	return which == NUMBER_OFFSET ? digits_decimal(p, value, 0) : digits_hex(p, value, 0);
}

static const struct frame_format frame_format = {.text = add_frame, .number = put_number};

static void add_callchain(struct script *script, const struct shown *shown, struct json *json)
{
	const struct shown_frame *cookie = NULL;

	json_open(json, "callchain", '[');
	for (size_t i = 0; i < shown->frames_count; i++) {
		const struct shown_frame *frame = &shown->frames[i];

		if (frame->cookie) {
			cookie = frame;
			continue;
		}
		json_open(json, NULL, '{');
		json_hex(json, "ip", frame->ip);
		frame_texts_add(script->texts, &frame->text, 0, json->out);
		json->comma = true;
	}
	json_close(json, ']');
	if (cookie)
		json_hex(json, "cookie", cookie->ip);
}

static void add_frames(struct script *script, const struct shown *shown)
{
	struct json json = {.out = &script->out, .comma = true};

	add_callchain(script, shown, &json);
}

/* ---- Samples ---- */

static void add_task(struct json *json, const struct shown *shown)
{
	uint64_t fields = shown->view->fields;

	if (fields & FIELD(COMM))
		json_bytes(json, "comm", shown->comm, shown->comm_size);
	if (fields & FIELD(PID))
		json_signed(json, "pid", (int32_t)shown->sample.pid);
	if (fields & FIELD(TID))
		json_signed(json, "tid", (int32_t)shown->sample.tid);
	if (fields & FIELD(TIME))
		json_number(json, "time", shown->sample.time);
	if (fields & FIELD(CPU))
		json_signed(json, "cpu", (int32_t)shown->sample.cpu);
}

static void add_values(struct json *json, const struct shown *shown)
{
	const struct pk_sample *sample = &shown->sample;
	bool parts = shown->view->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
	const struct {
		enum field field;
		const char *name;
		uint64_t value;
		bool hex;
	} values[] = {
		{FIELD_ADDR, "addr", sample->addr, true},
		{FIELD_DATA_SRC, "data_src", sample->data_src, true},
		{FIELD_WEIGHT, "weight", parts ? (uint32_t)sample->weight : sample->weight, false},
		{FIELD_INS_LAT, "ins_lat", sample->weight >> 32 & 0xffff, false},
		{FIELD_RETIRE_LAT, "retire_lat", sample->weight >> 48, false},
		{FIELD_CGROUP, "cgroup_id", sample->cgroup, false},
		{FIELD_PHYS_ADDR, "phys_addr", sample->phys_addr, true},
		{FIELD_DATA_PAGE_SIZE, "data_page_size", sample->data_page_size, false},
		{FIELD_CODE_PAGE_SIZE, "code_page_size", sample->code_page_size, false},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (!(shown->view->fields >> values[i].field & 1))
			continue;
		if (values[i].hex)
			json_hex(json, values[i].name, values[i].value);
		else
			json_number(json, values[i].name, values[i].value);
	}
}

static void add_registers(struct json *json, const char *name, const struct pk_registers *registers)
{
	json_open(json, name, '[');
	for (uint64_t i = 0; i < registers->values.count; i++)
		json_hex(json, NULL, pk_u64s_at(&registers->values, i));
	json_close(json, ']');
}

static void add_branches(struct json *json, const struct pk_u64s *branches)
{
	json_open(json, "brstack", '[');
	for (uint64_t i = 0; i < branches->count; i++) {
		json_open(json, NULL, '{');
		json_hex(json, "from", pk_u64s_at(branches, 3 * i));
		json_hex(json, "to", pk_u64s_at(branches, 3 * i + 1));
		json_hex(json, "flags", pk_branch_flags(branches, i));
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Adds a number as the value of the member whose name was added before. */
static void add_number(struct buffer *out, enum pk_value_kind kind, uint64_t value)
{
	struct json json = {.out = out};

	if (pk_kind_is_hex(kind))
		json_hex(&json, NULL, value);
	else if (pk_kind_is_signed(kind))
		buffer_signed(out, (int64_t)value, 0);
	else
		buffer_decimal(out, value, 0);
}

static void add_arguments(struct json *json, const struct shown *shown)
{
	const struct pk_event *event = shown->view->event;
	uint64_t value;

	for (size_t i = 0; i < event->arguments->count; i++) {
		const struct pk_argument *argument = &event->arguments->items[i];
		const enum pk_value_kind kind =
			argument->flags & PK_ARGUMENT_SIGNED	? PK_VALUE_SIGNED
			: argument->flags & PK_ARGUMENT_ADDRESS ? PK_VALUE_ADDRESS
								: PK_VALUE_NUMBER;

		json_name(json, argument->name, strlen(argument->name));
		if (pk_argument_get(event, argument, &shown->sample, &value))
			add_number(json->out, kind, value);
		else
			buffer_text(json->out, "null");
	}
}

/* Adds the value of a tracepoint's field. It is a string or a number, or null for an array that is
 * not a string. */
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

/* Adds all fields of a tracepoint. Leaves out those that all tracepoints have, such as common_type
 * and common_pid. */
static void add_trace_fields(struct json *json, const struct shown *shown)
{
	const struct pk_tracepoint_field *field;

	for (size_t i = 0; (field = pk_tracepoint_field_at(shown->view->tracepoint, i)); i++) {
		if (!strncmp(field->name, "common_", 7))
			continue;
		json_name(json, field->name, strlen(field->name));
		add_trace_value(json->out, shown, field);
	}
}

static void add_trace(struct json *json, const struct shown *shown)
{
	const char *text;
	size_t size;

	if (shown->view->event->arguments || shown->view->tracepoint) {
		json_open(json, "fields", '{');
		if (shown->view->event->arguments)
			add_arguments(json, shown);
		else
			add_trace_fields(json, shown);
		json_close(json, '}');
	}
	if (!shown->view->tracepoint)
		return;
	text = pk_tracepoint_text(shown->view->tracepoint, &shown->sample.raw, &size);
	if (text)
		json_bytes(json, "trace", text, size);
}

static void add_column(struct script *script, const struct shown *shown, struct more_field *field,
		       struct json *json)
{
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;
	const struct pk_binding *binding =
		pk_column_bind(&field->column, script->context, shown->of->event);
	uint64_t key;

	script->failed |= !binding;
	if (!binding || binding->kind == PK_VALUE_NONE)
		return;
	if (binding->kind == PK_VALUE_TEXT) {
		if (!pk_view_shown(shown->of, binding, number, &text))
			return;
		json_name(json, field->name, (size_t)field->size);
		buffer_quoted(json->out, (const char *)text.data, text.size);
	} else if (pk_view_key(shown->of, binding, &key)) {
		json_name(json, field->name, (size_t)field->size);
		add_number(json->out, binding->kind, key);
	}
}

/* Adds the fields that -F names and that no other function prints. */
static void add_more(struct script *script, const struct shown *shown, struct json *json)
{
	const struct fields *fields = &script->options->fields;

	for (size_t i = 0; shown->of && i < fields->more_count; i++) {
		struct more_field *more = &fields->more[i];

		if (more->types >> shown->view->type & 1)
			add_column(script, shown, more, json);
	}
}

/* Adds the path of the sample's control group, if a CGROUP record contains it. */
static void add_cgroup(struct script *script, const struct shown *shown, struct json *json)
{
	const char *path =
		pk_session_cgroup(pk_context_session(script->context), shown->sample.cgroup);

	if (path)
		json_text(json, "cgroup", path);
}

static void json_sample(struct script *script, const struct shown *shown)
{
	uint64_t fields = shown->view->fields;
	struct json json = {.out = &script->out};

	if (!script->options->fields.of[shown->view->type])
		return;
	json_open(&json, NULL, '{');
	json_text(&json, "type", "SAMPLE");
	add_task(&json, shown);
	buffer_add(&script->out, shown->view->column, shown->view->column_size);
	if (fields & FIELD(PERIOD))
		json_number(&json, "period", shown->period);
	if (fields & FIELD(TRACE))
		add_trace(&json, shown);
	if (fields & FIELD(CGROUP))
		add_cgroup(script, shown, &json);
	add_values(&json, shown);
	add_more(script, shown, &json);
	if (fields & FIELD(IP)) {
		json_hex(&json, "ip", shown->sample.ip);
		script_print_frames(script, shown);
	}
	if (fields & FIELD(IREGS))
		add_registers(&json, "iregs", &shown->sample.interrupt_registers);
	if (fields & FIELD(UREGS))
		add_registers(&json, "uregs", &shown->sample.user_registers);
	if (fields & FIELD(BRSTACK))
		add_branches(&json, &shown->sample.branches);
	json_end(&json);
}

static void json_column(struct script *script, struct event_style *view, struct buffer *column)
{
	struct json json = {.out = column, .comma = true};

	(void)script;
	if (view->fields & FIELD(EVENT))
		json_text(&json, "event", view->event->name);
}

/* ---- Other records ---- */

/* Returns true if the record is not printed because its content is printed with the samples. */
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
static void add_deferred(struct script *script, const struct pk_record *record, struct json *json)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	struct shown shown;

	if (!script_deferred(script, record, &shown))
		return;
	add_task(json, &shown);
	add_callchain(script, &shown, json);
	json_hex(json, "cookie", half->cookie);
}

/* Returns true if the object of a record of this type already gets a member "time". The trailer's
 * time must not become a second member with this name. */
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
			    .images = script->images,
			    .cpus = script->cpus};
	struct json json = {.out = &script->out};

	if (is_dictionary(record))
		return;
	json_open(&json, NULL, '{');
	json_text(&json, "type", dump_type_name(record->type));
	if (record->type < PERF_RECORD_HEADER_ATTR)
		json_number(&json, "misc", record->misc);
	if (record->time != PK_NO_TIME && !has_own_time(record->type))
		json_number(&json, "time", record->time);
	if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED) {
		add_deferred(script, record, &json);
	} else {
		dump_to_json(&script->out);
		dump_record(&dump, record);
		dump_to_json(NULL);
		script->cpus = dump.cpus;
		script->images = dump.images;
	}
	json_end(&json);
}

const struct script_format script_json = {
	.option = "-F",
	.frame = &frame_format,
	.frames = add_frames,
	.sample = json_sample,
	.record = json_record,
	.column = json_column,
};
