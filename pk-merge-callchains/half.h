/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HALF_H
#define PK_HALF_H

/* A sample without its user half, and how it is written with and without it. */

#include "chunks.h"
#include "pkstream.h"

/* Offsets in a SAMPLE whose callchain ends with a marker and a cookie (SPEC 5.3). */
struct half {
	uint64_t cookie;
	uint16_t size;	      /* of the record */
	uint16_t count_at;    /* offset of the callchain's number of entries */
	uint16_t marker_at;   /* start of the part to remove */
	uint16_t marker_size; /* size of the marker and, if it is there, the cookie */
	uint16_t trailer_at;  /* offset of an existing chain trailer; 0: none */
};

/* The user half: addresses, leaf first. */
struct user_half {
	struct chunk_reader ips;
	uint64_t count;
};

enum half_kind {
	HALF_NONE,	  /* the callchain is complete, or there is none */
	HALF_WITH_COOKIE, /* the cookie identifies its user half */
	HALF_BAD,	  /* the record is shorter than its fields */
	HALF_WITHOUT,	  /* a marker without a cookie: its user half can never be found */
};

/* The kind of a sample; trailers: samples can have a chain trailer. */
enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half);

/* Writes the sample, which is read from `from`, with the user half in the place of marker and
 * cookie. Frames that do not fit into a record are cut at the root's end: *shortened. */
enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 struct chunk_reader from, const struct user_half *user,
				 bool *shortened);
/* Writes the sample without marker and cookie and, with flag, PK_CHAIN_USER_MISSING in a chain
 * trailer. */
enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				struct chunk_reader from, bool flag);

#endif
