/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_STATE_H
#define PK_FILTER_SPLIT_STATE_H

/* What split.c, which sorts the records, and split_write.c, which writes the streams, share. */

#include "pkprivate.h"
#include "record_lists.h"
#include "split.h"
#include "stack_copy.h"
#include "table.h"
#include "texts.h"

/* A thread; the first thread also stands for its process. */
struct split_task {
	struct record_list records;
	uint32_t *parents; /* the tasks whose records this one also needs */
	size_t parents_count, parents_capacity;
	uint64_t wanted; /* number of the last stream that needs it */
};

struct split_value {
	size_t id;
	struct split_value *next;   /* with samples of this session */
	struct record_list samples; /* of this session */
	struct pk_table tasks;	    /* the tasks of these; only the keys are used */
	uint64_t last;		    /* last sample added to it; UINT64_MAX: none */
	char *part, *path;	    /* name of the incomplete and of the complete file; NULL: none
				     * yet */
};

struct split {
	struct pk_run *run;
	struct split_options options;
	struct record_lists *lists;
	struct pk_texts names; /* of values; the id is the index in: */
	struct split_value **values;
	size_t values_count;
	struct split_value *first, *last; /* with samples of this session */
	uint64_t streams;		  /* number of streams written */
	uint64_t aux;			  /* number of records that belong to no sample */
	bool failed;
	int refused; /* the exit status, if an output is an input */
	/* The session's: */
	struct pk_table tasks;			   /* struct split_task */
	struct record_list common;		   /* records that all streams need */
	uint64_t number;			   /* number of records so far */
	struct pk_dictionary *dictionary, *stacks; /* as read; stacks: those of all samples, never
						    * reset */
	struct pk_stack_copy copy;		   /* copies from dictionary to stacks */
	struct pk_losses losses;		   /* of run->own, in previous sessions */
};

/* Reports the first error. PK_IO. */
enum pk_status split_fail(struct split *split, const char *what, int error);
/* Appends the samples of a value, and all records that they need, to its file. */
enum pk_status split_write(struct split *split, struct split_value *value, bool symbolized,
			   bool ordered);

#endif
