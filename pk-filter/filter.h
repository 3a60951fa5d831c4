/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_FILTER_H
#define PK_FILTER_FILTER_H

#include "conditions.h"
#include "run.h"
#include "symbols.h"

struct filter_options {
	struct conditions conditions;
	uint64_t drop; /* PERF_SAMPLE_* to remove from samples */
	bool strip;    /* remove pk's extensions */
	bool anonymize;
	uint64_t keep; /* PERF_SAMPLE_* that --anonymize keeps */
	void *key;     /* NULL for a random key; the caller frees it */
	size_t key_size;
	struct alias_key *names; /* the names of --keep-key or --restore, or NULL */
	const char *keep_key;	 /* the file of --keep-key, or NULL */
	bool restore;
	const char *split_by; /* name of a field, or NULL */
	const char *output;   /* the output file; with split_by, a pattern for file names */
	struct pk_symbols_options symbols; /* for fields that need files */
	int argc;			   /* for the STAGE record */
	char **argv;
};

/* Returns the exit status. Takes ownership of the conditions. */
int filter(struct pk_run *run, struct filter_options *options);

#endif
