/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DISTRIBUTION_H
#define PK_DISTRIBUTION_H

/* The numbers of samples, for heat maps and histograms: options that select a field, its scale and
 * groups, and the sums of weights by number, time and group. */

#include "density.h"
#include "rows.h"
#include "plot_options.h"

enum distribution_kind {
	DISTRIBUTION_VALUES,	  /* one column; rows are values */
	DISTRIBUTION_TIME,	  /* columns are times, rows are values */
	DISTRIBUTION_SUBSECOND,	  /* columns are seconds, rows are times in the second */
	DISTRIBUTION_UTILIZATION, /* columns are times, rows are CPUs, sums are CPU times */
};

struct distribution {
	/* Set by the kind and its options: */
	enum distribution_kind kind;
	struct pk_tail_options selection;
	struct pk_column field; /* of the numbers */
	struct pk_scale scale;	/* of the numbers */
	bool field_chosen, scale_chosen, has_min, has_max;
	bool mixes; /* --by=none: kinds of spans are not kept apart */
	struct pk_wide min, max;
	unsigned int groups_max;
	/* The result: */
	struct pk_tail tail;
	struct pk_density density;
	struct pk_rows rows;	       /* the groups */
	enum pk_value_kind value_kind; /* of the numbers */
	uint64_t total;		       /* of all layers */
	uint64_t samples;	       /* that were counted */
	struct distribution_layer {
		uint32_t layer; /* of the density */
		uint64_t total; /* of its cells */
		bool is_rest;	/* of several groups */
		char *name;	/* "comm=bash"; "": all samples; "other": those of several groups */
	} * layers;		/* the largest first */
	unsigned int layers_count;
	uint32_t *of_events; /* if `splits` and there are no other groups: layers by event, in this
			      * epoch; 0: unknown */
	size_t of_events_count;
	uint32_t known; /* number of rows that were seen */
	bool splits; /* the last column of the groups is the event: kinds of spans are kept apart */
	/* Numbers of samples that were left out: */
	uint64_t lacking, outside, timeless, other_spans;
	uint64_t grouped; /* samples of groups that had no layer */
};

/* The values without options. */
void distribution_init(struct distribution *distribution, enum distribution_kind kind);
/* For struct distribution. */
extern const struct pk_option distribution_rows[];
/* Reads the inputs of run, and reports what was left out. *result is the exit status. Returns
 * PK_NOMEM if memory is exhausted. Then there is no result to draw. */
PK_MUST_CHECK enum pk_status distribution_read(struct distribution *distribution,
					       struct pk_run *run, int *result);
/* The unit of the sums: "samples", "nanoseconds", the name of a field or event. */
const char *distribution_unit(const struct distribution *distribution);
/* Returns status, or PK_EXIT_FAILED if lookups of symbols failed. */
int distribution_free(struct distribution *distribution, int status);

#endif
