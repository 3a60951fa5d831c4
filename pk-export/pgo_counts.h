/* SPDX-License-Identifier: BSD-2-Clause */
/* The branches and addresses of samples, counted for each object. The formats of optimizers (bolt,
 * profgen) write these counts. */
#ifndef PGO_COUNTS_H
#define PGO_COUNTS_H

#include "build_id.h"
#include "pgo_traces.h"
#include "samples.h"

/* A file with code that was sampled. Files of the same path and build-id are one object, in all
 * sessions. */
struct pgo_object {
	const char *path;
	struct pk_build_id build_id; /* its size is 0 if it is unknown */
	struct pk_mapped by;	     /* a process that has mapped the file */
	struct pgo_traces traces;
	/* The addresses of samples without branches: `from` is the address, `to` is the index of
	 * the series, and `end` is 0. */
	struct pgo_traces addresses;
	uint64_t branches; /* number of branches from or to the object */
};

/* A range of addresses that have the same object, or no object. */
struct pgo_place {
	uint64_t start, end; /* end is not included */
	uint32_t object;     /* number of the object; 0 if there is none */
	uint64_t shift;	     /* what is added to an address to get the offset in the file */
};

#define PGO_PLACES 8

/* A branch that was counted before, with the trace that it adds to. */
struct pgo_recent {
	uint64_t serial, from, to, next; /* address space, branch, and the next branch or 0 */
	uint32_t object;		 /* number of the object; 0 if the entry is not used */
	uint32_t trace;			 /* index of the trace */
};

#define PGO_RECENT 2048

/* The counts of all objects. The caller sets the members of the first part. All other members are
 * zero at first. */
struct pgo_counts {
	/* Branches from and to the kernel are ignored, and the code that an interrupt divides is
	 * one range. If it is false, they are branches from and to another object. */
	bool join_interrupts;
	bool only_addresses;	   /* do not use the branches of samples */
	struct pgo_kernel *kernel; /* only the code of this kernel is counted; NULL if only the code
				    * of programs is counted */
	size_t most;		   /* the most traces and addresses of all objects together */

	struct pgo_object **objects; /* The number of an object is its index plus 1. */
	size_t count, capacity;
	struct pk_texts keys;	    /* the keys of objects: path and build-id */
	uint64_t samples;	    /* number of samples with branches */
	uint64_t branchless;	    /* number of samples without branches */
	uint64_t branches, dropped; /* number of all branches, and of those that were not counted
				     * because `most` was reached */
	uint64_t partial; /* number of samples whose event does not record all branches (such as
			   * call stacks), so that the code between them is unknown */
	size_t used;	  /* number of all traces and addresses */

	/* Only pgo_counts.c uses these members: */
	uint64_t session;    /* the session to which of_images belongs */
	uint32_t *of_images; /* the number of the object by pk_image.index */
	size_t of_images_count;
	struct pgo_place places[PGO_PLACES]; /* the last places in the address space `serial` */
	uint64_t serial;
	struct pgo_recent recent[PGO_RECENT]; /* the index is a hash of the addresses */
	unsigned int next;		      /* index of the place that is replaced next */
	uint64_t record; /* pk_profile.bytes of the last record that was counted */
};

/* The default of pgo_counts.most. Counting and sorting so many traces needs less than 200 MiB. */
#define PGO_TRACES_MAX ((size_t)2 << 20)

/* Counts a sample. */
PK_MUST_CHECK enum pk_status pgo_counts_add(struct pgo_counts *counts,
					    const struct export_samples *samples,
					    const struct export_sample *sample);
void pgo_counts_free(struct pgo_counts *counts);

#endif
