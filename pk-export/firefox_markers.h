/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIREFOX_MARKERS_H
#define FIREFOX_MARKERS_H

/* The markers of a profile of the Firefox Profiler: samples of tracepoints and probes, and spans.
 * Needs memory for each of them. */

#include "firefox_tables.h"
#include "occurrences.h"
#include "samples.h"

struct marker {
	uint64_t start, duration; /* ns; duration: of spans */
	uint64_t data;		  /* its fields, in `data` */
	uint32_t data_size;
	uint32_t row, stack, series; /* as in struct export_sample */
	uint8_t category;	     /* enum firefox_category */
	bool is_span;
};

/* Zeroed, it is empty. */
struct firefox_markers {
	struct marker *items;
	size_t count, capacity;
	uint64_t first, last; /* the earliest start and the latest end; 0: unknown */
	/* Private to the markers: */
	struct occurrences occurrences;
	struct buffer data;
	struct marker_schema {
		struct buffer fields, label; /* of the first marker of the event */
		bool described;
	} * schemas; /* by series */
	size_t schemas_count;
};

/* Adds the marker of a sample, if it is of an event that has markers. */
PK_MUST_CHECK enum pk_status firefox_markers_add(struct firefox_markers *markers,
						 const struct export_sample *sample);
/* Sorts by row and start. */
void firefox_markers_sort(struct firefox_markers *markers);
/* Writes the member "markers" of a thread: those from `from` to `to` (excluded). zero is the time
 * that the profile starts at. */
void firefox_markers_write(const struct firefox_markers *markers, struct firefox_tables *tables,
			   const struct export_samples *samples, uint64_t zero, size_t from,
			   size_t to);
/* Writes the member "markerSchema". */
void firefox_markers_schemas(const struct firefox_markers *markers,
			     const struct export_samples *samples, struct export_output *out);
void firefox_markers_free(struct firefox_markers *markers);

#endif
