// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "access_types.h"
#include "code_objects.h"
#include "context.h"
#include "field.h"
#include "machine.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "place.h"
#include "vector.h"

/* False: out of memory. */
static bool start_code(struct pk_context *context)
{
	if (!(context->needs & PK_NEED_CODE) || !context->code.symbols)
		return true;
	context->objects = pk_code_objects_new(&context->code);
	if (context->objects)
		context->places = pk_places_new(context->objects);
	if (context->places)
		context->access_types = pk_access_types_new(context->objects, context->places);
	context->address_names = pk_address_names_new(context->objects, &context->texts);
	return context->access_types && context->address_names;
}

/* False: out of memory. */
static bool start_stacks(struct pk_context *context)
{
	const unsigned int needs = context->needs;
	const struct pk_stack_request request = {
		.definitions = needs & (PK_NEED_STACKS | PK_NEED_NAMES | PK_NEED_CODE),
		.made = needs & PK_NEED_ANY_STACKS,
		.exact = needs & PK_NEED_ADDRESSES,
		.callers = needs & PK_NEED_CALLERS || !context->leaves,
		.lines = needs & PK_NEED_LINES,
		.calls = context->calls,
		.code = context->code,
	};

	return pk_source_init(&context->stacks, &request);
}

bool pk_context_init(struct pk_context *context)
{
	if (context->needs & PK_NEED_ADDRESSES)
		context->needs |= PK_NEED_ANY_STACKS | PK_NEED_CALLERS | PK_NEED_TASKS;
	context->duration = calloc(1, sizeof(*context->duration));
	if (context->duration &&
	    !pk_reference_parse(&context->duration->reference, "duration", 8)) {
		free(context->duration);
		context->duration = NULL;
	}
	if (context->duration && start_stacks(context) && start_code(context))
		return true;
	pk_context_free(context);
	return false;
}

static void forget_words(struct pk_context *context)
{
	pk_texts_free(&context->words);
	free(context->words_keys);
	context->words_keys = NULL;
	context->words_count = 0;
	memset(context->words_recent, 0, sizeof(context->words_recent));
}

void pk_context_free(struct pk_context *context)
{
	if (context->duration)
		pk_column_free(context->duration);
	free(context->duration);
	context->duration = NULL;
	free(context->text.data);
	context->text = (struct buffer){0};
	pk_texts_free(&context->texts);
	forget_words(context);
	pk_parallelism_forget(&context->parallelism);
	pk_sockets_forget(&context->sockets);
	pk_access_types_free(context->access_types);
	pk_address_names_free(context->address_names);
	pk_places_free(context->places);
	pk_code_objects_free(context->objects);
	pk_source_free(&context->stacks);
	pk_tracepoints_free(context->tracepoints);
	pk_session_free(context->session);
	context->access_types = NULL;
	context->address_names = NULL;
	context->places = NULL;
	context->objects = NULL;
	context->tracepoints = NULL;
	context->session = NULL;
}

static void complain(struct pk_context *context, const struct pk_record *record, const char *text)
{
	if (context->complain)
		context->complain(context->report_arg, record, text);
}

static void lose(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	struct pk_context *context = arg;

	if (context->lose)
		context->lose(context->report_arg, cause, count, total);
}

static enum pk_status forget(struct pk_context *context)
{
	enum pk_status status = context->forget ? context->forget(context->arg) : PK_OK;

	pk_texts_clear(&context->texts);
	forget_words(context);
	if (context->address_names)
		pk_address_names_clear(context->address_names);
	if (context->places)
		pk_places_forget_stacks(context->places);
	pk_source_forget(&context->stacks);
	context->epoch++;
	return status;
}

/* ---- Sessions ---- */

static enum pk_status begin_session(struct pk_context *context)
{
	enum pk_status status = forget(context);

	pk_session_free(context->session);
	pk_tracepoints_free(context->tracepoints);
	context->session = pk_session_new();
	context->tracepoints = pk_tracepoints_new();
	pk_source_start(&context->stacks, context->session, context->look_up);
	pk_parallelism_forget(&context->parallelism);
	pk_sockets_forget(&context->sockets);
	context->e_machine = 0;
	if (context->objects && context->session) {
		pk_code_objects_start_session(context->objects, context->session);
		pk_places_start_session(context->places, context->session);
	}
	if (status)
		return status;
	return context->session && context->tracepoints ? PK_OK : PK_NOMEM;
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

	if (context->objects && !pk_code_objects_record(context->objects, context->reader, record))
		return PK_NOMEM;
	if (pk_source_record(&context->stacks, context->session, record))
		return PK_NOMEM;
	status = pk_session_record(context->session, record);
	if (status == PK_CORRUPT)
		complain(context, record, "malformed; not used");
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
	complain(context, record, "definition with an unexpected id or an undefined reference");
	return PK_OK;
}

void pk_context_session(struct pk_context *context, const struct pk_session_info *info)
{
	pk_source_describe(&context->stacks, info);
	context->epoch++;
	if (info->e_machine) /* else that of the features */
		context->e_machine = info->e_machine;
	if (context->objects)
		pk_code_objects_machine(context->objects, info);
}

/* Sets e_machine from the features E_MACHINE and ARCH, and sockets. */
static void note_machine(struct pk_context *context, const struct pk_record *record)
{
	const struct pk_machine_kind *kind = NULL;
	struct pk_feature_content feature;

	if (!pk_reader_feature(context->reader, record, &feature) || feature.size < 4)
		return;
	context->failed |= !pk_sockets_feature(&context->sockets, &feature);
	if (feature.id == PERF_FEATURE_E_MACHINE)
		context->e_machine = pk_load_u32(feature.data);
	else if (feature.id == PERF_FEATURE_ARCH && !context->e_machine) /* u32 size, text */
		kind = pk_machine_named((const char *)feature.data + 4, feature.size - 4);
	if (kind)
		context->e_machine = kind->elf;
}

/* Evaluates definitions of the stages, and names of events. */
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
		if (!pk_session_info_decode(record, &info))
			pk_context_session(context, &info);
		return PK_OK;
	case PK_DEFINITION_NONE: /* the name of an event */
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
	while (!pk_reader_payload(reader, &data, &size) && size) {
		if (size > PK_PAYLOAD_MAX - *all_size)
			return PK_UNSUPPORTED;
		if (!pk_reserve(all, &capacity, *all_size, size, 1))
			return PK_NOMEM;
		memcpy(*all + *all_size, data, size);
		*all_size += size;
	}
	return PK_OK;
}

/* Streams of old versions of perf have only the ids of tracepoints: names come from their formats.
 */
static enum pk_status name_events(struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(context->reader);
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < pk_events_count(events) && !status; i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct pk_tracepoint *tracepoint =
			event->attr.type == PERF_TYPE_TRACEPOINT
				? pk_tracepoints_find(context->tracepoints, event->attr.config)
				: NULL;

		if (tracepoint)
			status = pk_reader_name_event(context->reader, event,
						      pk_tracepoint_name(tracepoint));
	}
	return status;
}

static const char damaged[] =
	"the formats of tracepoints are damaged; only the readable ones are used";

enum pk_status pk_context_formats(struct pk_context *context, struct pk_reader *reader,
				  const struct pk_record *record, const uint8_t *data, size_t size)
{
	enum pk_status status;

	context->reader = reader;
	context->epoch++;
	status = pk_tracepoints_load(context->tracepoints, data, size);
	if (status == PK_NOMEM)
		return status;
	if (status)
		complain(context, record, damaged);
	status = name_events(context);
	return pk_tracepoints_failed(context->tracepoints) ? PK_NOMEM : status;
}

static enum pk_status load_formats(struct pk_context *context, const struct pk_record *record)
{
	uint8_t *all = NULL;
	size_t size = 0;
	enum pk_status status = pk_read_payload(context->reader, &all, &size);

	if (!status)
		status = pk_context_formats(context, context->reader, record, all, size);
	else if (status == PK_UNSUPPORTED)
		complain(context, record, damaged);
	free(all);
	return status == PK_UNSUPPORTED ? PK_OK : status;
}

/* ---- Records ---- */

/* Without the ordered reader, records come without their event. False: out of memory. */
static bool note_switch(struct pk_context *context, const struct pk_record *record)
{
	struct pk_record with_event = *record;

	if (!record->event && record->type)
		with_event.event = pk_reader_event_of(context->reader, record);
	return pk_parallelism_record(&context->parallelism, &with_event);
}

/* Events are complete before the first sample. */
static void note_attr(struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(context->reader);
	const size_t count = pk_events_count(events);

	context->epoch++;
	if (count && pk_events_at(events, count - 1)->attr.flags & PERF_ATTR_CONTEXT_SWITCH)
		context->parallelism.recorded = true;
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
	context->reader = reader;
	if (context->needs & PK_NEED_PARALLELISM && !note_switch(context, record))
		return PK_NOMEM;
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

/* ---- Stacks ---- */

bool pk_context_before_stack(struct pk_context *context, const struct pk_record *record)
{
	if (pk_source_is_full(&context->stacks) && pk_context_renew(context))
		return false;
	return !pk_source_record(&context->stacks, context->session, record);
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
