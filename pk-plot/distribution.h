/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DISTRIBUTION_H
#define PK_DISTRIBUTION_H

/* Distributions of numbers of samples, for heat maps and histograms. A distribution has options
 * that select a field, its scale and groups. Its result is the sum of weights for each number, time
 * and group. */

#include "density.h"
#include "rows.h"
#include "plot_options.h"

enum distribution_kind {
	DISTRIBUTION_VALUES,	  /* one column; each row is a range of values */
	DISTRIBUTION_TIME,	  /* columns are times, rows are values */
	DISTRIBUTION_SUBSECOND,	  /* columns are seconds, rows are times within the second */
	DISTRIBUTION_UTILIZATION, /* columns are times, rows are CPUs, sums are CPU times */
};

struct distribution {
	/* Set according to the kind, and by the options: */
	enum distribution_kind kind;
	struct pk_tail_options selection;
	struct pk_column field; /* the field that has the numbers */
	struct pk_scale scale;	/* the scale of the numbers */
	bool field_chosen, scale_chosen, has_min, has_max;
	bool mixes; /* --by=none is given: kinds of spans are added together */
	struct pk_wide min, max;
	unsigned int groups_max;
	/* The result: */
	struct pk_tail tail;
	struct pk_density density;
	struct pk_rows rows;	       /* the groups */
	enum pk_value_kind value_kind; /* the kind of the numbers */
	uint64_t total;		       /* sum of the weights of all layers */
	uint64_t samples;	       /* number of samples that were counted */
	struct distribution_layer {
		uint32_t layer; /* index in density.layers */
		uint64_t total; /* sum of the cells of the layer */
		bool is_rest;	/* an "other" layer, with the samples of several groups */
		char *name; /* "comm=bash" or similar; "" if the layer has all samples; "other" if
			     * it has several groups */
	} * layers;	    /* sorted, with the largest layer first */
	unsigned int layers_count;
	uint32_t *of_events; /* The layers of the current epoch by event, or 0 if the layer is
			      * unknown. Used if `splits` is set and there are no other groups. */
	size_t of_events_count;
	uint32_t known; /* number of rows for which layer_of() has found the "other" layer */
	bool splits; /* The last column of the groups is the event, so that each kind of spans has
		      * its own layers. */
	/* Numbers of samples that were left out: */
	uint64_t lacking, outside, timeless, other_spans;
	uint64_t grouped; /* number of samples whose group had no layer */
};

/* Sets the values that hold if no options are given. */
void distribution_init(struct distribution *distribution, enum distribution_kind kind);
/* Options that set members of a struct distribution. */
extern const struct pk_option distribution_rows[];
/* Reads the inputs of run, and reports which samples were left out. *result is the exit status.
 * Returns PK_NOMEM if memory is exhausted, and PK_FAILED if no input was read. In both cases, there
 * is no result to draw. */
PK_MUST_CHECK enum pk_status distribution_read(struct distribution *distribution,
					       struct pk_run *run, int *result);
/* Returns the unit of the sums: "samples", "nanoseconds", or the name of a field or event. */
const char *distribution_unit(const struct distribution *distribution);
/* Returns status, or PK_EXIT_FAILED if lookups of symbols failed. */
int distribution_free(struct distribution *distribution, int status);

#endif
