/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_FILTER_H
#define PK_FILTER_FILTER_H

#include "conditions.h"
#include "run.h"
#include "symbols.h"

/* The options of pk-filter. */
struct filter_options {
	struct conditions conditions;
	uint64_t drop; /* PERF_SAMPLE_* bits of the fields that are removed from samples */
	bool strip;    /* remove pk's extensions of the format, so that perf can read the output */
	bool anonymize;
	uint64_t keep; /* PERF_SAMPLE_* bits of the fields that --anonymize does not remove */
	void *key;     /* the secret key; NULL selects a random key; the caller frees it */
	size_t key_size;
	struct alias_key *names; /* the aliases and originals of --keep-key or --restore; NULL
				  * without these options */
	const char *keep_key;	 /* path of the file of --keep-key; NULL if it is not given */
	bool restore;
	const char *split_by; /* name of the field whose values select the streams; NULL without
			       * --split-by */
	const char *output;   /* path of the output; with split_by, a pattern for the paths */
	/* Where symbols are searched for, for conditions that need them. */
	struct pk_symbols_options symbols;
	int argc; /* arguments of the program, for the STAGE record */
	char **argv;
};

/* Returns the exit status. Takes ownership of the conditions. */
int filter(struct pk_run *run, struct filter_options *options);

#endif
