/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HALF_H
#define PK_HALF_H

/* A sample whose callchain lacks its user half, which the kernel writes later (SPEC 5.3). */

#include "pkstream.h"

/* Offsets in bytes in a SAMPLE whose callchain ends with the marker PERF_CONTEXT_USER_DEFERRED and
 * a cookie. */
struct half {
	uint64_t cookie;
	uint16_t size;	      /* of the record */
	uint16_t count_at;    /* offset of the callchain's number of entries */
	uint16_t marker_at;   /* offset of the marker: the start of the part to remove */
	uint16_t marker_size; /* bytes of the marker and, if present, the cookie */
	uint16_t trailer_at;  /* offset of an existing chain trailer; 0: none */
};

enum half_kind {
	HALF_NONE,	  /* the callchain is complete, or there is none */
	HALF_WITH_COOKIE, /* the callchain ends with marker and cookie */
	HALF_BAD,	  /* the record is shorter than its fields */
	HALF_WITHOUT,	  /* a marker without a cookie: its user half can never be found */
};

/* Sets *half unless the result is HALF_NONE or HALF_BAD. trailers: samples of the session can have
 * a chain trailer. */
enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half);

/* Writes the sample with the user half in place of marker and cookie. If the record is too large,
 * addresses at the root's end are cut, and *shortened is set. */
enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 const uint8_t *record, const struct pk_u64s *user,
				 bool *shortened);
/* Writes the sample without marker and cookie. flag: sets PK_CHAIN_USER_MISSING in its chain
 * trailer, which is added if needed. */
enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				const uint8_t *record, bool flag);

#endif
