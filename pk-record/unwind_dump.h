/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_DUMP_H
#define PK_RECORD_UNWIND_DUMP_H

#include "unwind_half.h"
#include "unwind_processes.h"

/* Replaces the dump of a half by the addresses of its stack: the kernel did not know the maps of
 * the process yet. The same rules lead from frame to frame. */
void unwind_dump_walk(struct unwind_processes *processes, struct unwind_half *half);

#endif
