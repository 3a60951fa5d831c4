/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SPAN_FILTER_H
#define SPAN_FILTER_H

#include "pairing.h"
#include "run.h"

#define SPAN_DEFINITIONS_MAX 64

/* The definition of one kind of spans. */
struct span_definition {
	const char *name;    /* name of the derived event */
	bool is_named;	     /* an option gives the name */
	const char *address; /* the field that is an address of data, or NULL */
	struct pk_pairing pairing;
};

struct span_options {
	struct span_definition **definitions;
	size_t count;
	struct pk_open_pool *pool;     /* shared by all definitions */
	struct pk_user_halves *halves; /* shared by all definitions */
	bool optional;		       /* events may be missing in the input */
	bool pass;		       /* keep the samples from which spans were made */
	const char *output;	       /* NULL selects stdout */
	int argc;
	char *const *argv;
};

/* Writes the inputs of run together with their spans. The caller must have set run->files,
 * run->fail_on, and the rules, columns and limits of the pairings. Returns the exit status. */
int span_filter(struct pk_run *run, const struct span_options *options);

#endif
