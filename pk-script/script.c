// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "code_reader.h"
#include "lookups.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "resolve.h"
#include "script.h"
#include "unknown_field.h"
#include "vector.h"

static unsigned int parts_of(uint64_t fields)
{
	unsigned int parts = 0;

	parts |= fields & FIELD(SYM) ? PART_SYM : 0;
	parts |= fields & FIELD(SYMOFF) ? PART_SYMOFF : 0;
	parts |= fields & (FIELD(DSO) | FIELD(DSOFF)) ? PART_DSO : 0;
	parts |= fields & FIELD(DSOFF) ? PART_DSOFF : 0;
	parts |= fields & FIELD(SRCLINE) ? PART_SRCLINE : 0;
	return parts;
}

static void report_missing(struct script *script, const struct pk_event *event, uint64_t missing)
{
	for (int i = 0; i < FIELDS_COUNT; i++)
		if (missing >> i & 1)
			pk_warn("%s: samples of %s have no field %s; it is not printed",
				script->run->input.name, event->name, field_name((enum field)i));
}

static void forget_views(struct script *script)
{
	for (size_t i = 0; i < script->views_count; i++)
		free(script->views[i].column);
	free(script->views);
	script->views = NULL;
	script->views_count = script->events_known = 0;
	script->name_width = 0;
}

/* Sets the width of the column of event names to the length of the longest name. New events can
 * change this width. Then the views are created again, because they contain padded names. */
static void measure_names(struct script *script)
{
	const struct pk_events *events = pk_reader_events(script->run->reader);
	size_t count = pk_events_count(events), width;

	if (pk_likely(count == script->events_known))
		return;
	forget_views(script);
	for (size_t i = 0; i < count; i++) {
		width = strlen(pk_events_at(events, i)->name);
		if (width > script->name_width)
			script->name_width = (unsigned int)width;
	}
	script->events_known = count;
}

/* Warns that the format of a tracepoint is missing, so that its samples are printed without their
 * fields. Warns only about the first such event. */
static void report_format(struct script *script, const struct pk_event *event)
{
	if (script->format_reported ||
	    !pk_tracepoints_is_unreadable(pk_context_tracepoints(script->context),
					  event->attr.config))
		return;
	script->format_reported = true;
	pk_warn("%s: its format is damaged or has too many fields: its samples are printed without "
		"their fields",
		event->name);
}

static void fill_view(struct script *script, struct event_style *view, const struct pk_event *event)
{
	struct buffer column = {0};
	uint64_t missing;

	*view = (struct event_style){.event = event, .type = field_type(event), .known = true};
	view->fields = fields_of(&script->options->fields, event, &missing);
	view->parts = parts_of(view->fields);
	view->chain =
		event->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !script->options->no_chains;
	if (event->attr.type == PERF_TYPE_TRACEPOINT) {
		view->tracepoint = pk_tracepoints_find(pk_context_tracepoints(script->context),
						       event->attr.config);
		view->sched = pk_sched_format_of(view->tracepoint);
		report_format(script, event);
	}
	report_missing(script, event, missing);
	if (script->options->format->column)
		script->options->format->column(script, view, &column);
	script->failed |= column.failed;
	view->column = column.data;
	view->column_size = column.size;
}

static struct event_style *view_of(struct script *script, const struct pk_event *event)
{
	measure_names(script);
	if (pk_extend(&script->views, &script->views_count, event->index) != PK_OK)
		return NULL;
	if (pk_unlikely(!script->views[event->index].known))
		fill_view(script, &script->views[event->index], event);
	return &script->views[event->index];
}

#define FLUSH_SIZE ((size_t)128 << 10)

static void flush(struct script *script)
{
	if (script->out.size)
		fwrite(script->out.data, 1, script->out.size, stdout);
	script->out.size = 0;
}

static void idle(struct pk_run *run)
{
	flush(((struct pk_tail *)run->arg)->arg);
	fflush(stdout);
}

/* ---- Samples ---- */

/* Prints the current sample for the event view->counted. This is the event of the sample. If the
 * sample contains the values of a group, this function is called for each event of the group. */
static enum pk_status show_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct script *script = arg;
	struct shown *shown = script->shown;
	static const struct pk_u64s no_chain;

	(void)weight;
	shown->of = view;
	shown->view = view_of(script, view->counted);
	if (!shown->view)
		return PK_NOMEM;
	shown->period = view->period;
	shown->frames_count = 0;
	shown->whole = NULL;
	if (shown->view->fields & FIELD(IP) && !pk_source_symbolized(&script->context->stacks) &&
	    !script->options->no_chains)
		pk_partial_chains_count(&script->partial, view->event);
	if (shown->view->fields & FIELD(IP))
		script_frames(script, shown,
			      shown->view->chain ? &shown->sample.callchain : &no_chain);
	script->options->format->sample(script, shown);
	return PK_OK;
}

enum pk_value_kind script_value(struct script *script, struct pk_view *of, struct pk_column *column,
				char number[PK_VALUE_SIZE], struct pk_bytes *text)
{
	const struct pk_binding *binding = pk_column_bind(column, script->context, of->event);

	script->failed |= !binding;
	if (!binding || !pk_view_shown(of, binding, number, text))
		return PK_VALUE_NONE;
	return binding->kind;
}

void script_find_thread(struct script *script, struct shown *shown, uint32_t pid, uint32_t tid)
{
	shown->thread = pk_session_thread(pk_context_session(script->context), pid, tid);
	script->failed |= !shown->thread;
	shown->comm = shown->thread ? pk_session_comm(pk_context_session(script->context),
						      shown->thread->comm)
				    : "";
	shown->comm_size = strlen(shown->comm);
}

enum pk_status script_shown(struct script *script, const struct pk_record *record,
			    struct shown *shown)
{
	struct pk_sample_id id;

	*shown = (struct shown){.record = record};
	shown->view = record->event ? view_of(script, record->event) : NULL;
	if (!shown->view) {
		script->failed |= record->event != NULL;
		return PK_NOMEM;
	}
	pk_sample_id_decode(record->event, record, &id);
	shown->sample.time = id.time == PK_NO_TIME ? 0 : id.time;
	shown->sample.cpu = id.cpu;
	shown->sample.pid = id.pid;
	shown->sample.tid = id.tid;
	return PK_OK;
}

bool script_deferred(struct script *script, const struct pk_record *record, struct shown *shown)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const uint64_t room = (record->size - sizeof(*half)) / sizeof(half->ips[0]);
	const struct pk_u64s chain = {(const uint8_t *)half->ips,
				      half->nr < room ? half->nr : room};

	if (script_shown(script, record, shown) != PK_OK)
		return false;
	script_find_thread(script, shown, shown->sample.pid, shown->sample.tid);
	if (!shown->thread)
		return false;
	script_frames_start(script, record);
	shown->frames_count = script_chain(script, shown, &chain);
	shown->frames = script->frames;
	return true;
}

static enum pk_status read_sample(struct script *script, const struct pk_record *record)
{
	struct shown shown = {.record = record};
	struct pk_sample *sample = &shown.sample;
	enum pk_status status;

	if (!record->event || pk_sample_decode(record->event, record, sample) != PK_OK) {
		pk_run_complain(script->run, record, "sample that cannot be decoded, skipped");
		return PK_OK;
	}
	if (!record->event->layout.tid)
		sample->pid = sample->tid = UINT32_MAX;
	if (!record->event->layout.cpu)
		sample->cpu = UINT32_MAX;
	sample->stack = pk_source_symbolized(&script->context->stacks)
				? pk_stack_trailer(record->data, record->size)
				: 0;
	if (pk_resolver_record(script->resolver, pk_context_session(script->context), record) !=
	    PK_OK)
		return PK_NOMEM;
	script_find_thread(script, &shown, sample->pid, sample->tid);
	if (!shown.thread)
		return PK_NOMEM;
	frame_texts_trim(script->texts);
	script_frames_start(script, record);
	script->shown = &shown;
	status = pk_tail_evaluate(&script->tail, record);
	if (script->out.size >= FLUSH_SIZE)
		flush(script);
	return status;
}

/* ---- Records ---- */

/* Resolves an address for %pS in the print format of a tracepoint. */
static const char *kernel_symbol(void *arg, uint64_t address, uint64_t *start)
{
	struct script *script = arg;
	struct pk_resolved resolved = {0};
	struct pk_location location = pk_session_locate(pk_context_session(script->context), NULL,
							address, PERF_RECORD_MISC_KERNEL);

	pk_resolver_resolve(script->resolver, &location, &resolved);
	*start = address - (location.address - resolved.symbol_start);
	return resolved.function;
}

static enum pk_status start_session(struct script *script, const struct pk_record *record)
{
	PK_TRY(pk_tail_evaluate(&script->tail, record));
	frame_texts_forget(script->texts);
	chain_texts_forget(script->chains);
	pk_tracepoints_resolver(pk_context_tracepoints(script->context), kernel_symbol, script);
	pk_tracepoints_printer(pk_context_tracepoints(script->context),
			       script->options->second.printer);
	pk_resolver_start_session(script->resolver, pk_context_session(script->context));
	forget_views(script);
	script->cpus = script->images = 0;
	script->wall = (struct pk_wall_clock){0};
	script->time_before = 0;
	return PK_OK;
}

static enum pk_status read_other(struct script *script, const struct pk_record *record)
{
	enum pk_status status;

	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		forget_views(script);
	pk_wall_clock_record(&script->wall, script->run->reader, record);
	status = pk_resolver_record(script->resolver, pk_context_session(script->context), record);
	return status ?: pk_tail_evaluate(&script->tail, record);
}

/* Returns true if memory was exhausted, so that the output is incomplete. */
static bool has_failed(const struct script *script)
{
	const struct pk_context *context = script->context;

	return script->failed || script->out.failed || context->failed ||
	       frame_texts_failed(script->texts) || pk_code_reader_failed(script->code) ||
	       (pk_context_tracepoints(context) &&
		pk_tracepoints_failed(pk_context_tracepoints(context)));
}

/* The callback pk_tail.check. It checks the fields that -F names. */
static enum pk_status check_fields(void *arg)
{
	const struct script *script = arg;
	const struct fields *fields = &script->options->fields;
	const char *names[FIELDS_COUNT + 1] = {NULL};

	for (int i = 0; i < FIELDS_COUNT; i++)
		names[i] = field_name((enum field)i);
	for (size_t i = 0; i < fields->more_count; i++)
		if (!fields->more[i].optional)
			PK_TRY(pk_check_field(script->context, &fields->more[i].column.reference,
					      names, script->options->format->option));
	return PK_OK;
}

static bool is_header_only(const struct script *script)
{
	return script->options->header.wanted == HEADER_ONLY;
}

static enum pk_status show_record(struct script *script, const struct pk_record *record)
{
	const struct script_format *format = script->options->format;
	enum pk_status status = PK_OK;

	if (pk_unlikely(script->header))
		pk_recording_header_record(script->header, record);
	if (format->count)
		return format->count(script, record);
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return is_header_only(script) ? PK_OK : read_sample(script, record);
	if (record->type == PK_RECORD_BEGIN)
		return start_session(script, record);
	script->deferred += record->type == PERF_RECORD_CALLCHAIN_DEFERRED;
	if (record->type != PERF_RECORD_EXIT)
		status = read_other(script, record);
	if (!status && !is_header_only(script))
		format->record(script, record);
	if (!status && record->type == PERF_RECORD_EXIT)
		status = read_other(script, record);
	return status;
}

/* The callback pk_tail.record. */
static enum pk_status read_record(void *arg, const struct pk_record *record)
{
	struct script *script = arg;
	enum pk_status status = show_record(script, record);

	return pk_unlikely(has_failed(script)) ? PK_NOMEM : status;
}

static enum pk_status end_session(void *arg)
{
	struct script *script = arg;

	if (script->options->format->session_end)
		script->options->format->session_end(script);
	if (script->header)
		pk_recording_header_end(script->header);
	if (!pk_source_symbolized(&script->context->stacks))
		pk_run_lose(script->run, PK_LOSS_FRAMES_UNRESOLVED, script->unresolved,
			    script->shown_frames);
	script->unresolved = script->shown_frames = 0;
	return PK_OK;
}

/* Prints warnings about all inputs. Returns false if no event has a field that -F names. */
static bool report(const struct script *script)
{
	const struct fields *fields = &script->options->fields;
	bool found = true;
	char missing[PK_MISSING_SIZE];
	char number[32];

	if (script->deferred && !script->options->apart)
		pk_warn("%s user callchains are separate from their samples; run "
			"pk-merge-callchains before pk-script",
			pk_number(number, script->deferred));
	pk_report_missing_stages(&script->partial, 0);
	if (script->options->format->samples_only && !script->options->show &&
	    script->options->header.wanted == HEADER_NONE)
		pk_report_no_samples(script->run);
	if (script->cut)
		pk_warn("%s callchains have been cut: they would print too much for the size of "
			"the input",
			pk_number(number, script->cut));
	/* --format and --layout have already checked their fields. It is no error if the samples of
	 * the input do not have these fields. */
	if (script->options->template.count || script->options->sched.layout)
		return true;
	for (size_t i = 0; script->tail.profile.counted && i < fields->more_count; i++) {
		const struct more_field *more = &fields->more[i];

		if (more->column.found || more->column.reference.field)
			continue;
		pk_reference_missing(&more->column.reference, missing);
		pk_error("-F: %s", missing);
		found = false;
	}
	return found;
}

static unsigned int needs(const struct script_options *options)
{
	unsigned int needs = PK_NEED_TASKS | PK_NEED_STACKS | PK_NEED_SYMBOLS;

	for (size_t i = 0; i < options->fields.more_count; i++)
		needs |= pk_reference_needs(&options->fields.more[i].column.reference);
	return needs;
}

static enum pk_status set_up(struct script *script)
{
	const struct script_options *options = script->options;
	const bool header = options->header.wanted != HEADER_NONE;
	struct pk_run *run = script->run;

	PK_TRY(pk_tail_start(&script->tail, run));
	run->idle = idle;
	script->resolver =
		pk_resolver_new(script->tail.symbols, &options->tail.symbols, &run->messages);
	script->texts =
		frame_texts_new(options->format->frame, pk_resolver_resolve, script->resolver);
	script->chains = chain_texts_new();
	if (header)
		script->header = pk_recording_header_new(run, &options->header, &script->out);
	if (!script->resolver || !script->texts || !script->chains || header != !!script->header)
		return PK_NOMEM;
	if (fields_asked_any(&options->fields, FIELDS_OF_CODE)) {
		script->code = pk_code_reader_new(script->resolver, pk_exit_no_memory);
		return script->code ? PK_OK : PK_NOMEM;
	}
	return PK_OK;
}

static int print_all(struct script *script)
{
	int result = pk_run(script->run);

	if (script->run->refused)
		return result;
	if (script->options->format->finish)
		script->options->format->finish(script);
	flush(script);
	if (!script->run->nothing && !report(script) && result == PK_EXIT_OK)
		result = PK_EXIT_FAILED;
	return result == PK_EXIT_OK && has_failed(script) ? pk_no_memory() : result;
}

int script(struct pk_run *run, struct script_options *options)
{
	struct script script = {.options = options, .run = run};
	int result;

	options->tail.weigh.each_event = true;
	script.context = &script.tail.profile.context;
	script.tail = (struct pk_tail){.options = &options->tail,
				       .needs = needs(options),
				       .arg = &script,
				       .sample = show_sample,
				       .record = read_record,
				       .check = check_fields,
				       .session_end = end_session,
				       .symbolized = true,
				       .checked = options->format->count};
	result = set_up(&script) == PK_OK ? print_all(&script) : pk_no_memory();
	forget_views(&script);
	pk_code_reader_free(script.code);
	frame_texts_free(script.texts);
	chain_texts_free(script.chains);
	pk_resolver_free(script.resolver);
	pk_recording_header_free(script.header);
	free(script.frames);
	free(script.out.data);
	return pk_tail_free(&script.tail, result);
}
