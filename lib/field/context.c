// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "access_types.h"
#include "code_objects.h"
#include "context_internal.h"
#include "machine.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "place.h"
#include "vector.h"

static enum pk_status start_code(struct pk_context *context)
{
	if (!(context->needs & PK_NEED_CODE) || !context->code.symbols)
		return PK_OK;
	context->state->objects = pk_code_objects_new(&context->code);
	if (context->state->objects)
		context->state->places = pk_places_new(context->state->objects);
	if (context->state->places)
		context->state->access_types =
			pk_access_types_new(context->state->objects, context->state->places);
	context->state->address_names =
		pk_address_names_new(context->state->objects, &context->state->texts);
	if (!context->state->access_types)
		return PK_NOMEM;
	return context->state->address_names ? PK_OK : PK_NOMEM;
}

static enum pk_status start_stacks(struct pk_context *context)
{
	const unsigned int needs = context->needs;
	const struct pk_stack_request request = {
		.definitions = needs & (PK_NEED_STACKS | PK_NEED_NAMES | PK_NEED_CODE),
		.made = needs & PK_NEED_ANY_STACKS,
		.exact = needs & PK_NEED_ADDRESSES,
		.callers = needs & PK_NEED_CALLERS || !context->leaves,
		.lines = needs & PK_NEED_LINES,
		.calls = needs & PK_NEED_CALLS,
		.code = context->code,
	};

	return pk_source_init(&context->stacks, &request);
}

enum pk_status pk_context_init(struct pk_context *context)
{
	if (context->needs & PK_NEED_ADDRESSES)
		context->needs |= PK_NEED_ANY_STACKS | PK_NEED_CALLERS | PK_NEED_TASKS;
	context->state = calloc(1, sizeof(*context->state));
	if (context->state &&
	    pk_reference_parse(&context->state->duration.reference, "duration", 8) == PK_OK &&
	    start_stacks(context) == PK_OK && start_code(context) == PK_OK)
		return PK_OK;
	pk_context_free(context);
	return PK_NOMEM;
}

static void free_state(struct pk_stream_state *state)
{
	pk_column_free(&state->duration);
	free(state->text.data);
	pk_texts_free(&state->texts);
	pk_words_forget(&state->words);
	free(state->waits);
	pk_parallelism_forget(&state->parallelism);
	pk_sockets_forget(&state->sockets);
	pk_access_types_free(state->access_types);
	pk_address_names_free(state->address_names);
	pk_places_free(state->places);
	pk_code_objects_free(state->objects);
}

void pk_context_free(struct pk_context *context)
{
	struct pk_stream_state *state = context->state;

	if (state)
		free_state(state);
	pk_source_free(&context->stacks);
	if (state) {
		pk_tracepoints_free(state->tracepoints);
		pk_session_free(state->session);
	}
	free(state);
	context->state = NULL;
}

/* ---- The state of the stream ---- */

struct pk_reader *pk_context_reader(const struct pk_context *context)
{
	return context->state->reader;
}

struct pk_session *pk_context_session(const struct pk_context *context)
{
	return context->state->session;
}

struct pk_tracepoints *pk_context_tracepoints(const struct pk_context *context)
{
	return context->state->tracepoints;
}

uint32_t pk_context_machine(const struct pk_context *context)
{
	return context->state->e_machine;
}

const struct pk_parallelism *pk_context_parallelism(const struct pk_context *context)
{
	return &context->state->parallelism;
}

struct pk_code_objects *pk_context_objects(const struct pk_context *context)
{
	return context->state->objects;
}

struct pk_places *pk_context_places(const struct pk_context *context)
{
	return context->state->places;
}

struct buffer *pk_context_scratch(struct pk_context *context)
{
	context->state->text.size = 0;
	return &context->state->text;
}

/* ---- Callbacks ---- */

void pk_context_complain(const struct pk_context *context, const struct pk_record *record,
			 const char *text)
{
	if (context->complain)
		context->complain(context->arg, record, text);
}

static void lose(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	struct pk_context *context = arg;

	if (context->lose)
		context->lose(context->arg, cause, count, total);
}

static enum pk_status forget(struct pk_context *context)
{
	enum pk_status status = context->forget ? context->forget(context->arg) : PK_OK;

	pk_texts_clear(&context->state->texts);
	pk_words_forget(&context->state->words);
	free(context->state->waits);
	context->state->waits = NULL;
	context->state->waits_count = 0;
	if (context->state->address_names)
		pk_address_names_clear(context->state->address_names);
	if (context->state->places)
		pk_places_forget_stacks(context->state->places);
	pk_source_forget(&context->stacks);
	context->epoch++;
	return status;
}

/* ---- Sessions ---- */

static enum pk_status begin_session(struct pk_context *context)
{
	enum pk_status status = forget(context);

	pk_session_free(context->state->session);
	pk_tracepoints_free(context->state->tracepoints);
	context->state->session = pk_session_new();
	context->state->tracepoints = pk_tracepoints_new();
	pk_source_start(&context->stacks, context->state->session, context->look_up);
	pk_parallelism_forget(&context->state->parallelism);
	pk_sockets_forget(&context->state->sockets);
	context->state->e_machine = 0;
	if (context->state->objects && context->state->session) {
		pk_code_objects_start_session(context->state->objects, context->state->session);
		pk_places_start_session(context->state->places, context->state->session);
	}
	if (status)
		return status;
	return context->state->session && context->state->tracepoints ? PK_OK : PK_NOMEM;
}

enum pk_status pk_context_end(struct pk_context *context)
{
	const enum pk_status status = forget(context);

	pk_source_end(&context->stacks, lose, context);
	return status;
}

static enum pk_status session_record(struct pk_context *context, const struct pk_record *record)
{
	enum pk_status status;

	if (context->state->objects)
		PK_TRY(pk_code_objects_record(context->state->objects, context->state->reader,
					      record));
	if (pk_source_record(&context->stacks, context->state->session, record) != PK_OK)
		return PK_NOMEM;
	status = pk_session_record(context->state->session, record);
	if (status == PK_CORRUPT)
		pk_context_complain(context, record, "malformed; not used");
	return status == PK_NOMEM ? status : PK_OK;
}

/* ---- Definitions ---- */

static enum pk_status read_definition(struct pk_context *context, const struct pk_record *record,
				      unsigned int kind)
{
	enum pk_status status = PK_OK;

	if (kind == PK_RESET && pk_source_dictionary(&context->stacks) &&
	    !pk_source_makes(&context->stacks))
		status = forget(context);
	if (!status)
		status = pk_source_define(&context->stacks, record, kind);
	if (pk_likely(status != PK_CORRUPT))
		return status;
	lose(context, PK_LOSS_DEFINITIONS_BAD, 1, 0);
	pk_context_complain(context, record,
			    "definition with an unexpected id or an undefined reference");
	return PK_OK;
}

void pk_context_describe(struct pk_context *context, const struct pk_session_info *info)
{
	pk_source_describe(&context->stacks, info);
	context->epoch++;
	if (info->e_machine) /* If it is 0, the machine that the features have given stays valid. */
		context->state->e_machine = info->e_machine;
	if (context->state->objects)
		pk_code_objects_machine(context->state->objects, info);
}

/* Sets e_machine from the features E_MACHINE and ARCH, and sockets from the features about CPUs. */
static void note_machine(struct pk_context *context, const struct pk_record *record)
{
	const struct pk_machine_kind *kind = NULL;
	struct pk_feature_content feature;

	if (!pk_reader_feature(context->state->reader, record, &feature) || feature.size < 4)
		return;
	context->failed |= pk_sockets_feature(&context->state->sockets, &feature) != PK_OK;
	if (feature.id == PERF_FEATURE_E_MACHINE)
		context->state->e_machine = pk_load_u32(feature.data);
	else if (feature.id == PERF_FEATURE_ARCH &&
		 !context->state
			  ->e_machine) /* The feature consists of a size in 4 bytes and a text. */
		kind = pk_machine_named((const char *)feature.data + 4, feature.size - 4);
	if (kind)
		context->state->e_machine = kind->elf;
}

/* Evaluates the definitions that stages write, and the names of events. */
static enum pk_status event_update(struct pk_context *context, const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);
	struct pk_session_info info;

	switch (kind) {
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
	case PK_RESET: return read_definition(context, record, kind);
	case PK_SESSION:
		if (pk_session_info_decode(record, &info) == PK_OK)
			pk_context_describe(context, &info);
		return PK_OK;
	case PK_DEFINITION_NONE: /* the record contains the name of an event */
	case PK_ARGUMENTS: context->epoch++; return PK_OK;
	case PK_LABEL: context->epoch++; return session_record(context, record);
	case PK_FEATURE_PART: note_machine(context, record); return session_record(context, record);
	default: return kind < PK_IMAGE ? PK_OK : session_record(context, record);
	}
}

/* ---- Formats of tracepoints ---- */

enum pk_status pk_read_payload(struct pk_reader *reader, uint8_t **all, size_t *all_size)
{
	const uint8_t *data;
	size_t size, capacity = 0;

	*all = NULL;
	*all_size = 0;
	while (pk_reader_payload(reader, &data, &size) == PK_OK && size) {
		if (size > PK_PAYLOAD_MAX - *all_size)
			return PK_UNSUPPORTED;
		PK_TRY(pk_reserve(all, &capacity, *all_size, size, 1));
		memcpy(*all + *all_size, data, size);
		*all_size += size;
	}
	return PK_OK;
}

/* Names tracepoints by their formats. Streams of old versions of perf have only the ids of
 * tracepoints. */
static enum pk_status name_events(struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(context->state->reader);
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < pk_events_count(events) && !status; i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct pk_tracepoint *tracepoint =
			event->attr.type == PERF_TYPE_TRACEPOINT
				? pk_tracepoints_find(context->state->tracepoints,
						      event->attr.config)
				: NULL;

		if (tracepoint)
			status = pk_reader_name_event(context->state->reader, event,
						      pk_tracepoint_name(tracepoint));
	}
	return status;
}

static const char damaged[] =
	"the formats of tracepoints are damaged; only the readable ones are used";

enum pk_status pk_context_read_formats(struct pk_context *context, struct pk_reader *reader,
				       const struct pk_record *record, const uint8_t *data,
				       size_t size)
{
	enum pk_status status;

	context->state->reader = reader;
	context->epoch++;
	status = pk_tracepoints_load(context->state->tracepoints, data, size);
	if (status == PK_NOMEM)
		return status;
	if (status)
		pk_context_complain(context, record, damaged);
	status = name_events(context);
	return pk_tracepoints_failed(context->state->tracepoints) ? PK_NOMEM : status;
}

static enum pk_status load_formats(struct pk_context *context, const struct pk_record *record)
{
	uint8_t *all = NULL;
	size_t size = 0;
	enum pk_status status = pk_read_payload(context->state->reader, &all, &size);

	if (!status)
		status =
			pk_context_read_formats(context, context->state->reader, record, all, size);
	else if (status == PK_UNSUPPORTED)
		pk_context_complain(context, record, damaged);
	free(all);
	return status == PK_UNSUPPORTED ? PK_OK : status;
}

/* ---- Records ---- */

/* Finds the event of the record. Only the ordered reader sets the event of such a record itself. */
static enum pk_status note_switch(struct pk_context *context, const struct pk_record *record)
{
	struct pk_record with_event = *record;

	if (!record->event && record->type)
		with_event.event = pk_reader_event_of(context->state->reader, record);
	return pk_parallelism_record(&context->state->parallelism, &with_event);
}

/* Updates what depends on the events. Before the first sample, all events are known. */
static void note_attr(struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(context->state->reader);
	const size_t count = pk_events_count(events);

	context->epoch++;
	if (count && pk_events_at(events, count - 1)->attr.flags & PERF_ATTR_CONTEXT_SWITCH)
		context->state->parallelism.recorded = true;
}

static bool needs_tasks(const struct pk_context *context)
{
	return context->needs & (PK_NEED_TASKS | PK_NEED_CODE) ||
	       (context->needs & (PK_NEED_NAMES | PK_NEED_ANY_STACKS) &&
		(!pk_source_symbolized(&context->stacks) || pk_source_makes(&context->stacks)));
}

enum pk_status pk_context_record(struct pk_context *context, struct pk_reader *reader,
				 const struct pk_record *record)
{
	context->state->reader = reader;
	if (context->needs & PK_NEED_PARALLELISM)
		PK_TRY(note_switch(context, record));
	switch (record->type) {
	case PK_RECORD_BEGIN: return begin_session(context);
	case PERF_RECORD_EVENT_UPDATE: return event_update(context, record);
	case PERF_RECORD_HEADER_ATTR: note_attr(context); return PK_OK;
	case PERF_RECORD_HEADER_TRACING_DATA:
		return context->needs & PK_NEED_FORMATS ? load_formats(context, record) : PK_OK;
	case PERF_RECORD_HEADER_FEATURE: note_machine(context, record); break;
	case PERF_RECORD_CGROUP: break;
	default:
		if (!needs_tasks(context))
			return PK_OK;
	}
	return session_record(context, record);
}

/* ---- Samples ---- */

bool pk_context_before_sample(struct pk_context *context, const struct pk_record *record)
{
	if (context->needs & PK_NEED_PARALLELISM &&
	    pk_parallelism_record(&context->state->parallelism, record) != PK_OK)
		return false;
	if (!pk_source_makes(&context->stacks))
		return true;
	if (pk_source_is_full(&context->stacks) && pk_context_renew(context) != PK_OK)
		return false;
	return pk_source_record(&context->stacks, context->state->session, record) == PK_OK;
}

void pk_context_bad_sample(struct pk_context *context)
{
	if (pk_source_makes(&context->stacks) && pk_source_symbolized(&context->stacks))
		lose(context, PK_LOSS_RECORDS_BAD, 1, 0);
}

enum pk_status pk_context_renew(struct pk_context *context)
{
	const enum pk_status status = forget(context);

	pk_source_renew(&context->stacks);
	return status;
}
