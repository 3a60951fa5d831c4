// SPDX-License-Identifier: BSD-2-Clause
#include "page_marks.h"

/* The marks of a page need some 15 bytes each before they are compressed. */
#define MARKS_MOST 20000

enum pk_status page_marks_init(struct page_marks *marks)
{
	marks->pieces.most = MARKS_MOST;
	return span_times_init(&marks->times);
}

enum pk_status page_marks_add(struct page_marks *marks, struct pk_view *view, uint32_t row)
{
	const struct pk_binding *duration =
		pk_column_bind(&marks->times.duration, view->context, view->counted);
	struct piece piece = {.lane = row};
	struct span_extent extent;
	struct pk_bytes name;

	if (!duration)
		return PK_NOMEM;
	if (duration->kind == PK_VALUE_NONE || !span_times_of(&marks->times, view, &extent) ||
	    !extent.is_span)
		return PK_OK;
	name = span_times_name(&marks->times, view);
	piece.start = extent.start;
	piece.end = extent.end;
	piece.name = piece_name(&marks->names, (const char *)name.data, name.size);
	return piece.name ? pieces_add(&marks->pieces, piece) : PK_NOMEM;
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
