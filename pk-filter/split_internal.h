/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_INTERNAL_H
#define PK_FILTER_SPLIT_INTERNAL_H

#include "texts.h"
#include "record_lists.h"
#include "split.h"
#include "stack_copy.h"

/* A thread, or as that of its first thread a process. */
struct split_task {
	struct record_list records;
	uint32_t *parents; /* whose records its own take for granted */
	size_t parents_count, parents_capacity;
	uint64_t wanted; /* by which stream, of all */
};

struct split_value {
	size_t id;
	struct split_value *next;   /* with samples of this session */
	struct record_list samples; /* of this session */
	struct pk_table tasks;	    /* of these; the keys alone matter */
	uint64_t last;		    /* added to it; UINT64_MAX: none */
	char *part, *path;	    /* its file, before and after it is complete; NULL: none yet */
};

struct split {
	struct pk_run *run;
	struct split_options options;
	struct record_lists *lists;
	struct pk_texts names; /* of values; the id is the place among these: */
	struct split_value **values;
	size_t values_count;
	struct split_value *first, *last; /* with samples of this session */
	uint64_t streams;		  /* written so far */
	uint64_t aux;			  /* records that belong to no sample */
	bool failed;
	/* The session's: */
	struct pk_table tasks;			   /* struct split_task */
	struct record_list common;		   /* what all need */
	uint64_t number;			   /* of records so far */
	struct pk_dictionary *dictionary, *stacks; /* as read; of all samples, never reset */
	struct stack_copy copy;			   /* from the one to the other */
	struct pk_losses told;			   /* of run->own, in earlier sessions */
};

/* Writes one. */
enum pk_status split_write(struct split *split, struct split_value *value, bool symbolized,
			   bool ordered);
/* After a message: PK_IO. */
enum pk_status split_fail(struct split *split, const char *what, int error);

#endif
