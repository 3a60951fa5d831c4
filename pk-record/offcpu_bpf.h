/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_BPF_H
#define PK_RECORD_OFFCPU_BPF_H

/* The kernel's part of --off-cpu, two BPF programs. One is attached to the context-switches events
 * of the observed tasks: it records when, and with which stacks, they stop running. The other is
 * attached to the tracepoint sched:sched_switch: it tells the first one whether the task is
 * blocked, and when a recorded task runs again, writes a raw sample through the bpf-output event of
 * the CPU. */

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

/* The raw data of these samples: the map's value for a task. Times are those of CLOCK_MONOTONIC, in
 * ns. */
struct offcpu_block {
	uint64_t since;	       /* start of the block; 0: not blocked. Always 0 in samples */
	uint64_t time;	       /* duration of the block; only in samples */
	uint64_t ids;	       /* pid << 32 | tid */
	uint32_t user, kernel; /* sizes of the two stacks in bytes */
	uint64_t addresses[];  /* the user's, then the kernel's, leaf first */
};

struct offcpu_bpf {
	int blocked;  /* map: a struct offcpu_block for each task; the key is the task's address */
	int stopping; /* map: for each CPU, the blocked task that stops running, or 0 */
	int blank;    /* map: the initial value in blocked */
	int outputs;  /* map: the bpf-output event of each CPU */
	int missed;   /* map: number of blocks that were not recorded or written; without those lost
		       * in full rings, which the events count */
	int switch_out, switch_in; /* programs */
	int switches;		   /* descriptor of the tracepoint to which switch_in is attached */
	uint32_t stack_size;	   /* limit for one stack, in bytes */
	uint32_t cpus;		   /* number of entries in outputs */
	struct pk_messages messages; /* of the functions below that fail; the caller prints them */
};

/* Limit for the frames of a stack. */
#define OFFCPU_STACK_MAX 1024

/* Sets all descriptors to -1. */
void offcpu_bpf_init(struct offcpu_bpf *bpf);
/* Creates the maps. frames: limit for the frames of a stack, at most OFFCPU_STACK_MAX; cpus: the
 * highest number of a CPU, plus 1. False after a message with the reason. */
bool offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus);
/* Loads the programs; blocks shorter than threshold (ns) are skipped. False after a message. */
bool offcpu_bpf_load(struct offcpu_bpf *bpf, uint64_t threshold);
/* Attaches switch_in. From now on, switch_out records the blocks of the tasks to whose events it is
 * attached. False after a message. */
bool offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Detaches switch_in, and waits until no CPU runs it any more. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Sets fd as the bpf-output event for samples of a CPU. False with errno. */
bool offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
/* The counter `missed`. */
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls each for every thread that is blocked now. If memory is exhausted, calls it for none. */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

#endif
