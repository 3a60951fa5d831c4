/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_TELL_H
#define PK_RECORD_TELL_H

#include "ring.h"
#include "run.h"

/* Says what was lost: samples by the events' own counters, and of those the blocks that --off-cpu
 * has missed. The exit status: --fail-on lost. */
int tell_losses(const struct ring_counts *counts, uint64_t lost, uint64_t missed,
		const struct pk_fail_on *fail_on);

#endif
