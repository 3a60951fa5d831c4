// SPDX-License-Identifier: BSD-2-Clause
#include "unwind.h"

/* The processor's call stack (LBR) contains the calls that have not returned, last one first. The
 * kernel part of the callchain is separate. If the sample was taken in the kernel, the user's pc is
 * the first address of the user part of the callchain, and the ip of the sample is a kernel
 * address. Otherwise, the ip of the sample is used: with PEBS, the ip and the call stack belong to
 * a slightly earlier instruction than the first address of the callchain. */
void unwind_branches(const struct pk_sample *sample, bool in_kernel, struct unwound *unwound)
{
	const struct pk_u64s *chain = &sample->callchain;
	const uint64_t at = unwind_user_part(chain);

	unwound->count = 0;
	unwound->flags = sample->chain_flags;
	unwound->changed = false;
	unwound->supported = true;
	if (at >= chain->count || !sample->branches.count)
		return;
	unwound->changed = true;
	unwound->ips[unwound->count++] = in_kernel ? pk_u64s_at(chain, at) : sample->ip;
	for (uint64_t i = 0; i < sample->branches.count && unwound->count < UNWIND_IPS_MAX; i++) {
		const uint64_t from = pk_u64s_at(&sample->branches, 3 * i);

		if (!from)
			break;
		/* An address in the call instruction, like other callers of a callchain. Readers
		 * subtract 1 before the lookup. */
		unwound->ips[unwound->count++] = from + 1;
	}
}
