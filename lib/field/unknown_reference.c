// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "context_internal.h"
#include "nearest.h"
#include "unknown_reference.h"
#include "pkutil.h"

/* Returns the format of an event. Returns NULL if the event is not a tracepoint, or if its format
 * is unknown. */
static const struct pk_tracepoint *format_of(const struct pk_context *context,
					     const struct pk_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT && context->state->tracepoints
		       ? pk_tracepoints_find(context->state->tracepoints, event->attr.config)
		       : NULL;
}

static void try_event(struct pk_nearest *nearest, const struct pk_context *context,
		      const struct pk_event *event)
{
	const struct pk_tracepoint *format = format_of(context, event);
	const struct pk_tracepoint_field *field;

	for (size_t i = 0; format && (field = pk_tracepoint_field_at(format, i)); i++)
		pk_nearest_try(nearest, field->name);
	for (size_t i = 0; event->arguments && i < event->arguments->count; i++)
		pk_nearest_try(nearest, event->arguments->items[i].name);
}

/* Compares the wanted name with the names of all fields, including the fields of the tracepoints
 * and probes of the session. The name in nearest is valid until pk_context.epoch changes. */
static void try_all_fields(struct pk_nearest *nearest, const struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(context->state->reader);
	const struct pk_field *field;

	for (size_t i = 0; (field = pk_field_at(i)); i++) {
		pk_nearest_try(nearest, field->name);
		if (field->alias)
			pk_nearest_try(nearest, field->alias);
	}
	for (size_t i = 0; i < pk_events_count(events); i++)
		try_event(nearest, context, pk_events_at(events, i));
}

/* Returns true if the event certainly does not have the field, whatever definitions follow in the
 * stream. A field whose type does not fit the expression is treated as present. */
static bool lacks(const struct pk_context *context, const struct pk_reference *reference,
		  const struct pk_event *event)
{
	const struct pk_binding binding = pk_bind(context, reference, event);

	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		return format_of(context, event) && !binding.trace;
	/* Probes are events of PMUs, whose types are larger. Their ARGUMENTS can follow later in
	 * the stream. */
	if (event->attr.type > PERF_TYPE_BREAKPOINT && !event->arguments)
		return false;
	return !binding.argument;
}

bool pk_reference_is_unknown(const struct pk_context *context, const struct pk_reference *reference)
{
	const struct pk_events *events =
		context->state->reader ? pk_reader_events(context->state->reader) : NULL;
	bool named = !reference->event;

	if (reference->field || reference->is_label || !events || !pk_events_count(events))
		return false;
	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		if (!lacks(context, reference, event))
			return false;
		named |= reference->event && pk_event_is_called(event, reference->event);
	}
	return named;
}

/* Returns pk's name of a field for a word that other tools use. These words are not similar to pk's
 * names. */
static const char *synonym_of(const struct pk_context *context, const char *word)
{
	static const char *const synonyms[][2] = {{"name", "call"},
						  {"syscall", "call"},
						  {"function", "symbol"},
						  {"object", "dso"},
						  {"thread", "tid"}};

	for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++) {
		struct pk_nearest known = {.wanted = synonyms[i][1]};

		if (strcmp(word, synonyms[i][0]) != 0)
			continue;
		try_all_fields(&known, context);
		if (known.name && !known.distance)
			return known.name;
	}
	return NULL;
}

bool pk_unknown_field(const struct pk_context *context, const struct pk_reference *reference,
		      const char *const *more, char *text, size_t size)
{
	struct pk_nearest nearest = {.wanted = reference->name};

	if (!pk_reference_is_unknown(context, reference))
		return false;
	for (; more && *more; more++)
		pk_nearest_try(&nearest, *more);
	try_all_fields(&nearest, context);
	if (!nearest.name) {
		nearest.name = synonym_of(context, reference->name);
		nearest.distance = 1;
	}
	if (!nearest.name || nearest.distance)
		snprintf(text, size, "no field %s%s", reference->name, pk_nearest_hint(&nearest));
	else
		snprintf(text, size, "no tracepoint or probe has a field %s", reference->name);
	return true;
}
