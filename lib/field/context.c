// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "access_types.h"
#include "address_names.h"
#include "address_stacks.h"
#include "cut_stacks.h"
#include "context.h"
#include "field.h"
#include "machine.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "place.h"
#include "resolve.h"
#include "vector.h"

#define NEED_DICTIONARY (PK_NEED_STACKS | PK_NEED_NAMES | PK_NEED_ANY_STACKS | PK_NEED_CODE)

#define MADE_MAX ((size_t)256 << 20) /* bytes of the dictionary with stacks that were made */

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
	struct pk_symbols_options names;

	if (!(context->needs & PK_NEED_ANY_STACKS))
		return true;
	context->stacks = pk_stacks_new(context->dictionary, PK_FRAMES_OF_ADDRESSES, NULL, NULL);
	if (!context->stacks || !context->code.symbols)
		return context->stacks;
	names = *context->code.names;
	if (context->needs & PK_NEED_LINES)
		names.no_lines = false;
	context->resolver = resolver_new(context->code.symbols, &names, context->code.messages);
	context->cut = pk_cut_stacks_new(context->dictionary);
	return context->resolver && context->cut;
}

/* False: out of memory. */
static bool start_addresses(struct pk_context *context)
{
	if (!(context->needs & PK_NEED_ADDRESSES))
		return true;
	context->stream = pk_dictionary_new(NULL);
	if (context->stream)
		context->address_stacks =
			pk_address_stacks_new(context->stream, context->dictionary, context->calls);
	return context->address_stacks;
}

bool pk_context_init(struct pk_context *context)
{
	unsigned int needs;

	if (context->needs & PK_NEED_ADDRESSES)
		context->needs |= PK_NEED_ANY_STACKS | PK_NEED_CALLERS | PK_NEED_TASKS;
	needs = context->needs;

	context->duration = calloc(1, sizeof(*context->duration));
	if (context->duration &&
	    !pk_reference_parse(&context->duration->reference, "duration", 8)) {
		free(context->duration);
		context->duration = NULL;
	}
	if (needs & NEED_DICTIONARY)
		context->dictionary = pk_dictionary_new(NULL);
	context->stream = context->dictionary;
	if (context->duration && (!(needs & NEED_DICTIONARY) || context->dictionary) &&
	    start_stacks(context) && start_code(context) && start_addresses(context))
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
}

void pk_context_free(struct pk_context *context)
{
	if (context->duration)
		pk_column_free(context->duration);
	free(context->duration);
	context->duration = NULL;
	free(context->text.data);
	context->text = (struct buffer){0};
	free(context->roots);
	context->roots = NULL;
	context->roots_count = context->roots_capacity = 0;
	pk_texts_free(&context->texts);
	forget_words(context);
	pk_parallelism_forget(&context->parallelism);
	pk_sockets_forget(&context->sockets);
	pk_access_types_free(context->access_types);
	pk_address_names_free(context->address_names);
	pk_places_free(context->places);
	pk_code_objects_free(context->objects);
	pk_stacks_free(context->stacks);
	pk_cut_stacks_free(context->cut);
	resolver_free(context->resolver);
	pk_tracepoints_free(context->tracepoints);
	pk_address_stacks_free(context->address_stacks);
	if (context->stream != context->dictionary)
		pk_dictionary_free(context->stream);
	pk_dictionary_free(context->dictionary);
	pk_session_free(context->session);
	context->access_types = NULL;
	context->address_names = NULL;
	context->places = NULL;
	context->objects = NULL;
	context->stacks = NULL;
	context->resolver = NULL;
	context->cut = NULL;
	context->tracepoints = NULL;
	context->address_stacks = NULL;
	context->stream = context->dictionary = NULL;
	context->session = NULL;
}

static void complain(struct pk_context *context, const struct pk_record *record, const char *text)
{
	if (context->complain)
		context->complain(context->report_arg, record, text);
}

static void lose(struct pk_context *context, enum pk_loss_cause cause, uint64_t count,
		 uint64_t total)
{
	if (context->lose)
		context->lose(context->report_arg, cause, count, total);
}

static enum pk_status forget(struct pk_context *context)
{
	enum pk_status status = context->forget ? context->forget(context->arg) : PK_OK;

	pk_texts_clear(&context->texts);
	forget_words(context);
	context->roots_count = 0;
	if (context->address_names)
		pk_address_names_clear(context->address_names);
	if (context->places)
		pk_places_forget_stacks(context->places);
	if (context->address_stacks)
		pk_address_stacks_forget(context->address_stacks);
	context->epoch++;
	return status;
}

/* ---- Sessions ---- */

/* Sets whether the samples of the stream refer to its own stacks. */
static void set_symbolized(struct pk_context *context, bool symbolized)
{
	context->made = context->stacks && !symbolized;
	context->symbolized =
		symbolized || (context->made && context->look_up && context->resolver);
}

/* True if the stacks of the session are made, and their functions are looked up. */
static bool looks_up(const struct pk_context *context)
{
	return context->made && context->symbolized;
}

/* After the new session was created. */
static void begin_stacks(struct pk_context *context)
{
	const enum pk_frames_of addresses =
		context->calls ? PK_FRAMES_OF_CALLS : PK_FRAMES_OF_ADDRESSES;

	set_symbolized(context, false);
	if (!context->stacks)
		return;
	if (looks_up(context))
		pk_stacks_frames(context->stacks,
				 context->needs & PK_NEED_ADDRESSES ? addresses
								    : PK_FRAMES_OF_FUNCTIONS,
				 resolver_resolve, context->resolver);
	else
		pk_stacks_frames(context->stacks, addresses, NULL, NULL);
	pk_stacks_leaves(context->stacks, context->leaves && !(context->needs & PK_NEED_CALLERS));
	pk_stacks_trailers(context->stacks, false, false);
	pk_stacks_forget(context->stacks);
	if (context->resolver)
		resolver_start_session(context->resolver, context->session);
}

static enum pk_status begin_session(struct pk_context *context)
{
	enum pk_status status = forget(context);

	pk_session_free(context->session);
	pk_tracepoints_free(context->tracepoints);
	context->session = pk_session_new();
	context->tracepoints = pk_tracepoints_new();
	context->defined = (struct pk_id_range){0};
	if (context->dictionary)
		pk_dictionary_clear(context->dictionary);
	if (context->stream != context->dictionary)
		pk_dictionary_clear(context->stream);
	begin_stacks(context);
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

/* Frames without names; those that are no addresses of code have another cause. */
static void lose_frames(struct pk_context *context, const struct pk_stacks_count *count)
{
	const struct pk_stacks_count *before = &context->counted;
	const struct pk_cut_sums cut =
		pk_cut_stacks_sums(context->cut, context->resolver, context->code.messages);

	lose(context, PK_LOSS_FRAMES_UNRESOLVED,
	     count->frames_unresolved - before->frames_unresolved - cut.frames,
	     count->frames - before->frames);
	lose(context, PK_LOSS_STACKS_CUT, cut.cut, count->samples - before->samples);
}

enum pk_status pk_context_end(struct pk_context *context)
{
	enum pk_status status = forget(context);
	struct pk_stacks_count count, *before = &context->counted;

	if (!context->stacks)
		return status;
	pk_stacks_counted(context->stacks, &count);
	lose(context, PK_LOSS_STACKS_TRUNCATED, count.stacks_truncated - before->stacks_truncated,
	     count.samples - before->samples);
	lose(context, PK_LOSS_STACKS_UNMERGED, count.stacks_unmerged - before->stacks_unmerged,
	     count.samples - before->samples);
	if (looks_up(context) && !context->code.names->no_files)
		lose_frames(context, &count);
	*before = count;
	return status;
}

static enum pk_status session_record(struct pk_context *context, const struct pk_record *record)
{
	enum pk_status status;

	if (context->objects && !pk_code_objects_record(context->objects, context->reader, record))
		return PK_NOMEM;
	if (looks_up(context) && resolver_record(context->resolver, context->session, record))
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

	if (!context->stream || context->made)
		return PK_OK;
	if (kind == PK_RESET)
		status = forget(context);
	if (kind == PK_RESET && context->stream != context->dictionary)
		pk_dictionary_clear(context->dictionary);
	if (!status)
		status = pk_dictionary_read(context->stream, record);
	if (kind == PK_STACK || kind == PK_RESET)
		context->defined = pk_dictionary_stacks(context->dictionary);
	if (pk_likely(status != PK_CORRUPT))
		return status;
	lose(context, PK_LOSS_DEFINITIONS_BAD, 1, 0);
	complain(context, record, "definition with an unexpected id or an undefined reference");
	return PK_OK;
}

void pk_context_session(struct pk_context *context, const struct pk_session_info *info)
{
	set_symbolized(context, info->trailers & PK_TRAILER_STACK);
	context->epoch++;
	if (context->stacks)
		pk_stacks_trailers(context->stacks, info->trailers & PK_TRAILER_CHAIN, false);
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
		(!context->symbolized || context->made));
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
	if (pk_unlikely(pk_dictionary_memory(context->dictionary) > MADE_MAX) &&
	    pk_context_renew(context))
		return false;
	return !looks_up(context) || !resolver_record(context->resolver, context->session, record);
}

void pk_context_bad_sample(struct pk_context *context)
{
	if (looks_up(context))
		lose(context, PK_LOSS_RECORDS_BAD, 1, 0);
}

/* *stack is 0 if the sample is malformed (PK_OK) or memory is exhausted (PK_NOMEM). */
static enum pk_status make_stack(struct pk_context *context, const struct pk_record *record,
				 uint32_t *stack)
{
	const uint64_t bad = context->bad;
	struct pk_stacks_count count;

	*stack = pk_stacks_of(context->stacks, context->session, record->event, record);
	context->stacks_made += !context->symbolized;
	context->defined = pk_dictionary_stacks(context->dictionary);
	if (*stack && looks_up(context) && !pk_stacks_truncated(context->stacks) &&
	    !pk_cut_stacks_count(context->cut, record->event, *stack))
		return PK_NOMEM;
	if (*stack)
		return PK_OK;
	pk_stacks_counted(context->stacks, &count);
	context->bad = count.samples_bad;
	return bad == count.samples_bad ? PK_NOMEM : PK_OK;
}

/* Replaces the stack of the stream by one with a frame for each address. */
static enum pk_status make_addresses(struct pk_context *context, const struct pk_record *record,
				     uint32_t *stack)
{
	bool failed = false;

	if (!pk_dictionary_get_stack(context->stream, *stack)) {
		*stack = *stack ? UINT32_MAX : 0; /* an undefined id stays undefined */
		return PK_OK;
	}
	*stack = pk_address_stacks_of(context->address_stacks, context->session, record, *stack,
				      &failed);
	context->defined = pk_dictionary_stacks(context->dictionary);
	return failed ? PK_NOMEM : PK_OK;
}

enum pk_status pk_context_stack(struct pk_context *context, const struct pk_record *record,
				uint32_t *index)
{
	enum pk_status status = PK_OK;
	uint32_t stack = 0;

	*index = PK_NO_STACK;
	if (context->made)
		status = make_stack(context, record, &stack);
	else if (pk_likely(context->symbolized))
		stack = pk_stack_trailer(record->data, record->size);
	if (pk_unlikely(context->address_stacks) && !context->made)
		status = make_addresses(context, record, &stack);
	if (pk_unlikely(status || !context->dictionary))
		return status;
	if (pk_likely(stack - context->defined.base - 1 < context->defined.count))
		*index = stack - context->defined.base - 1;
	else if (stack || context->made || !context->symbolized)
		context->undefined_stack++;
	else
		context->without_stack++;
	return PK_OK;
}

/* Parents are defined before their children: one pass finds the roots of all stacks. */
const struct pk_frame *pk_context_root(struct pk_context *context, uint32_t index)
{
	const struct pk_dictionary *dictionary = context->dictionary;
	const uint32_t base = context->defined.base + 1;
	const struct pk_stack *stack;

	if (index >= context->roots_count &&
	    !pk_reserve(&context->roots, &context->roots_capacity, context->roots_count,
			index + 1 - context->roots_count, sizeof(*context->roots))) {
		context->failed = true;
		return NULL;
	}
	for (; context->roots_count <= index; context->roots_count++) {
		const uint32_t i = (uint32_t)context->roots_count;

		stack = pk_dictionary_get_stack(dictionary, base + i);
		context->roots[i] = stack->parent ? context->roots[stack->parent - base] : i;
	}
	stack = pk_dictionary_get_stack(dictionary, base + context->roots[index]);
	return pk_dictionary_get_frame(dictionary, stack->frame);
}

enum pk_status pk_context_renew(struct pk_context *context)
{
	const size_t roots = context->roots_count;
	const enum pk_status status = forget(context);

	if (!context->made && context->stream == context->dictionary) {
		context->roots_count = roots; /* the stacks remain, too */
		return status;
	}
	if (context->cut)
		pk_cut_stacks_forget(context->cut, context->resolver);
	pk_dictionary_clear(context->dictionary);
	pk_stacks_forget(context->stacks);
	context->defined = (struct pk_id_range){0};
	return status;
}
