/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROW_BLOCKS_H
#define PK_ROW_BLOCKS_H

/* The weights of the rows in blocks of time. A recording is cut into at most ROW_BLOCKS blocks of
 * equal length. The length is doubled whenever the recording becomes too long. At the end of a
 * recording, each row gets one part, with its weight and its variance. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rate_change.h"
#include "table.h"

#define ROW_BLOCKS 64

/* The unit of a rate. */
enum row_unit {
	ROW_UNIT_SHARE,	 /* the weight of all rows of the event */
	ROW_UNIT_RUN,	 /* a recording */
	ROW_UNIT_SECOND, /* a second of a recording */
	ROW_UNIT_EVENT,	 /* what another event counts, such as requests */
};

/* A recording that was read completely. */
struct row_recording {
	unsigned int side; /* which side of the comparison it belongs to, see results.h */
	double lost;	   /* the part of its samples that was lost, from 0 to 1 */
};

/* What all rows of an event have together. */
struct row_event {
	uint32_t event; /* the number of the event, as in struct sheet_set */
	double *units;	/* by recording: the unit of its rates; 0 if the event has no samples */
	size_t units_capacity;
	double *squares; /* by side: sum of the squares of all weights */
	size_t squares_capacity;
	double blocks[ROW_BLOCKS]; /* weights of the current recording */
	/* How the samples were recorded, as the caller counts it. `mixed` is set if recordings
	 * differ in it, so that their rates cannot be compared. */
	uint64_t method;
	bool mixed;
};

/* A row in one recording. */
struct row_part {
	uint32_t row, recording;
	double weight;
	struct pk_variance variance;
};

/* A sample of a row, or the sum of several ones. */
struct row_sample {
	uint32_t row, event;
	uint64_t time, weight, method;
	double squares; /* sum of the squares of the weights of the samples */
	bool has_time;	/* otherwise the samples are cut into blocks by their number */
	bool summary;	/* the row is on an upper level: its samples also belong to another row */
};

struct row_blocks {
	enum row_unit unit;  /* set by the caller */
	uint32_t unit_event; /* for ROW_UNIT_EVENT, set by the caller: the number of the event */
	/* Recordings, by number. */
	struct row_recording *recordings;
	size_t recordings_count, recordings_capacity;
	struct row_part *parts; /* sorted by recording, then by row */
	size_t parts_count, parts_capacity;
	struct row_event *events;
	size_t events_count, events_capacity;
	double *squares; /* by row: sum of the squares of its weights */
	size_t squares_capacity;
	/* Private: */
	struct pk_table event_numbers; /* by event, plus 1: the index in `events`, plus 1 */
	struct row_cell *cells;	       /* the weights of the current recording */
	size_t cells_count, cells_capacity;
	uint32_t *last; /* by row: the index of its last cell, plus 1; 0 if it has none */
	size_t last_capacity;
	uint64_t untimed;	    /* number of samples that have no time */
	uint64_t start, end, width; /* times of the current recording and of one block, in ns; width
				     * is 0 before the first sample */
};

/* Adds a sample to its row in the current recording. Samples need not be in order of time. */
PK_MUST_CHECK enum pk_status pk_row_blocks_add(struct row_blocks *blocks, unsigned int side,
					       const struct row_sample *sample);
/* Ends the current recording. Does nothing if it has no samples. `lost` is the part of its samples
 * that was lost. */
PK_MUST_CHECK enum pk_status pk_row_blocks_end(struct row_blocks *blocks, unsigned int side,
					       double lost);
/* Returns the numbers of an event, or NULL if it has no samples. */
const struct row_event *pk_row_blocks_event(const struct row_blocks *blocks, uint32_t event);
void pk_row_blocks_free(struct row_blocks *blocks);

#endif
