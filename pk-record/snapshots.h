/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SNAPSHOTS_H
#define PK_RECORD_SNAPSHOTS_H

/* Implements --snapshots: takes samples of the recorded threads at regular intervals, whether the
 * threads run or not. It needs no events of the kernel. A thread that may have run since the last
 * snapshot is stopped for a moment (thread_stop.h). The registers and the stack of the thread
 * become a sample of the tracepoint pk:snapshot, which the kernel does not know. */

#include "record_options.h"

/* Records with snapshots. Returns the exit status. */
int snapshots_run(struct options *options);

#endif
