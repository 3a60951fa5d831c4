// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "counters.h"
#include "event_names.h"

/* Only this many events are compared. This limits the time for sessions with very many events, such
 * as all tracepoints, whose names differ anyway. */
#define COMPARED_MAX 1024

void pk_event_name_add(struct buffer *name, const struct pk_events *events,
		       const struct pk_event *event)
{
	unsigned int number = 1;

	event = pk_counter_of(events, event);
	for (size_t i = 0; i < event->index && event->index < COMPARED_MAX; i++)
		number += !strcmp(pk_events_at(events, i)->name, event->name);
	pk_counter_name_add(name, events, event);
	if (number > 1)
		buffer_format(name, "#%u", number);
}

static bool event_key(struct pk_view *view, uint64_t *key)
{
	*key = pk_counter_of(pk_reader_events(pk_context_reader(view->context)), view->counted)
		       ->index;
	return true;
}

static const char *event_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const struct pk_events *events = pk_reader_events(pk_context_reader(context));
	const struct pk_event *event = pk_events_at(events, key);
	struct buffer *text = pk_context_scratch(context);

	if (!event)
		return NULL;
	pk_event_name_add(text, events, event);
	context->failed |= text->failed;
	*size = text->size;
	return text->data;
}

static bool any_event_key(struct pk_view *view, uint64_t *key)
{
	(void)view;
	*key = 0;
	return true;
}

const struct pk_field pk_report_any_event_field = {
	.name = "any event", .kind = PK_VALUE_NUMBER, .key = any_event_key, .is_private = true};

const struct pk_field pk_report_event_field = {.name = "event",
					       .kind = PK_VALUE_TEXT,
					       .key = event_key,
					       .text = event_text,
					       .needs = PK_NEED_FORMATS,
					       .is_private = true,
					       .is_event = true};
