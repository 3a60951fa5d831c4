// SPDX-License-Identifier: BSD-2-Clause
#include "unwind.h"

/*
 * The processor's call stack (LBR): the calls that have not returned, the last one first. The
 * kernel's half of the callchain is beside it. Where the user was when the kernel took over is the
 * first address of the callchain's user half; the sample's own may be of the kernel, or a bit
 * earlier (PEBS), as the calls are.
 */
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
		/* In the call, as callers in the callchain of a stack are: what reads them looks
		 * one byte in front. */
		unwound->ips[unwound->count++] = from + 1;
	}
}
