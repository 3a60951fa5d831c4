/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USER_HALF_H
#define PK_USER_HALF_H

/* The halves of a deferred callchain (SPEC 5.3). */

#include "pkstream.h"

/* The addresses of a CALLCHAIN_DEFERRED record, leaf first. In an early version of the kernel
 * interface, they started with PERF_CONTEXT_USER: it is skipped. */
static inline struct pk_u64s pk_user_half(const uint8_t *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record;
	struct pk_u64s ips = {.data = (const uint8_t *)half->ips, .count = half->nr};

	if (ips.count && half->ips[0] == PERF_CONTEXT_USER) {
		ips.count--;
		ips.data += sizeof(half->ips[0]);
	}
	return ips;
}

/* The cookie of the user half that the callchain lacks, or 0 if it lacks none. */
static inline uint64_t pk_chain_cookie(const struct pk_u64s *chain)
{
	if (chain->count < 2 || pk_u64s_at(chain, chain->count - 2) != PERF_CONTEXT_USER_DEFERRED)
		return 0;
	return pk_u64s_at(chain, chain->count - 1);
}

#endif
