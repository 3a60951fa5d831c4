/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_H
#define PK_FOLD_H

#include "run.h"
#include "unfold.h"

enum fold_weight {
	FOLD_USUAL, /* the period, but samples of tracepoints count one each */
	FOLD_PERIOD,
	FOLD_SAMPLES,
	FOLD_LATENCY, /* the period, divided by the threads of the process that run */
	FOLD_FIELD,   /* a field of tracepoints, or the weight that the processor gives a sample */
};

/* What samples are kept apart by. */
enum fold_key { KEY_COMM, KEY_PID, KEY_TID, KEY_CPU, KEY_EVENT, KEY_CGROUP, KEY_HOST, FOLD_KEYS };

struct fold_options {
	enum fold_weight weight;
	const char *field;   /* FOLD_FIELD */
	const char **events; /* globs; none: the event of the first sample, and tracepoints */
	int events_count;
	enum fold_key by[FOLD_KEYS]; /* what stands in front of the frames, in this order */
	unsigned int by_count;
	struct unfold_options stacks;
	const char *base; /* what to compare with; NULL: nothing */
	uint64_t live;	  /* print every so many nanoseconds of the stream; 0: at the end */
	bool by_weight;	  /* the order of the lines; else by name */
};

/* Is samples of this key asked for? */
bool fold_is_by(const struct fold_options *options, enum fold_key key);
/* Reads what run names and prints its folded stacks on stdout. The exit status. */
int fold(struct pk_run *run, const struct fold_options *options);

#endif
