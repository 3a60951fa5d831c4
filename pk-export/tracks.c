// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "tracks.h"
#include "vector.h"

/* NULL: out of memory. */
static struct track *find(struct tracks *tracks, const struct export_sample *sample)
{
	const uint64_t key = (uint64_t)sample->row << 32 | sample->series;
	const uint64_t number = pk_table_get_u64(&tracks->numbers, key);

	if (number)
		return &tracks->items[number - 1];
	if (!pk_vector_reserve(tracks, 1) ||
	    !pk_table_set_u64(&tracks->numbers, key, tracks->count + 1))
		return NULL;
	tracks->items[tracks->count] = (struct track){.row = sample->row, .series = sample->series};
	return &tracks->items[tracks->count++];
}

bool tracks_add(struct tracks *tracks, const struct export_sample *sample)
{
	struct track *track = find(tracks, sample);
	struct track_sample *last;

	if (!track || !pk_vector_reserve(track, 1))
		return false;
	last = track->count ? &track->items[track->count - 1] : NULL;
	if (tracks->join && last && last->stack == sample->stack && last->weight < INT64_MAX / 2 &&
	    sample->weight < INT64_MAX / 2) {
		last->weight += sample->weight;
		return true;
	}
	track->items[track->count++] =
		(struct track_sample){sample->time, sample->weight, sample->stack};
	return true;
}

void tracks_free(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++)
		free(tracks->items[i].items);
	free(tracks->items);
	pk_table_free(&tracks->numbers);
}
