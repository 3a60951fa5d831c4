/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SPAN_FILTER_H
#define SPAN_FILTER_H

#include "pairing.h"
#include "run.h"

#define SPAN_DEFINITIONS_MAX 64

/* What spans are made of: one kind of them. */
struct span_definition {
	const char *name;    /* of the derived event */
	bool is_named;	     /* by an option */
	const char *address; /* the field that is an address of data; NULL: none */
	struct pk_pairing pairing;
};

struct span_options {
	struct span_definition **definitions;
	size_t count;
	struct pk_open_pool *pool;     /* of all definitions */
	struct pk_user_halves *halves; /* likewise */
	bool optional;		       /* the input can lack events */
	bool pass;		       /* keep the samples that were paired */
	const char *output;	       /* NULL: stdout */
	int argc;
	char *const *argv;
};

/* Writes the inputs of run (its files and fail_on are set) with their spans. The rules, columns and
 * limits of the pairings are set. Returns the exit status. */
int span_filter(struct pk_run *run, const struct span_options *options);

#endif
