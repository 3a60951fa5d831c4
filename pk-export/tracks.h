/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_TRACKS_H
#define EXPORT_TRACKS_H

/* The samples of each thread in their order: a track for all samples with equal labels and of one
 * event. Needs memory for each sample. All zero: empty. */

#include "samples.h"

struct tracks {
	struct track {
		uint32_t row, series;
		struct track_sample {
			uint64_t time, weight;
			uint32_t stack;
		} * items;
		size_t count, capacity;
	} * items; /* in the order of their first sample */
	size_t count, capacity;
	struct pk_table numbers; /* index + 1, by row and series */
	bool join;		 /* join adjacent samples with equal stacks; set by the caller */
};

/* False: out of memory. */
bool tracks_add(struct tracks *tracks, const struct export_sample *sample);
void tracks_free(struct tracks *tracks);

#endif
