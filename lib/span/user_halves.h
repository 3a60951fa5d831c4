/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USER_HALVES_H
#define PK_USER_HALVES_H

/*
 * The user halves of deferred callchains for spans that are open: the half of a start often comes
 * before the span ends. A start with a cookie is announced; a half with this cookie is then kept
 * until all such spans are closed. The last halves are kept without that, because a sample can come
 * after its half. All zero: valid, and nothing is kept.
 */

#include "buffer.h"
#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

#define PK_RECENT_HALVES 1024u

struct pk_user_halves {
	size_t bytes_max; /* set by the caller: limit for the halves of open spans */

	/* Private. */
	size_t bytes;
	struct pk_table wanted; /* cookie -> struct wanted_half */
	struct pk_table recent; /* cookie -> index in slots + 1 */
	struct pk_table execs;	/* pid -> time of its last exec, in ns, + 1 */
	struct recent_half {
		uint64_t cookie, time;
		uint64_t *ips;
		size_t count, capacity;
	} * slots; /* PK_RECENT_HALVES of them, or NULL */
	size_t last;
};

void pk_user_halves_clear(struct pk_user_halves *halves);
void pk_user_halves_free(struct pk_user_halves *halves);
/* A span with this cookie in the callchain of its start opens or closes. */
PK_MUST_CHECK enum pk_status pk_user_halves_open(struct pk_user_halves *halves, uint64_t cookie);
void pk_user_halves_close(struct pk_user_halves *halves, uint64_t cookie);
/* A record that is not a SAMPLE: notes CALLCHAIN_DEFERRED, and COMM of exec. */
PK_MUST_CHECK enum pk_status pk_user_halves_record(struct pk_user_halves *halves,
						   const struct pk_record *record);

enum pk_half_state {
	PK_HALF_PENDING, /* it has not been read */
	PK_HALF_JOINED,	 /* *chain is the complete callchain, in bytes */
	PK_HALF_GONE,	 /* it does not exist: *chain is the callchain without marker and cookie */
};
/* The callchain, which has a cookie, of a sample of this process and time. bytes.failed is set if
 * memory is exhausted. */
enum pk_half_state pk_user_halves_join(const struct pk_user_halves *halves, uint32_t pid,
				       uint64_t time, struct pk_u64s *chain, struct buffer *bytes);

#endif
