// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "pkutil.h"

enum { NAME_MAX_SIZE = 63 }; /* longer names are not compared */

static size_t least(size_t a, size_t b, size_t c)
{
	size_t result = a < b ? a : b;

	return result < c ? result : c;
}

/* The number of letters to insert, remove, replace, or swap with the next one, to get from a to b.
 */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][NAME_MAX_SIZE + 1], *before = rows[0], *last = rows[1], *row = rows[2],
					   *free;
	const size_t size = strlen(b);

	for (size_t j = 0; j <= size; j++)
		last[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		row[0] = i;
		for (size_t j = 1; j <= size; j++) {
			const bool same = a[i - 1] == b[j - 1];

			row[j] = least(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		free = before;
		before = last;
		last = row;
		row = free;
	}
	return last[size];
}

void pk_nearest_try(struct pk_nearest *nearest, const char *name)
{
	const size_t size = strlen(nearest->wanted);
	size_t found;

	if (size > NAME_MAX_SIZE || strlen(name) > NAME_MAX_SIZE)
		return;
	found = distance(nearest->wanted, name);
	if (found > (size + 1) / 3 || (nearest->name && found >= nearest->distance))
		return;
	nearest->name = name;
	nearest->distance = found;
}

/* NULL: the event is not a tracepoint, or its format is unknown. */
static const struct pk_tracepoint *format_of(const struct pk_context *context,
					     const struct pk_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT && context->tracepoints
		       ? pk_tracepoints_find(context->tracepoints, event->attr.config)
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

void pk_nearest_try_fields(struct pk_nearest *nearest, const struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(context->reader);
	const struct pk_field *field;

	for (size_t i = 0; (field = pk_field_at(i)); i++) {
		pk_nearest_try(nearest, field->name);
		if (field->alias)
			pk_nearest_try(nearest, field->alias);
	}
	for (size_t i = 0; i < pk_events_count(events); i++)
		try_event(nearest, context, pk_events_at(events, i));
}

/* True if the event certainly does not have the field, also if more definitions follow in the
 * stream. A field of another type than the expression needs counts as present. */
static bool lacks(const struct pk_context *context, const struct pk_reference *reference,
		  const struct pk_event *event)
{
	const struct pk_binding binding = pk_bind(context, reference, event);

	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		return format_of(context, event) && !binding.trace;
	/* Probes are events of PMUs with larger types; their ARGUMENTS can follow later. */
	if (event->attr.type > PERF_TYPE_BREAKPOINT && !event->arguments)
		return false;
	return !binding.argument;
}

bool pk_reference_is_unknown(const struct pk_context *context, const struct pk_reference *reference)
{
	const struct pk_events *events = context->reader ? pk_reader_events(context->reader) : NULL;
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

bool pk_unknown_field(const struct pk_context *context, const struct pk_reference *reference,
		      const char *const *more, char *text, size_t size)
{
	struct pk_nearest nearest = {.wanted = reference->name};

	if (!pk_reference_is_unknown(context, reference))
		return false;
	for (; more && *more; more++)
		pk_nearest_try(&nearest, *more);
	pk_nearest_try_fields(&nearest, context);
	if (!nearest.name)
		snprintf(text, size, "no field %s", reference->name);
	else if (nearest.distance)
		snprintf(text, size, "no field %s; %s?", reference->name, nearest.name);
	else
		snprintf(text, size, "no tracepoint or probe has a field %s", reference->name);
	return true;
}
