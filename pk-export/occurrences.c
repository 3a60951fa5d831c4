// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "occurrences.h"
#include "pkutil.h"
#include "vector.h"
#include "weights.h"

#define JSON_INTEGER_MAX (INT64_C(1) << 53)

static void look_up(struct occurrence *occurrence, const struct pk_context *context,
		    const struct pk_event *event)
{
	occurrence->looked_up = true;
	if (event->attr.type != PERF_TYPE_TRACEPOINT || !pk_context_tracepoints(context))
		return;
	occurrence->tracepoint =
		pk_tracepoints_find(pk_context_tracepoints(context), event->attr.config);
	occurrence->sched = pk_sched_format_of(occurrence->tracepoint);
	if (!occurrence->tracepoint || !pk_event_is_span(event))
		return;
	occurrence->start = pk_tracepoint_find_field(occurrence->tracepoint, "start");
	occurrence->duration = pk_tracepoint_find_field(occurrence->tracepoint, "duration");
	occurrence->is_span = occurrence->start && occurrence->duration;
}

const struct occurrence *occurrence_of(struct occurrences *occurrences,
				       const struct pk_context *context,
				       const struct pk_event *event)
{
	struct occurrence *occurrence;

	if (pk_unlikely(occurrences->epoch != context->epoch)) {
		occurrences_free(occurrences);
		*occurrences = (struct occurrences){.epoch = context->epoch};
	}
	if (pk_extend(&occurrences->items, &occurrences->count, event->index) != PK_OK)
		return NULL;
	occurrence = &occurrences->items[event->index];
	if (pk_unlikely(!occurrence->looked_up))
		look_up(occurrence, context, event);
	return occurrence;
}

static void read_field(const struct occurrence *occurrence, struct pk_view *view,
		       const struct pk_tracepoint_field *field, struct occurrence_value *value)
{
	const struct pk_bytes *raw = pk_view_raw(view);

	value->name = field->name;
	value->name_size = strlen(field->name);
	value->kind = PK_VALUE_NONE;
	if (!raw)
		return;
	if (field->is_string &&
	    pk_tracepoint_bytes(occurrence->tracepoint, field, raw, &value->text))
		value->kind = PK_VALUE_TEXT;
	else if (!field->is_string && !field->is_array &&
		 pk_tracepoint_number(occurrence->tracepoint, field, raw, &value->number))
		value->kind = field->kind;
}

static void read_argument(struct pk_view *view, const struct pk_argument *argument,
			  struct occurrence_value *value)
{
	const struct pk_sample *sample = pk_view_sample(view);

	value->name = argument->name;
	value->name_size = strlen(argument->name);
	value->kind = PK_VALUE_NONE;
	if (sample && pk_argument_get(view->event, argument, sample, &value->number))
		value->kind = argument->flags & PK_ARGUMENT_SIGNED    ? PK_VALUE_SIGNED
			      : argument->flags & PK_ARGUMENT_ADDRESS ? PK_VALUE_ADDRESS
								      : PK_VALUE_NUMBER;
}

static bool is_shown(const struct occurrence *occurrence, const struct pk_tracepoint_field *field)
{
	if (occurrence->is_span && (field == occurrence->start || field == occurrence->duration))
		return false;
	return strncmp(field->name, "common_", strlen("common_")) != 0;
}

bool occurrence_value(const struct occurrence *occurrence, struct pk_view *view, size_t *index,
		      struct occurrence_value *value)
{
	const struct pk_arguments *arguments = view->event->arguments;
	const struct pk_tracepoint_field *field;

	if (!occurrence->tracepoint) {
		if (!arguments || *index >= arguments->count)
			return false;
		read_argument(view, &arguments->items[(*index)++], value);
		return true;
	}
	while ((field = pk_tracepoint_field_at(occurrence->tracepoint, (*index)++))) {
		if (!is_shown(occurrence, field))
			continue;
		read_field(occurrence, view, field, value);
		return true;
	}
	return false;
}

bool occurrence_times(const struct occurrence *occurrence, struct pk_view *view, uint64_t *start,
		      uint64_t *duration)
{
	const struct pk_bytes *raw;

	if (!occurrence->is_span)
		return false;
	raw = pk_view_raw(view);
	return raw && pk_tracepoint_number(occurrence->tracepoint, occurrence->start, raw, start) &&
	       pk_tracepoint_number(occurrence->tracepoint, occurrence->duration, raw, duration);
}

static void add_quoted_number(struct buffer *out, const struct occurrence_value *value)
{
	char text[PK_VALUE_SIZE];

	buffer_char(out, '"');
	buffer_add(out, text, pk_number_text(value->kind, value->number, text));
	buffer_char(out, '"');
}

void occurrence_json(struct buffer *out, const struct occurrence_value *value)
{
	const int64_t number = (int64_t)value->number;

	switch (pk_kind_as_data(value->kind)) {
	case PK_VALUE_NONE: buffer_text(out, "null"); break;
	case PK_VALUE_TEXT:
		buffer_quoted(out, (const char *)value->text.data, value->text.size);
		break;
	case PK_VALUE_SIGNED:
	case PK_VALUE_INT:
		if (number <= JSON_INTEGER_MAX && number >= -JSON_INTEGER_MAX)
			buffer_signed(out, number, 0);
		else
			add_quoted_number(out, value);
		break;
	case PK_VALUE_NUMBER:
		if (value->number <= (uint64_t)JSON_INTEGER_MAX)
			buffer_decimal(out, value->number, 0);
		else
			add_quoted_number(out, value);
		break;
	default: add_quoted_number(out, value); break;
	}
}

void occurrences_free(struct occurrences *occurrences)
{
	free(occurrences->items);
}
