/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_OFFCPU_BLOCK_H
#define PK_RECORD_BPF_OFFCPU_BLOCK_H

/* Structures that the BPF programs of --off-cpu share with pk-record. */

#include <stdint.h>

/* A block: a thread that was not running because it waited. The map `blocked` has one block for
 * each thread. The raw data of a sample are one block or, with --call-graph unwind, can be a struct
 * unwind_half with a dump. The first number tells which one it is: in a block it is `since`, which
 * is 0, and in a half it is `ip`, which is not 0. Times are in ns of CLOCK_MONOTONIC. */
struct offcpu_block {
	uint64_t since; /* Start of the block. It is 0 if the thread is not blocked, and always 0 in
			 * samples. */
	uint64_t time;	/* duration of the block; it is set only in samples */
	uint64_t dump;	/* If it is not 0, the user stack is in the unwind_half with this value as
			 * `ip`, and not in `addresses`. */
	uint64_t ids;	/* pid << 32 | tid */
	uint32_t user,
		kernel; /* sizes of the user stack and the kernel stack in `addresses`, in bytes */
	uint32_t end;	/* how the user stack ends, as in unwind_half.end */
	uint32_t waker; /* size of a struct offcpu_waker after the stacks, in bytes; 0 if the waker
			 * is unknown */
	uint64_t addresses[]; /* addresses of the user stack, then of the kernel stack; in each
			       * stack, the leaf is first */
};

/* The task that has ended a block (--off-cpu=wakers). It follows the stacks of the block. */
struct offcpu_waker {
	uint64_t ids; /* pid << 32 | tid of the task that ran when the block ended */
	uint32_t user, kernel;
	char comm[16];
	uint64_t addresses[]; /* as in struct offcpu_block */
};

/* Constants of the BPF programs. pk-record sets them before it loads the programs. */
struct offcpu_settings {
	uint64_t threshold;  /* in ns; the programs skip blocks that are shorter */
	uint32_t stack_size; /* limit for one stack, in bytes */
	uint32_t wakers;     /* 1 if the wakers are recorded, otherwise 0 */
};

#endif
