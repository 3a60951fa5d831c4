/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_DUMP_H
#define PK_RECORD_UNWIND_DUMP_H

#include "unwind_half.h"
#include "unwind_processes.h"

/* Unwinds the dump of a half, and replaces it by the addresses. The BPF program did not do this
 * because it did not know all maps and tables. The rules are the same as those of the BPF program.
 */
void unwind_dump_walk(struct unwind_processes *processes, struct unwind_half *half);

#endif
