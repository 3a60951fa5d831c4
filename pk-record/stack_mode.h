/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_STACK_MODE_H
#define PK_RECORD_STACK_MODE_H

#include "event.h"
#include "record_options.h"
#include "unwind_bpf.h"

/* Replaces --call-graph auto. If the code of the targets keeps frame pointers and no probe is at
 * the start of a function, they are used. Otherwise the kernel unwinds, if that is possible, and is
 * then ready for it. Otherwise stack dumps are used, with a default frequency at which none is
 * lost. */
void stack_mode_settle(struct options *options, const struct targets *targets,
		       const struct event_list *events, struct unwind *unwind);
/* Warns if callchains by frame pointers will lack the caller of a probed function. Call after the
 * events are configured. */
void stack_mode_check(const struct event_list *events);

#endif
