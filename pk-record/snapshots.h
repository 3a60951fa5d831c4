/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SNAPSHOTS_H
#define PK_RECORD_SNAPSHOTS_H

/* Implements --snapshots: samples of all threads at regular intervals, whether they run or not,
 * without events of the kernel. Each thread that has run since the last snapshot is stopped for a
 * moment (thread_stop.h). Its registers and its stack become a sample of the tracepoint
 * pk:snapshot, which only pk-record knows. */

#include "record_options.h"

/* Records with snapshots. Returns the exit status. */
int snapshots_run(struct options *options);

#endif
