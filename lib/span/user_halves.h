/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USER_HALVES_H
#define PK_USER_HALVES_H

/*
 * Keeps the user halves of deferred callchains for spans that are open. A user half is the user
 * part of a callchain, which the kernel writes in a separate record with the same cookie as the
 * sample. The half of a start often comes before the span ends. When a span starts, its cookie is
 * announced. A half with this cookie is then kept until all spans with this cookie are closed. The
 * last PK_RECENT_HALVES halves are always kept, because a sample can come after its half. A struct
 * of all zero bytes is valid and empty.
 */

#include "buffer.h"
#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

#define PK_RECENT_HALVES 1024u

/* The user halves that are kept, as the comment above describes them. */
struct pk_user_halves {
	size_t bytes_max; /* set by the caller: limit for the halves of open spans, in bytes */

	/* Private: */
	size_t bytes;
	struct pk_table wanted; /* by cookie: a struct wanted_half, for the cookies of open spans */
	struct pk_table recent; /* by cookie: the index in `slots`, plus 1, of a recent half */
	struct pk_table execs;	/* by pid: the time of the last exec in ns, plus 1 */
	struct recent_half {
		uint64_t cookie, time;
		uint64_t *ips;
		size_t count, capacity;
	} * slots; /* array of PK_RECENT_HALVES entries, or NULL */
	size_t last;
};

void pk_user_halves_clear(struct pk_user_halves *halves);
void pk_user_halves_free(struct pk_user_halves *halves);
/* Say that a span opens or closes. `cookie` is the cookie in the callchain of the span's start. */
PK_MUST_CHECK enum pk_status pk_user_halves_open(struct pk_user_halves *halves, uint64_t cookie);
void pk_user_halves_close(struct pk_user_halves *halves, uint64_t cookie);
/* Handles a record that is not a SAMPLE. Notes CALLCHAIN_DEFERRED records, and COMM records of
 * exec. */
PK_MUST_CHECK enum pk_status pk_user_halves_record(struct pk_user_halves *halves,
						   const struct pk_record *record);

/* Whether a callchain could be joined with its user half. */
enum pk_half_state {
	PK_HALF_PENDING, /* the half was not read yet */
	PK_HALF_JOINED,	 /* *chain is the complete callchain, stored in *bytes */
	PK_HALF_GONE,	 /* there is no half for the cookie, or it is empty; *chain is the callchain
			  * without marker and cookie */
};
/* Joins a callchain that has a cookie with its user half. `pid` and `time` are from the sample.
 * Sets bytes->failed if memory is exhausted. */
enum pk_half_state pk_user_halves_join(const struct pk_user_halves *halves, uint32_t pid,
				       uint64_t time, struct pk_u64s *chain, struct buffer *bytes);

#endif
