/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_FILTER_H
#define PK_FILTER_FILTER_H

#include "conditions.h"
#include "run.h"
#include "symbols.h"

struct filter_options {
	struct conditions conditions;
	const char *where; /* the text of --where, for messages */
	uint64_t drop;	   /* PERF_SAMPLE_* that samples are to lose */
	bool strip;	   /* a stream of perf's again */
	bool anonymize;
	uint64_t keep; /* PERF_SAMPLE_* that it leaves alone */
	void *key;     /* NULL: a random one; to be freed */
	size_t key_size;
	struct alias_key *names; /* of --keep-key or --restore; or NULL */
	const char *keep_key;	 /* a file; or NULL */
	bool restore;
	const char *split_by;		   /* a field, or NULL */
	const char *output;		   /* with split_by a pattern of names */
	struct pk_symbols_options symbols; /* for fields that need files */
	int argc;			   /* for the stream's provenance */
	char **argv;
};

/* Prints an expression and a caret below the place of an error in it; what: the option. */
void expression_complain(const char *what, const char *text, size_t at, const char *error);
/* The exit status. Takes the conditions. */
int filter(struct pk_run *run, struct filter_options *options);

#endif
