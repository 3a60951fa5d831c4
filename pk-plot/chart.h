/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHART_H
#define PK_CHART_H

/* What a flame chart shows: frames of samples, and spans, as pieces of time in rows of lanes. */

#include "allowance.h"
#include "frame_names.h"
#include "lanes.h"
#include "palette.h"
#include "pieces.h"
#include "plot_options.h"
#include "sample_source.h"
#include "span_times.h"

#define CHART_ROWS 512 /* of a lane; deeper frames are not drawn */

struct chart {
	/* Set by the options. */
	struct plot_options plot;
	struct sample_source source;
	struct lanes lanes;
	struct palette palette;
	struct pk_frame_options frames;
	bool objects; /* names of frames start with their object: show it in tooltips only */
	unsigned int row_height;
	unsigned int lanes_most;

	/* Set by chart_read(). */
	struct pieces pieces;
	struct pk_texts names; /* of pieces */
	uint64_t first, last;  /* the extent of all pieces; last 0: there are none */
	uint64_t without_time; /* samples that are not drawn */
	uint64_t cut;	       /* samples with deeper stacks */
	uint64_t shortened;    /* samples whose stacks were cut because the allowance was spent */
	struct pk_allowance allowance; /* what the stacks may cost */

	/* Private. */
	struct span_times times;
	struct buffer text;
	struct frame_text { /* by frame: its names, numbers in `numbers`; count 0: unknown */
		uint32_t at, count;
	} * of_frame;
	size_t of_frame_count;
	uint32_t *numbers;
	size_t numbers_count, numbers_capacity;
	uint32_t *path; /* names of the last stack, the root first */
	size_t path_capacity;
	uint32_t path_size, path_stack, path_most;
	bool path_cut; /* path lacks frames because the allowance was spent */
};

/* Reads the inputs of run. Returns the exit status. */
int chart_read(struct chart *chart, struct pk_run *run);
int chart_free(struct chart *chart, int status);

#endif
