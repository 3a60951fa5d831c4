/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_HEAP_RECORDER_H
#define PK_RECORD_HEAP_RECORDER_H

/* Implements --heap: records allocations and releases of memory of a command and of the processes
 * that it starts. libpkheap.so is loaded into these processes, and writes samples into shared
 * memory (heap_ring.h). It needs no events of the kernel and no privileges. */

#include "record_options.h"

/* Records allocations. Returns the exit status. */
int heap_run(struct options *options);

#endif
