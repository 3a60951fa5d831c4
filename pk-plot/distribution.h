/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DISTRIBUTION_H
#define PK_DISTRIBUTION_H

/* Distributions of numbers of samples, which heat maps and histograms draw. The options select a
 * field, the scale of its numbers, and the groups of samples. The result has the sum of the weights
 * of the samples for each range of numbers, range of times, and group. */

#include "density.h"
#include "rows.h"
#include "plot_options.h"

/* What the columns, the rows and the sums of a distribution are. */
enum distribution_kind {
	DISTRIBUTION_VALUES, /* a histogram: there is one column, and each row is a range of values
			      */
	DISTRIBUTION_TIME, /* a heat map: columns are ranges of times, and rows are ranges of values
			    */
	DISTRIBUTION_SUBSECOND,	  /* a heat map: columns are seconds, and rows are times within the
				   * second */
	DISTRIBUTION_UTILIZATION, /* a heat map: columns are ranges of times, rows are CPUs, and
				   * sums are CPU times */
};

/* A distribution: its options and its result. */
struct distribution {
	/* ---- Set by distribution_init() and the options ---- */
	enum distribution_kind kind;
	struct pk_tail_options selection;
	struct pk_column field; /* the field of samples that has the numbers */
	struct pk_scale scale;	/* the scale of the numbers */
	bool field_chosen, scale_chosen, has_min, has_max;
	bool mixes; /* --by=none is given, so that spans of different kinds are added to the same
		     * sums */
	struct pk_wide min, max;
	unsigned int groups_max;
	/* ---- The result ---- */
	struct pk_tail tail;
	struct pk_density density;
	struct pk_rows rows;	       /* the groups of samples */
	enum pk_value_kind value_kind; /* what the numbers are, such as durations or addresses */
	uint64_t total;		       /* sum of the weights of all layers */
	uint64_t samples;	       /* number of samples that were counted */
	struct distribution_layer {
		uint32_t layer; /* index in density.layers */
		uint64_t total; /* sum of the cells of the layer */
		bool is_rest;	/* true for a layer "other", which has the samples of several groups
				 */
		/* The name of the group, such as "comm=bash". It is "" if there are no groups, and
		 * "other" if the layer has the samples of several groups. */
		char *name;
	} * layers; /* sorted, with the largest layer first */
	unsigned int layers_count;
	/* For each event, its layer in the current epoch, or 0 if the layer is unknown. This array
	 * is used only if `splits` is set and there are no other groups. */
	uint32_t *of_events;
	size_t of_events_count;
	uint32_t known; /* number of rows for which layer_of() has found the "other" layer */
	bool splits; /* The last column of the groups is the event, so that each kind of spans has
		      * its own layers. */
	/* Numbers of samples that were left out. `lacking` counts samples without the field,
	 * `outside` counts samples whose number is outside of --min and --max, `timeless` counts
	 * samples without a time, and `other_spans` counts spans that are not CPU time
	 * (DISTRIBUTION_UTILIZATION). */
	uint64_t lacking, outside, timeless, other_spans;
	uint64_t grouped; /* number of samples that are in a layer "other", because their group has
			   * no layer */
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
