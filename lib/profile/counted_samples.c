// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "counted_samples.h"
#include "pkprivate.h"
#include "sample_view.h"

static void note_event(struct pk_counted_samples *samples, const struct pk_event *event)
{
	struct buffer *name = &samples->event;

	samples->noted = event;
	samples->callchains |= (event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
	if (!name->size)
		buffer_text(name, event->name);
	else if (name->size != strlen(event->name) ||
		 memcmp(name->data, event->name, name->size) != 0)
		samples->several = true;
}

void pk_counted_samples_add(struct pk_counted_samples *samples, const struct pk_view *view)
{
	const uint16_t at = view->event->layout.time;
	uint64_t time;

	samples->count++;
	if (pk_unlikely(view->counted != samples->noted))
		note_event(samples, view->counted);
	if (!at || at + 8u > view->record->size)
		return;
	time = pk_load_u64(view->record->data + at);
	if (!samples->last || time < samples->first)
		samples->first = time;
	if (time > samples->last)
		samples->last = time;
}

void pk_counted_samples_free(struct pk_counted_samples *samples)
{
	free(samples->event.data);
}
