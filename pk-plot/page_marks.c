// SPDX-License-Identifier: BSD-2-Clause
#include "page_marks.h"

/* The marks of a page need some 15 bytes each before they are compressed. */
#define MARKS_MOST 20000

enum pk_status page_marks_init(struct page_marks *marks)
{
	marks->pieces.most = MARKS_MOST;
	return span_times_init(&marks->times);
}

static enum pk_status set_event(struct page_marks *marks, struct pk_view *view)
{
	const struct pk_binding *duration =
		pk_column_bind(&marks->times.duration, view->context, view->counted);

	if (!duration)
		return PK_NOMEM;
	marks->event = view->counted;
	marks->spans = duration->kind != PK_VALUE_NONE;
	return PK_OK;
}

static enum pk_status add_span(struct page_marks *marks, struct pk_view *view, uint32_t row)
{
	struct piece piece = {.lane = row};
	struct span_extent extent;
	struct pk_bytes name;

	if (!span_times_of(&marks->times, view, &extent) || !extent.is_span)
		return PK_OK;
	name = span_times_name(&marks->times, view);
	piece.start = extent.start;
	piece.end = extent.end;
	piece.name = piece_name(&marks->names, (const char *)name.data, name.size);
	return piece.name ? pieces_add(&marks->pieces, piece) : PK_NOMEM;
}

enum pk_status page_marks_add(struct page_marks *marks, struct pk_view *view, uint32_t row)
{
	if (view->counted != marks->event)
		PK_TRY(set_event(marks, view));
	return marks->spans ? add_span(marks, view, row) : PK_OK;
}

void page_marks_finish(struct page_marks *marks)
{
	pieces_sort(&marks->pieces);
}

void page_marks_free(struct page_marks *marks)
{
	pieces_free(&marks->pieces);
	pk_texts_free(&marks->names);
	span_times_free(&marks->times);
}
