/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_STACK_MODE_H
#define PK_RECORD_STACK_MODE_H

#include "event.h"
#include "record_options.h"
#include "unwind_bpf.h"

/* Replaces --call-graph auto. Uses frame pointers if the code of the targets keeps them, and if no
 * probe is at the start of a function. Otherwise, if possible, the kernel unwinds the stacks, and
 * `unwind` is then ready for it. Otherwise, stack dumps are used, with a default frequency at which
 * no dumps are lost. */
void stack_mode_settle(struct options *options, const struct targets *targets,
		       const struct event_list *events, struct unwind *unwind);
/* Warns if callchains by frame pointers will lack the caller of a probed function, or if the kernel
 * cannot unwind the stacks of an event with --call-graph unwind. Call it after the events were
 * configured. */
void stack_mode_check(const struct options *options, const struct event_list *events);

#endif
