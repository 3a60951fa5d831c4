/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_USER_HALF_H
#define PK_USER_HALF_H

/* A deferred callchain is recorded in two halves (SPEC 5.3). The SAMPLE has the kernel addresses
 * and a cookie. A later CALLCHAIN_DEFERRED record has the user addresses. It is called the user
 * half. */

#include "pkstream.h"

/* Returns the addresses of a CALLCHAIN_DEFERRED record, starting with the innermost one. In an
 * early version of the kernel interface, they started with PERF_CONTEXT_USER, which is skipped. */
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

/* If the user half of the callchain is in a later record, returns its cookie. Otherwise returns 0.
 */
static inline uint64_t pk_chain_cookie(const struct pk_u64s *chain)
{
	if (chain->count < 2 || pk_u64s_at(chain, chain->count - 2) != PERF_CONTEXT_USER_DEFERRED)
		return 0;
	return pk_u64s_at(chain, chain->count - 1);
}

#endif
