/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_OFFCPU_BLOCK_H
#define PK_RECORD_BPF_OFFCPU_BLOCK_H

/* What the BPF programs of --off-cpu and pk-record share. */

#include <stdint.h>

/* The raw data of the samples: the map's value for a task. With --call-graph unwind, a sample can
 * also be a struct unwind_half with a dump, whose first number is not 0. Times are those of
 * CLOCK_MONOTONIC, in ns. */
struct offcpu_block {
	uint64_t since;	       /* start of the block; 0: not blocked. Always 0 in samples */
	uint64_t time;	       /* duration of the block; only in samples */
	uint64_t dump;	       /* the user stack is in the dump with this `ip`; 0: it is here */
	uint64_t ids;	       /* pid << 32 | tid */
	uint32_t user, kernel; /* sizes of the two stacks in bytes */
	uint32_t end;	       /* of the user stack, as in struct unwind_half */
	uint32_t unused;
	uint64_t addresses[]; /* the user's, then the kernel's, leaf first */
};

/* Constants of the programs, which are set before they are loaded. */
struct offcpu_settings {
	uint64_t threshold;  /* blocks that are shorter (ns) are skipped */
	uint32_t stack_size; /* limit for one stack, in bytes */
};

#endif
