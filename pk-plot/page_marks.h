/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_MARKS_H
#define PK_PAGE_MARKS_H

/* The spans of a recording as marks in the timeline of a page. Their number is limited: short spans
 * that are near to each other are merged (pieces.h). */

#include "lanes.h"
#include "pieces.h"

struct page_marks {
	struct pieces pieces; /* piece.lane is the number of the row in page_data.rows */
	struct pk_texts names;
	struct span_times times;
	const struct pk_event *event; /* the last event, or NULL; the caller clears it when events
				       * become invalid */
	bool spans;		      /* true if samples of this event can be spans */
};

PK_MUST_CHECK enum pk_status page_marks_init(struct page_marks *marks);
/* Adds the sample if it is a span. */
PK_MUST_CHECK enum pk_status page_marks_add(struct page_marks *marks, struct pk_view *view,
					    uint32_t row);
/* Sorts the marks. The caller can add no marks after this call. */
void page_marks_finish(struct page_marks *marks);
void page_marks_free(struct page_marks *marks);

#endif
