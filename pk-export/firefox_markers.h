/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIREFOX_MARKERS_H
#define FIREFOX_MARKERS_H

/* The markers in a profile of the Firefox Profiler. They are samples of tracepoints and probes, and
 * spans. Each marker needs memory. */

#include "firefox_tables.h"
#include "occurrences.h"
#include "samples.h"

/* A marker of the profile. */
struct marker {
	uint64_t start, duration; /* in ns; `duration` is 0 if the marker is not a span */
	uint64_t data; /* offset in firefox_markers.data of the JSON text of the marker's fields */
	uint32_t data_size;
	uint32_t row, stack, series; /* as in struct export_sample */
	uint8_t category;	     /* a number of enum firefox_category */
	bool is_span;
};

/* The markers of all threads. A struct of zero bytes has no markers. */
struct firefox_markers {
	struct marker *items;
	size_t count, capacity;
	uint64_t first, last; /* the earliest start and the latest end in ns; 0 if unknown */
	/* Only firefox_markers.c uses these members: */
	struct occurrences occurrences;
	struct buffer data;
	struct marker_schema {
		struct buffer fields, label; /* how the profiler shows markers of this event; made
						from the first marker of the event */
		bool described;
	} * schemas; /* the index is the index of the event's series */
	size_t schemas_count;
};

/* Adds a marker for the sample if samples of its event are markers. */
PK_MUST_CHECK enum pk_status firefox_markers_add(struct firefox_markers *markers,
						 const struct export_sample *sample);
/* Sorts the markers by row and start. */
void firefox_markers_sort(struct firefox_markers *markers);
/* Writes the member "markers" of a thread. It has the markers with the indexes from `from` to `to`
 * - 1. zero is the start of the profile in ns. */
void firefox_markers_write(const struct firefox_markers *markers, struct firefox_tables *tables,
			   const struct export_samples *samples, uint64_t zero, size_t from,
			   size_t to);
/* Writes the member "markerSchema". */
void firefox_markers_schemas(const struct firefox_markers *markers,
			     const struct export_samples *samples, struct export_output *out);
void firefox_markers_free(struct firefox_markers *markers);

#endif
