// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "script.h"
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

static void tell_missing(struct script *script, const struct pk_event *event, uint64_t missing)
{
	for (int i = 0; i < FIELDS_COUNT; i++)
		if (missing >> i & 1)
			pk_warn("%s: the samples of %s have no %s; left out", script->run->name,
				event->name, field_name((enum field)i));
}

void script_forget_views(struct script *script)
{
	for (size_t i = 0; i < script->views_count; i++)
		free(script->views[i].column);
	free(script->views);
	script->views = NULL;
	script->views_count = script->events_known = 0;
	script->name_width = 0;
}

/* The columns are as wide as the longest name of all. */
static void measure_names(struct script *script)
{
	const struct pk_events *events = pk_reader_events(script->run->reader);
	size_t count = pk_events_count(events), width;

	if (pk_likely(count == script->events_known))
		return;
	script_forget_views(script);
	for (size_t i = 0; i < count; i++) {
		width = strlen(pk_events_at(events, i)->name);
		if (width > script->name_width)
			script->name_width = (unsigned int)width;
	}
	script->events_known = count;
}

static void fill_view(struct script *script, struct view *view, const struct pk_event *event)
{
	struct buffer column = {0};
	uint64_t missing;

	*view = (struct view){.event = event, .type = field_type(event), .known = true};
	view->fields = fields_of(&script->options->fields, event, &missing);
	view->parts = parts_of(view->fields);
	view->chain =
		event->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !script->options->no_chains;
	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		view->tracepoint =
			pk_tracepoints_find(script->context->tracepoints, event->attr.config);
	tell_missing(script, event, missing);
	if (script->options->format->column)
		script->options->format->column(script, view, &column);
	script->failed |= column.failed;
	view->column = column.data;
	view->column_size = column.size;
}

struct view *script_view(struct script *script, const struct pk_event *event)
{
	measure_names(script);
	if (!pk_extend(&script->views, &script->views_count, event->index))
		return NULL;
	if (pk_unlikely(!script->views[event->index].known))
		fill_view(script, &script->views[event->index], event);
	return &script->views[event->index];
}
