// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"
#include "pkutil.h"
#include "resolve.h"
#include "script.h"

#define FLUSH_SIZE ((size_t)128 << 10)

void script_flush(struct script *script)
{
	if (script->out.size)
		fwrite(script->out.data, 1, script->out.size, stdout);
	script->out.size = 0;
}

static void idle(struct pk_run *run)
{
	script_flush(run->arg);
	fflush(stdout);
}

/* ---- Samples ---- */

struct showing {
	struct script *script;
	struct shown *shown;
};

/* The sample counts for an event: its own or, with the values of a group, another. */
static enum pk_status show_period(void *arg, const struct pk_event *event, uint64_t period)
{
	struct script *script = ((struct showing *)arg)->script;
	struct shown *shown = ((struct showing *)arg)->shown;
	static const struct pk_u64s no_chain;

	shown->view = script_view(script, event);
	if (!shown->view)
		return PK_NOMEM;
	shown->period = period;
	shown->frames_count = 0;
	if (shown->view->fields & FIELD(IP))
		script_frames(script, shown,
			      shown->view->chain ? &shown->sample.callchain : &no_chain);
	script->options->format->sample(script, shown);
	return PK_OK;
}

void script_find_thread(struct script *script, struct shown *shown, uint32_t pid, uint32_t tid)
{
	shown->thread = pk_session_thread(script->session, pid, tid);
	script->failed |= !shown->thread;
	shown->comm = shown->thread ? pk_session_comm(script->session, shown->thread->comm) : "";
	shown->comm_size = strlen(shown->comm);
}

bool script_shown(struct script *script, const struct pk_record *record, struct shown *shown)
{
	struct pk_sample_id id;

	*shown = (struct shown){.record = record};
	shown->view = record->event ? script_view(script, record->event) : NULL;
	if (!shown->view) {
		script->failed |= record->event != NULL;
		return false;
	}
	pk_sample_id_decode(record->event, record, &id);
	shown->sample.time = id.time == PK_NO_TIME ? 0 : id.time;
	shown->sample.cpu = id.cpu;
	shown->sample.pid = id.pid;
	shown->sample.tid = id.tid;
	return true;
}

bool script_deferred(struct script *script, const struct pk_record *record, struct shown *shown)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const uint64_t room = (record->size - sizeof(*half)) / sizeof(half->ips[0]);
	const struct pk_u64s chain = {(const uint8_t *)half->ips,
				      half->nr < room ? half->nr : room};

	if (!script_shown(script, record, shown))
		return false;
	script_find_thread(script, shown, shown->sample.pid, shown->sample.tid);
	if (!shown->thread)
		return false;
	script_frames_begin(script, record);
	shown->frames_count = script_chain(script, shown, &chain);
	shown->frames = script->frames;
	return true;
}

static enum pk_status take_sample(struct script *script, const struct pk_record *record)
{
	struct shown shown = {.record = record};
	struct showing showing = {script, &shown};
	struct pk_sample *sample = &shown.sample;
	enum pk_status status;

	if (!record->event || pk_sample_decode(record->event, record, sample)) {
		pk_run_complain(script->run, record, "sample that cannot be understood; left out");
		return PK_OK;
	}
	if (!record->event->layout.tid)
		sample->pid = sample->tid = UINT32_MAX;
	if (!record->event->layout.cpu)
		sample->cpu = UINT32_MAX;
	sample->stack = script->symbolized ? pk_stack_trailer(record->data, record->size) : 0;
	if (resolver_record(script->resolver, script->session, record))
		return PK_NOMEM;
	script_find_thread(script, &shown, sample->pid, sample->tid);
	if (!shown.thread)
		return PK_NOMEM;
	frame_texts_trim(script->texts);
	script_frames_begin(script, record);
	status = pk_periods_of(script->periods, pk_reader_events(script->run->reader),
			       record->event, record, show_period, &showing);
	if (status == PK_CORRUPT)
		pk_run_complain(script->run, record, "sample that cannot be understood; left out");
	if (script->out.size >= FLUSH_SIZE)
		script_flush(script);
	return status == PK_NOMEM ? PK_NOMEM : PK_OK;
}

/* ---- Records ---- */

/* What a tracepoint prints as %pS. */
static const char *kernel_symbol(void *arg, uint64_t address, uint64_t *start)
{
	struct script *script = arg;
	struct pk_resolved resolved = {0};
	struct pk_location location =
		pk_session_locate(script->session, NULL, address, PERF_RECORD_MISC_KERNEL);

	resolver_resolve(script->resolver, &location, &resolved);
	*start = address - (location.address - resolved.symbol_start);
	return resolved.function;
}

static enum pk_status begin_session(struct script *script)
{
	pk_session_free(script->session);
	script->session = pk_session_new();
	pk_dictionary_clear(script->dictionary);
	script->rooted = (struct pk_id_range){0};
	frame_texts_forget(script->texts);
	pk_periods_forget(script->periods);
	pk_tracepoints_free(script->tracepoints);
	script->tracepoints = pk_tracepoints_new();
	if (script->tracepoints)
		pk_tracepoints_resolver(script->tracepoints, kernel_symbol, script);
	resolver_begin(script->resolver, script->session);
	script_forget_views(script);
	script->symbolized = false;
	script->e_machine = script->cpus = 0;
	script->has_wall = false;
	script->time_before = 0;
	if (!header_begin(script))
		return PK_NOMEM;
	return script->session && script->tracepoints ? PK_OK : PK_NOMEM;
}

static enum pk_status take_tracing_data(struct script *script, const struct pk_record *record)
{
	script_forget_views(script);
	return pk_run_load_tracepoints(script->run, script->tracepoints, record);
}

static enum pk_status take_definition(struct script *script, const struct pk_record *record)
{
	struct pk_session_info info;
	enum pk_status status;

	switch (pk_definition_of(record)) {
	case PK_SESSION:
		if (!pk_session_info_decode(record, &info)) {
			script->symbolized = info.trailers & PK_TRAILER_STACK;
			script->e_machine = info.e_machine;
		}
		return PK_OK;
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
	case PK_RESET:
		status = pk_dictionary_read(script->dictionary, record);
		if (status != PK_CORRUPT)
			return status;
		pk_run_lose(script->run, PK_LOSS_DEFINITIONS_BAD, 1, 0);
		pk_run_complain(script->run, record,
				"definition out of turn or of something undefined");
		return PK_OK;
	default: return PK_OK;
	}
}

static void note_feature(struct script *script, const struct pk_feature_content *feature)
{
	const struct perf_feature_clock_data *clock = (const void *)feature->data;
	const struct pk_machine_kind *kind = NULL;
	const uint8_t *data = feature->data;

	switch (feature->id) {
	case PERF_FEATURE_E_MACHINE:
		if (feature->size >= 4)
			script->e_machine = pk_load_u32(data);
		break;
	case PERF_FEATURE_ARCH: /* u32 size, text */
		if (feature->size >= 4 && !script->e_machine)
			kind = pk_machine_named((const char *)data + 4, feature->size - 4);
		if (kind)
			script->e_machine = kind->elf;
		break;
	case PERF_FEATURE_CLOCK_DATA:
		script->has_wall = feature->size >= sizeof(*clock);
		if (script->has_wall)
			script->wall_offset = clock->wall_ns - clock->clockid_ns;
		break;
	default: break;
	}
}

static enum pk_status take_in(struct script *script, const struct pk_record *record)
{
	struct pk_feature_content feature;
	enum pk_status status = PK_OK;

	if (record->type == PERF_RECORD_EVENT_UPDATE)
		status = take_definition(script, record);
	if (status)
		return status;
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return take_tracing_data(script, record);
	if (pk_reader_feature(script->run->reader, record, &feature))
		note_feature(script, &feature);
	status = resolver_record(script->resolver, script->session, record);
	if (status)
		return status;
	status = pk_session_record(script->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(script->run, record, "malformed; not used");
	return status == PK_NOMEM ? status : PK_OK;
}

/* Something that was printed lacks a part. */
static bool has_failed(const struct script *script)
{
	return script->failed || script->out.failed || frame_texts_failed(script->texts) ||
	       (script->tracepoints && pk_tracepoints_failed(script->tracepoints));
}

static enum pk_status take_record(struct script *script, const struct pk_record *record)
{
	const struct script_format *format = script->options->format;
	enum pk_status status = PK_OK;

	if (format->count)
		return format->count(script, record);
	if (pk_unlikely(script->header))
		header_record(script, record);
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return script->options->header == HEADER_ONLY ? PK_OK : take_sample(script, record);
	if (record->type == PK_RECORD_BEGIN)
		return begin_session(script);
	script->deferred += record->type == PERF_RECORD_CALLCHAIN_DEFERRED;
	if (record->type != PERF_RECORD_EXIT)
		status = take_in(script, record);
	if (!status && script->options->header != HEADER_ONLY)
		format->record(script, record);
	if (!status && record->type == PERF_RECORD_EXIT)
		status = take_in(script, record);
	return status;
}

static enum pk_status take(struct pk_run *run, const struct pk_record *record)
{
	enum pk_status status = take_record(run->arg, record);

	return pk_unlikely(has_failed(run->arg)) ? PK_NOMEM : status;
}

static void end_session(struct pk_run *run)
{
	struct script *script = run->arg;

	header_end(script);
	if (!script->symbolized)
		pk_run_lose(run, PK_LOSS_FRAMES_UNRESOLVED, script->unresolved,
			    script->shown_frames);
	script->unresolved = script->shown_frames = 0;
}

static void tell(const struct script *script)
{
	char number[32];

	if (script->deferred && !script->options->apart)
		pk_warn("%s callchains of user space stand apart from their samples; "
			"pk-merge-callchains before pk-script brings them together",
			pk_number(number, script->deferred));
	if (script->cut)
		pk_warn("%s callchains have been cut: they would print too much for the size of "
			"the input",
			pk_number(number, script->cut));
}

int script(struct pk_run *run, struct pk_symbols *symbols, const struct script_options *options)
{
	struct script state = {.run = run, .options = options, .symbols = symbols};
	struct script *script = &state;
	int result = PK_EXIT_FAILED;

	run->ordered = true;
	run->record = take;
	run->idle = idle;
	run->session_end = end_session;
	run->arg = script;
	script->resolver = resolver_new(symbols, options->symbols, &run->messages);
	script->dictionary = pk_dictionary_new(NULL);
	script->periods = pk_periods_new();
	script->texts = frame_texts_new(options->format->frame, resolver_resolve, script->resolver);
	if (script->resolver && script->dictionary && script->periods && script->texts) {
		result = pk_run(run);
		if (options->format->finish)
			options->format->finish(script);
		script_flush(script);
		tell(script);
		if (result == PK_EXIT_OK && has_failed(script)) {
			pk_error("%s", pk_status_text(PK_NOMEM));
			result = PK_EXIT_FAILED;
		}
	} else {
		pk_error("%s", pk_status_text(PK_NOMEM));
	}
	script_forget_views(script);
	frame_texts_free(script->texts);
	pk_tracepoints_free(script->tracepoints);
	pk_periods_free(script->periods);
	pk_dictionary_free(script->dictionary);
	pk_session_free(script->session);
	resolver_free(script->resolver);
	header_free(script->header);
	free(script->frames);
	free(script->roots);
	free(script->out.data);
	return result;
}
