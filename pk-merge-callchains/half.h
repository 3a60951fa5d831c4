/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HALF_H
#define PK_HALF_H

/* A sample of which the user half is still to come, and how it is written with that half or
 * without. */

#include "chunks.h"
#include "pkstream.h"

/* Where things lie in a SAMPLE whose callchain ends with a marker and a cookie (SPEC 5.3). */
struct half {
	uint64_t cookie;
	uint16_t size;	      /* of the record */
	uint16_t count_at;    /* the callchain's number of entries */
	uint16_t marker_at;   /* what is to go begins here, ... */
	uint16_t marker_size; /* ... the marker and, where it is there, the cookie */
	uint16_t trailer_at;  /* the chain trailer that it has already; 0: none */
};

/* The user half: so many addresses, leaf first. */
struct user_half {
	struct chunk_reader ips;
	uint64_t count;
};

enum half_kind {
	HALF_NONE,	  /* the callchain is whole, or is none */
	HALF_WITH_COOKIE, /* its user half has a name */
	HALF_BAD,	  /* the record is shorter than its fields */
	HALF_WITHOUT,	  /* has the marker and nothing behind it: no user half can ever come */
};

/* What kind of sample this is; trailers: samples may have a chain trailer. */
enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half);

/*
 * Writes the sample, read from from, with the user half in the place of marker and cookie. What
 * does not fit into a record is left out at the root's end: *shortened.
 */
enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 struct chunk_reader from, const struct user_half *user,
				 bool *shortened);
/* Writes it without marker and cookie, and, with flag, PK_CHAIN_USER_MISSING in a chain trailer. */
enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				struct chunk_reader from, bool flag);

#endif
