// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "span_times.h"

static bool set(struct pk_column *column, const char *name)
{
	return pk_reference_parse(&column->reference, name, strlen(name));
}

bool span_times_init(struct span_times *times)
{
	return set(&times->duration, "trace.duration") && set(&times->call, "trace.call") &&
	       set(&times->function, "trace.event");
}

void span_times_free(struct span_times *times)
{
	pk_column_free(&times->duration);
	pk_column_free(&times->call);
	pk_column_free(&times->function);
}

bool span_times_of(struct span_times *times, struct pk_view *view, struct span_extent *extent)
{
	const struct pk_sample *sample = pk_view_sample(view);
	const struct pk_binding *binding =
		pk_column_bind(&times->duration, view->context, view->counted);
	uint64_t duration;

	if (!sample || sample->time == PK_NO_TIME)
		return false;
	if (!binding)
		view->context->failed = true;
	*extent = (struct span_extent){.start = sample->time, .end = sample->time};
	extent->is_span = binding && binding->kind != PK_VALUE_NONE &&
			  binding->kind != PK_VALUE_TEXT && pk_view_key(view, binding, &duration) &&
			  duration <= sample->time;
	if (extent->is_span)
		extent->start -= duration;
	return true;
}

const char *event_short_name(const struct pk_event *event)
{
	const char *colon = strchr(event->name, ':');

	return colon && colon[1] ? colon + 1 : event->name;
}

/* "probe:f" without "probe:". */
static struct pk_bytes without_system(struct pk_bytes text)
{
	const uint8_t *colon = memchr(text.data, ':', text.size);
	const size_t size = colon ? (size_t)(colon - text.data) + 1 : 0;

	if (size == text.size)
		return text;
	return (struct pk_bytes){text.data + size, text.size - size};
}

static bool get_text(struct pk_column *column, struct pk_view *view, struct pk_bytes *text)
{
	const struct pk_binding *binding = pk_column_bind(column, view->context, view->counted);

	if (!binding)
		view->context->failed = true;
	return binding && pk_view_text(view, binding, text) && text->size;
}

struct pk_bytes span_times_name(struct span_times *times, struct pk_view *view)
{
	const char *name = event_short_name(view->counted);
	struct pk_bytes text;

	if (get_text(&times->call, view, &text))
		return text;
	if (get_text(&times->function, view, &text))
		return without_system(text);
	return (struct pk_bytes){(const uint8_t *)name, strlen(name)};
}
